// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/compare.hpp"

#include "bayesid/error.hpp"
#include "compare_methods.hpp"
#include "console.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {
namespace {

/// Methods and groups exclude each other.
void check_options(const Arguments& arguments) {
  const bool has_methods = arguments.has("--methods");
  if (has_methods && arguments.has("--groups")) {
    throw InputError("--groups and --methods exclude each other, expected one of them");
  }
  for (const char* option : {"--truth", "--validate", "--window", "--out"}) {
    if (!has_methods && arguments.has(option)) {
      throw InputError(std::string(option) + " needs --methods");
    }
  }
}

int compare_groups(const Config& config, const Arguments& arguments, Console& console) {
  GroupOptions options{.groups = arguments.list("--groups"),
                       .run = run_options(arguments, console)};
  options.on_fit = [&](const ModelFit& one) {
    console.print("  " + one.name + ": " + std::to_string(one.ntheta) + " parameters, " +
                  to_string(one.status) + " after " + std::to_string(one.iterations) +
                  " iterations, log evidence " + number(one.log_evidence) + "\n");
  };
  const GroupComparison found = bayesid::compare_groups(config, options);
  if (found.interrupted) return exit_code(Status::interrupted);
  std::vector<Row> rows;
  for (const GroupEvidence& one : found.groups)
    rows.push_back({one.group, number(one.log_ratio()), one.verdict()});
  console.print("\nlog evidence ratio of the models with and without each group:\n" +
                table_text({"group", "log ratio", ""}, rows));
  console.document(document_of(found));
  return found.all_converged() ? exit_done : exit_not_converged;
}

}  // namespace

Signature compare_signature() {
  return {.name = "compare",
          .positional = "CONFIG",
          .summary = "compare parameter groups by their evidence, or methods by their errors",
          .options = {
              {"--groups", "LIST",
               "of stiction, coulomb, viscous, presliding, armature, effort_gain, "
               "effort_offset, with commas (default: those of the configuration, and stiction)"},
              {"--methods", "LIST",
               "of id, id_ee, energy, wls, decoupled, forward, map, with commas, or all"},
              {"--truth", "FILE", "with --methods: truth.json of bayesid simulate"},
              {"--validate", "CONFIG", "with --methods: configuration of held-out logs to predict"},
              {"--window", "N",
               "with --methods: samples of the Savitzky-Golay filter (default: chosen by "
               "cross-validation)"},
              {"--out", "DIR", "with --methods: folder of comparison.json"}}};
}

int compare(const Arguments& arguments) {
  Console console(arguments);
  check_options(arguments);
  const Config config = read_config(arguments.positional);
  return arguments.has("--methods") ? compare_methods(config, arguments, console)
                                    : compare_groups(config, arguments, console);
}

}  // namespace bayesid::app
