// SPDX-License-Identifier: BSD-3-Clause
// What a path implies, for people: disturbances, forces, violations.
#include <map>
#include <string>

#include "bayesid/problem/robot_problem.hpp"
#include "problem/scratch.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Leaves the stage, its noise basis and the multiplier's coordinates as they are at a path.
void RobotProblem::examine(const DynamicsAt& model, int trajectory, int k, const Path& path,
                           Scratch& s) const {
  const StagePlan& plan = this->plan(trajectory, k);
  const Mode& mode = this->mode(trajectory, k);
  read(trajectory, k, path, s);
  linearise_stage(model, plan, mode, s);
  s.stage.a = s.a;
  transition_defect(steps(plan), path.x.col(k + 1), s);
  defect_jacobians(s);
  noise_basis(plan, mode, s);
  multiplier_coordinates(path.gamma.col(k), s);
  add_force_multiplier(model, trajectory, k, path, s);
}

/// w = −Σ Pᵀγ, then P w.
VectorXd RobotProblem::projected_disturbance(const Scratch& s) const {
  const int m = s.num_noises, nv = dynamics_->nv();
  if (m == 0 || s.is_impact) return VectorXd::Zero(2 * nv);
  VectorXd sigma(2 * nv);
  sigma << noise_.disturbance_position.cwiseAbs2(), noise_.disturbance_velocity.cwiseAbs2();
  if (!s.is_projected) return -sigma.cwiseProduct(s.gamma);
  const MatrixXd P = s.B.leftCols(m) * s.C.topRows(m);
  VectorXd out(2 * nv);
  out.head(nv) = -P * sigma.head(nv).cwiseProduct(P.transpose() * s.gamma.head(nv));
  out.tail(nv) = -P * sigma.tail(nv).cwiseProduct(P.transpose() * s.gamma.tail(nv));
  return out;
}

PathDetails RobotProblem::details(const VectorXd& theta, int trajectory, const Path& path) const {
  Scratch s(*this);
  const std::shared_ptr<const DynamicsAt> model = dynamics_->at(theta);
  PathDetails out{MatrixXd::Zero(2 * dynamics_->nv(), path.u.cols()),
                  MatrixXd::Zero(max_rows_, path.u.cols()),
                  MatrixXd::Zero(max_slips_, path.u.cols())};
  for (int k = 0; k < path.u.cols(); ++k) {
    examine(*model, trajectory, k, path, s);
    out.disturbance.col(k) = projected_disturbance(s);
    const int num_rows = mode(trajectory, k).num_rows();
    out.force.col(k).head(num_rows) = s.stage.lambda.head(num_rows);
    const int num_slips = mode(trajectory, k).num_slips();
    if (num_slips > 0) out.slip.col(k).head(num_slips) = s.stage.slip->impulse();
  }
  return out;
}

Violation RobotProblem::violation(const VectorXd& theta, int trajectory, const Path& path) const {
  Scratch s(*this);
  const std::shared_ptr<const DynamicsAt> model = dynamics_->at(theta);
  Violation out;
  const auto raise = [](double& to, const auto& values) {
    if (values.size() > 0) to = std::max(to, values.template lpNorm<Eigen::Infinity>());
  };
  for (int k = 0; k < path.u.cols(); ++k) {
    const int num_rows = mode(trajectory, k).num_rows();
    examine(*model, trajectory, k, path, s);
    raise(out.gap, s.defect + projected_disturbance(s));
    raise(out.constraint, s.stage.rows.r.head(num_rows));
    s.force = s.stage.balance.h;
    if (num_rows > 0)
      s.force -= s.stage.rows.J.topRows(num_rows).transpose() * s.stage.lambda.head(num_rows);
    raise(out.dynamics, s.force);
  }
  out.position = position_violation(trajectory, path);
  return out;
}

/// How far loops are from closed, and contacts from where they closed.
double RobotProblem::position_violation(int trajectory, const Path& path) const {
  const int nq = dynamics_->robot().nq();
  const VectorXd zero = VectorXd::Zero(dynamics_->nv());
  std::map<std::string, VectorXd> stood;
  double out = 0;
  for (int k = 0; k < path.u.cols() && max_rows_ > 0; ++k) {
    std::map<std::string, VectorXd> stands;
    for (const MotionConstraint& c : mode(trajectory, k).constraints) {
      VectorXd error = dynamics_->rows_at({{c}}, path.x.col(k).head(nq), zero, Level::position).r;
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
