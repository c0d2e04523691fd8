// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "bayesid/error.hpp"
#include "console.hpp"
#include "interrupt.hpp"
#include "math/did_you_mean.hpp"
#include "page.hpp"
#include "run.hpp"
#include "synthetic.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {

using nlohmann::json;

namespace {

constexpr unsigned default_seed = 1;
constexpr double prior_error = 0.7;

std::string panda_file() {
  const char* given = std::getenv("BAYESID_ROBOTS");
  const std::filesystem::path robots = given ? given : BAYESID_ROBOTS;
  const std::filesystem::path file = robots / "panda_description" / "urdf" / "panda.urdf";
  if (std::filesystem::exists(file)) return file.string();
  throw InputError(file.string() +
                   ": no such file; install example-robot-data, or name its folder of robots in "
                   "the environment variable BAYESID_ROBOTS");
}

/// Truth of the demo: inertias of the URDF, and friction of the size such arms have.
Config panda_truth() {
  constexpr std::array<double, 7> stiction{0.20, 0.25, 0.15, 0.20, 0.10, 0.08, 0.06};  // N·m
  constexpr std::array<double, 7> coulomb{0.45, 0.50, 0.40, 0.45, 0.30, 0.25, 0.20};   // N·m
  constexpr std::array<double, 7> viscous{0.90, 1.00, 0.70, 0.80, 0.40, 0.35, 0.30};   // N·m·s/rad
  Config config;
  config.file = "demo";
  config.model.urdf = panda_file();
  config.model.lock = {{"panda_finger_joint1", 0.0}, {"panda_finger_joint2", 0.0}};
  config.parameters.inertia.emplace();
  config.parameters.inertia->links.all = false;  // what the hand holds is known
  config.parameters.friction.emplace();
  for (std::size_t j = 0; j < stiction.size(); ++j) {
    const std::string number = std::to_string(j + 1);
    const std::string friction = "friction.panda_joint" + number;
    config.parameters.inertia->links.names.push_back("panda_link" + number);
    config.parameters.set[friction + ".mu0"].prior = std::log(stiction[j]);
    config.parameters.set[friction + ".mu3"].prior = std::log(coulomb[j]);
    config.parameters.set[friction + ".mu5"].prior = std::log(viscous[j]);
  }
  config.measurements.position.all = 1e-4;
  config.measurements.velocity.all = 1e-2;
  config.measurements.effort.all = 0.1;
  config.simulation = {.duration = 10.0, .rate = 250.0, .base_frequency = 0.2, .amplitude = 1.0};
  return config;
}

/// A robot that is simulated with its truth and identified from wrong priors.
struct Scene {
  Config config;  // with wrong priors
  std::shared_ptr<const Dynamics> truth;
  Simulation used, unseen;
  LoadedProblem loaded;
};

Scene make_scene(unsigned seed) {
  const Config truth = panda_truth();
  const Robot robot = read_robot(truth.model);
  const ParameterSet parameters(robot, truth);
  Scene out;
  out.truth = std::make_shared<const Dynamics>(robot, parameters);
  const Noise noise = make_noise(robot, truth, {});
  const auto record = [&](unsigned of_seed) {
    return bayesid::simulate(*out.truth, parameters.prior(), noise, truth.solver.integrator,
                             truth.simulation, of_seed);
  };
  out.used = record(seed);
  out.unseen = record(seed + 1);
  out.config = with_wrong_priors(truth, parameters, prior_error, seed);
  auto dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, out.config));
  out.loaded.problem = std::make_shared<const RobotProblem>(
      dynamics, std::vector<Recording>{out.used.measured}, noise, truth.solver.integrator);
  out.loaded.logs = {
      {.file = "simulation", .samples = out.used.measured.num_samples(), .pieces = 1}};
  return out;
}

/// Truth of each physical value, in the order of the posterior.
std::map<std::string, double> true_values(const Scene& scene) {
  std::map<std::string, double> out;
  const ParameterSet& parameters = scene.truth->parameters();
  for (const PhysicalValue& value : parameters.values(parameters.prior())) {
    out[value.name] = value.value;
  }
  return out;
}

std::string truth_table(const Scene& scene, const Posterior& posterior) {
  const std::map<std::string, double> truth = true_values(scene);
  const std::vector<std::string> unseen = unseen_names(posterior.physical);
  std::vector<Row> rows;
  for (const Estimate& one : posterior.physical) {
    if (one.prior_std <= 0) continue;
    if (std::find(unseen.begin(), unseen.end(), one.name) != unseen.end()) continue;
    const double distance = std::abs(one.value - truth.at(one.name)) / one.std;
    rows.push_back({one.name, number(truth.at(one.name)), number(one.prior),
                    with_std(one.value, one.std), unit_of(scene.truth->robot(), one.name),
                    percent(one.seen), number(std::round(10 * distance) / 10)});
  }
  std::string out =
      table_text({"parameter", "truth", "prior", "estimate", "unit", "seen", "error/std"}, rows);
  return out + "\n" + std::to_string(unseen.size()) +
         " values the data could not see (less than 10 % of the prior variance removed); the "
         "prior carries them:\n" +
         wrapped(unseen);
}

/// Errors of the effort on a motion that was not used, before and after.
struct Prediction {
  EffortError before, after;
};

Prediction predict(const Scene& scene, const Eigen::VectorXd& theta) {
  const RobotProblem& problem = *scene.loaded.problem;
  const Dynamics& dynamics = problem.dynamics();
  const std::vector<Recording> recordings{scene.unseen.measured};
  const MotionGuess motion = smooth_motion(dynamics.robot(), recordings[0], problem.noise());
  return {effort_error(dynamics.robot(), recordings,
                       {predict_effort(dynamics, dynamics.parameters().prior(), motion)}),
          effort_error(dynamics.robot(), recordings, {predict_effort(dynamics, theta, motion)})};
}

std::string demo_document(const Scene& scene, const Result& result, const Prediction& prediction) {
  const auto list = [](const Eigen::VectorXd& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  json doc = json::parse(result_json(result));
  doc["truth"] = true_values(scene);
  doc["unseen_motion"] = {{"joints", result.joints},
                          {"range", list(prediction.before.range)},
                          {"nominal", {{"rmse", list(prediction.before.rmse)}}},
                          {"identified", {{"rmse", list(prediction.after.rmse)}}}};
  return doc.dump(2);
}

void write_files(Scene& scene, const Solution& solution, Result& result, const Arguments& arguments,
                 const std::string& out, OutputFolder& folder) {
  const Robot& robot = scene.truth->robot();
  const ParameterSet& truth = scene.truth->parameters();
  const std::string drawn = scene_of(scene.config);  // with the meshes beside the robot's own file
  folder.write("log1.csv", log_csv(robot, {}, scene.used));
  folder.write("truth_trajectory1.csv", truth_csv(robot, {}, scene.used));
  folder.write("truth.json", truth_json(truth, truth.prior(), arguments.seed));
  folder.write("robot.urdf", read_text(robot.urdf_file));
  const std::filesystem::path path = out;
  scene.config.model.urdf = (path / "robot.urdf").string();
  scene.config.logs = {{.file = (path / "log1.csv").string()}};
  const std::string config_text = stamped_config(scene.config, out, arguments.seed);
  folder.write("config.yaml", config_text);
  result.provenance = provenance_of(arguments, {}, config_text);
  const std::string document = result_json(result);
  write_result(scene.loaded, solution, result, document, folder);
  write_page(
      page_of("identify", out,
              {.document = document, .scene = drawn, .series = result.details->series.bytes}),
      folder);
  folder.publish();
}

void print_intro(const Console& console, const Scene& scene) {
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
  Scene scene = make_scene(arguments.seed);
  catch_interrupts();
  std::optional<OutputFolder> folder;
  const std::string out = arguments.value("--out", "");
  if (!out.empty()) folder.emplace(out);
  print_intro(console, scene);

  const Solution solution =
      solve_with_progress(*scene.loaded.problem, scene.config.solver, arguments, console);
  Result result = make_run_result(scene.loaded, solution, arguments);
  const Prediction prediction = predict(scene, solution.point.theta);
  console.print("\n" + truth_table(scene, result.posterior));
  console.print(
      "\neffort on a motion that was not used, root mean square error in N·m (0.1 is the noise of "
      "the sensor):\n" +
      effort_table(result.joints, prediction.before, prediction.after));
  console.print("\n" + verdict_text(result.verdict, {}) + status_line(result));
  console.document(demo_document(scene, result, prediction));
  if (folder) {
    write_files(scene, solution, result, arguments, out, *folder);
    console.print("files in " + out +
                  ", report.html shows them; the same by hand: bayesid "
                  "identify " +
                  out + "/config.yaml\n");
  }
  return exit_code(solution.status);
}

}  // namespace bayesid::app
