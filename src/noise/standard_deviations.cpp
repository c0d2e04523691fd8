// SPDX-License-Identifier: BSD-3-Clause
#include "noise/standard_deviations.hpp"

#include <vector>

#include "blocks/choice.hpp"
#include "noise/standstill.hpp"
#include "problem/noise_numbers.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

std::vector<double*> places(const RobotProblem& problem, Noise& noise) {
  std::vector<double*> out;
  const Dynamics& dynamics = problem.dynamics();
  for (const NoiseNumber& number :
       noise_numbers(dynamics.robot(), blocks::names_of(dynamics.parameters().rotors()), noise)) {
    out.push_back(number.std);
  }
  for (VectorXd* all : {&noise.disturbance_position, &noise.disturbance_velocity}) {
    for (double& one : *all) out.push_back(&one);
  }
  VectorXd& friction = noise.standstill_friction;
  constexpr double nothing = 1e-9;  // N·m
  if (friction.size() == 0)
    friction.setConstant(std::ssize(dynamics.parameters().drives()), nothing);
  for (double& one : friction) out.push_back(&one);
  return out;
}

}  // namespace

VectorXd standard_deviations(const RobotProblem& problem) {
  Noise noise = problem.noise();
  const std::vector<double*> from = places(problem, noise);
  VectorXd out(static_cast<Eigen::Index>(from.size()));
  for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = *from[static_cast<std::size_t>(i)];
  return out;
}

std::shared_ptr<const RobotProblem> with_standard_deviations(const RobotProblem& problem,
                                                             const VectorXd& std, bool is_found) {
  Noise noise = problem.noise();
  const std::vector<double*> to = places(problem, noise);
  for (Eigen::Index i = 0; i < std.size(); ++i) *to[static_cast<std::size_t>(i)] = std[i];
  noise.is_found = is_found;
  Standstill(problem).place(problem, noise);
  return std::make_shared<const RobotProblem>(problem.with_noise(noise));
}

}  // namespace bayesid
