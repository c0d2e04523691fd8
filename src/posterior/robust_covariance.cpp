// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "bayesid/posterior.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double chance = 3;  // standard deviations of the scatter that white noise makes

/// How far apart parts of a log are that count as independent, s.
double reach(double duration) {
  constexpr double per_root = 0.18;
  return per_root * std::sqrt(duration);
}

double duration_of(const RobotProblem& problem, int trajectory) {
  double out = 0;
  for (const StagePlan& stage : problem.timeline(trajectory).stages) out += stage.dt;
  return out;
}

/// What the gradient of the prior and the constraints of the parameters balance.
VectorXd mean_score(const std::vector<PathStatistics>& statistics, Index size) {
  VectorXd sum = VectorXd::Zero(size);
  Index count = 0;
  for (const PathStatistics& one : statistics) {
    if (one.scores.cols() == 0) continue;
    sum += one.scores.rowwise().sum();
    count += one.scores.cols();
  }
  return sum / static_cast<double>(std::max<Index>(1, count));
}

/// Σ_b s_b s_bᵀ with Bartlett's weights for neighbours up to `lags` sums away.
MatrixXd scatter(const MatrixXd& scores, Index lags) {
  MatrixXd out = scores * scores.transpose();
  for (Index lag = 1; lag < std::min(lags, scores.cols()); ++lag) {
    const Index count = scores.cols() - lag;
    const MatrixXd part = scores.rightCols(count) * scores.leftCols(count).transpose();
    const double weight = 1 - static_cast<double>(lag) / static_cast<double>(lags);
    out += weight * (part + part.transpose());
  }
  return out;
}

/// Σ + Σ E Σ with the positive part of E in the metric of Σ.
MatrixXd widened(const MatrixXd& cov, const MatrixXd& excess) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> root(cov);
  const MatrixXd L = root.eigenvectors() * root.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> of_excess(L.transpose() * excess * L);
  const MatrixXd ways = L * of_excess.eigenvectors();
  return cov + ways * of_excess.eigenvalues().cwiseMax(0).asDiagonal() * ways.transpose();
}

}  // namespace

MatrixXd robust_covariance(const RobotProblem& problem, const Solution& solution,
                           const std::vector<PathStatistics>& statistics) {
  const MatrixXd& cov = solution.theta_cov;
  // Multipliers of inequalities are part of the gradient, and no noise.
  if (cov.size() == 0 || problem.has_inequalities()) return cov;
  const MatrixXd dzeta_dtheta = problem.space().dzeta_dtheta(solution.point.theta);
  MatrixXd S = MatrixXd::Zero(dzeta_dtheta.rows(), dzeta_dtheta.rows());
  const VectorXd mean = mean_score(statistics, S.rows());
  double parts = 0;  // that are independent
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const MatrixXd& scores = statistics[t].scores;
    const double duration = duration_of(problem, t), far = reach(duration);
    if (scores.cols() < 2 || !(duration > 0)) continue;
    const double per_score = duration / static_cast<double>(scores.cols());
    S += scatter(scores.colwise() - mean,
                 std::max<Index>(1, static_cast<Index>(std::lround(far / per_score))));
    parts += duration / far;
  }
  // In units of the model's covariance of the data: 1 where its noise is right.
  const MatrixXd data = dzeta_dtheta.transpose() * S * dzeta_dtheta;
  const MatrixXd model = solution.data_hessian;
  const double determined = std::max(1e-12, (cov * model).trace());
  if (!(parts > 0) || !data.allFinite()) return cov;
  const double found = (cov * data).trace() / determined;
  if (found < 1 + chance * std::sqrt(2 / (parts * std::max(1.0, determined)))) return cov;
  // Fitted parameters have taken their share of the scatter of errors that last.
  const double equations = parts * problem.dynamics().nv();
  const double correction = equations / std::max(0.5 * equations, equations - determined);
  const double inflation = correction * found;
  // Few parts make single directions noisy: they are drawn to the mean of all.
  const double weight = std::clamp(determined / std::max(1.0, equations), 0.0, 1.0);
  const MatrixXd mixed = (1 - weight) * correction * data + weight * inflation * model;
  return widened(cov, mixed - model);
}

}  // namespace bayesid
