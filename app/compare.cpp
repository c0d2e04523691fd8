// SPDX-License-Identifier: BSD-3-Clause
// Is a group of parameters supported by the logs? Models with and without it, by their evidence.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bayesid/error.hpp"
#include "bayesid/posterior/log_doubts.hpp"
#include "compare_methods.hpp"
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
  std::string name;
  bool is_friction;
  bool (*has)(const ParametersConfig&);
  void (*set)(ParametersConfig&, bool on);
};

template <bool FrictionPriorConfig::* term>
Group friction_group(const char* name) {
  return {name, true, [](const ParametersConfig& p) { return p.friction && (*p.friction).*term; },
          [](ParametersConfig& p, bool on) { (*p.friction).*term = on; }};
}

template <typename Family, std::optional<Family> ParametersConfig::* family>
Group family_group(const char* name) {
  return {name, false, [](const ParametersConfig& p) { return (p.*family).has_value(); },
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
          friction_group<&FrictionPriorConfig::presliding>("presliding"),
          family_group<JointPriorConfig, &P::armature>("armature"),
          family_group<JointPriorConfig, &P::effort_gain>("effort_gain"),
          family_group<JointPriorConfig, &P::effort_offset>("effort_offset")};
}

/// Those named in --groups, or all that this robot can have.
std::vector<Group> chosen_groups(const Config& config, const Arguments& arguments) {
  std::vector<Group> out;
  std::vector<std::string> names;
  std::string known;
  for (const Group& group : groups()) {
    names.push_back(group.name);
    known += (known.empty() ? "" : ", ") + group.name;
  }
  std::istringstream words(arguments.value("--groups", ""));
  std::vector<std::string> wanted;
  for (std::string word; std::getline(words, word, ',');) wanted.push_back(word);
  for (const std::string& word : wanted) {
    if (std::find(names.begin(), names.end(), word) != names.end()) continue;
    throw InputError("--groups: unknown group \"" + word + "\"" + did_you_mean(word, names) +
                     ", known are " + known);
  }
  for (const Group& group : groups()) {
    const bool is_wanted =
        wanted.empty() ? group.has(config.parameters) || group.name == "stiction"
                       : std::find(wanted.begin(), wanted.end(), group.name) != wanted.end();
    if (!is_wanted) continue;
    if (group.is_friction && !config.parameters.friction) {
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

/// What `set`, `frozen` and `bounds` say of parameters that a smaller model has not is left out.
void forget_absent(Config& config) {
  Config bare = config;
  bare.parameters.set.clear();
  bare.parameters.frozen.clear();
  bare.constraints = {};
  const ParameterSet parameters(read_robot(config.model), bare);
  const std::vector<PhysicalValue> values = parameters.values(parameters.prior());
  const auto is_absent = [&](const std::string& name) {
    const auto is_named = [&](const std::string& other) {
      return other == name || other.starts_with(name + ".");
    };
    return std::ranges::none_of(parameters.all(), is_named, &Parameter::name) &&
           std::ranges::none_of(values, is_named, &PhysicalValue::name);
  };
  std::erase_if(config.parameters.set, [&](const auto& one) { return is_absent(one.first); });
  std::erase_if(config.parameters.frozen, is_absent);
  std::erase_if(config.constraints.bounds, [&](const auto& one) { return is_absent(one.first); });
}

Fit fit(const Config& config, const Arguments& arguments) {
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

/// A model that nobody wrote down: what is wrong with it needs its name.
Fit fit_changed(Config config, const std::string& name, const Arguments& arguments) {
  try {
    forget_absent(config);
    return fit(config, arguments);
  } catch (const InputError& error) {
    throw InputError("the model " + name + " cannot be made: " + error.what());
  }
}

/// In words, for the logarithm of the ratio of probabilities.
std::string verdict(double difference) {
  const double size = std::abs(difference);
  if (size < 1) return "the logs do not tell";
  const std::string which = difference > 0 ? "supported" : "not supported";
  return (size < 3 ? "rather " : size < 5 ? "" : "clearly ") + which;
}

/// Methods and groups are two questions.
void check_options(const Arguments& arguments) {
  const bool has_methods = arguments.has("--methods");
  if (has_methods && arguments.has("--groups")) {
    throw InputError("--groups and --methods ask different questions, expected one of them");
  }
  for (const char* option : {"--truth", "--validate", "--window", "--out"}) {
    if (!has_methods && arguments.has(option)) {
      throw InputError(std::string(option) + " needs --methods");
    }
  }
}

}  // namespace

Signature compare_signature() {
  return {.name = "compare",
          .positional = "CONFIG",
          .summary = "which groups of parameters the logs support, or how methods compare",
          .options = {
              {"--groups", "LIST",
               "of stiction, coulomb, viscous, presliding, armature, effort_gain, "
               "effort_offset, with commas (default: those of the configuration, and stiction)"},
              {"--methods", "LIST",
               "of id, id_ee, energy, wls, decoupled, forward, map, with commas, or all"},
              {"--truth", "FILE", "with --methods: truth.json of bayesid simulate"},
              {"--validate", "CONFIG", "with --methods: predicts the logs of this one too"},
              {"--window", "N",
               "with --methods: samples of the Savitzky-Golay filter (default: chosen by "
               "cross-validation)"},
              {"--out", "DIR", "with --methods: folder of comparison.json"}}};
}

int compare(const Arguments& arguments) {
  Console console(arguments);
  check_options(arguments);
  const Config config = read_config(arguments.positional);
  if (arguments.has("--methods")) return compare_methods(config, arguments, console);
  if (!config.constraints.stage.empty()) {
    throw InputError(place_of(config, "constraints.stage") +
                     ": models with inequalities of states and forces cannot be compared by their "
                     "evidence; leave them out");
  }
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
  if (given.status == Status::interrupted) return exit_code(given.status);
  describe("as configured", given);
  bool all_converged = given.status == Status::converged;
  std::vector<Row> rows;
  json list = json::array();
  for (const Group& group : questions) {
    const bool has = group.has(config.parameters);
    Config other = config;
    group.set(other.parameters, !has);
    const std::string name = (has ? "without " : "with ") + group.name;
    const Fit changed = fit_changed(other, name, arguments);
    if (changed.status == Status::interrupted) return exit_code(changed.status);
    describe(name, changed);
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
