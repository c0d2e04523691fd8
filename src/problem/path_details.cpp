// SPDX-License-Identifier: BSD-3-Clause
// What a path implies, for people: disturbances, forces, violations.
#include <map>
#include <string>

#include "problem/robot_trajectory.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

PathDetails RobotTrajectory::details(const At& at, const Path& path) const {
  Scratch s(*setting_, log_, force_sensors_);
  PathDetails out{MatrixXd::Zero(2 * setting_->nv(), path.u.cols()),
                  MatrixXd::Zero(setting_->max_rows, path.u.cols()),
                  MatrixXd::Zero(setting_->max_slips, path.u.cols()),
                  {}};
  for (int k = 0; k < path.u.cols(); ++k) {
    s.transition.examine(view(at, k, path, s));
    out.disturbance.col(k) = s.transition.noise.projected_disturbance();
    const int num_rows = mode(k).num_rows();
    out.force.col(k).head(num_rows) = s.transition.stage.lambda.head(num_rows);
    const int num_slips = mode(k).num_slips();
    if (num_slips > 0) out.slip.col(k).head(num_slips) = s.transition.stage.slip->impulse();
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
  raise(out.gap, s.transition.motion.defect + s.transition.noise.projected_disturbance());
  raise(out.constraint, s.transition.stage.rows.r.head(num_rows));
  s.dq = s.transition.stage.balance.h;
  if (num_rows > 0)
    s.dq -= s.transition.stage.rows.J.topRows(num_rows).transpose() *
            s.transition.stage.lambda.head(num_rows);
  raise(out.dynamics, s.dq);
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
