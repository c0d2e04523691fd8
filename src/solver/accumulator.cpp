// SPDX-License-Identifier: BSD-3-Clause
#include "solver/accumulator.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

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

Accumulator::Accumulator(Trajectories trajectories, int ncurvature, int num_threads)
    : trajectories_(std::move(trajectories)), ncurvature_(ncurvature), pool_(num_threads) {
  blas::use_one_thread();
  StageSize largest;
  for (const auto& trajectory : trajectories_) {
    const StageSize size = trajectory->size();
    const auto num_parts = static_cast<Eigen::Index>(trajectory->cost_parts().size()) + 1;
    sweeps_.push_back(std::make_unique<RiccatiSweep>(size, ncurvature));
    records_.push_back(trajectory->make_records());
    parts_.emplace_back(num_parts, size.num_stages + 1);
    largest.nx = std::max(largest.nx, size.nx);
    largest.nd = std::max(largest.nd, size.nd);
    largest.nw = std::max(largest.nw, size.nw);
    largest.nr = std::max(largest.nr, size.nr);
    largest.nzeta = std::max(largest.nzeta, size.nzeta);
  }
  if (!trajectories_.empty()) {
    for (int i = 0; i < num_threads; ++i) workspaces_.push_back(trajectories_[0]->make_workspace());
  }
  for (std::vector<Stage>& buffer : buffers_) buffer.assign(block_size, Stage(largest, ncurvature));
  linearise_seconds_.assign(num_threads, 0.0);
}

Timing Accumulator::timing(const Point& point) const {
  Timing out = timing_;
  for (const double seconds : linearise_seconds_) out.linearise += seconds;
  double bytes = 0, stages = 0;
  for (std::size_t t = 0; t < trajectories_.size(); ++t) {
    const Path& path = point.paths[t];
    // The search holds two points.
    bytes += sweeps_[t]->bytes() + records_[t]->bytes() +
             8.0 * static_cast<double>(parts_[t].size()) +
             16.0 * static_cast<double>(path.x.size() + path.u.size() + path.gamma.size());
    stages += sweeps_[t]->size().num_stages;
  }
  out.bytes_per_stage = bytes / std::max(1.0, stages);
  return out;
}

void Accumulator::keep_gains() {
  for (const auto& sweep : sweeps_) sweep->keep_gains();
}

void Accumulator::sweep_trajectory(int t, const Path& path, const Trajectory::At& at) {
  RiccatiSweep& sweep = *sweeps_[t];
  const Trajectory& trajectory = *trajectories_[t];
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
      trajectory.linearise(at, k, path, *workspaces_[thread], buffers_[b % 2][j],
                           records_[t].get());
    });
  }
  sweep.finish();
}

Condensed Accumulator::accumulate(const std::vector<Path>& paths, const TrajectoriesAt& at) {
  const int nzeta = sweeps_.empty() ? 0 : sweeps_[0]->size().nzeta;
  Condensed out{.hessian = MatrixXd::Zero(nzeta, nzeta),
                .gradient = VectorXd::Zero(nzeta),
                .multiplier_gradient = VectorXd::Zero(nzeta),
                .curvature = VectorXd::Zero(ncurvature_),
                .cost_parts = {}};
  for (std::size_t t = 0; t < trajectories_.size(); ++t) {
    sweep_trajectory(static_cast<int>(t), paths[t], *at[t]);
    RiccatiSweep& sweep = *sweeps_[t];
    // The arrival state goes first, so that the solution is that of the joint problem.
    const ArrivalConstraints arrival = trajectories_[t]->arrival(paths[t]);
    sweep.eliminate_arrival(arrival);
    out.hessian += sweep.condensed_hessian();
    out.gradient += sweep.condensed_gradient();
    if (arrival.e.size() > 0)
      out.largest_defect = std::max(out.largest_defect, arrival.e.lpNorm<Eigen::Infinity>());
    out.multiplier_gradient += sweep.multiplier_gradient();
    out.curvature += sweep.curvature();
    out.largest_defect = std::max(out.largest_defect, sweep.largest_defect());
    out.closing_cost += sweep.closing_cost();
    out.stiff_work += sweep.stiff_work();
    out.num_stages += sweep.size().num_stages;
    ++out.num_trajectories;
  }
  return out;
}

template <typename Task>
void Accumulator::for_each_stage(int last_offset, const Task& task) {
  for (std::size_t t = 0; t < trajectories_.size(); ++t) {
    const int count = sweeps_[t]->size().num_stages + last_offset;
    const int num_blocks = (count + block_size - 1) / block_size;
    pool_.run(num_blocks, [&](int b, int thread) {
      for (int k = b * block_size; k < std::min(count, (b + 1) * block_size); ++k)
        task(t, k, *workspaces_[thread]);
    });
  }
}

StepLengths Accumulator::solve_states(const Point& point, const ProblemAt& at,
                                      const VectorXd& dzeta) {
  const Stopwatch stopwatch(timing_.step);
  for_each_stage(0, [&](std::size_t t, int k, Trajectory::Workspace& workspace) {
    trajectories_[t]->parameter_shift(*at.trajectories[t], k, point.paths[t], dzeta, workspace,
                                      *records_[t], sweeps_[t]->shift(k), sweeps_[t]->row_shift(k));
  });
  pool_.run(static_cast<int>(trajectories_.size()),
            [&](int t, int) { sweeps_[t]->solve_states(); });
  StepLengths out;
  for (const auto& sweep : sweeps_) {
    out.gradient += sweep->gradient_along_step();
    out.defect += sweep->defect_along_step();
    out.arrival += sweep->arrival_along_step();
    out.rows += sweep->rows_along_step();
    out.rows_gradient += sweep->rows_gradient();
  }
  return out;
}

void Accumulator::move(const Point& point, const ProblemAt& at, double length, Point& out) {
  const Stopwatch stopwatch(timing_.step);
  for_each_stage(1, [&](std::size_t t, int k, Trajectory::Workspace& workspace) {
    trajectories_[t]->move(*at.trajectories[t], k, point.paths[t], sweeps_[t]->dx(),
                           sweeps_[t]->dgamma(), length, workspace, *records_[t], out.paths[t]);
  });
}

void Accumulator::move(const Point& point, const ProblemAt& at, const FullStep& step, Point& out) {
  const Stopwatch stopwatch(timing_.step);
  for_each_stage(1, [&](std::size_t t, int k, Trajectory::Workspace& workspace) {
    trajectories_[t]->move(*at.trajectories[t], k, point.paths[t], step.dx[t], step.dgamma[t], 1.0,
                           workspace, *records_[t], out.paths[t]);
  });
}

FullStep Accumulator::step() const {
  FullStep out;
  for (const auto& sweep : sweeps_) {
    out.dx.emplace_back(sweep->dx());
    out.dgamma.emplace_back(sweep->dgamma());
  }
  return out;
}

bool Accumulator::evaluate(const std::vector<Path>& paths, const TrajectoriesAt& at,
                           VectorXd& parts, std::string& location) {
  const Stopwatch stopwatch(timing_.evaluate);
  for_each_stage(1, [&](std::size_t t, int k, Trajectory::Workspace& workspace) {
    if (!trajectories_[t]->evaluate(*at[t], k, paths[t], workspace, parts_[t].col(k))) {
      parts_[t].col(k).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  });
  parts = VectorXd::Zero(parts_.empty() ? 0 : parts_[0].rows());
  for (std::size_t t = 0; t < trajectories_.size(); ++t) {
    for (Eigen::Index k = 0; k < parts_[t].cols(); ++k) {
      if (!parts_[t].col(k).allFinite()) {
        location = trajectories_[t]->location(static_cast<int>(k));
        return false;
      }
      parts += parts_[t].col(k);
    }
  }
  return true;
}

void Accumulator::restore(const ProblemAt& at, Point& point) {
  for_each_stage(0, [&](std::size_t t, int k, Trajectory::Workspace& workspace) {
    trajectories_[t]->restore(*at.trajectories[t], k, workspace, point.paths[t]);
  });
}

void Accumulator::lag(const ProblemAt& at, Point& point) {
  for (std::size_t t = 0; t < trajectories_.size(); ++t) {
    Path& path = point.paths[t];
    path.lagged.resize(trajectories_[t]->num_lagged(), path.u.cols());
    for (Eigen::Index k = 0; k < path.u.cols(); ++k)
      trajectories_[t]->lag(*at.trajectories[t], static_cast<int>(k), path);
  }
}

double Accumulator::update_multipliers(const ProblemAt& at, bool change, Point& point) {
  std::vector<double> gaps(trajectories_.size(), 0.0);
  std::vector<VectorXd> of_nodes;
  for (const auto& sweep : sweeps_)
    of_nodes.emplace_back(VectorXd::Zero(sweep->size().num_stages + 1));
  for_each_stage(1, [&](std::size_t t, int k, Trajectory::Workspace& workspace) {
    of_nodes[t][k] = trajectories_[t]->update_multipliers(*at.trajectories[t], k, workspace, change,
                                                          point.paths[t]);
  });
  for (std::size_t t = 0; t < of_nodes.size(); ++t) gaps[t] = of_nodes[t].maxCoeff();
  return gaps.empty() ? 0 : *std::max_element(gaps.begin(), gaps.end());
}

}  // namespace bayesid
