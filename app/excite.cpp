// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/excite.hpp"

#include <filesystem>

#include "bayesid/report.hpp"
#include "console.hpp"
#include "table.hpp"
#include "verbs.hpp"
#include "verdict_text.hpp"

namespace bayesid::app {

Signature excite_signature() {
  return {.name = "excite",
          .positional = "CONFIG",
          .summary = "the most informative motion within the robot's limits",
          .options = {{"--out", "DIR", "folder of the motion (default: <config>_excitation)"},
                      {"--random", "N", "compare with N random motions within limits"}}};
}

namespace {

std::string attempts_text(const Excitation& excitation) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < excitation.attempts.size(); ++i) {
    const ExcitationAttempt& one = excitation.attempts[i];
    const bool is_best = excitation.found && static_cast<int>(i) == excitation.best;
    rows.push_back({std::to_string(i + 1) + (is_best ? " (best)" : ""),
                    std::to_string(one.iterations), number(one.value), number(one.margin),
                    one.status});
  }
  return table_text({"start", "iterations", "criterion", "margin", "status"}, rows);
}

/// The least margin of each kind of limit.
std::string margins_text(const Excitation& excitation) {
  std::vector<const LimitMargin*> least;
  for (const LimitMargin& one : excitation.margins) {
    const auto same = std::ranges::find_if(
        least, [&](const LimitMargin* other) { return other->name == one.name; });
    if (same == least.end()) {
      least.push_back(&one);
    } else if (one.allowed < (*same)->allowed) {
      *same = &one;
    }
  }
  std::vector<Row> rows;
  for (const LimitMargin* one : least) {
    rows.push_back({one->name, one->of, number(one->value), number(one->time) + " s",
                    number(one->margin) + " " + one->unit});
  }
  return table_text({"nearest limit", "of", "value", "at", "margin to the robot's limit"}, rows);
}

std::string forecast_text(const Robot& robot, const Posterior& posterior) {
  std::vector<Row> rows;
  constexpr std::size_t most_rows = 40;
  std::size_t count = 0;
  const std::vector<std::string> undetermined = names_not_determined(posterior.physical);
  for (const Estimate& one : posterior.physical) {
    if (one.prior_std <= 0 || std::ranges::find(undetermined, one.name) != undetermined.end())
      continue;
    if (++count > most_rows) continue;
    rows.push_back({one.name, number(one.prior), number(one.prior_std), number(one.std),
                    unit_of(robot, one.name), percent(one.determined)});
  }
  std::string out =
      table_text({"parameter", "prior", "prior std", "predicted std", "unit", "determined"}, rows);
  if (count > most_rows)
    out += "  … and " + std::to_string(count - most_rows) + " more in excitation.json\n";
  if (undetermined.empty()) return out;
  return out + std::to_string(undetermined.size()) +
         " values are not determined (less than 10 % of the prior variance removed):\n" +
         wrapped(undetermined);
}

void print_summary(Console& console, const Robot& robot, const Excitation& found) {
  console.print(margins_text(found));
  if (found.constraint_error > 0)
    console.print("largest constraint error of loops and contacts: " +
                  number(found.constraint_error) + " m or rad\n");
  if (percent(found.shrunk) != percent(1))
    console.print("amplitude scaled to " + percent(found.shrunk) +
                  " to satisfy the limits between time steps\n");
  console.print("\n" + forecast_text(robot, found.forecast.posterior));
  console.print("\ninformation gain: " + number(found.forecast.log_det_gain) + " nats over " +
                std::to_string(found.forecast.identifiability.structural_rank) +
                " identifiable base parameters\n");
  if (!found.random.empty()) {
    const auto line = [&](const std::vector<ExcitationForecast>& random, const std::string& size) {
      const GainOverRandom gain = gain_over_random(found, random);
      console.print("information per base parameter, relative to the median of " +
                    std::to_string(random.size()) + " random motions " + size + ": " +
                    number(gain.with_prior) + " times; without the prior " + number(gain.of_data) +
                    " times\n");
    };
    line(found.random, "of random size within limits");
    line(found.largest_random, "as large as limits allow");
  }
}

std::string step_text(const ExcitationStep& step) {
  return "start " + std::to_string(step.start + 1) + "  iteration " +
         std::to_string(step.iteration) + "  criterion " + number(step.value) + "  violation " +
         number(step.violation);
}

}  // namespace

int excite(const Arguments& arguments) {
  Console console(arguments);
  const Config config = read_config(arguments.positional);
  const std::filesystem::path out =
      arguments.value("--out", std::filesystem::path(config.file).stem().string() + "_excitation");
  const unsigned num_random = arguments.number("--random", 0, 1'000'000, 0);
  OutputFolder folder(out.string(), input_files(config));
  const PlannedMotion planned = bayesid::excite(
      config, {.num_random = static_cast<int>(num_random),
               .on_step = [&](const ExcitationStep& step) { console.progress(step_text(step)); },
               .run = run_options(arguments, console)});
  const Excitation& found = planned.excitation;
  if (found.interrupted) {
    console.warn({"interrupted; no files were written"});
    return exit_code(Status::interrupted);
  }
  console.print(attempts_text(found));
  if (!found.found) {
    console.warn(
        {"no start led to a motion within limits; relax excitation.limits or raise "
         "excitation.starts"});
    console.document(document_of(planned, out.string()));
    return exit_not_converged;
  }
  const Files files = files_of(planned, out.string());
  publish(files, folder);
  print_summary(console, planned.dynamics->robot(), found);
  console.print("\n" + verdict_text(planned.verdict, {}));
  console.print("\nmotion in " + out.string() + "\nnext: bayesid simulate " +
                (out / "config.yaml").string() +
                ", or record the motion and run bayesid identify\n");
  console.document(bytes_of(files, "excitation.json"));
  return exit_done;
}

}  // namespace bayesid::app
