// SPDX-License-Identifier: BSD-3-Clause
#include "noise/standstill.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "bayesid/error.hpp"
#include "bayesid/posterior.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double slow = 0.02;   // rad/s or m/s
constexpr double unsure = 2;    // standard deviations of the speed count as slow too
constexpr int v_v = 3;          // of the numbers of MotionCov
constexpr double least = 1e-9;  // N·m: nothing

/// exp(−v̄²/v_s²) of every drive in the middle of every step.
MatrixXd shares_along(const std::vector<Drive>& drives, const SmoothedMotion& smoothed) {
  const MatrixXd& v = smoothed.motion.velocity;
  const Index nv = v.rows(), n = v.cols();
  MatrixXd out(std::ssize(drives), n);
  for (Index k = 0; k < n; ++k) {
    const VectorXd mid = 0.5 * (v.col(k) + v.col(std::min(k + 1, n - 1)));
    VectorXd variance(nv);
    for (Index j = 0; j < nv; ++j) variance[j] = std::max(0.0, smoothed.cov.joints(6 * j + v_v, k));
    for (Index d = 0; d < out.rows(); ++d) {
      const Eigen::RowVectorXd& row = drives[static_cast<std::size_t>(d)].row;
      const double speed = row.dot(mid);
      const double width = slow * slow + unsure * unsure * row.cwiseAbs2().dot(variance);
      out(d, k) = std::exp(-speed * speed / width);
    }
  }
  return out;
}

}  // namespace

Standstill::Standstill(const RobotProblem& problem) {
  const std::vector<Drive>& drives = problem.dynamics().parameters().drives();
  if (drives.empty() || problem.noise().effort.size() == 0) return;
  try {
    for (const SmoothedMotion& one : smooth_motions(problem))
      shares_.push_back(shares_along(drives, one));
  } catch (const InputError&) {
    shares_.clear();  // the sensors are too few for it
  }
}

void Standstill::set(const RobotProblem& problem, const VectorXd& theta, Noise& noise) const {
  const auto is_effort = [](const std::string& name) { return name.starts_with("effort."); };
  if (std::ranges::none_of(noise.automatic, is_effort)) return;
  const PhysicalParameters eta = problem.dynamics().parameters().physical(theta);
  constexpr int stiction = 0, coulomb = 3;
  noise.standstill_friction =
      (eta.gamma.row(stiction) + eta.gamma.row(coulomb)).transpose().cwiseAbs().cwiseMax(least);
  place(problem, noise);
}

void Standstill::place(const RobotProblem& problem, Noise& noise) const {
  noise.standstill.reset();
  const VectorXd& friction = noise.standstill_friction;
  if (shares_.empty() || friction.size() == 0 || friction.maxCoeff() <= least) return;
  const Dynamics& dynamics = problem.dynamics();
  const std::vector<Drive>& drives = dynamics.parameters().drives();
  const VectorXd gain = dynamics.parameters().physical(problem.space().prior_mean()).gain;
  auto out = std::make_shared<std::vector<MatrixXd>>();
  bool is_any = false;
  for (const MatrixXd& shares : shares_) {
    MatrixXd& std = out->emplace_back(MatrixXd::Zero(dynamics.nv(), shares.cols()));
    for (const Joint& joint : dynamics.robot().joints) {
      const int j = joint.idx_v;
      if (gain[j] == 0 || !noise.automatic.contains("effort." + joint.name)) continue;
      is_any = true;
      for (std::size_t d = 0; d < drives.size(); ++d) {
        const auto row = static_cast<Index>(d);
        const double size = drives[d].row[j] * friction[row] / gain[j];
        std.row(j) += (size * shares.row(row)).cwiseAbs2();
      }
    }
    std = std.cwiseSqrt();
  }
  if (is_any) noise.standstill = std::move(out);
}

}  // namespace bayesid
