// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/demo.hpp"

#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/config_stamp.hpp"
#include "pipeline/load.hpp"
#include "pipeline/make_run.hpp"
#include "pipeline/page_files.hpp"
#include "pipeline/search.hpp"
#include "pipeline/synthetic_csv.hpp"
#include "pipeline/wrong_priors.hpp"

namespace bayesid {
namespace {

constexpr double prior_error = 0.7;

/// Truth of the demo: inertias of the URDF, and friction of the size such arms have.
Config panda_truth(const std::string& urdf) {
  constexpr std::array<double, 7> stiction{0.20, 0.25, 0.15, 0.20, 0.10, 0.08, 0.06};  // N·m
  constexpr std::array<double, 7> coulomb{0.45, 0.50, 0.40, 0.45, 0.30, 0.25, 0.20};   // N·m
  constexpr std::array<double, 7> viscous{0.90, 1.00, 0.70, 0.80, 0.40, 0.35, 0.30};   // N·m·s/rad
  Config config;
  config.file = "demo";
  config.model.urdf = urdf;
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
  config.disturbance.position.all = 1e-6;
  config.disturbance.velocity.all = 1e-3;
  config.solver.integrator = Integrator::semi_implicit_euler;
  config.simulation = {.duration = 10.0, .rate = 250.0, .base_frequency = 0.2, .amplitude = 1.0};
  return config;
}

std::map<std::string, double> physical_values(const ParameterSet& parameters) {
  std::map<std::string, double> out;
  for (const PhysicalValue& value : parameters.values(parameters.prior()))
    out[value.name] = value.value;
  return out;
}

/// The configuration that makes the same result by hand.
std::string config_text(const Demo& demo, const std::filesystem::path& folder) {
  Config config = demo.scene.config;
  config.model.urdf = (folder / "robot.urdf").string();
  config.logs = {{.file = (folder / "log1.csv").string()}};
  return pipeline::stamped_config(config, folder.string(), demo.run.result.seed);
}

}  // namespace

DemoScene make_demo(const std::string& urdf, unsigned seed) {
  const Config truth = panda_truth(urdf);
  const Robot robot = read_robot(truth.model);
  const ParameterSet parameters(robot, truth);
  DemoScene out;
  out.truth = std::make_shared<const Dynamics>(robot, parameters);
  const Noise noise = make_noise(robot, truth, {});
  const auto record = [&](unsigned of_seed) {
    return simulate(*out.truth, parameters.prior(), noise, truth.solver.integrator,
                    truth.simulation, of_seed);
  };
  out.used = record(seed);
  out.config = pipeline::with_wrong_priors(truth, parameters, prior_error, seed);
  auto dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, out.config));
  out.loaded.problem = std::make_shared<const RobotProblem>(
      dynamics, std::vector<Recording>{out.used.measured}, noise, truth.solver.integrator);
  out.held_out = std::make_shared<const RobotProblem>(
      dynamics, std::vector<Recording>{record(seed + 1).measured}, noise, truth.solver.integrator);
  out.loaded.logs = {
      {.file = "simulation", .samples = out.used.measured.num_samples(), .segments = 1}};
  return out;
}

Demo identify_demo(DemoScene scene, const RunOptions& options) {
  const RobotProblem& problem = *scene.loaded.problem;
  Solution solution = pipeline::search_once(problem, scene.config.solver, options);
  const Dynamics& dynamics = problem.dynamics();
  EffortPredictions held_out =
      predict_with_both(*scene.held_out, *dynamics.at(problem.space().prior_mean()),
                        *dynamics.at(solution.point.theta));
  Run run = pipeline::make_run(scene.config, scene.loaded, std::move(solution), options);
  std::map<std::string, double> truth = physical_values(scene.truth->parameters());
  return {.scene = std::move(scene),
          .run = std::move(run),
          .truth = std::move(truth),
          .held_out = std::move(held_out)};
}

std::string document_of(const Demo& demo) {
  const auto list = [](const Eigen::VectorXd& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  Result result = demo.run.result;
  result.provenance.reset();  // it names the files that nobody asked for
  nlohmann::json doc = nlohmann::json::parse(result_json(result));
  doc["truth"] = demo.truth;
  doc["held_out_motion"] = {{"joints", result.joints},
                            {"range", list(demo.held_out.nominal.range)},
                            {"nominal", {{"rmse", list(demo.held_out.nominal.rmse)}}},
                            {"identified", {{"rmse", list(demo.held_out.identified.rmse)}}}};
  return doc.dump(2);
}

Files files_of(const Demo& demo, const std::string& folder) {
  const Robot& robot = demo.scene.truth->robot();
  const ParameterSet& truth = demo.scene.truth->parameters();
  const Simulation& log = demo.scene.used;
  Files out = pipeline::result_files(demo.run, config_text(demo, folder));
  out.push_back({"log1.csv", pipeline::log_csv(robot, {}, log)});
  out.push_back({"truth_trajectory1.csv", pipeline::truth_csv(robot, {}, log)});
  out.push_back({"truth.json", pipeline::truth_json(truth, truth.prior(), demo.run.result.seed)});
  out.push_back({"robot.urdf", pipeline::read_text(robot.urdf_file)});
  pipeline::add_page("identify", folder,
                     {.name = {},
                      .document = bytes_of(out, "result.json"),
                      .scene = pipeline::scene_of(demo.scene.config),
                      .series = demo.run.result.details->series.bytes},
                     out);
  return out;
}

}  // namespace bayesid
