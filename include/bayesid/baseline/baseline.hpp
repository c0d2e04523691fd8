// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bayesid/problem/robot_problem.hpp"
#include "bayesid/solver/solve.hpp"

namespace bayesid {

/// What people use today, on the same terms as the rest.            docs/math/baselines.md
enum class Baseline {
  id,         // inverse-dynamics regressor, linear, nothing consistent
  id_ee,      // the same rows in estimation coordinates, with the prior
  energy,     // energy regressor in estimation coordinates, with the prior
  wls,        // id, each joint weighted by what is left of it, in base parameters
  decoupled,  // states by the smoother first, then id_ee on them
};

/// A base parameter with its classical error bar.
struct BaseEstimate {
  std::vector<std::pair<std::string, double>> terms;  // the first one has the factor 1
  double value = 0, std = 0;
};

/// What a baseline found.
struct BaselineResult {
  Status status = Status::stalled;
  int iterations = 0;
  PhysicalParameters eta;
  Eigen::VectorXd theta;                               // empty: not in estimation coordinates
  std::vector<std::pair<std::string, double>> values;  // what people read
  std::vector<BaseEstimate> base;                      // wls alone
  int window = 0, order = 0;  // of the Savitzky–Golay filter, samples; 0: none
};

struct BaselineOptions {
  int num_threads = 1;
  int window = 0;  // samples, odd; 0: chosen by cross-validation
  int order = 4;   // with a window that is given
};

/// Throws InputError where the motion of a joint or of the base is not measured.
BaselineResult run_baseline(const RobotProblem& problem, Baseline method,
                            const BaselineOptions& options);

/// Moving bodies that cannot be: a mass or a principal second moment that is not positive.
int num_impossible_bodies(const PhysicalParameters& eta);

/// The model of a result, for predictions.
std::shared_ptr<const DynamicsAt> model_of(const Dynamics& dynamics, const PhysicalParameters& eta);

}  // namespace bayesid
