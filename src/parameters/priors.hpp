// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/parameters/friction.hpp"
#include "bayesid/parameters/inertia.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// Bodies are numbered without gaps: links, joints and followers of mimic joints know them all.
int count_bodies(const Robot& robot);

/// Links to estimate: those named, or one for each moving body.
std::vector<int> choose_links(const Robot& robot, const Config& config, const Selection& selection);

/// Coordinates of the nominal inertia; throws naming the link when there are none.
InertiaCoordinates link_prior(const Robot& robot, const Link& link);

/// What is configured for a link, else for all of them.
const InertiaStdConfig& inertia_std_of(const Config& config, const std::string& link);

/// Std of the ten coordinates; a relative first moment counts in m √(|c|² + tr L/m).
InertiaCoordinates link_std(const Config& config, const InertiaStdConfig& given,
                            const InertiaCoordinates& prior);

/// A number for each of γ0…γ6.
using FrictionPrior = Eigen::Matrix<double, 7, 1>;

/// Prior mean of γ: configuration, else <dynamics> of the URDF (null: the drive is not a joint),
/// else defaults.
FrictionPrior friction_prior(const Config& config, const FrictionPriorConfig& given,
                             const Joint* joint);

/// Prior std of γ in estimation coordinates.
FrictionPrior friction_std(const Config& config, const FrictionPriorConfig& given);

}  // namespace bayesid
