// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem/robot_problem.hpp"
#include "dynamics/response.hpp"
#include "dynamics/slip.hpp"
#include "problem/force_rows.hpp"

namespace bayesid {

/// θ-dependent part of a RobotProblem.
class RobotAt final : public Problem::At {
 public:
  explicit RobotAt(std::shared_ptr<const DynamicsAt> at) : dynamics(std::move(at)) {}
  std::shared_ptr<const DynamicsAt> dynamics;
  std::vector<Schedule> schedules;  // of each trajectory; empty when delays are known
};

inline const DynamicsAt& dynamics_at(const Problem::At& at) {
  return *static_cast<const RobotAt&>(at).dynamics;
}

/// How velocity and acceleration move the state: q' = q ⊕ (b v + c a), v' = v + e a.
/// An impact has b = c = 0 and e = 1, with the jump of the velocity as a.
struct Steps {
  double b, c, e;
};

/// Slopes of the balance of energy: by both ends of a stage, and by ζ.
struct EnergySlopes {
  EnergySlopes(int nv, int nzeta)
      : x(Eigen::VectorXd::Zero(2 * nv)), y(x), zeta(Eigen::VectorXd::Zero(nzeta)) {}
  void clear() {
    x.setZero();
    y.setZero();
    zeta.setZero();
  }
  Eigen::VectorXd x, y, zeta;
};

/// Memory of one thread.
class RobotProblem::Scratch final : public Problem::Workspace {
 public:
  explicit Scratch(const RobotProblem& problem);

  Dynamics::Workspace dynamics;
  StageDynamics stage;
  Response unit_response;  // of a unit mass
  ProjectedNoise noise_q, noise_v;
  Kinematics kinematics;
  Knot knot, between;               // at a node, and within a stage
  std::vector<Residual> residuals;  // one for each term
  Eigen::VectorXd presliding;       // in the middle of a stage
  // Where the forces of the stage act, and how a base there moves with the one at its start.
  Eigen::VectorXd acting_q, acting_v;
  StepInertia step_inertia;
  Eigen::Matrix<double, 6, 6> acting_turn;
  Eigen::VectorXd q, v, a, tau, n, q_next, dq, step, defect, force, xi, gamma, stiff;

  // Noise of the transition: x' gets basis · y, y of covariance factor factorᵀ; basis is B for
  // position and for velocity, C its left inverse, B C the projection. docs/math/constraints.md (9)
  bool is_projected = false, is_impact = false;
  int num_noises = 0;  // of position, and as many of velocity; an impact has its slip in velocity
  Eigen::MatrixXd B, C, factor, effort_cov, scaled, unit_mass, work, work2;
  Eigen::VectorXd y, y_gamma;
  // ∂(q ⊕ step) and ∂(x' ⊖ …) of a floating base, by the moved and by the moving.
  Eigen::Matrix<double, 6, 6> step_q, step_u, error_q, error_u;
  Energy energy, energy_next;
  Dissipation dissipation;
  // Of a sample within a stage: rows by both ends and by its delay.
  Eigen::MatrixXd R_x, R_y;
  Eigen::VectorXd R_delay, drift, between_step;
  // The same of the balance of energy; the slopes of the stage before it.
  double r_energy = 0;
  EnergySlopes slopes, slopes_before;
  RotorPower rotor_power;
  ForceRows forces;
};

/// Lower Cholesky factor of a positive semidefinite matrix, in place; columns without variance
/// become zero.
void semidefinite_cholesky(Eigen::Ref<Eigen::MatrixXd> matrix);

/// y = L⁻¹ y for lower triangular L; directions without variance become zero.
void whiten(const Eigen::Ref<const Eigen::MatrixXd>& L, Eigen::Ref<Eigen::VectorXd> y);

/// y = L⁻ᵀ y, likewise.
void unwhiten(const Eigen::Ref<const Eigen::MatrixXd>& L, Eigen::Ref<Eigen::VectorXd> y);

/// rows = turn · rows for the six rows of a floating base, column by column: no temporary matrix.
template <typename Rows>
void turn_base(const Eigen::Matrix<double, 6, 6>& turn, Rows&& rows) {
  for (Eigen::Index j = 0; j < rows.cols(); ++j) {
    const Eigen::Matrix<double, 6, 1> column = rows.col(j);
    rows.col(j).noalias() = turn * column;
  }
}

}  // namespace bayesid
