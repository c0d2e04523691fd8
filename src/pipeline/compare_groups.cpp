// SPDX-License-Identifier: BSD-3-Clause
// Is a group of parameters supported by the logs? Models with and without it, by their evidence.
#include <algorithm>
#include <cmath>
#include <optional>

#include "bayesid/compare.hpp"
#include "bayesid/error.hpp"
#include "pipeline/load.hpp"
#include "pipeline/parameter_groups.hpp"
#include "pipeline/search.hpp"

namespace bayesid {
namespace {

/// With the noise of another model, where there is one: evidence counts at the same noise.
ModelFit fit(const std::string& name, const Config& config, const RunOptions& options,
             std::optional<Noise>& noise) {
  LoadedProblem loaded = make_problem(config);
  pipeline::check_conflicts(config, *loaded.problem);
  check_enough_samples(loaded, config);
  std::shared_ptr<const RobotProblem>& problem = loaded.problem;
  if (noise) problem = std::make_shared<const RobotProblem>(problem->with_noise(*noise));
  const Solution solution =
      pipeline::search_tuned(loaded, config.solver, pipeline::silent(options));
  noise = problem->noise();
  return {.name = name,
          .status = solution.status,
          .iterations = static_cast<int>(solution.history.size()),
          .ntheta = problem->dynamics().parameters().ntheta(),
          .log_evidence = solution.log_evidence,
          .cost = solution.cost};
}

/// A model that nobody wrote down: what is wrong with it needs its name.
ModelFit fit_changed(const Config& config, const pipeline::ParameterGroup& group, bool on,
                     const RunOptions& options, std::optional<Noise>& noise) {
  const std::string name = (on ? "with " : "without ") + group.name;
  try {
    return fit(name, pipeline::with_group(config, group, on), options, noise);
  } catch (const InputError& error) {
    throw InputError("the model " + name + " is invalid: " + error.what());
  }
}

}  // namespace

std::string GroupEvidence::verdict() const {
  const double size = std::abs(log_ratio());
  if (size < 1) return "inconclusive";
  const std::string which = log_ratio() > 0 ? "supported" : "not supported";
  return (size < 3 ? "weakly " : size < 5 ? "" : "clearly ") + which;
}

bool GroupComparison::all_converged() const {
  const auto converged = [](const ModelFit& one) { return one.status == Status::converged; };
  return converged(given) && std::ranges::all_of(groups, [&](const GroupEvidence& one) {
           return converged(one.with) && converged(one.without);
         });
}

GroupComparison compare_groups(const Config& config, const GroupOptions& options) {
  if (!config.constraints.stage.empty()) {
    throw InputError(location_of(config, "constraints.stage") +
                     ": the evidence of models with inequalities of states and forces is not "
                     "defined; remove them");
  }
  const std::vector<pipeline::ParameterGroup> groups =
      pipeline::chosen_groups(config, options.groups);
  pipeline::warn(options.run, pipeline::load(config).loaded.all_warnings());
  GroupComparison out;
  std::optional<Noise> noise;
  const auto is_over = [&](const ModelFit& one) {
    out.interrupted = one.status == Status::interrupted;
    if (!out.interrupted && options.on_fit) options.on_fit(one);
    return out.interrupted;
  };
  out.given = fit("as configured", config, options.run, noise);
  if (is_over(out.given)) return out;
  for (const pipeline::ParameterGroup& group : groups) {
    const bool has = group.has(config.parameters);
    const ModelFit changed = fit_changed(config, group, !has, options.run, noise);
    if (is_over(changed)) return out;
    out.groups.push_back({.group = group.name,
                          .with = has ? out.given : changed,
                          .without = has ? changed : out.given});
  }
  return out;
}

}  // namespace bayesid
