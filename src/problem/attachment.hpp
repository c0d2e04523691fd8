// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/robot.hpp"

namespace bayesid {

/// A frame of the robot by its name. Throws InputError naming the key.
FramePlacement frame_of(const Robot& robot, const Config& config, const std::string& key,
                        const std::string& name);

/// A place given by xyz and rpy in the frame of a link. Throws InputError naming the key.
FramePlacement attached(const Robot& robot, const Config& config, const std::string& key,
                        const AttachmentConfig& given);

}  // namespace bayesid
