// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arguments.hpp"
#include "bayesid/solve.hpp"

namespace bayesid::app {

/// Exit codes of the program; interrupted: 128 + signal.
enum Exit {
  exit_done = 0,
  exit_not_converged = 1,
  exit_problems = 1,
  exit_bad_input = 2,
  exit_fault = 3
};
/// Exit code of a status; an interrupt gives 128 + its signal.
int exit_code(Status status);

Signature check_signature();
Signature compare_signature();
Signature demo_signature();
Signature excite_signature();
Signature identify_signature();
Signature init_signature();
Signature report_signature();
Signature reproduce_signature();
Signature simulate_signature();
Signature validate_signature();

// Each gives the exit code.
int check(const Arguments& arguments);
int compare(const Arguments& arguments);
int demo(const Arguments& arguments);
int excite(const Arguments& arguments);
int identify(const Arguments& arguments);
int init(const Arguments& arguments);
int report(const Arguments& arguments);
int reproduce(const Arguments& arguments);
int simulate(const Arguments& arguments);
int validate(const Arguments& arguments);

}  // namespace bayesid::app
