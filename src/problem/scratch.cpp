// SPDX-License-Identifier: BSD-3-Clause
#include "problem/scratch.hpp"

#include <cmath>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

RobotProblem::Scratch::Scratch(const RobotProblem& problem)
    : dynamics(problem.dynamics()),
      stage(problem.dynamics().nv(), problem.dynamics().nzeta(), problem.max_rows_,
            problem.dynamics().num_rotors()),
      unit_response(problem.dynamics().nv(), problem.max_rows_),
      noise_q(problem.dynamics().nv(), problem.dynamics().nzeta()),
      noise_v(problem.dynamics().nv(), problem.dynamics().nzeta()),
      kinematics(problem.dynamics().robot()),
      energy(problem.dynamics().nv(), problem.dynamics().nzeta()),
      energy_next(energy),
      dissipation(problem.dynamics().nv(), problem.dynamics().nzeta()),
      slopes(problem.dynamics().nv(), problem.dynamics().nzeta()),
      slopes_before(slopes),
      rotor_power(problem.dynamics().nv(), problem.dynamics().nzeta()),
      forces(problem.max_force_rows_, problem.dynamics().nv(), problem.dynamics().num_efforts()) {
  const int nv = problem.dynamics().nv(), nq = problem.dynamics().robot().nq();
  knot.kinematics = &kinematics;
  knot.q = q = q_next = acting_q = VectorXd::Zero(nq);
  knot.v = acting_v = v = a = dq = step = force = xi = VectorXd::Zero(nv);
  step_inertia = {VectorXd::Zero(std::ssize(problem.dynamics().parameters().drives())), a};
  tau = VectorXd::Zero(problem.dynamics().num_inputs());
  n = VectorXd::Zero(problem.dynamics().num_efforts());
  presliding = VectorXd::Zero(problem.dynamics().num_presliding());
  defect = gamma = stiff = y = y_gamma = VectorXd::Zero(2 * nv);
  B = C = effort_cov = work2 = MatrixXd::Zero(nv, nv);
  scaled = work = MatrixXd::Zero(nv, problem.dynamics().num_efforts());
  unit_mass = MatrixXd::Identity(nv, nv);
  factor = MatrixXd::Zero(2 * nv, 2 * nv);
  step_q.setIdentity();
  step_u = error_q = error_u = acting_turn = step_q;
  if (!problem.trajectories_.empty()) {
    for (const Sensor& sensor : problem.trajectories_[0].sensors) {
      residuals.emplace_back(sensor.term->max_rows(), 2 * nv,
                             static_cast<int>(sensor.term->parameters().size()));
    }
  }
  int most = 0;
  for (const Residual& residual : residuals)
    most = std::max(most, static_cast<int>(residual.r.size()));
  between = knot;
  between.a = VectorXd::Zero(nv);
  between.sensor = VectorXd::Zero(problem.dynamics().parameters().layout().num_sensors);
  R_x = R_y = MatrixXd::Zero(std::max(1, most), 2 * nv);
  R_delay = VectorXd::Zero(most);
  drift = between_step = VectorXd::Zero(nv);
}

void semidefinite_cholesky(Eigen::Ref<MatrixXd> matrix) {
  const Eigen::Index n = matrix.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    const double variance = matrix(j, j);
    for (Eigen::Index i = 0; i < j; ++i) {
      const double factor = matrix(j, i);
      if (factor != 0) matrix.col(j).tail(n - j) -= factor * matrix.col(i).tail(n - j);
    }
    const double pivot = matrix(j, j);
    if (pivot <= 1e-15 * variance || pivot <= 0) {
      matrix.col(j).tail(n - j).setZero();
    } else {
      matrix.col(j).tail(n - j) /= std::sqrt(pivot);
    }
    matrix.col(j).head(j).setZero();
  }
}

void whiten(const Eigen::Ref<const MatrixXd>& L, Eigen::Ref<VectorXd> y) {
  const Eigen::Index n = y.size();
  for (Eigen::Index i = 0; i < n; ++i) {
    y[i] = L(i, i) > 0 ? y[i] / L(i, i) : 0.0;
    if (y[i] != 0) y.tail(n - i - 1) -= y[i] * L.col(i).tail(n - i - 1);
  }
}

void unwhiten(const Eigen::Ref<const MatrixXd>& L, Eigen::Ref<VectorXd> y) {
  const Eigen::Index n = y.size();
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    const double rest = L.col(i).tail(n - i - 1).dot(y.tail(n - i - 1));
    y[i] = L(i, i) > 0 ? (y[i] - rest) / L(i, i) : 0.0;
  }
}

}  // namespace bayesid
