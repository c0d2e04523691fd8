// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/excitation/excite.hpp"

#include <cmath>
#include <filesystem>

#include "bayesid/error.hpp"
#include "bayesid/report/document.hpp"
#include "bayesid/report/excitation_report.hpp"
#include "console.hpp"
#include "interrupt.hpp"
#include "math/parse_number.hpp"
#include "page.hpp"
#include "run.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {

Signature excite_signature() {
  return {.name = "excite",
          .positional = "CONFIG",
          .summary = "the most informative motion within the robot's limits",
          .options = {{"--out", "DIR", "folder of the motion (default: <config>_excitation)"},
                      {"--random", "N", "compare with N random motions within limits"}}};
}

namespace {

int num_random(const Arguments& arguments) {
  const std::string text = arguments.value("--random", "0");
  const std::optional<double> count = parse_number(text);
  if (!count || *count < 0 || *count > 1e6 || *count != std::floor(*count))
    throw InputError("--random " + text + ": expected a number of motions");
  return static_cast<int>(*count);
}

std::string attempts_text(const Excitation& excitation) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < excitation.attempts.size(); ++i) {
    const ExcitationAttempt& one = excitation.attempts[i];
    const bool is_best = excitation.found && static_cast<int>(i) == excitation.best;
    rows.push_back({std::to_string(i + 1) + (is_best ? " (kept)" : ""),
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
  return table_text({"nearest limit", "of", "value", "at", "margin to the robot's"}, rows);
}

std::string forecast_text(const Robot& robot, const Posterior& posterior) {
  std::vector<Row> rows;
  constexpr std::size_t most_rows = 40;
  std::size_t count = 0;
  const std::vector<std::string> unseen = unseen_names(posterior.physical);
  for (const Estimate& one : posterior.physical) {
    if (one.prior_std <= 0 || std::ranges::find(unseen, one.name) != unseen.end()) continue;
    if (++count > most_rows) continue;
    rows.push_back({one.name, number(one.prior), number(one.prior_std), number(one.std),
                    unit_of(robot, one.name), percent(one.seen)});
  }
  std::string out =
      table_text({"parameter", "prior", "prior std", "predicted std", "unit", "seen"}, rows);
  if (count > most_rows)
    out += "  … and " + std::to_string(count - most_rows) + " more in excitation.json\n";
  if (unseen.empty()) return out;
  return out + std::to_string(unseen.size()) +
         " values stay unseen (less than 10 % of the prior variance removed):\n" + wrapped(unseen);
}

/// Ready for `bayesid simulate`, and for `bayesid identify` once logs are named.
Config written_config(const Config& config, const std::filesystem::path& out) {
  Config written = config;
  written.logs.clear();
  written.model.urdf = (out / "robot.urdf").string();
  written.simulation.trajectory = (out / "trajectory.csv").string();
  written.simulation.duration = config.excitation.duration;
  written.simulation.rate = config.excitation.rate;
  written.simulation.gait.reset();
  return written;
}

void print_summary(const Console& console, const Robot& robot, const Excitation& found) {
  console.print(margins_text(found));
  if (found.held > 0)
    console.print("loops and contacts hold within " + number(found.held) + " m or rad\n");
  if (found.shrunk < 1)
    console.print("scaled to " + percent(found.shrunk) + " to keep limits between the times\n");
  console.print("\n" + forecast_text(robot, found.forecast.posterior));
  console.print("\ninformation gained: " + number(found.forecast.log_det_gain) + " nats about " +
                std::to_string(found.forecast.identifiability.structural_rank) +
                " combinations that motions can show\n");
  if (!found.random.empty()) {
    const auto line = [&](const std::vector<ExcitationForecast>& random, const std::string& size) {
      const GainOverRandom gain = gain_over_random(found, random);
      console.print("information for each of them, over the median of " +
                    std::to_string(random.size()) + " random motions " + size + ": " +
                    number(gain.with_prior) + " times; of the data alone " + number(gain.of_data) +
                    " times\n");
    };
    line(found.random, "of random size within limits");
    line(found.largest_random, "as large as limits allow");
  }
}

void warn_about(const Console& console, const Robot& robot, const ParameterSet& parameters) {
  std::vector<std::string> warnings = robot.warnings;
  warnings.insert(warnings.end(), parameters.warnings().begin(), parameters.warnings().end());
  console.warn(warnings);
}

}  // namespace

int excite(const Arguments& arguments) {
  Console console(arguments);
  const Config config = read_config(arguments.positional);
  const std::filesystem::path out =
      arguments.value("--out", std::filesystem::path(config.file).stem().string() + "_excitation");
  const int random = num_random(arguments);
  const Robot robot = read_robot(config.model);
  const Dynamics dynamics(robot, ParameterSet(robot, config));
  warn_about(console, robot, dynamics.parameters());
  OutputFolder folder(out.string(), input_files(config));

  ExciteOptions options{.num_threads = arguments.threads,
                        .seed = arguments.seed,
                        .num_random = random,
                        .on_step = {},
                        .stop = [] { return interrupt() != 0; }};
  options.on_step = [&](const ExcitationStep& step) {
    console.progress("start " + std::to_string(step.start + 1) + "  iteration " +
                     std::to_string(step.iteration) + "  criterion " + number(step.value) +
                     "  violation " + number(step.violation));
  };
  const Excitation found = bayesid::excite(dynamics, config, options);
  console.end_progress();
  if (found.interrupted) {
    console.warn({"interrupted, nothing was written"});
    return exit_code(Status::interrupted);
  }
  console.print(attempts_text(found));
  const std::vector<Verdict> verdict = excitation_verdict(found);
  const ModelFacts model = make_model_facts(robot);
  const std::string config_text =
      stamped_config(written_config(config, out), out.string(), arguments.seed);
  const Provenance provenance = provenance_of(arguments, config, config_text);
  const PackedSeries series = pack_series({motion_table(robot, found)}, {});
  const std::string document = with_facts(excitation_json(found, config, arguments.seed),
                                          {.model = &model,
                                           .verdict = &verdict,
                                           .provenance = &provenance,
                                           .series = found.found ? &series : nullptr});
  if (!found.found) {
    console.warn({"no start led to a motion within limits"});
    console.document(document);
    return exit_not_converged;
  }
  folder.write("trajectory.csv", motion_csv(robot, found.motion));
  folder.write("excitation.json", document);
  folder.write("excitation.svg", excitation_svg(robot, found));
  folder.write("robot.urdf", read_text(config.model.urdf));
  folder.write("config.yaml", config_text);
  folder.write("series.bin", series.bytes);
  write_page(page_of("excite", out.string(),
                     {.document = document, .scene = scene_of(config), .series = series.bytes}),
             folder);
  folder.publish();
  print_summary(console, robot, found);
  console.print("\n" + verdict_text(verdict, {}));
  console.print("\nmotion in " + out.string() + "\nnext: bayesid simulate " +
                (out / "config.yaml").string() + ", or record it and bayesid identify\n");
  console.document(document);
  return exit_done;
}

}  // namespace bayesid::app
