// SPDX-License-Identifier: BSD-3-Clause
// What people use today beside the maximum a posteriori, on the same logs.
#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "bayesid/compare.hpp"
#include "bayesid/error.hpp"
#include "math/did_you_mean.hpp"
#include "noise/find_noise.hpp"
#include "pipeline/config_stamp.hpp"
#include "pipeline/load.hpp"
#include "pipeline/search.hpp"
#include "report/verdict.hpp"

namespace bayesid {
namespace {

/// A method by name.
struct Method {
  const char* name;
  std::optional<Baseline> baseline;  // absent: maximum a posteriori, in this formulation
  Formulation formulation = Formulation::inverse;
};

constexpr std::array<Method, 7> known_methods{{{"id", Baseline::id},
                                               {"id_ee", Baseline::id_ee},
                                               {"energy", Baseline::energy},
                                               {"wls", Baseline::wls},
                                               {"decoupled", Baseline::decoupled},
                                               {"forward", {}, Formulation::forward},
                                               {"map", {}}}};

/// Throws InputError that names the known ones.
std::vector<Method> chosen_methods(const std::vector<std::string>& wanted) {
  const std::vector<std::string> names = method_names();
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  std::vector<Method> out;
  for (const std::string& name : wanted.empty() ? names : wanted) {
    const auto is_it = [&](const Method& method) { return name == method.name; };
    const auto found = std::ranges::find_if(known_methods, is_it);
    if (found == known_methods.end()) {
      throw InputError("unknown method \"" + name + "\"" + did_you_mean(name, names) +
                       ", known are " + all);
    }
    if (std::ranges::none_of(out, is_it)) out.push_back(*found);
  }
  return out;
}

/// θ of a truth.json. Throws InputError.
Eigen::VectorXd read_truth(const std::string& file, const ParameterSet& parameters) {
  const auto doc = nlohmann::json::parse(pipeline::read_text(file), nullptr, false);
  if (doc.is_discarded() || !doc.is_object() || !doc.contains("parameters") ||
      !doc["parameters"].is_object()) {
    throw InputError(file + " has no parameters, expected the truth.json of bayesid simulate");
  }
  std::vector<std::string> known;
  for (const auto& [name, value] : doc["parameters"].items()) known.push_back(name);
  Eigen::VectorXd out(parameters.ntheta());
  const std::vector<std::string> names = parameters.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = doc["parameters"].find(names[i]);
    if (found == doc["parameters"].end() || !found->is_number()) {
      throw InputError(file + ": has no parameter " + names[i] + ", which the configuration has" +
                       did_you_mean(names[i], known));
    }
    out[static_cast<Eigen::Index>(i)] = found->get<double>();
  }
  return out;
}

/// Maximum a posteriori in one formulation.
BaselineResult solve_map(Formulation formulation, Config config, const Noise& noise,
                         const RunOptions& options) {
  config.solver.dynamics = formulation;
  const RobotProblem problem = make_problem(config).problem->with_noise(noise);
  pipeline::check_conflicts(config, problem);
  const Solution solution =
      pipeline::search_twice(problem, config.solver, pipeline::silent(options));
  const ParameterSet& parameters = problem.dynamics().parameters();
  BaselineResult out{.status = solution.status,
                     .iterations = static_cast<int>(solution.history.size()),
                     .eta = parameters.physical(solution.point.theta),
                     .theta = solution.point.theta};
  for (const PhysicalValue& value : parameters.values(out.theta))
    out.values.emplace_back(value.name, value.value);
  return out;
}

/// Logs on which methods are judged: their motions are smoothed once for all methods.
class Judge {
 public:
  explicit Judge(std::shared_ptr<const RobotProblem> problem)
      : problem_(std::move(problem)), motions_(smooth_motions(*problem_)) {}

  EffortError error(const PhysicalParameters& eta) const {
    const Dynamics& dynamics = problem_->dynamics();
    return effort_error(dynamics.robot(), problem_->recordings(),
                        predict_efforts(*problem_, motions_, *model_of(dynamics, eta)));
  }

 private:
  std::shared_ptr<const RobotProblem> problem_;
  std::vector<SmoothedMotion> motions_;
};

/// Logs that no method was shown, of the same robot with the same parameters.
Judge make_held_out(const Config& config, const ParameterSet& parameters) {
  const LoadedProblem loaded = make_problem(config);
  if (loaded.problem->dynamics().parameters().names() != parameters.names()) {
    throw InputError(
        config.file +
        ": its unknown parameters differ from those of the configuration, expected the "
        "same");
  }
  return Judge(loaded.problem);
}

std::vector<Verdict> verdict_of(const std::vector<MethodFit>& fits, bool has_held_out) {
  std::vector<MethodVerdict> out;
  for (const MethodFit& fit : fits) {
    out.push_back({.name = fit.name,
                   .converged = fit.found.status == Status::converged,
                   .effort = fit.held_out ? *fit.held_out : fit.effort,
                   .impossible_bodies = num_impossible_bodies(fit.found.eta)});
  }
  return comparison_verdict(out, has_held_out ? "on held-out logs" : "on the logs used");
}

}  // namespace

std::vector<std::string> method_names() {
  std::vector<std::string> out;
  for (const Method& method : known_methods) out.emplace_back(method.name);
  return out;
}

bool MethodComparison::all_converged() const {
  return std::ranges::all_of(
      methods, [](const MethodFit& one) { return one.found.status == Status::converged; });
}

MethodComparison compare_methods(const Config& config, const MethodOptions& options) {
  using Clock = std::chrono::steady_clock;
  const std::vector<Method> methods = chosen_methods(options.methods);
  MethodComparison out{.config = config,
                       .loaded = make_problem(config),
                       .joints = {},
                       .methods = {},
                       .verdict = {},
                       .provenance = {}};
  check_enough_samples(out.loaded, config);
  out.loaded.problem =
      find_noise(out.loaded.problem, config.solver, pipeline::silent(options.run)).problem;
  const RobotProblem& problem = *out.loaded.problem;
  const ParameterSet& parameters = problem.dynamics().parameters();
  std::optional<ParameterTruth> truth;
  if (!options.truth.empty()) truth.emplace(problem, read_truth(options.truth, parameters));
  std::optional<Judge> held_out;
  if (options.held_out) held_out.emplace(make_held_out(*options.held_out, parameters));
  pipeline::warn(options.run, out.loaded.all_warnings());
  for (const Joint& joint : problem.dynamics().robot().joints) out.joints.push_back(joint.name);
  const Judge used(out.loaded.problem);
  for (const Method& method : methods) {
    MethodFit fit{.name = method.name, .found = {}, .effort = {}};
    const Clock::time_point start = Clock::now();
    fit.found =
        method.baseline
            ? run_baseline(problem, *method.baseline,
                           {.num_threads = options.run.num_threads, .window = options.window})
            : solve_map(method.formulation, config, problem.noise(), options.run);
    fit.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    out.interrupted =
        fit.found.status == Status::interrupted || (options.run.stop && options.run.stop());
    if (out.interrupted) return out;
    fit.effort = used.error(fit.found.eta);
    if (held_out) fit.held_out = held_out->error(fit.found.eta);
    if (truth)
      fit.error = truth->error(fit.found.eta, {fit.found.values.begin(), fit.found.values.end()});
    if (options.on_fit) options.on_fit(fit);
    out.methods.push_back(std::move(fit));
  }
  out.verdict = verdict_of(out.methods, held_out.has_value());
  out.provenance = pipeline::provenance_of(config, options.run);
  return out;
}

}  // namespace bayesid
