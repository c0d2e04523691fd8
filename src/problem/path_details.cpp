// SPDX-License-Identifier: BSD-3-Clause
// What a path implies, for people: disturbances, forces, violations.
#include <map>
#include <string>

#include "problem/robot_trajectory.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Leaves the stage, its noise basis and the multiplier's coordinates as they are at a path.
void RobotTrajectory::examine(const DynamicsAt& model, int k, const Path& path, Scratch& s) const {
  const StagePlan& plan = this->plan(k);
  const Steps steps = setting_->steps(plan);
  read(k, path, s);
  linearise_stage(model, k, s);
  s.stage.a = s.motion.a;
  s.motion.find_defect(steps, s.stage.a, path.x.col(k + 1));
  s.motion.find_defect_jacobians();
  s.noise.set_basis(plan, mode(k), s.stage);
  s.noise.multiplier_coordinates(path.gamma.col(k), s.motion);
  const ForceStage of_forces = force_stage(model, k, path);
  if (!setting_->noisy_effort() || !ForceReadings::any(*setting_, of_forces)) return;
  // With the forces' share, at inputs that are consistent.
  s.noise.set_factor(model.eta, steps, s.stage);
  s.forces.read(of_forces, Order::value, s.motion, s.stage, s.kinematics, s.dynamics);
  s.forces.find_multiplier_at(of_forces, steps, s.motion, s.stage, s.noise);
  s.noise.multiplier_coordinates(s.forces.gamma, s.motion);
}

PathDetails RobotTrajectory::details(const DynamicsAt& model, const Path& path) const {
  Scratch s(*setting_, log_, force_sensors_);
  PathDetails out{MatrixXd::Zero(2 * setting_->nv(), path.u.cols()),
                  MatrixXd::Zero(setting_->max_rows, path.u.cols()),
                  MatrixXd::Zero(setting_->max_slips, path.u.cols()),
                  {}};
  for (int k = 0; k < path.u.cols(); ++k) {
    examine(model, k, path, s);
    out.disturbance.col(k) = s.noise.projected_disturbance();
    const int num_rows = mode(k).num_rows();
    out.force.col(k).head(num_rows) = s.stage.lambda.head(num_rows);
    const int num_slips = mode(k).num_slips();
    if (num_slips > 0) out.slip.col(k).head(num_slips) = s.stage.slip->impulse();
    raise(k, s, out.violation);
  }
  out.violation.position = position_violation(path);
  return out;
}

/// The largest so far, and those of the stage examined last.
void RobotTrajectory::raise(int k, Scratch& s, Violation& out) const {
  const auto raise = [](double& to, const auto& values) {
    if (values.size() > 0) to = std::max(to, values.template lpNorm<Eigen::Infinity>());
  };
  const int num_rows = mode(k).num_rows();
  raise(out.gap, s.motion.defect + s.noise.projected_disturbance());
  raise(out.constraint, s.stage.rows.r.head(num_rows));
  s.force = s.stage.balance.h;
  if (num_rows > 0)
    s.force -= s.stage.rows.J.topRows(num_rows).transpose() * s.stage.lambda.head(num_rows);
  raise(out.dynamics, s.force);
}

/// How far loops are from closed, and contacts from where they closed.
double RobotTrajectory::position_violation(const Path& path) const {
  const VectorXd zero = VectorXd::Zero(setting_->nv());
  std::map<std::string, VectorXd> stood;
  double out = 0;
  for (int k = 0; k < path.u.cols() && setting_->max_rows > 0; ++k) {
    std::map<std::string, VectorXd> stands;
    for (const MotionConstraint& c : mode(k).constraints) {
      const VectorXd q = path.x.col(k).head(setting_->nq());
      VectorXd error = setting_->dynamics->rows_at({{c}}, q, zero, Level::position).r;
      if (c.is_contact) {
        const auto before = stood.find(c.name);
        stands[c.name] = before == stood.end() ? error : before->second;
        error -= stands[c.name];
      }
      out = std::max(out, error.lpNorm<Eigen::Infinity>());
    }
    stood = stands;
  }
  return out;
}

}  // namespace bayesid
