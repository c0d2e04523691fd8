// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/demo.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "bayesid/error.hpp"
#include "console.hpp"
#include "math/did_you_mean.hpp"
#include "table.hpp"
#include "verbs.hpp"
#include "verdict_text.hpp"

namespace bayesid::app {
namespace {

constexpr unsigned default_seed = 1;

std::string panda_file() {
  const char* given = std::getenv("BAYESID_ROBOTS");
  const std::filesystem::path robots = given ? given : BAYESID_ROBOTS;
  const std::filesystem::path file = robots / "panda_description" / "urdf" / "panda.urdf";
  if (std::filesystem::exists(file)) return file.string();
  throw InputError(file.string() +
                   ": no such file; install example-robot-data, or name its folder of robots in "
                   "the environment variable BAYESID_ROBOTS");
}

std::string truth_table(const Demo& demo) {
  const Posterior& posterior = demo.run.result.posterior;
  const std::vector<std::string> undetermined = names_not_determined(posterior.physical);
  std::vector<Row> rows;
  for (const Estimate& one : posterior.physical) {
    if (one.prior_std <= 0 || std::ranges::find(undetermined, one.name) != undetermined.end())
      continue;
    const double truth = demo.truth.at(one.name);
    const double distance = std::abs(one.value - truth) / one.std;
    rows.push_back({one.name, number(truth), number(one.prior), with_std(one.value, one.std),
                    unit_of(demo.scene.truth->robot(), one.name), percent(one.determined),
                    number(std::round(10 * distance) / 10)});
  }
  const std::string out = table_text(
      {"parameter", "truth", "prior", "estimate", "unit", "determined", "error/std"}, rows);
  return out + "\n" + std::to_string(undetermined.size()) +
         " values are not determined (less than 10 % of the prior variance removed) and keep "
         "their prior:\n" +
         wrapped(undetermined);
}

void print_intro(Console& console, const DemoScene& scene) {
  const SimulationConfig& simulation = scene.config.simulation;
  console.print("Franka Panda, 7 joints, simulated for " + number(simulation.duration) + " s at " +
                number(simulation.rate) + " Hz; " +
                std::to_string(scene.loaded.problem->dynamics().parameters().ntheta()) +
                " unknowns (10 inertial for each link, 6 of friction for each joint).\n"
                "Every prior is wrong by 70 % (slopes of friction: by 10 %). Noise: position 1e-4 "
                "rad, velocity 0.01 rad/s, "
                "effort 0.1 N·m.\n\n");
}

}  // namespace

Signature demo_signature() {
  return {.name = "demo",
          .positional = "[NAME]",
          .summary = "simulate a Panda arm, identify it from a wrong prior, compare with the truth",
          .options = {{"--out", "DIR", "also write log, configuration and results there"}}};
}

int demo(const Arguments& given) {
  if (!given.positional.empty() && given.positional != "panda") {
    throw InputError("no demo is named " + given.positional +
                     did_you_mean(given.positional, {"panda"}) + " Known: panda");
  }
  Arguments arguments = given;
  if (!given.has_seed) arguments.seed = default_seed;
  Console console(arguments);
  DemoScene scene = make_demo(panda_file(), arguments.seed);
  const std::string out = arguments.value("--out", "");
  std::optional<OutputFolder> folder;
  if (!out.empty()) folder.emplace(out);
  print_intro(console, scene);
  const Demo found = identify_demo(std::move(scene), run_options(arguments, console));
  const Result& result = found.run.result;
  console.print("\n" + truth_table(found));
  console.print(
      "\neffort prediction on a held-out motion, root mean square error in N·m (sensor noise: "
      "0.1):\n" +
      effort_table(result.joints, found.held_out.nominal, found.held_out.identified));
  console.print("\n" + verdict_text(result.verdict, {}) + status_line(result));
  console.document(document_of(found));
  if (folder) {
    publish(files_of(found, out), *folder);
    console.print("files in " + out + ", plots in report.html; to repeat: bayesid identify " + out +
                  "/config.yaml\n");
  }
  return exit_code(found.run.solution.status);
}

}  // namespace bayesid::app
