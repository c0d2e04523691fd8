// SPDX-License-Identifier: BSD-3-Clause
#include "method_fit.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "bayesid/error.hpp"
#include "math/did_you_mean.hpp"
#include "run.hpp"

namespace bayesid::app {
namespace {

std::vector<Method> known_methods() {
  return {{.name = "id", .baseline = Baseline::id},
          {.name = "id_ee", .baseline = Baseline::id_ee},
          {.name = "energy", .baseline = Baseline::energy},
          {.name = "wls", .baseline = Baseline::wls},
          {.name = "decoupled", .baseline = Baseline::decoupled},
          {.name = "forward", .baseline = {}, .formulation = Formulation::forward},
          {.name = "map", .baseline = {}}};
}

/// Maximum a posteriori in one formulation.
BaselineResult solve_map(const Method& method, Config config, const Arguments& arguments) {
  config.solver.dynamics = method.formulation;
  const LoadedProblem loaded = make_problem(config);
  check_conflicts(config, *loaded.problem);
  Arguments silent = arguments;
  silent.quiet = true;
  Console nobody(silent);
  const Solution solution = solve_from_both(*loaded.problem, config.solver, silent, nobody);
  const ParameterSet& parameters = loaded.problem->dynamics().parameters();
  BaselineResult out{.status = solution.status,
                     .iterations = static_cast<int>(solution.history.size()),
                     .eta = parameters.physical(solution.point.theta),
                     .theta = solution.point.theta};
  for (const PhysicalValue& value : parameters.values(out.theta)) {
    out.values.emplace_back(value.name, value.value);
  }
  return out;
}

}  // namespace

std::vector<Method> read_methods(const std::string& list) {
  std::vector<Method> known = known_methods();
  if (list == "all") return known;
  std::vector<std::string> names;
  std::string all;
  for (const Method& method : known) {
    names.push_back(method.name);
    all += (all.empty() ? "" : ", ") + method.name;
  }
  std::vector<Method> out;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    const auto found = std::ranges::find(known, word, &Method::name);
    if (found == known.end()) {
      throw InputError("--methods: unknown method \"" + word + "\"" + did_you_mean(word, names) +
                       ", known are " + all);
    }
    if (std::ranges::find(out, word, &Method::name) == out.end()) out.push_back(*found);
  }
  if (out.empty()) throw InputError("--methods names no method, known are " + all);
  return out;
}

MethodFit fit_method(const Method& method, const Config& config, const LoadedProblem& loaded,
                     int window, const Arguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  MethodFit out{.name = method.name, .found = {}, .effort = {}};
  out.found = method.baseline ? run_baseline(*loaded.problem, *method.baseline,
                                             {.num_threads = arguments.threads, .window = window})
                              : solve_map(method, config, arguments);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.effort = predict_with(*loaded.problem, out.found.eta);
  return out;
}

EffortError predict_with(const RobotProblem& problem, const PhysicalParameters& eta) {
  const Dynamics& dynamics = problem.dynamics();
  const auto model = model_of(dynamics, eta);
  std::vector<Eigen::MatrixXd> predicted;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const Recording& recording = problem.recordings()[t];
    const Timeline& timeline = problem.timeline(t);
    // From motion sensors alone: the efforts are what is predicted.
    const MotionGuess motion =
        smooth_motion(dynamics.robot(), recording, problem.noise(), timeline);
    predicted.push_back(predict_effort(dynamics, *model, motion, recording, timeline));
  }
  return effort_error(dynamics.robot(), problem.recordings(), predicted);
}

}  // namespace bayesid::app
