// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/residual_samples.hpp"

#include <algorithm>
#include <cmath>

#include "posterior/payload_columns.hpp"

namespace bayesid::posterior {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr Index most_samples = 40000;  // of a fit

/// The samples that are fitted, of all recordings.
struct Kept {
  int recording;
  Index sample;
  double time;  // recordings one after the other
};

std::vector<Kept> keep(const RobotProblem& problem) {
  Index total = 0;
  for (const Recording& one : problem.recordings()) total += one.num_samples();
  const Index every = 1 + (total - 1) / most_samples;
  std::vector<Kept> out;
  double start = 0;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const VectorXd& time = problem.recordings()[t].time;
    for (Index k = 0; k < time.size(); k += every) out.push_back({t, k, start + time[k] - time[0]});
    if (time.size() > 0) start += time[time.size() - 1] - time[0];
  }
  return out;
}

/// A row of `from(recording)` at the kept samples.
template <typename From>
VectorXd gather(const std::vector<Kept>& kept, Index row, const From& from) {
  VectorXd out(std::ssize(kept));
  for (Index i = 0; i < out.size(); ++i) out[i] = from(kept[i].recording)(row, kept[i].sample);
  return out;
}

/// Payload columns of all joints at the kept samples: (nv · columns) × samples.
MatrixXd payload_efforts(const RobotProblem& problem,
                         const std::vector<EffortPrediction>& predictions,
                         const std::vector<Kept>& kept, PayloadColumns& columns) {
  MatrixXd out;
  for (size_t i = 0; i < kept.size(); ++i) {
    const MotionGuess& motion = predictions[kept[i].recording].motion;
    const MatrixXd& here = columns.at(
        configuration_at(problem.dynamics().robot(), motion, static_cast<int>(kept[i].sample)));
    if (i == 0) out.resize(here.size(), std::ssize(kept));
    out.col(static_cast<Index>(i)) = here.reshaped();
  }
  return out;
}

std::vector<ResidualRun> make_runs(const RobotProblem& problem,
                                   const std::vector<EffortPrediction>& predictions, Index row) {
  std::vector<ResidualRun> out;
  for (size_t t = 0; t < predictions.size(); ++t) {
    const Recording& recording = problem.recordings()[t];
    const Index n = recording.num_samples();
    if (n < 2) continue;
    out.push_back(
        {.dt = (recording.time[n - 1] - recording.time[0]) / static_cast<double>(n - 1),
         .residual = (recording.effort.row(row) - predictions[t].identified.row(row)).transpose(),
         .speed = predictions[t].motion.velocity.row(row).transpose()});
  }
  return out;
}

}  // namespace

std::vector<ResidualSamples> make_residual_samples(const RobotProblem& problem,
                                                   const std::vector<EffortPrediction>& predictions,
                                                   const std::vector<MatrixXd>& expected_std) {
  const Robot& robot = problem.dynamics().robot();
  const std::vector<Kept> kept = keep(problem);
  std::vector<ResidualSamples> out;
  if (kept.empty()) return out;
  PayloadColumns columns(robot);
  const MatrixXd payload = payload_efforts(problem, predictions, kept, columns);
  const Index nv = robot.nv();
  const auto measured = [&](int t) -> const MatrixXd& { return problem.recordings()[t].effort; };
  const auto predicted = [&](int t) -> const MatrixXd& { return predictions[t].identified; };
  const auto nominal = [&](int t) -> const MatrixXd& { return predictions[t].nominal; };
  const auto position = [&](int t) -> const MatrixXd& { return predictions[t].motion.position; };
  const auto velocity = [&](int t) -> const MatrixXd& { return predictions[t].motion.velocity; };
  const auto acceleration = [&](int t) -> const MatrixXd& {
    return predictions[t].motion.acceleration;
  };
  const auto std = [&](int t) -> const MatrixXd& { return expected_std[t]; };
  for (const Joint& joint : robot.joints) {
    const Index j = joint.idx_v;
    const VectorXd effort = gather(kept, j, measured);
    if (!effort.allFinite() || effort.isZero(0)) continue;
    ResidualSamples& one = out.emplace_back();
    one.joint = joint.name;
    one.unit = joint.prismatic ? "N" : "N·m";
    one.angle_unit = joint.prismatic ? "m" : "rad";
    one.predicted = gather(kept, j, predicted);
    one.nominal = gather(kept, j, nominal);
    one.residual = effort - one.predicted;
    one.expected_std = gather(kept, j, std);
    one.angle = gather(kept, j, position);
    one.speed = gather(kept, j, velocity);
    one.acceleration = gather(kept, j, acceleration);
    if (std::ranges::all_of(predictions, [](const EffortPrediction& each) {
          return each.motion_cov.joints.size() > 0;
        })) {
      const auto cov = [&](int t) -> const MatrixXd& { return predictions[t].motion_cov.joints; };
      one.acceleration_std = gather(kept, 6 * j + 5, cov).cwiseMax(0).cwiseSqrt();
    }
    one.time.resize(std::ssize(kept));
    for (Index i = 0; i < one.time.size(); ++i) one.time[i] = kept[i].time;
    const Index num_joints = std::ssize(robot.joints);
    one.other_angles.resize(std::ssize(kept), num_joints - 1);
    for (const Joint& other : robot.joints) {
      if (other.idx_v == joint.idx_v) continue;
      one.other_angles.col(std::ssize(one.others)) = gather(kept, other.idx_v, position);
      one.others.push_back(other.name);
    }
    const std::vector<Index> carried = columns.columns_of(j);
    one.payload.resize(std::ssize(kept), std::ssize(carried));
    for (size_t c = 0; c < carried.size(); ++c)
      one.payload.col(static_cast<Index>(c)) = payload.row(carried[c] * nv + j).transpose();
    one.runs = make_runs(problem, predictions, j);
    one.is_thinned = one.runs.empty() || [&] {
      Index total = 0;
      for (const ResidualRun& run : one.runs) total += run.residual.size();
      return total != one.size();
    }();
    if (one.residual.isZero(0)) out.pop_back();  // passive joints: predicted as measured
  }
  return out;
}

}  // namespace bayesid::posterior
