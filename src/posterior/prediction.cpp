// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/posterior/prediction.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// τ̂ = h(q, v, a; θ)|τ=0 / gain                                            docs/math/prediction.md
/// (11)
MatrixXd predict_effort(const Dynamics& dynamics, const VectorXd& theta,
                        const MotionGuess& motion) {
  const int nv = dynamics.nv();
  const auto model = dynamics.at(theta);
  Dynamics::Workspace workspace(dynamics);
  ForceBalance balance(nv, dynamics.nzeta());
  const VectorXd no_effort = VectorXd::Zero(nv);
  MatrixXd out = MatrixXd::Zero(nv, motion.position.cols());
  for (Eigen::Index k = 0; k < motion.position.cols(); ++k) {
    dynamics.balance(*model, configuration_at(dynamics.robot(), motion, static_cast<int>(k)),
                     motion.velocity.col(k), motion.acceleration.col(k), no_effort, Order::value,
                     workspace, balance);
    for (int j = 0; j < nv; ++j) {
      if (model->eta.gain[j] != 0) out(j, k) = balance.h[j] / model->eta.gain[j];
    }
  }
  return out;
}

/// Root mean square over all samples of all recordings. docs/math/prediction.md (12)
EffortError effort_error(const Robot& robot, const std::vector<Recording>& recordings,
                         const std::vector<MatrixXd>& predicted) {
  assert(recordings.size() == predicted.size());
  const auto num_joints = static_cast<Eigen::Index>(robot.joints.size());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  VectorXd squares = VectorXd::Zero(num_joints), count = squares;
  VectorXd lowest = VectorXd::Constant(num_joints, infinity), highest = -lowest;
  for (size_t t = 0; t < recordings.size(); ++t) {
    const MatrixXd measured = recordings[t].effort.bottomRows(num_joints);
    const MatrixXd expected = predicted[t].bottomRows(num_joints);
    for (Eigen::Index k = 0; k < measured.cols(); ++k) {
      for (Eigen::Index j = 0; j < num_joints; ++j) {
        if (std::isnan(measured(j, k))) continue;
        squares[j] += std::pow(expected(j, k) - measured(j, k), 2);
        count[j] += 1;
        lowest[j] = std::min(lowest[j], measured(j, k));
        highest[j] = std::max(highest[j], measured(j, k));
      }
    }
  }
  EffortError out{VectorXd::Zero(num_joints), VectorXd::Zero(num_joints)};
  for (Eigen::Index j = 0; j < num_joints; ++j) {
    if (count[j] == 0) continue;
    out.rmse[j] = std::sqrt(squares[j] / count[j]);
    out.range[j] = highest[j] - lowest[j];
  }
  return out;
}

}  // namespace bayesid
