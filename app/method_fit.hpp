// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "bayesid/baseline/baseline.hpp"
#include "bayesid/baseline/parameter_error.hpp"
#include "bayesid/posterior/prediction.hpp"
#include "bayesid/problem/make_problem.hpp"

namespace bayesid::app {

/// A method by name, as --methods has it.
struct Method {
  std::string name;
  std::optional<Baseline> baseline;  // absent: maximum a posteriori, in this formulation
  Formulation formulation = Formulation::inverse;
};

/// Those of a list with commas; "all" is all of them. Throws InputError that names the known ones.
std::vector<Method> read_methods(const std::string& list);

/// What a method found, and how good it is.
struct MethodFit {
  std::string name;
  BaselineResult found;
  double seconds = 0;
  EffortError effort;                   // on the logs used
  std::optional<EffortError> held_out;  // on others
  std::optional<ParameterError> error;  // against a truth
};

/// Runs one method. `window`: samples of the Savitzky–Golay filter; 0: chosen.
MethodFit fit_method(const Method& method, const Config& config, const LoadedProblem& loaded,
                     int window, const Arguments& arguments);

/// Efforts of logs predicted from their motion, as `validate` does.
EffortError predict_with(const RobotProblem& problem, const PhysicalParameters& eta);

}  // namespace bayesid::app
