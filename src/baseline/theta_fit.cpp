// SPDX-License-Identifier: BSD-3-Clause
#include "baseline/theta_fit.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <utility>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int max_passes = 30;       // over the data, in one round
constexpr int max_iterations = 400;  // between two passes
constexpr double tolerance = 1e-3;   // of the step, in posterior standard deviations
constexpr int max_rounds = 8;        // of new weights
constexpr double same_weights = 1e-2;

/// The cost with rows that are linear in ζ, as one pass over the data left them.
class Model {
 public:
  Model(const Dynamics& dynamics, RegressionRows rows, const VectorXd& theta, const VectorXd& std)
      : dynamics_(&dynamics),
        rows_(std::move(rows)),
        joined_(rows_.joined(std)),
        A_(joined_.A()),
        b_(joined_.b()),
        zeta_(dynamics.zeta(theta)) {}

  VectorXd r(const VectorXd& theta) const { return b_ + A_ * (dynamics_->zeta(theta) - zeta_); }
  double cost(const VectorXd& theta) const {
    return 0.5 * r(theta).squaredNorm() + dynamics_->parameters().prior_at(theta).cost;
  }
  VectorXd rms(const VectorXd& theta) const { return rows_.rms(dynamics_->zeta(theta) - zeta_); }
  const MatrixXd& A() const { return A_; }

 private:
  const Dynamics* dynamics_;
  RegressionRows rows_;
  CondensedRows joined_;
  MatrixXd A_;
  VectorXd b_, zeta_;
};

/// Levenberg and Marquardt's method on such a cost.
class Descent {
 public:
  Descent(const Dynamics& dynamics, const Model& model) : dynamics_(dynamics), model_(model) {}

  Status run(VectorXd& theta) {
    double cost = model_.cost(theta);
    for (int i = 0; i < max_iterations; ++i) {
      linearise(theta);
      bool accepted = false;
      for (; damping_ < 1e12 && !accepted; damping_ *= accepted ? 0.1 : 10) {
        const VectorXd step = propose();
        if (step_size_ < 0.1 * tolerance) return Status::converged;
        const double there = model_.cost(theta + step);
        accepted = there < cost;
        if (!accepted) continue;
        cost = there;
        theta += step;
      }
      if (!accepted) return Status::stalled;
    }
    return Status::iteration_limit;
  }

  /// Gauss–Newton's Hessian and, where it stays positive, the curvature of ζ(θ).
  void linearise(const VectorXd& theta) {
    const MatrixXd J = model_.A() * dynamics_.dzeta_dtheta(theta);
    const VectorXd r = model_.r(theta);
    const PriorAt prior = dynamics_.parameters().prior_at(theta);
    gradient_ = J.transpose() * r + prior.gradient;
    hessian_ = J.transpose() * J + prior.hessian;
    const MatrixXd curved = hessian_ + dynamics_.zeta_curvature(theta, model_.A().transpose() * r);
    if (Eigen::LLT<MatrixXd>(curved).info() == Eigen::Success) hessian_ = curved;
  }
  /// Of the gradient or a step, in posterior standard deviations.
  double gradient_length() const {
    return std::sqrt(gradient_.dot(Eigen::LDLT<MatrixXd>(hessian_).solve(gradient_)));
  }
  double length(const VectorXd& step) const { return std::sqrt(step.dot(hessian_ * step)); }

 private:
  VectorXd propose() {
    const VectorXd weight = dynamics_.parameters().prior_std().cwiseAbs2().cwiseInverse();
    MatrixXd damped = hessian_;
    damped.diagonal() += damping_ * weight;
    const VectorXd step = -Eigen::LDLT<MatrixXd>(damped).solve(gradient_);
    step_size_ = length(step);
    return step;
  }

  const Dynamics& dynamics_;
  const Model& model_;
  VectorXd gradient_;
  MatrixXd hessian_;
  double damping_ = 1, step_size_ = 0;
};

/// Passes over the data at fixed weights: rows at θ, then the best θ of these rows, half of the way
/// where the cost grew.
class Passes {
 public:
  Passes(const Dynamics& dynamics, const RowsAt& rows, ThetaFit& fit)
      : dynamics_(dynamics), rows_(rows), fit_(fit) {}

  Status run() {
    Model model = pass(fit_.theta);
    for (int i = 0; i < max_passes; ++i) {
      ++fit_.iterations;
      VectorXd candidate = fit_.theta;
      Descent descent(dynamics_, model);
      const Status inner = descent.run(candidate);
      descent.linearise(candidate);
      fit_.gradient = descent.gradient_length();
      const double moved = descent.length(candidate - fit_.theta);
      if (rows_are_linear(dynamics_) || moved < tolerance) {
        fit_.theta = candidate;
        rms_ = model.rms(candidate);
        return inner;
      }
      const double before = model.cost(fit_.theta);
      for (double length = 1; length > 1e-3; length *= 0.5) {
        const VectorXd there = fit_.theta + length * (candidate - fit_.theta);
        model = pass(there);
        if (model.cost(there) < before || length < 2e-3) {
          fit_.theta = there;
          break;
        }
      }
    }
    rms_ = model.rms(fit_.theta);
    return Status::iteration_limit;
  }
  const VectorXd& rms() const { return rms_; }

 private:
  Model pass(const VectorXd& theta) const {
    return {dynamics_, rows_(*dynamics_.at(theta)), theta, fit_.row_std};
  }

  const Dynamics& dynamics_;
  const RowsAt& rows_;
  ThetaFit& fit_;
  VectorXd rms_;
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
  for (int round = 0; round < max_rounds; ++round) {
    Passes passes(dynamics, rows, out);
    out.status = passes.run();
    const VectorXd std = passes.rms().cwiseMax(noise.least);
    const double change = (std.array() / out.row_std.array() - 1).abs().maxCoeff();
    if (change < same_weights) break;
    out.row_std = std;
  }
  return out;
}

}  // namespace bayesid
