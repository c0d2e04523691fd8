// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "solver/lq_problem.hpp"

namespace bayesid::test {

/// Sizes of a random linear-quadratic problem.
struct RandomLq {
  int nx = 4, nu = 3, nzeta = 5, ntheta = 6, num_stages = 5, num_trajectories = 1;
  int stage_equalities = 0;
  bool dependent_equalities = false;  // repeats a row of (h_x, h_u, h_ζ, h)
  bool state_equalities = false;      // a row of h that no input serves, at every third stage
  bool missing_observations = false;  // no cost of the state at every second stage
  int parameter_equalities = 0, parameter_inequalities = 0;
};

LqProblem random_lq_problem(const RandomLq& options, int seed);

/// All unknowns at once: one KKT matrix, solved densely; active sets of the parameter inequalities
/// by enumeration.
LqSolution solve_dense(const LqProblem& problem);

}  // namespace bayesid::test
