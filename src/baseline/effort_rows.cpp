// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>

#include "baseline/regression_rows.hpp"
#include "bayesid/integrator.hpp"
#include "math/median_step.hpp"
#include "math/parallel.hpp"
#include "problem/inputs.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double default_share = 0.01;  // of the root mean square, as for efforts without a std

struct Sample {
  int trajectory, index;
};

/// The samples that count, in order.
std::vector<Sample> used_samples(const RegressionData& data) {
  std::vector<Sample> out;
  for (int t = 0; t < static_cast<int>(data.motions.size()); ++t) {
    const std::vector<int>& mode = data.motions[t].mode;
    for (int k = 0; k < static_cast<int>(mode.size()); k += data.stride) {
      if (mode[k] >= 0) out.push_back({t, k});
    }
  }
  return out;
}

bool has_constraints(const RobotProblem& problem) {
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    if (problem.timeline(t).max_rows() > 0) return true;
  }
  return false;
}

double delay_of_forces(const RobotProblem& problem) {
  const double share = rule_of(problem.integrator()).force_at;
  return share > 0 ? share * median_step(problem.recordings()[0].time) : 0;
}

/// Balance of forces at samples, each thread with its own scratch.
class Balance {
 public:
  Balance(const RegressionData& data, const DynamicsAt& model)
      : data_(data),
        dynamics_(data.problem.dynamics()),
        model_(model),
        workspace_(dynamics_),
        balance_(dynamics_.nv(), dynamics_.nzeta(), dynamics_.num_rotors()),
        after_(delay_of_forces(data.problem)) {}

  /// [∂h/∂ζ, h], a row for each velocity.
  MatrixXd rows(const Sample& at, bool with_effort = true) {
    const MotionGuess& motion = data_.motions[at.trajectory].motion;
    const Recording& recording = data_.problem.recordings()[at.trajectory];
    VectorXd tau = inputs_at(dynamics_, model_.eta, recording, at.index, after_);
    if (!with_effort) tau.head(dynamics_.nv()).setZero();
    dynamics_.balance(model_, configuration_at(dynamics_.robot(), motion, at.index),
                      motion.velocity.col(at.index), motion.acceleration.col(at.index), tau,
                      Order::derivatives, workspace_, balance_);
    MatrixXd out(dynamics_.nv(), dynamics_.nzeta() + 1);
    out << balance_.dh_dzeta, balance_.h;
    return out;
  }

  /// What the constraints leave free, whitened: (Nᵀ Σ N)^(−1/2) Nᵀ h.  docs/math/baselines.md (6)
  MatrixXd free_rows(const Sample& at, const VectorXd& std) {
    const MatrixXd all = rows(at);
    const SampledMotion& motion = data_.motions[at.trajectory];
    const Mode& mode = data_.problem.timeline(at.trajectory).modes[motion.mode[at.index]];
    MatrixXd N = MatrixXd::Identity(dynamics_.nv(), dynamics_.nv());
    if (mode.num_rows() > 0) {
      const VectorXd q = configuration_at(dynamics_.robot(), motion.motion, at.index);
      const MatrixXd J =
          dynamics_.rows_at(mode, q, motion.motion.velocity.col(at.index), Level::velocity).J;
      const Eigen::ColPivHouseholderQR<MatrixXd> qr(J.transpose());
      const MatrixXd Q = qr.householderQ();
      N = Q.rightCols(dynamics_.nv() - qr.rank());
    }
    const MatrixXd cov = N.transpose() * std.cwiseAbs2().asDiagonal() * N;
    return Eigen::LLT<MatrixXd>(cov).matrixL().solve(N.transpose() * all);
  }

 private:
  const RegressionData& data_;
  const Dynamics& dynamics_;
  const DynamicsAt& model_;
  Dynamics::Workspace workspace_;
  ForceBalance balance_;
  double after_;  // the sample, forces of a step act
};

/// Of the balance of each velocity; where nothing measures an effort, from what the motion needs.
VectorXd balance_std(const RegressionData& data, const DynamicsAt& model) {
  constexpr Index most = 500;
  const Noise& noise = data.problem.noise();
  const int nv = data.problem.dynamics().nv();
  const std::vector<Sample> samples = used_samples(data);
  const size_t stride = std::max<size_t>(1, samples.size() / most);
  VectorXd effort = VectorXd::Zero(nv), needed = effort;
  double count = 0;
  Balance balance(data, model);
  for (size_t i = 0; i < samples.size(); i += stride, ++count) {
    const Recording& recording = data.problem.recordings()[samples[i].trajectory];
    effort += recording.effort.col(samples[i].index).cwiseAbs2();
    needed += balance.rows(samples[i], false).rightCols(1).cwiseAbs2();
  }
  effort = (effort / std::max(1.0, count)).cwiseSqrt();
  needed = (needed / std::max(1.0, count)).cwiseSqrt();
  VectorXd out(nv);
  for (int j = 0; j < nv; ++j) {
    const bool is_exact = noise.effort.size() == 0;
    const bool has_effort = model.eta.gain[j] != 0 && effort[j] > 0;
    if (has_effort) {
      out[j] = std::abs(model.eta.gain[j]) * (is_exact ? effort[j] : noise.effort[j]);
    } else {
      out[j] = (is_exact ? 1.0 : default_share) * needed[j];
    }
    out[j] = std::max(out[j], 1e-9);
  }
  return out;
}

/// Rows of some samples as groups.
std::vector<CondensedRows> condense(Balance& balance, const Sample* first, const Sample* last,
                                    int nzeta, int nv, const VectorXd* whitening) {
  const auto count = static_cast<Index>(last - first);
  if (whitening) {
    std::vector<MatrixXd> blocks;
    Index rows = 0;
    for (const Sample* one = first; one < last; ++one) {
      rows += blocks.emplace_back(balance.free_rows(*one, *whitening)).rows();
    }
    MatrixXd all(rows, nzeta + 1);
    Index at = 0;
    for (const MatrixXd& block : blocks) {
      all.middleRows(at, block.rows()) = block;
      at += block.rows();
    }
    std::vector<CondensedRows> out(1, CondensedRows(nzeta + 1));
    out[0].add(all);
    return out;
  }
  std::vector<MatrixXd> groups(nv, MatrixXd(count, nzeta + 1));
  for (Index i = 0; i < count; ++i) {
    const MatrixXd rows = balance.rows(first[i]);
    for (int j = 0; j < nv; ++j) groups[j].row(i) = rows.row(j);
  }
  std::vector<CondensedRows> out(nv, CondensedRows(nzeta + 1));
  for (int j = 0; j < nv; ++j) out[j].add(groups[j]);
  return out;
}

}  // namespace

VectorXd claimed_effort_std(const RegressionData& data, const DynamicsAt& model) {
  // With constraints rows are whitened where they are made.
  if (has_constraints(data.problem)) return VectorXd::Ones(1);
  return balance_std(data, model);
}

RegressionRows effort_rows(const RegressionData& data, const DynamicsAt& model) {
  constexpr int block = 256;  // samples
  const std::vector<Sample> samples = used_samples(data);
  const bool constrained = has_constraints(data.problem);
  // The same weights for every model.
  const Dynamics& dynamics = data.problem.dynamics();
  const VectorXd std =
      constrained ? balance_std(data, *dynamics.at(dynamics.parameters().prior())) : VectorXd();
  const int nv = dynamics.nv(), nzeta = dynamics.nzeta();
  struct Part {
    int fold, first, last;
  };
  std::vector<Part> parts;
  const auto num_samples = static_cast<int>(samples.size());
  const auto fold_start = [&](int f) {
    return static_cast<int>(static_cast<Index>(num_samples) * f / data.num_folds);
  };
  for (int f = 0; f < data.num_folds; ++f) {
    for (int i = fold_start(f); i < fold_start(f + 1); i += block) {
      parts.push_back({f, i, std::min(i + block, fold_start(f + 1))});
    }
  }
  std::vector<std::vector<CondensedRows>> segments(parts.size());
  ThreadPool pool(data.num_threads);
  std::vector<Balance> balances;
  balances.reserve(data.num_threads);
  for (int i = 0; i < data.num_threads; ++i) balances.emplace_back(data, model);
  pool.run(static_cast<int>(parts.size()), [&](int i, int thread) {
    segments[i] = condense(balances[thread], samples.data() + parts[i].first,
                           samples.data() + parts[i].last, nzeta, nv, constrained ? &std : nullptr);
  });
  const int num_groups = constrained ? 1 : nv;
  RegressionRows out;
  out.folds.assign(data.num_folds,
                   std::vector<CondensedRows>(num_groups, CondensedRows(nzeta + 1)));
  for (size_t i = 0; i < parts.size(); ++i) {
    for (int g = 0; g < num_groups; ++g) out.folds[parts[i].fold][g].add(segments[i][g], 1);
  }
  return out;
}

}  // namespace bayesid
