// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/posterior.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "blocks/presliding.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "posterior/constrained_walk.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// τ̂ = h(q, v, a; θ)|τ=0 / gain                                            docs/math/prediction.md
/// (11)
MatrixXd free_effort(const Dynamics& dynamics, const DynamicsAt& model, const MotionGuess& motion,
                     const MatrixXd& thrust) {
  const int nv = dynamics.nv();
  Dynamics::Workspace workspace(dynamics);
  ForceBalance balance(nv, dynamics.nzeta(), dynamics.num_rotors());
  const MatrixXd presliding = presliding_along(dynamics.parameters(), motion.position);
  VectorXd commands = VectorXd::Zero(dynamics.num_inputs());
  MatrixXd out = MatrixXd::Zero(nv, motion.position.cols());
  for (Eigen::Index k = 0; k < motion.position.cols(); ++k) {
    if (thrust.rows() > 0) commands.segment(nv, thrust.rows()) = thrust.col(k);
    commands.segment(dynamics.num_efforts(), presliding.rows()) = presliding.col(k);
    dynamics.balance(model, configuration_at(dynamics.robot(), motion, static_cast<int>(k)),
                     motion.velocity.col(k), motion.acceleration.col(k), commands, Order::value,
                     workspace, balance);
    for (int j = 0; j < nv; ++j) {
      if (model.eta.gain[j] != 0) out(j, k) = balance.h[j] / model.eta.gain[j];
    }
  }
  return out;
}

}  // namespace

MatrixXd predict_effort(const Dynamics& dynamics, const VectorXd& theta, const MotionGuess& motion,
                        const MatrixXd& thrust) {
  return free_effort(dynamics, *dynamics.at(theta), motion, thrust);
}

MatrixXd predict_effort(const Dynamics& dynamics, const VectorXd& theta, const MotionGuess& motion,
                        const Recording& recording, const Timeline& timeline) {
  return predict_effort(dynamics, *dynamics.at(theta), motion, recording, timeline);
}

/// With constraints, motors can work against each other without a trace in the motion: of the
/// measured effort only what moves the robot is replaced. docs/math/prediction.md (11a)
MatrixXd predict_effort(const Dynamics& dynamics, const DynamicsAt& model,
                        const MotionGuess& motion, const Recording& recording,
                        const Timeline& timeline) {
  if (timeline.max_rows() == 0) return free_effort(dynamics, model, motion, recording.thrust);
  ConstrainedWalk walk(dynamics, model, motion, recording, timeline);
  MatrixXd out = recording.effort;
  for (size_t i = 0; i < timeline.stages.size(); ++i) {
    if (walk.sample(i) < 0) continue;
    walk.visit(i);
    out.col(walk.sample(i)) +=
        motor_efforts(*walk.stage.kkt, model.eta.gain, walk.Z.transpose() * walk.stage.balance.h);
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

std::vector<MatrixXd> predict_efforts(const RobotProblem& problem,
                                      const std::vector<SmoothedMotion>& motions,
                                      const DynamicsAt& model) {
  std::vector<MatrixXd> out;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    out.push_back(predict_effort(problem.dynamics(), model, motions[t].motion,
                                 problem.recordings()[t], problem.timeline(t)));
  }
  return out;
}

EffortPredictions predict_with_both(const RobotProblem& problem, const DynamicsAt& nominal,
                                    const DynamicsAt& identified) {
  std::vector<SmoothedMotion> motions = smooth_motions(problem);
  std::vector<MatrixXd> before = predict_efforts(problem, motions, nominal);
  std::vector<MatrixXd> after = predict_efforts(problem, motions, identified);
  const Robot& robot = problem.dynamics().robot();
  EffortPredictions out{.recordings = {},
                        .nominal = effort_error(robot, problem.recordings(), before),
                        .identified = effort_error(robot, problem.recordings(), after)};
  for (size_t t = 0; t < motions.size(); ++t) {
    out.recordings.push_back({.motion = std::move(motions[t].motion),
                              .nominal = std::move(before[t]),
                              .identified = std::move(after[t]),
                              .motion_cov = std::move(motions[t].cov)});
  }
  return out;
}

}  // namespace bayesid
