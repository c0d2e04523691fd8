// SPDX-License-Identifier: BSD-3-Clause
// Constant offsets of sensors of contact forces.
#include "blocks/make_blocks.hpp"

namespace bayesid::blocks {

BlockList make_wrench_offset(const Robot&, const Config& config, Draft& draft) {
  if (!config.parameters.wrench_offset) return {};
  const WrenchOffsetConfig& given = *config.parameters.wrench_offset;
  BlockList out;
  for (const auto& [name, wrench] : config.measurements.wrenches) {
    std::vector<ParameterBlock::Entry> entries;
    const auto add = [&](const std::string& axis, double std) {
      const std::string full = "wrench_offset." + name + "." + axis;
      entries.push_back({.parameter = {.name = full, .std = std, .physical = full},
                         .eta = draft.layout.add_sensor(full)});
    };
    for (const char* axis : {"fx", "fy", "fz"}) {
      if (wrench.force) add(axis, given.force);
    }
    for (const char* axis : {"tx", "ty", "tz"}) {
      if (wrench.torque) add(axis, given.torque);
    }
    out.push_back(std::make_shared<ParameterBlock>(entries));
  }
  return out;
}

}  // namespace bayesid::blocks
