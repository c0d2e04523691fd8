// SPDX-License-Identifier: BSD-3-Clause
#include "baseline/theta_fit.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <optional>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int max_iterations = 200;    // of one round
constexpr double tolerance = 1e-4;     // of the step, in posterior standard deviations
constexpr int max_rounds = 8;          // of new weights
constexpr double same_weights = 1e-2;  // relative change

/// Rows at any θ; linear ones are made once.
class RowsInTheta {
 public:
  RowsInTheta(const Dynamics& dynamics, const RowsAt& rows)
      : dynamics_(dynamics), rows_(rows), linear_(rows_are_linear(dynamics)) {}

  void move(const VectorXd& theta) {
    if (linear_ && at_) return;
    at_ = rows_(*dynamics_.at(theta));
    zeta_ = dynamics_.zeta(theta);
    joined_.reset();
  }
  void weigh(const VectorXd& std) {
    std_ = std;
    joined_.reset();
  }
  MatrixXd A() { return joined().A(); }
  VectorXd r(const VectorXd& theta) {
    return joined().b() + joined().A() * (dynamics_.zeta(theta) - zeta_);
  }
  VectorXd rms(const VectorXd& theta) { return at_->rms(dynamics_.zeta(theta) - zeta_); }
  bool is_linear() const { return linear_; }

 private:
  CondensedRows& joined() {
    if (!joined_) joined_ = at_->joined(std_);
    return *joined_;
  }
  const Dynamics& dynamics_;
  const RowsAt& rows_;
  bool linear_;
  std::optional<RegressionRows> at_;
  std::optional<CondensedRows> joined_;
  VectorXd zeta_, std_;
};

/// Levenberg and Marquardt at fixed weights.
class Descent {
 public:
  Descent(const Dynamics& dynamics, RowsInTheta& rows, ThetaFit& fit)
      : dynamics_(dynamics), rows_(rows), fit_(fit) {}

  Status run() {
    rows_.move(fit_.theta);
    double cost = cost_at(fit_.theta);
    for (int i = 0; i < max_iterations; ++i) {
      linearise();
      ++fit_.iterations;
      bool accepted = false;
      for (; damping_ < 1e12 && !accepted; damping_ *= accepted ? 0.1 : 10) {
        const VectorXd step = propose();
        if (step_size_ < tolerance) return Status::converged;
        const VectorXd candidate = fit_.theta + step;
        rows_.move(candidate);
        const double there = cost_at(candidate);
        accepted = there < cost;
        if (!accepted) continue;
        cost = there;
        fit_.theta = candidate;
      }
      if (!accepted) return Status::stalled;
    }
    return Status::iteration_limit;
  }

 private:
  double cost_at(const VectorXd& theta) {
    return 0.5 * rows_.r(theta).squaredNorm() + dynamics_.parameters().prior_at(theta).cost;
  }

  /// Gauss–Newton's Hessian and, where it stays positive, the curvature of ζ(θ).
  void linearise() {
    rows_.move(fit_.theta);
    const MatrixXd A = rows_.A(), J = A * dynamics_.dzeta_dtheta(fit_.theta);
    const VectorXd r = rows_.r(fit_.theta);
    const PriorAt prior = dynamics_.parameters().prior_at(fit_.theta);
    gradient_ = J.transpose() * r + prior.gradient;
    hessian_ = J.transpose() * J + prior.hessian;
    const MatrixXd curved = hessian_ + dynamics_.zeta_curvature(fit_.theta, A.transpose() * r);
    if (Eigen::LLT<MatrixXd>(curved).info() == Eigen::Success) hessian_ = curved;
    fit_.gradient = std::sqrt(gradient_.dot(Eigen::LDLT<MatrixXd>(hessian_).solve(gradient_)));
  }

  VectorXd propose() {
    const VectorXd weight = dynamics_.parameters().prior_std().cwiseAbs2().cwiseInverse();
    MatrixXd damped = hessian_;
    damped.diagonal() += damping_ * weight;
    const VectorXd step = -Eigen::LDLT<MatrixXd>(damped).solve(gradient_);
    step_size_ = std::sqrt(step.dot(hessian_ * step));
    return step;
  }

  const Dynamics& dynamics_;
  RowsInTheta& rows_;
  ThetaFit& fit_;
  VectorXd gradient_;
  MatrixXd hessian_;
  double damping_ = 1, step_size_ = 0;
};

}  // namespace

bool rows_are_linear(const Dynamics& dynamics) {
  const PhysicalLayout& layout = dynamics.parameters().layout();
  for (const int entry : dynamics.coordinates().entries) {
    if (entry < layout.gamma(0) || entry >= layout.armature(0)) continue;
    const int place = (entry - layout.gamma(0)) % 6;
    if (place == 1 || place == 2 || place == 4) return false;
  }
  return true;
}

ThetaFit fit_theta(const Dynamics& dynamics, const RowsAt& rows, const RowNoise& noise,
                   const VectorXd& start) {
  ThetaFit out{.theta = start, .row_std = noise.first};
  RowsInTheta in_theta(dynamics, rows);
  for (int round = 0; round < max_rounds; ++round) {
    in_theta.weigh(out.row_std);
    out.status = Descent(dynamics, in_theta, out).run();
    in_theta.move(out.theta);
    const VectorXd std = in_theta.rms(out.theta).cwiseMax(noise.least);
    const double change = (std.array() / out.row_std.array() - 1).abs().maxCoeff();
    if (change < same_weights) break;
    out.row_std = std;
  }
  return out;
}

}  // namespace bayesid
