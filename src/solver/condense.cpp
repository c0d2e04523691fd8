// SPDX-License-Identifier: BSD-3-Clause
#include "solver/condense.hpp"

#include <Eigen/Cholesky>
#include <chrono>

#include "math/blas.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Stages linearised ahead of the recursion: enough work to share, few enough to stay in the cache.
constexpr int block_size = 32;

class Stopwatch {
 public:
  explicit Stopwatch(double& total) : total_(total), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& total_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace

Condenser::Condenser(const Problem& problem, int num_threads)
    : problem_(problem), pool_(num_threads) {
  blas::use_one_thread();
  for (int i = 0; i < num_threads; ++i) workspaces_.push_back(problem.make_workspace());
  const auto num_parts = static_cast<Eigen::Index>(problem.cost_parts().size()) + 1;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const StageSize size = problem.size(t);
    sweeps_.push_back(std::make_unique<RiccatiSweep>(size, problem.ncurvature()));
    memory_.emplace_back(problem.memory_size(), size.num_stages + 1);
    parts_.emplace_back(num_parts, size.num_stages + 1);
  }
  const StageSize size = problem.size(0);
  for (std::vector<Stage>& buffer : buffers_)
    buffer.assign(block_size, Stage(size, problem.ncurvature()));
  hessian_.resize(size.nzeta, size.nzeta);
  linearise_seconds_.assign(num_threads, 0.0);
}

Timing Condenser::timing(const Point& point) const {
  Timing out = timing_;
  for (const double seconds : linearise_seconds_) out.linearise += seconds;
  double bytes = 0, stages = 0;
  for (int t = 0; t < problem_.num_trajectories(); ++t) {
    const Path& path = point.paths[t];
    // The search holds two points.
    bytes += sweeps_[t]->bytes() + 8.0 * static_cast<double>(memory_[t].size() + parts_[t].size()) +
             16.0 * static_cast<double>(path.x.size() + path.u.size() + path.gamma.size());
    stages += problem_.size(t).num_stages;
  }
  out.bytes_per_stage = bytes / std::max(1.0, stages);
  return out;
}

void Condenser::keep_gains() {
  for (const auto& sweep : sweeps_) sweep->keep_gains();
}

void Condenser::sweep_trajectory(int trajectory, const Point& point, const Problem::At& at) {
  RiccatiSweep& sweep = *sweeps_[trajectory];
  const Path& path = point.paths[trajectory];
  const int num_nodes = sweep.size().num_stages + 1;
  const int num_blocks = (num_nodes + block_size - 1) / block_size;
  // Block b holds nodes from last(b) downward. While one block is swept, the next one is
  // linearised.
  const auto last = [&](int b) { return num_nodes - 1 - b * block_size; };
  for (int b = 0; b <= num_blocks; ++b) {
    const int count = b < num_blocks ? std::min(block_size, last(b) + 1) : 0;
    const bool has_previous = b > 0;
    pool_.run(count + (has_previous ? 1 : 0), [&](int i, int thread) {
      if (has_previous && i == 0) {
        const Stopwatch recursion(timing_.recursion);
        for (int j = 0; j < block_size && last(b - 1) - j >= 0; ++j) {
          const Stage& stage = buffers_[(b - 1) % 2][j];
          const int k = last(b - 1) - j;
          k == num_nodes - 1 ? sweep.begin(stage) : sweep.step(k, stage);
        }
        return;
      }
      const Stopwatch stopwatch(linearise_seconds_[thread]);
      const int j = i - (has_previous ? 1 : 0), k = last(b) - j;
      problem_.linearise(at, trajectory, k, path, *workspaces_[thread], buffers_[b % 2][j],
                         memory_[trajectory].col(k).data());
    });
  }
  sweep.finish();
}

void Condenser::linearise(const Point& point, const Problem::At& at) {
  const StageSize size = problem_.size(0);
  hessian_.setZero();
  gradient_ = multiplier_gradient_ = VectorXd::Zero(size.nzeta);
  curvature_ = VectorXd::Zero(problem_.ncurvature());
  largest_defect_ = closing_cost_ = stiff_work_ = 0;
  for (int t = 0; t < problem_.num_trajectories(); ++t) {
    sweep_trajectory(t, point, at);
    RiccatiSweep& sweep = *sweeps_[t];
    // The arrival state goes first, so that the answer is that of the joint problem.
    const ArrivalConstraints arrival = problem_.arrival(t, point.paths[t]);
    sweep.eliminate_arrival(arrival);
    hessian_ += sweep.condensed_hessian();
    gradient_ += sweep.condensed_gradient();
    if (arrival.e.size() > 0)
      largest_defect_ = std::max(largest_defect_, arrival.e.lpNorm<Eigen::Infinity>());
    multiplier_gradient_ += sweep.multiplier_gradient();
    curvature_ += sweep.curvature();
    largest_defect_ = std::max(largest_defect_, sweep.largest_defect());
    closing_cost_ += sweep.closing_cost();
    stiff_work_ += sweep.stiff_work();
  }
}

template <typename Task>
void Condenser::for_each_stage(int last_offset, const Task& task) {
  for (int t = 0; t < problem_.num_trajectories(); ++t) {
    const int count = problem_.size(t).num_stages + last_offset;
    const int num_blocks = (count + block_size - 1) / block_size;
    pool_.run(num_blocks, [&](int b, int thread) {
      for (int k = b * block_size; k < std::min(count, (b + 1) * block_size); ++k)
        task(t, k, thread);
    });
  }
}

void Condenser::solve_states(const Point& point, const Problem::At& at, const VectorXd& dzeta) {
  const Stopwatch stopwatch(timing_.step);
  for_each_stage(0, [&](int t, int k, int thread) {
    problem_.parameter_shift(at, t, k, point.paths[t], dzeta, *workspaces_[thread],
                             memory_[t].col(k).data(), sweeps_[t]->shift(k),
                             sweeps_[t]->row_shift(k));
  });
  pool_.run(problem_.num_trajectories(), [&](int t, int) { sweeps_[t]->solve_states(); });
  gradient_along_step_ = defect_along_step_ = arrival_along_step_ = 0;
  rows_along_step_ = rows_gradient_ = 0;
  for (const auto& sweep : sweeps_) {
    gradient_along_step_ += sweep->gradient_along_step();
    defect_along_step_ += sweep->defect_along_step();
    arrival_along_step_ += sweep->arrival_along_step();
    rows_along_step_ += sweep->rows_along_step();
    rows_gradient_ += sweep->rows_gradient();
  }
}

void Condenser::move(const Point& point, double length, Point& out) {
  const Stopwatch stopwatch(timing_.step);
  for_each_stage(1, [&](int t, int k, int thread) {
    problem_.move(t, k, point.paths[t], sweeps_[t]->dx(), sweeps_[t]->dgamma(), length,
                  *workspaces_[thread], memory_[t].col(k).data(), out.paths[t]);
  });
}

void Condenser::move(const Point& point, const FullStep& step, Point& out) {
  const Stopwatch stopwatch(timing_.step);
  for_each_stage(1, [&](int t, int k, int thread) {
    problem_.move(t, k, point.paths[t], step.dx[t], step.dgamma[t], 1.0, *workspaces_[thread],
                  memory_[t].col(k).data(), out.paths[t]);
  });
}

FullStep Condenser::step() const {
  FullStep out;
  for (const auto& sweep : sweeps_) {
    out.dx.emplace_back(sweep->dx());
    out.dgamma.emplace_back(sweep->dgamma());
  }
  return out;
}

bool Condenser::evaluate(const Point& point, const Problem::At& at, VectorXd& parts,
                         std::string& place) {
  const Stopwatch stopwatch(timing_.evaluate);
  for_each_stage(1, [&](int t, int k, int thread) {
    if (!problem_.evaluate(at, t, k, point.paths[t], *workspaces_[thread], parts_[t].col(k))) {
      parts_[t].col(k).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  });
  parts = VectorXd::Zero(parts_.empty() ? 0 : parts_[0].rows());
  for (int t = 0; t < problem_.num_trajectories(); ++t) {
    for (Eigen::Index k = 0; k < parts_[t].cols(); ++k) {
      if (!parts_[t].col(k).allFinite()) {
        place = problem_.place(t, static_cast<int>(k));
        return false;
      }
      parts += parts_[t].col(k);
    }
  }
  return true;
}

void Condenser::restore(const Problem::At& at, Point& point) {
  for_each_stage(0, [&](int t, int k, int thread) {
    problem_.restore(at, t, k, *workspaces_[thread], point.paths[t]);
  });
}

double Condenser::press(const Problem::At& at, bool change, Point& point) {
  std::vector<double> gaps(workspaces_.size(), 0.0);
  for_each_stage(1, [&](int t, int k, int thread) {
    gaps[thread] = std::max(gaps[thread],
                            problem_.press(at, t, k, *workspaces_[thread], change, point.paths[t]));
  });
  return *std::max_element(gaps.begin(), gaps.end());
}

}  // namespace bayesid
