// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/compare.hpp"

#include <cmath>
#include <numeric>

#include "posterior/base_parameters.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// A robot with loops shows less of its inertias; contacts open and close.
MotionSpace motion_space(const RobotProblem& problem) {
  return {{Mode{problem.options().constraints.loops}},
          problem.start().paths[0].x.col(0).head(problem.dynamics().robot().nq())};
}

/// Root mean square over speeds, relative to the true friction.
std::optional<double> friction_error(const PhysicalParameters& found,
                                     const PhysicalParameters& truth) {
  constexpr int num_speeds = 40;
  constexpr double step = 0.05;
  double wrong = 0, whole = 0;
  for (Index d = 0; d < truth.gamma.cols(); ++d) {
    for (int i = 1; i <= num_speeds; ++i) {
      const double is = friction(i * step, truth.gamma.col(d)).tau;
      wrong += std::pow(friction(i * step, found.gamma.col(d)).tau - is, 2);
      whole += is * is;
    }
  }
  if (!(whole > 0)) return {};
  return std::sqrt(wrong / whole);
}

std::optional<double> mass_error(const std::map<std::string, double>& found,
                                 const std::map<std::string, double>& truth) {
  double squares = 0, count = 0;
  for (const auto& [name, value] : truth) {
    if (!name.starts_with("mass.") || !found.count(name)) continue;
    squares += std::pow(found.at(name) / value - 1, 2);
    count += 1;
  }
  if (count == 0) return {};
  return std::sqrt(squares / count);
}

}  // namespace

ParameterTruth::ParameterTruth(const RobotProblem& problem, const VectorXd& theta)
    : dynamics_(problem.dynamics()), eta_(dynamics_.parameters().physical(theta)) {
  for (const PhysicalValue& value : dynamics_.parameters().values(theta)) {
    values_[value.name] = value.value;
  }
  const int nzeta = dynamics_.nzeta();
  const MatrixXd Y =
      random_regressor(dynamics_, theta, motion_space(problem), MatrixXd::Identity(nzeta, nzeta));
  std::vector<int> order(nzeta);
  std::iota(order.begin(), order.end(), 0);
  const BaseParameters base = base_parameters(Y, order);
  const PhysicalLayout& layout = dynamics_.parameters().layout();
  std::vector<int> inertial;
  for (size_t i = 0; i < base.kept.size(); ++i) {
    const int entry = dynamics_.coordinates().entries[base.kept[i]];
    const bool is_armature = entry >= layout.armature(0) && entry < layout.gain(0);
    if (entry < layout.gamma(0) || is_armature) inertial.push_back(static_cast<int>(i));
  }
  to_base_ = base.G(inertial, Eigen::all);
  effect_ = base.effect(inertial);
}

ParameterError ParameterTruth::error(const PhysicalParameters& eta,
                                     const std::map<std::string, double>& values) const {
  const MatrixXd K = to_base_ * dynamics_.coordinates().K;
  const VectorXd truth = K * stack(eta_), difference = K * stack(eta) - truth;
  ParameterError out;
  out.base = difference.norm() / truth.norm();
  out.effort = difference.cwiseProduct(effect_).norm() / truth.cwiseProduct(effect_).norm();
  out.friction = friction_error(eta, eta_);
  out.mass = mass_error(values, values_);
  return out;
}

}  // namespace bayesid
