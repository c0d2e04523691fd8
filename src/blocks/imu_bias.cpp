// SPDX-License-Identifier: BSD-3-Clause
// Constant biases of inertial measurement units.
#include "blocks/make_blocks.hpp"

namespace bayesid::blocks {

BlockList make_imu_bias(const Robot&, const Config& config, Draft& draft) {
  if (!config.parameters.imu_bias) return {};
  const ImuBiasConfig& given = *config.parameters.imu_bias;
  BlockList out;
  for (const auto& [name, imu] : config.measurements.imus) {
    std::vector<ParameterBlock::Entry> entries;
    const auto add = [&](const std::string& axis, double std) {
      const std::string full = "imu_bias." + name + "." + axis;
      entries.push_back({.parameter = {.name = full, .std = std, .physical = full},
                         .eta = draft.layout.add_sensor(full)});
    };
    for (const char* axis : {"ax", "ay", "az"}) {
      if (imu.acceleration) add(axis, given.acceleration);
    }
    for (const char* axis : {"wx", "wy", "wz"}) {
      if (imu.rate) add(axis, given.rate);
    }
    out.push_back(std::make_shared<ParameterBlock>(entries));
  }
  return out;
}

}  // namespace bayesid::blocks
