// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/load.hpp"

#include <fstream>
#include <iterator>

#include "bayesid/error.hpp"
#include "bayesid/solve.hpp"

namespace bayesid::pipeline {

CheckedProblem load(const Config& config) {
  CheckedProblem out{.loaded = make_problem(config), .diagnostics = {}};
  check_conflicts(config, *out.loaded.problem);
  check_enough_samples(out.loaded, config);
  out.diagnostics = check_logs(config, out.loaded);
  return out;
}

void check_conflicts(const Config& config, const RobotProblem& problem) {
  const std::vector<std::string> names = conflicting_constraints(problem);
  if (names.empty()) return;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "\"" : ", \"") + name + '"';
  throw InputError(location_of(config, "constraints") + ": " + list +
                   (names.size() == 1 ? " is infeasible" : " are infeasible together"));
}

std::vector<std::string> model_warnings(const Dynamics& dynamics) {
  std::vector<std::string> out = dynamics.robot().warnings;
  const std::vector<std::string>& of_priors = dynamics.parameters().warnings();
  out.insert(out.end(), of_priors.begin(), of_priors.end());
  return out;
}

void warn(const RunOptions& options, const std::vector<std::string>& warnings) {
  if (options.on_warnings) options.on_warnings(warnings);
}

std::string read_text(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace bayesid::pipeline
