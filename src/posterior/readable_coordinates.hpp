// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bayesid/parameters.hpp"

namespace bayesid {

/// One coordinate r_i with a meaning for each θ_i: mass, first moments and inertia about the frame
/// of a link, friction, armature … The dynamics is linear in all of them but the slopes of
/// friction. docs/math/identifiability.md (1)
struct ReadableCoordinates {
  std::vector<std::string> names;
  Eigen::VectorXd value;
  Eigen::MatrixXd dr_dtheta;  // nθ × nθ; singular where two second moments of a link are equal
  Eigen::MatrixXd deta_dr;    // size of η × nθ
  Eigen::MatrixXd prior_cov;  // positive definite
  std::vector<int> bodies;    // of inertial ones; −1: others
};

ReadableCoordinates readable_coordinates(const ParameterSet& parameters,
                                         const Eigen::VectorXd& theta);

}  // namespace bayesid
