// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/make_blocks.hpp"

#include "blocks/actuation.hpp"

namespace bayesid::blocks {

using Eigen::VectorXd;

namespace {

/// A kind of block: its parameters follow those of the kinds above it. Sensors come last, since
/// their entries of η do.
constexpr auto kinds = {make_inertia,  make_friction,      make_armature,
                        make_effort,   make_effort_delay,  make_rotor,
                        make_imu_bias, make_wrench_offset, make_delay};

}  // namespace

MadeBlocks make_blocks(const Robot& robot, const Config& config) {
  MadeBlocks out{.blocks = {}, .draft = make_actuation(robot, config)};
  for (const auto& make : kinds) {
    for (auto& block : make(robot, config, out.draft)) out.blocks.push_back(std::move(block));
  }
  // Entries that blocks added since are theirs alone.
  VectorXd& nominal = out.draft.nominal;
  const Eigen::Index before = nominal.size();
  nominal.conservativeResize(out.draft.layout.size());
  nominal.tail(nominal.size() - before).setZero();
  return out;
}

}  // namespace bayesid::blocks
