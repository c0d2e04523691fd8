// SPDX-License-Identifier: BSD-3-Clause
// Time delay of a sensor group.
#include "blocks/make_blocks.hpp"

namespace bayesid::blocks {

using Eigen::VectorXd;

namespace {

class DelayBlock final : public ParameterBlock {
 public:
  using ParameterBlock::ParameterBlock;
  /// Within which a motion stays close to its tangent.
  VectorXd trust_bound(const Values& x) const override {
    constexpr double bound = 0.01;  // s
    return VectorXd::Constant(x.size(), bound);
  }
};

}  // namespace

BlockList make_delay(const Robot&, const Config& config, Draft& draft) {
  std::vector<ParameterBlock::Entry> entries;
  for (const auto& [group, delay] : config.parameters.delay) {
    const std::string name = "delay." + group;
    entries.push_back({.parameter = {.name = name,
                                     .prior = delay.prior,
                                     .std = delay.std.value_or(1),
                                     .fixed = !delay.std,
                                     .physical = name},
                       .eta = draft.layout.add_sensor(name)});
  }
  if (entries.empty()) return {};
  return {std::make_shared<DelayBlock>(entries)};
}

}  // namespace bayesid::blocks
