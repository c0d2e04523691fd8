// SPDX-License-Identifier: BSD-3-Clause
#include "noise/step_noise.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "blocks/choice.hpp"
#include "math/median_step.hpp"
#include "problem/inputs.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double share = 0.1;

/// Mean square acceleration that a standard deviation of each effort makes, over some samples.
VectorXd acceleration_variance(const RobotProblem& problem, const VectorXd& theta,
                               const VectorXd& effort_std) {
  constexpr Index most = 100;
  const Dynamics& dynamics = problem.dynamics();
  const auto model = dynamics.at(theta);
  Dynamics::Workspace workspace(dynamics);
  ForceBalance balance(dynamics.nv(), dynamics.nzeta(), dynamics.num_rotors());
  const VectorXd effort = model->eta.gain.cwiseProduct(effort_std).cwiseAbs2();
  VectorXd sum = VectorXd::Zero(dynamics.nv());
  double count = 0;
  for (const Recording& recording : problem.recordings()) {
    const MotionGuess motion = guess_motion(dynamics.robot(), recording);
    const Index stride = std::max<Index>(1, recording.num_samples() / most);
    for (Index k = 0; k < recording.num_samples(); k += stride, ++count) {
      dynamics.balance(*model, configuration_at(dynamics.robot(), motion, static_cast<int>(k)),
                       motion.velocity.col(k), motion.acceleration.col(k),
                       inputs_at(dynamics, model->eta, recording, k, 0), Order::derivatives,
                       workspace, balance);
      const MatrixXd inverse =
          balance.mass.llt().solve(MatrixXd::Identity(dynamics.nv(), dynamics.nv()));
      sum += inverse.cwiseAbs2() * effort;
    }
  }
  return sum / std::max(1.0, count);
}

double typical_step(const RobotProblem& problem) {
  double out = 0;
  for (const Recording& recording : problem.recordings())
    out = std::max(out, median_step(recording.time));
  return out;
}

}  // namespace

void set_step_noise(const RobotProblem& problem, const VectorXd& theta, Noise& noise) {
  if (noise.effort.size() == 0) return;
  const Robot& robot = problem.dynamics().robot();
  const double dt = typical_step(problem);
  const VectorXd std = share * dt * acceleration_variance(problem, theta, noise.effort).cwiseSqrt();
  const auto set = [&](const std::string& key, const std::string& name, Index i, double value,
                       VectorXd& out) {
    if (noise.automatic.contains(key + name) && value > 0) out[i] = value;
  };
  const auto set_both = [&](const std::string& name, Index i) {
    set("disturbance.velocity.", name, i, std[i], noise.disturbance_velocity);
    set("disturbance.position.", name, i, share * dt * std[i], noise.disturbance_position);
  };
  for (Index i = 0; i < robot.base_nv(); ++i) set_both(base_name, i);
  for (const Joint& joint : robot.joints) set_both(joint.name, joint.idx_v);
}

}  // namespace bayesid
