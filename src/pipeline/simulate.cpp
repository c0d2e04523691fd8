// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/simulate.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "bayesid/error.hpp"
#include "pipeline/config_stamp.hpp"
#include "pipeline/load.hpp"
#include "pipeline/page_files.hpp"
#include "pipeline/synthetic_csv.hpp"
#include "pipeline/wrong_priors.hpp"

namespace bayesid {
namespace {

void check_posture(const Robot& robot, const Config& config) {
  for (const auto& [name, value] : config.simulation.posture) {
    if (robot.joint_index(name) >= 0) continue;
    throw InputError(location_of(config, "simulation.posture." + name) + " is no joint of " +
                     config.model.urdf);
  }
}

/// A simulation has to know its noise, and tells the identification of its logs.
Config with_known_noise(Config config) {
  if (config.measurements.effort.empty()) config.measurements.effort_exact = true;
  if (config.measurements.thrust.empty()) config.measurements.thrust_exact = true;
  const auto state = [](double std, PerJoint& out) {
    if (out.empty()) out.all = std;
  };
  state(1e-4, config.measurements.position);
  state(1e-2, config.measurements.velocity);
  state(1e-6, config.disturbance.position);
  state(1e-3, config.disturbance.velocity);
  return config;
}

std::string log_name(std::size_t index) {
  return "log" + std::to_string(index + 1) + ".csv";
}

/// Ready for `identify`, from priors that are wrong.
Config next_config(const SyntheticLogs& from, const std::filesystem::path& folder) {
  Config out = pipeline::with_wrong_priors(from.config, from.dynamics->parameters(),
                                           from.config.simulation.prior_error, from.seed);
  out.model.urdf = (folder / "robot.urdf").string();
  out.logs.clear();
  for (std::size_t i = 0; i < from.logs.size(); ++i)
    out.logs.push_back({.file = (folder / log_name(i)).string()});
  return out;
}

}  // namespace

SyntheticLogs simulate(const Config& given, const RunOptions& options) {
  const Config config = with_known_noise(given);
  const Robot robot = read_robot(config.model);
  SyntheticLogs out{
      .config = config,
      .dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, config)),
      .logs = {},
      .warnings = {},
      .seed = options.seed};
  const Noise noise = make_noise(robot, config, {});
  const MotionConstraints constraints = make_constraints(robot, config);
  check_posture(robot, config);
  std::optional<MotionTable> motion;
  if (!config.simulation.trajectory.empty())
    motion = read_motion(robot, config.simulation.trajectory);
  out.warnings = pipeline::model_warnings(*out.dynamics);
  pipeline::warn(options, out.warnings);
  for (int i = 0; i < config.simulation.logs; ++i) {
    out.interrupted = options.stop && options.stop();
    if (out.interrupted) return out;
    out.logs.push_back(simulate(*out.dynamics, out.dynamics->parameters().prior(), noise,
                                config.solver.integrator, config.simulation,
                                options.seed + static_cast<unsigned>(i), constraints,
                                config.disturbance.projection, motion ? &*motion : nullptr));
  }
  return out;
}

Files files_of(const SyntheticLogs& from, const std::string& folder) {
  const Dynamics& dynamics = *from.dynamics;
  const ParameterSet& parameters = dynamics.parameters();
  const ModelConfig& model = from.config.model;
  Files out{{"config.yaml", pipeline::stamped_config(next_config(from, folder), folder, from.seed)},
            {"truth.json", pipeline::truth_json(parameters, parameters.prior(), from.seed)},
            {"robot.urdf", pipeline::read_text(model.urdf)}};
  for (std::size_t i = 0; i < from.logs.size(); ++i) {
    out.push_back({log_name(i), pipeline::log_csv(dynamics.robot(), model, from.logs[i])});
    out.push_back({"truth_trajectory" + std::to_string(i + 1) + ".csv",
                   pipeline::truth_csv(dynamics.robot(), model, from.logs[i])});
  }
  // The copy of the URDF may lie far from the meshes.
  std::string scene = pipeline::scene_of(from.config);
  if (!scene.empty()) out.push_back({"scene.json", std::move(scene)});
  return out;
}

void write_logs(const SyntheticLogs& from, const std::string& folder) {
  OutputFolder out(folder, input_files(from.config));
  publish(files_of(from, folder), out);
}

std::string document_of(const SyntheticLogs& from, const std::string& folder, const Files& files) {
  std::vector<std::string> names;
  for (const File& file : files) names.push_back(file.name);
  const nlohmann::json out{{"schema", 1},       {"version", BAYESID_VERSION},
                           {"folder", folder},  {"files", names},
                           {"seed", from.seed}, {"warnings", from.warnings}};
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace bayesid
