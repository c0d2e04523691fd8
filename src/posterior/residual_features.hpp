// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "posterior/residual_samples.hpp"

namespace bayesid::posterior {

/// Something that a residual may depend on. docs/math/model_error.md, table 1
enum class Cause {
  effort,
  acceleration,
  friction_drift,
  ripple,
  payload,
  speed,
  angle,
  time,
  other_angle
};

/// Curves in one variable.
struct Candidate {
  Cause cause;
  std::string variable;  // angle, speed, …, angle of joint2
  Eigen::MatrixXd features;
  Eigen::VectorXd nodes = {};  // of hats: the variable where each is 1
  double scale = 1;            // of a single feature: unit of the coefficient
  Eigen::VectorXd used = {};   // of hats: their means, which the features are without
};

/// All but the ripple, which has a search of its own. In the order of the enumerators: the simplest
/// explanation first.
std::vector<Candidate> make_candidates(const ResidualSamples& samples);

/// Piecewise linear functions, each 1 at its node and 0 at all others; constant beyond the ends.
Eigen::MatrixXd hats(const Eigen::VectorXd& x, const Eigen::VectorXd& nodes);

/// The value below which a share of the numbers lies.
double quantile(Eigen::VectorXd values, double share);

}  // namespace bayesid::posterior
