// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace bayesid {

/// Samples of one joint in units in which the typical step takes 1 and the position is measured to
/// ±1. NaN: not measured then.
struct JointSamples {
  Eigen::VectorXd step;                // from the sample before; the first is not used
  Eigen::VectorXd position, velocity;  // position from its first measured value
  double velocity_variance = 1;        // of the velocity sensor; that of the position is 1
  double start_std = 1;                // of the first state, in each of its three coordinates

  Eigen::Index size() const { return step.size(); }
};

/// Position, velocity and acceleration at every sample, given the intensity of the jerk.
/// Square-root filter forward, Rauch–Tung–Striebel backward.           docs/math/prediction.md
/// (4)-(6)
Eigen::Matrix3Xd smooth_joint(const JointSamples& samples, double intensity);

/// Covariances of (q, v, a) at every sample: qq, qv, qa, vv, va, aa.
using JointCov = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// The same with its covariance, given all samples.                   docs/math/prediction.md (6a)
struct SmoothedJoint {
  Eigen::Matrix3Xd motion;
  JointCov cov;
};
SmoothedJoint smooth_joint_with_cov(const JointSamples& samples, double intensity);

/// Intensity of the jerk, relative to the noise of the sensors, with which every second measurement
/// is best predicted from the others. Long logs are seen through windows.
///                                                                     docs/math/prediction.md (7)
double predictive_intensity(const JointSamples& samples);

}  // namespace bayesid
