// SPDX-License-Identifier: BSD-3-Clause
#include "solver/extrapolation.hpp"

#include <Eigen/QR>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr size_t depth = 5;         // slow modes it can separate
constexpr double threshold = 1e-6;  // of dependent columns

/// Weights of the states' rows, such that each row of the step counts alike, and θ as much as one.
struct Metric {
  VectorXd weight;
  double theta_weight = 0;
  const MatrixXd& information;

  Metric(const FullStep& step, const MatrixXd& hessian) : information(hessian) {
    weight = VectorXd::Zero(step.dx[0].rows());
    for (const MatrixXd& dx : step.dx) weight += dx.rowwise().squaredNorm();
    weight = (weight.array() > 0).select(weight.cwiseInverse(), 0.0);
    const double square = step.dtheta.dot(hessian * step.dtheta);
    theta_weight = square > 0 ? 1 / square : 0;
  }

  double dot(const FullStep& a, const FullStep& b) const {
    double out = theta_weight * a.dtheta.dot(information * b.dtheta);
    for (size_t t = 0; t < a.dx.size(); ++t)
      out += weight.dot(a.dx[t].cwiseProduct(b.dx[t]).rowwise().sum());
    return out;
  }
};

}  // namespace

FullStep& FullStep::add(double factor, const FullStep& other) {
  for (size_t t = 0; t < dx.size(); ++t) {
    dx[t] += factor * other.dx[t];
    dgamma[t] += factor * other.dgamma[t];
  }
  dtheta += factor * other.dtheta;
  return *this;
}

FullStep& FullStep::scale(double factor) {
  for (size_t t = 0; t < dx.size(); ++t) {
    dx[t] *= factor;
    dgamma[t] *= factor;
  }
  dtheta *= factor;
  return *this;
}

void Extrapolation::forget() {
  columns_.clear();
  has_last_ = false;
}

bool Extrapolation::improve(const FullStep& step, const MatrixXd& information, FullStep& out) {
  if (has_last_) {
    Column& added = columns_.emplace_front(Column{step, last_gone_});
    added.change.add(-1, last_step_);
    added.reach.add(1, added.change);
    if (columns_.size() > depth) columns_.pop_back();
    has_last_ = false;
  }
  const auto count = static_cast<Eigen::Index>(columns_.size());
  if (count == 0) return false;
  const Metric metric(step, information);
  MatrixXd gram(count, count);
  VectorXd right(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    right[i] = metric.dot(columns_[i].change, step);
    for (Eigen::Index j = 0; j <= i; ++j)
      gram(i, j) = gram(j, i) = metric.dot(columns_[i].change, columns_[j].change);
  }
  // Columns get shorter with the steps: compare their directions.
  const VectorXd scale = gram.diagonal().cwiseSqrt().cwiseMax(1e-300).cwiseInverse();
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver(count, count);
  solver.setThreshold(threshold);
  solver.compute(scale.asDiagonal() * gram * scale.asDiagonal());
  const VectorXd share = scale.cwiseProduct(solver.solve(scale.cwiseProduct(right)));
  if (!share.allFinite()) return false;
  out = step;
  for (Eigen::Index i = 0; i < count; ++i) out.add(-share[i], columns_[i].reach);
  return true;
}

void Extrapolation::remember(const FullStep& step, const FullStep& gone) {
  last_step_ = step;
  last_gone_ = gone;
  has_last_ = true;
}

void Extrapolation::shorten(double length) {
  if (has_last_) last_gone_.scale(length);
}

}  // namespace bayesid
