// SPDX-License-Identifier: BSD-3-Clause
// Is a group of parameters supported by the logs? Models with and without it, by their evidence.
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bayesid/error.hpp"
#include "bayesid/posterior/log_doubts.hpp"
#include "console.hpp"
#include "interrupt.hpp"
#include "math/did_you_mean.hpp"
#include "run.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {
namespace {

using nlohmann::json;

/// A group of parameters that a model has or has not.
struct Group {
  const char* name;
  bool (*has)(const ParametersConfig&);
  void (*set)(ParametersConfig&, bool on);
};

template <bool FrictionPriorConfig::* term>
Group friction_group(const char* name) {
  return {name, [](const ParametersConfig& p) { return p.friction && (*p.friction).*term; },
          [](ParametersConfig& p, bool on) { (*p.friction).*term = on; }};
}

template <typename Family, std::optional<Family> ParametersConfig::* family>
Group family_group(const char* name) {
  return {name, [](const ParametersConfig& p) { return (p.*family).has_value(); },
          [](ParametersConfig& p, bool on) {
            if (on) {
              (p.*family).emplace();
            } else {
              (p.*family).reset();
            }
          }};
}

std::vector<Group> groups() {
  using P = ParametersConfig;
  return {friction_group<&FrictionPriorConfig::stiction>("stiction"),
          friction_group<&FrictionPriorConfig::coulomb>("coulomb"),
          friction_group<&FrictionPriorConfig::viscous>("viscous"),
          family_group<JointPriorConfig, &P::armature>("armature"),
          family_group<JointPriorConfig, &P::effort_gain>("effort_gain"),
          family_group<JointPriorConfig, &P::effort_offset>("effort_offset")};
}

/// Those named in --groups, or all that this robot can have.
std::vector<Group> chosen_groups(const Config& config, const Arguments& arguments) {
  std::vector<Group> out;
  std::vector<std::string> names;
  for (const Group& group : groups()) names.emplace_back(group.name);
  std::istringstream words(arguments.value("--groups", ""));
  std::vector<std::string> wanted;
  for (std::string word; std::getline(words, word, ',');) wanted.push_back(word);
  for (const std::string& word : wanted) {
    if (std::find(names.begin(), names.end(), word) != names.end()) continue;
    throw InputError("--groups: unknown group \"" + word + "\"" + did_you_mean(word, names) +
                     ", known are stiction, coulomb, viscous, armature, effort_gain, "
                     "effort_offset");
  }
  for (const Group& group : groups()) {
    const bool is_friction = std::string(group.name) == "stiction" ||
                             std::string(group.name) == "coulomb" ||
                             std::string(group.name) == "viscous";
    const bool is_wanted =
        wanted.empty() ? group.has(config.parameters) || std::string(group.name) == "stiction"
                       : std::find(wanted.begin(), wanted.end(), group.name) != wanted.end();
    if (!is_wanted) continue;
    if (is_friction && !config.parameters.friction) {
      if (wanted.empty()) continue;
      throw InputError(place_of(config, "parameters.friction") +
                       " is missing: there is no friction to compare");
    }
    out.push_back(group);
  }
  return out;
}

struct Fit {
  Status status = Status::stalled;
  int iterations = 0, ntheta = 0;
  double log_evidence = 0, cost = 0;
};

/// Parameters that `set` names and that are not there in a smaller model are left out of it.
void forget_absent(Config& config) {
  const Robot robot = read_robot(config.model);
  const auto given = std::exchange(config.parameters.set, {});
  const ParameterSet parameters(robot, config);
  for (const auto& [name, one] : given) {
    for (const Parameter& parameter : parameters.all()) {
      if (parameter.name == name) config.parameters.set[name] = one;
    }
  }
}

Fit fit(Config config, const Arguments& arguments) {
  forget_absent(config);
  LoadedProblem loaded = make_problem(config);
  check_conflicts(config, *loaded.problem);
  check_enough_samples(loaded, config);
  Arguments silent = arguments;
  silent.quiet = true;
  Console nobody(silent);
  const Solution solution =
      solve_with_progress(*loaded.problem, config.solver, silent, nobody, nullptr);
  return {solution.status, static_cast<int>(solution.history.size()),
          loaded.problem->dynamics().parameters().ntheta(), solution.log_evidence, solution.cost};
}

/// In words, for the logarithm of the ratio of probabilities.
std::string verdict(double difference) {
  const double size = std::abs(difference);
  if (size < 1) return "the logs do not tell";
  const std::string which = difference > 0 ? "supported" : "not supported";
  return (size < 3 ? "rather " : size < 5 ? "" : "clearly ") + which;
}

}  // namespace

Signature compare_signature() {
  return {.name = "compare",
          .positional = "CONFIG",
          .summary = "which groups of parameters the logs support: models with and without them",
          .options = {{"--groups", "LIST",
                       "of stiction, coulomb, viscous, armature, effort_gain, effort_offset, with "
                       "commas (default: those of the configuration, and stiction)"}}};
}

int compare(const Arguments& arguments) {
  Console console(arguments);
  const Config config = read_config(arguments.positional);
  const std::vector<Group> questions = chosen_groups(config, arguments);
  catch_interrupts();
  {
    LoadedProblem loaded = make_problem(config);
    check_enough_samples(loaded, config);
    doubt_logs(config, loaded);
    console.warn(loaded.all_warnings());
  }
  const auto describe = [&](const std::string& name, const Fit& one) {
    console.print("  " + name + ": " + std::to_string(one.ntheta) + " parameters, " +
                  to_string(one.status) + " after " + std::to_string(one.iterations) +
                  " iterations, log evidence " + number(one.log_evidence) + "\n");
  };
  const auto document = [](const Fit& one) {
    return json{{"parameters", one.ntheta},
                {"status", to_string(one.status)},
                {"iterations", one.iterations},
                {"cost", one.cost},
                {"log_evidence", one.log_evidence}};
  };
  const Fit given = fit(config, arguments);
  describe("as configured", given);
  bool all_converged = given.status == Status::converged;
  std::vector<Row> rows;
  json list = json::array();
  for (const Group& group : questions) {
    const bool has = group.has(config.parameters);
    Config other = config;
    group.set(other.parameters, !has);
    const Fit changed = fit(other, arguments);
    describe((has ? "without " : "with ") + std::string(group.name), changed);
    all_converged = all_converged && changed.status == Status::converged;
    const double difference = (has ? 1 : -1) * (given.log_evidence - changed.log_evidence);
    rows.push_back({group.name, number(difference), verdict(difference)});
    list.push_back({{"group", group.name},
                    {"difference", difference},
                    {"verdict", verdict(difference)},
                    {"with", document(has ? given : changed)},
                    {"without", document(has ? changed : given)}});
  }
  console.print("\nlog of the ratio of evidence, with over without:\n" +
                table_text({"group", "log ratio", ""}, rows));
  console.document(json{
      {"schema", 1},
      {"version", BAYESID_VERSION},
      {"given", document(given)},
      {"groups", list}}.dump(1));
  return all_converged ? exit_done : exit_not_converged;
}

}  // namespace bayesid::app
