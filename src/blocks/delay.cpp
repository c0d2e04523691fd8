// SPDX-License-Identifier: BSD-3-Clause
// Time delay of a sensor group, or of efforts, which move the robot: an entry of its own.
//                                                                  docs/math/parameters.md (14a)
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

Parameter delay_of(const std::string& group, const DelayConfig& delay) {
  const std::string name = "delay." + group;
  return {.name = name,
          .prior = delay.prior,
          .std = delay.std.value_or(1),
          .fixed = !delay.std,
          .physical = name};
}

}  // namespace

BlockList make_effort_delay(const Robot&, const Config& config, Draft& draft) {
  const auto given = config.parameters.delay.find("effort");
  if (given == config.parameters.delay.end()) return {};
  draft.layout.known_effort_delay = given->second.prior;
  const ParameterBlock::Entry entry{.parameter = delay_of("effort", given->second),
                                    .eta = draft.layout.add_segment("delay.effort", 1)};
  return {std::make_shared<DelayBlock>(std::vector{entry})};
}

BlockList make_delay(const Robot&, const Config& config, Draft& draft) {
  std::vector<ParameterBlock::Entry> entries;
  for (const auto& [group, delay] : config.parameters.delay) {
    if (group == "effort") continue;
    entries.push_back(
        {.parameter = delay_of(group, delay), .eta = draft.layout.add_sensor("delay." + group)});
  }
  if (entries.empty()) return {};
  return {std::make_shared<DelayBlock>(entries)};
}

}  // namespace bayesid::blocks
