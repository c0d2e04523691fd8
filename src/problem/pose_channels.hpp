// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem.hpp"

namespace bayesid {

/// Poses of a log by frame, 7 × samples (Recording::poses). A part of which some number is missing
/// is missing. Throws InputError; what was repaired or is not used is
/// added to `warnings`.
std::map<std::string, Eigen::MatrixXd> gather_poses(const Robot& robot, const Log& log,
                                                    const MeasurementConfig& measurements,
                                                    std::vector<std::string>& warnings);

/// Pose of a floating base from the sensor rigidly on it that saw most, 7 × samples, NaN where it
/// did not; no columns without such a sensor.
Eigen::MatrixXd measured_base(const Robot& robot,
                              const std::map<std::string, Eigen::MatrixXd>& poses);

}  // namespace bayesid
