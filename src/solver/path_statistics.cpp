// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/solve.hpp"

#include <cmath>
#include <optional>

#include "math/blas.hpp"
#include "solver/accumulator.hpp"
#include "solver/innovation_filter.hpp"
#include "solver/smoothed_rows.hpp"

namespace bayesid {

using blas::Op;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int block_size = RiccatiSweep::gain_spacing;  // nodes linearised at a time
constexpr int most_scores = 4096;                       // of a trajectory

MatrixXd product(const MatrixXd& A, const MatrixXd& B) {
  MatrixXd out = MatrixXd::Zero(A.rows(), B.cols());
  blas::multiply(1.0, A, Op::plain, B, Op::plain, 0.0, out);
  return out;
}

MatrixXd parameter_columns(const Stage& s) {
  return product(s.D.leftCols(s.nd), s.K.topRows(s.nd));
}

/// What all trajectories share.
struct Sources {
  const Problem& problem;
  const Point& point;
  const ProblemAt& at;
  const MatrixXd& zeta_cov;
  ThreadPool& pool;
};

/// Walks along one trajectory, a block of nodes at a time: stages and gains of the whole log are
/// never stored.
class Walk {
 public:
  Walk(const Sources& from, const RiccatiSweep& sweep, int trajectory)
      : from_(from),
        sweep_(sweep),
        trajectory_(from.problem.trajectory(trajectory)),
        at_(*from.at.trajectories[trajectory]),
        path_(from.point.paths[trajectory]),
        num_nodes_(sweep.size().num_stages + 1),
        num_blocks_((num_nodes_ + block_size - 1) / block_size),
        uses_parameters_(from.zeta_cov.size() > 0),
        stages_(std::min(block_size, num_nodes_),
                Stage(sweep.size(), from.problem.space().ncurvature())),
        rows_(stages_.size()),
        C_(stages_.size()),
        G_(stages_.size()) {
    for (int i = 0; i < from.pool.num_threads(); ++i) {
      workspaces_.push_back(trajectory_.make_workspace());
    }
  }

  PathStatistics run() {
    PathStatistics out;
    out.state_std.resize(sweep_.size().nx, num_nodes_);
    const int num_stages = num_nodes_ - 1;
    out.stages_per_score = std::max(1, (num_stages + most_scores - 1) / most_scores);
    if (uses_parameters_) {
      out.scores = MatrixXd::Zero(sweep_.size().nzeta,
                                  (num_stages + out.stages_per_score - 1) / out.stages_per_score);
    }
    P_ = sweep_.arrival_covariance();
    X_ = uses_parameters_ ? sweep_.arrival_sensitivity() : MatrixXd();
    for (int b = 0; b < num_blocks_; ++b) {
      linearise(b);
      if (uses_parameters_) {
        gains(b);
        add_scores(b, out);
      }
      if (b == 0) filter_.emplace(stages_[0], trajectory_.arrival(path_));
      // The two recursions are independent.
      std::vector<Innovations> innovations;
      std::vector<VectorXd> variances;
      from_.pool.run(2, [&](int i, int) {
        i == 0 ? filter(b, innovations) : smooth(b, variances, out.state_std);
      });
      for (int i = 0; i < size(b); ++i) gather(b, i, innovations, variances, out.samples);
    }
    return out;
  }

 private:
  int first(int b) const { return b * block_size; }
  int size(int b) const { return std::min(block_size, num_nodes_ - first(b)); }
  bool has_stage(int k) const { return k + 1 < num_nodes_; }

  void linearise(int b) {
    from_.pool.run(size(b), [&](int i, int thread) {
      trajectory_.linearise(at_, first(b) + i, path_, *workspaces_[thread], stages_[i], nullptr,
                            &rows_[i]);
    });
  }

  /// D K of every stage of a block, and its G'; G of the first node.  (8a), (8b)
  void gains(int b) {
    const bool is_last = b + 1 == num_blocks_;  // nothing is behind the last node
    MatrixXd G = is_last ? MatrixXd::Zero(sweep_.size().nx, sweep_.size().nzeta)
                         : sweep_.kept_gain(first(b + 1));
    for (int i = size(b) - 1; i >= 0; --i) {
      const int k = first(b) + i;
      if (!has_stage(k)) continue;
      const Stage& s = stages_[i];
      const auto R_x = s.R_x.topRows(s.nr), R_y = s.R_y.topRows(s.nr),
                 R_zeta = s.R_zeta.topRows(s.nr);
      C_[i] = parameter_columns(s);
      G_[i] = G;
      if (s.nr > 0) G_[i] += R_y.transpose() * R_zeta;
      const MatrixXd seen = product(sweep_.information(k + 1), C_[i]) + G_[i];
      G = product(sweep_.closed_loop(k).transpose(), seen);
      if (s.nr > 0) G += R_x.transpose() * (R_zeta + R_y * C_[i]);
    }
  }

  /// (DK)ᵀγ + R_ζᵀ r                                                     docs/math/noise.md (4)
  void add_scores(int b, PathStatistics& out) const {
    for (int i = 0; i < size(b) && has_stage(first(b) + i); ++i) {
      const Stage& s = stages_[i];
      auto score = out.scores.col((first(b) + i) / out.stages_per_score);
      score.noalias() += C_[i].transpose() * s.gamma;
      if (s.nr > 0) score.noalias() += s.R_zeta.topRows(s.nr).transpose() * s.r.head(s.nr);
    }
  }

  /// Innovations of node and stage, in turn.
  void filter(int b, std::vector<Innovations>& out) {
    for (int i = 0; i < size(b); ++i) {
      out.push_back(filter_->observe(rows_[i]));
      const bool goes_on = has_stage(first(b) + i);
      out.push_back(goes_on ? filter_->step(stages_[i], rows_[i]) : Innovations{});
    }
  }
  /// Variances of residuals of node and stage, in turn, and of states. (18), (19), (33), (34)
  void smooth(int b, std::vector<VectorXd>& out, MatrixXd& state_std) {
    for (int i = 0; i < size(b); ++i) {
      const int k = first(b) + i;
      VectorXd variance = P_.diagonal();
      if (uses_parameters_)
        variance += product(X_, from_.zeta_cov).cwiseProduct(X_).rowwise().sum();
      state_std.col(k) = variance.cwiseSqrt();
      out.push_back(node_residual_variance(rows_[i], P_, X_, from_.zeta_cov));
      out.emplace_back();
      if (!has_stage(k)) continue;
      const Stage& s = stages_[i];
      const NoiseSolution noise_solution(sweep_, k, s, C_[i], G_[i]);
      const MatrixXd N = s.N.leftCols(s.nw);
      const MatrixXd closed = s.A - N * noise_solution.K;
      MatrixXd X_next;
      if (uses_parameters_) X_next = product(closed, X_) + C_[i] + product(N, noise_solution.Y);
      out.back() =
          stage_residual_variance(s, rows_[i], noise_solution, {P_, X_, X_next, from_.zeta_cov});
      const MatrixXd noise = N * noise_solution.whitened.transpose();
      P_ = product(product(closed, P_), closed.transpose()) + product(noise, noise.transpose());
      X_.swap(X_next);
    }
  }

  void gather(int b, int i, const std::vector<Innovations>& innovations,
              const std::vector<VectorXd>& variances, std::vector<SampleStatistics>& out) const {
    const SensorRows& rows = rows_[i];
    const int k = first(b) + i;
    const auto add = [&](const RowName& name, double residual, int which, Eigen::Index row) {
      SampleStatistics& one = out.emplace_back();
      one = {.name = name, .node = k, .residual = residual};
      one.residual_std = std::sqrt(variances[which][row]);
      if (row >= innovations[which].value.size()) return;
      one.innovation = innovations[which].value[row];
      one.innovation_std = innovations[which].std[row];
    };
    for (size_t j = 0; j < rows.node.size(); ++j) {
      const auto row = static_cast<Eigen::Index>(j);
      add(rows.node[j], rows.r[row], 2 * i, row);
    }
    if (!has_stage(k)) return;
    const Stage& s = stages_[i];
    const VectorXd noise = -s.N.leftCols(s.nw).transpose() * s.gamma;
    const VectorXd residuals = rows.by_noise * noise + rows.by_rows * s.r.head(s.nr);
    for (Eigen::Index row = 0; row < residuals.size(); ++row) {
      const auto j = static_cast<size_t>(row);
      const bool is_row = j < rows.stage.size();
      add(is_row ? rows.stage[j] : rows.inputs[j - rows.stage.size()], residuals[row], 2 * i + 1,
          row);
    }
  }

  const Sources& from_;
  const RiccatiSweep& sweep_;
  const Trajectory& trajectory_;
  const Trajectory::At& at_;
  const Path& path_;
  int num_nodes_, num_blocks_;
  bool uses_parameters_;
  std::vector<std::unique_ptr<Trajectory::Workspace>> workspaces_;
  // Of the nodes of one block.
  std::vector<Stage> stages_;
  std::vector<SensorRows> rows_;
  std::vector<MatrixXd> C_, G_;
  // Of the node reached.
  std::optional<InnovationFilter> filter_;
  MatrixXd P_, X_;
};

std::shared_ptr<const Accumulator> linearised(const Problem& problem, const Point& point,
                                              const ProblemAt& at, int num_threads) {
  auto out = std::make_shared<Accumulator>(problem, num_threads);
  out->keep_gains();
  out->accumulate(point, at);
  return out;
}

std::vector<PathStatistics> statistics_of(const Problem& problem, const Solution& solution,
                                          int first, int last, int num_threads) {
  num_threads = std::max(1, num_threads);
  const std::shared_ptr<const ProblemAt> at = problem.at(solution.point.theta);
  std::shared_ptr<const Accumulator> sweeps = solution.sweeps;
  if (!sweeps) sweeps = linearised(problem, solution.point, *at, num_threads);
  const MatrixXd dzeta_dtheta = problem.space().dzeta_dtheta(solution.point.theta);
  const MatrixXd zeta_cov = dzeta_dtheta * solution.theta_cov * dzeta_dtheta.transpose();
  ThreadPool pool(num_threads);
  const Sources sources{problem, solution.point, *at, zeta_cov, pool};
  std::vector<PathStatistics> out;
  for (int t = first; t < last; ++t) out.push_back(Walk(sources, sweeps->sweep(t), t).run());
  return out;
}

}  // namespace

std::vector<PathStatistics> path_statistics(const Problem& problem, const Solution& solution,
                                            int num_threads) {
  return statistics_of(problem, solution, 0, problem.num_trajectories(), num_threads);
}

MatrixXd state_std(const Problem& problem, const Solution& solution, int trajectory,
                   int num_threads) {
  return statistics_of(problem, solution, trajectory, trajectory + 1, num_threads)[0].state_std;
}

}  // namespace bayesid
