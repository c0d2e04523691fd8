// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "excitation/nonlinear_program.hpp"

namespace bayesid {

struct SqpOptions {
  int max_iterations = 200;
  double tolerance = 1e-5;       // gain that the next step foresees, as a share of the value
  double kept = 1e-7;            // of rows
  int patience = 20;             // steps that must have lowered the value
  double least_progress = 1e-4;  // by this share of it
  std::function<bool(int iteration, double value, double violation)> go_on;  // false: stop
};

struct SqpResult {
  Eigen::VectorXd x;  // keeps all rows
  double value = 0;
  int iterations = 0;
  bool converged = false, interrupted = false;
  std::string status;  // in words
};

/// A local minimum, from a start that keeps all rows and through points that do: sequential
/// quadratic programming in a trust region, each step led back to the rows before it counts. The
/// same on every run.                                             docs/math/excitation.md (16)-(18)
SqpResult minimise(NonlinearProgram& program, const Eigen::VectorXd& start,
                   const SqpOptions& options);

/// A point near x that keeps all rows, by Newton's method with smallest steps; nothing when that
/// does not lead there.
std::optional<Eigen::VectorXd> restore(NonlinearProgram& program, Eigen::VectorXd x, double kept);

}  // namespace bayesid
