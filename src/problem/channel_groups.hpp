// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bayesid/log.hpp"

namespace bayesid {

/// Group that a channel belongs to: position, velocity, effort, pose.<frame>, imu.<name>,
/// wrench.<name>; "" for
/// others.
std::string group_of(const std::string& channel);

/// Rows of the log in which some channel of a group was measured, by group.
std::map<std::string, std::vector<int>> rows_of_groups(const Log& log);

}  // namespace bayesid
