// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "bayesid/dynamics/dynamics.hpp"
#include "bayesid/problem/recording.hpp"
#include "bayesid/problem/robot_problem.hpp"

namespace bayesid {

/// Motion from position and velocity sensors alone, smoothed: each joint is a triple integrator
/// driven by white jerk whose intensity predicts left-out samples best. Never looks at efforts.
/// docs/math/prediction.md (1)-(3)
MotionGuess smooth_motion(const Recording& recording, const Eigen::VectorXd& position_std,
                          const Eigen::VectorXd& velocity_std);

/// The same, and a floating base by its pose sensor: at rest at the origin when there is none.
MotionGuess smooth_motion(const Robot& robot, const Recording& recording, const Noise& noise);

/// The same, piece by piece between impacts and lift-offs, where velocities or accelerations jump.
MotionGuess smooth_motion(const Robot& robot, const Recording& recording, const Noise& noise,
                          const Timeline& timeline);

/// Covariance of a smoothed motion at every sample; errors of different joints are independent.
/// Each joint has six numbers, those of (q, v, a): qq, qv, qa, vv, va, aa; and so has each of the
/// seven numbers of the pose of a floating base.
struct MotionCov {
  Eigen::MatrixXd joints;     // 6 nv × samples; of a base zero, see there
  Eigen::MatrixXd base = {};  // 42 × samples; empty when it is fixed
};

/// The same motion, with the covariance that the smoother's model gives it.
struct SmoothedMotion {
  MotionGuess motion;
  MotionCov cov;
};
SmoothedMotion smooth_motion_with_cov(const Robot& robot, const Recording& recording,
                                      const Noise& noise, const Timeline& timeline);

/// Every recording of a problem.
std::vector<SmoothedMotion> smooth_motions(const RobotProblem& problem);

/// Effort the sensors should have shown along a motion: (RNEA + friction + armature − offset −
/// rotors) / gain. Rotor commands (rotors × samples) are known, zero when not given.
Eigen::MatrixXd predict_effort(const Dynamics& dynamics, const Eigen::VectorXd& theta,
                               const MotionGuess& motion, const Eigen::MatrixXd& thrust = {});

/// The same for a robot in constraints: the effort nearest to the measured one with which the
/// motion obeys them. Equal to the above where there are none.
Eigen::MatrixXd predict_effort(const Dynamics& dynamics, const Eigen::VectorXd& theta,
                               const MotionGuess& motion, const Recording& recording,
                               const Timeline& timeline);

/// The same for a model that need not come from any θ.
Eigen::MatrixXd predict_effort(const Dynamics& dynamics, const DynamicsAt& model,
                               const MotionGuess& motion, const Recording& recording,
                               const Timeline& timeline);

/// What the error bar of a predicted effort is made of.
struct EffortStdSources {
  const MotionGuess& motion;
  const MotionCov& motion_cov;
  const Eigen::MatrixXd& predicted;  // by predict_effort
  const Recording& recording;
  const Timeline& timeline;
  const Eigen::MatrixXd& zeta_cov;    // ∂ζ/∂θ Σ_θ ∂ζ/∂θᵀ
  const Eigen::VectorXd& effort_std;  // of the sensors; empty: exact
};
/// One standard deviation of measured − predicted effort, to first order: the sensor's noise, what
/// the parameters' covariance leaves open, and errors of the smoothed motion. Of long recordings
/// every k-th sample is computed, and lines lie between.           docs/math/prediction.md (13),
/// (14)
Eigen::MatrixXd effort_std(const Dynamics& dynamics, const Eigen::VectorXd& theta,
                           const EffortStdSources& from);

/// How well efforts are predicted, joint by joint.
struct EffortError {
  Eigen::VectorXd rmse;   // N·m
  Eigen::VectorXd range;  // largest − smallest measured effort
};
EffortError effort_error(const Robot& robot, const std::vector<Recording>& recordings,
                         const std::vector<Eigen::MatrixXd>& predicted);

/// Efforts of every recording of a problem along its smoothed motion: nv × samples each.
std::vector<Eigen::MatrixXd> predict_efforts(const RobotProblem& problem,
                                             const std::vector<SmoothedMotion>& motions,
                                             const DynamicsAt& model);

/// Efforts along a motion that no effort has influenced: nv × samples of a recording.
struct EffortPrediction {
  MotionGuess motion;
  Eigen::MatrixXd nominal, identified;
  MotionCov motion_cov = {};
};

/// What two models predict for the same recordings.
struct EffortPredictions {
  std::vector<EffortPrediction> recordings;
  EffortError nominal, identified;
};
EffortPredictions predict_with_both(const RobotProblem& problem, const DynamicsAt& nominal,
                                    const DynamicsAt& identified);

}  // namespace bayesid
