// SPDX-License-Identifier: BSD-3-Clause
#include "problem/channel_groups.hpp"

#include <cmath>

#include "bayesid/sensor.hpp"

namespace bayesid {

std::string group_of(const std::string& channel) {
  if (channel.starts_with("tau.") || channel.starts_with("thrust.")) return "effort";
  return group_of_channel(channel);
}

std::map<std::string, std::vector<int>> rows_of_groups(const Log& log) {
  std::map<std::string, std::vector<bool>> seen;
  for (const auto& [name, values] : log.channels) {
    const std::string group = group_of(name);
    if (group.empty()) continue;
    std::vector<bool>& rows = seen.try_emplace(group, values.size(), false).first->second;
    for (size_t k = 0; k < values.size(); ++k) {
      if (!std::isnan(values[k])) rows[k] = true;
    }
  }
  std::map<std::string, std::vector<int>> out;
  for (const auto& [group, rows] : seen) {
    for (size_t k = 0; k < rows.size(); ++k) {
      if (rows[k]) out[group].push_back(static_cast<int>(k));
    }
  }
  return out;
}

}  // namespace bayesid
