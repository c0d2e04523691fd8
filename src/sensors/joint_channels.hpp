// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/robot.hpp"
#include "bayesid/sensor.hpp"

namespace bayesid {

/// prefix + name of the joint of each velocity; a floating base has no channels: "".
std::vector<std::string> joint_channels(const Robot& robot, const std::string& prefix);

/// rad or m of a joint, with `rate` ("/s") behind it; "" for names that are no joint.
std::string joint_unit(const Robot& robot, const std::string& joint, const std::string& rate = "");
std::string joint_effort_unit(const Robot& robot, const std::string& joint);

/// One for each joint; `std` has an entry for each velocity. 0: the joint has no such sensor.
std::vector<NoiseNumber> joint_numbers(const Robot& robot, const std::string& group,
                                       Eigen::VectorXd& std);

}  // namespace bayesid
