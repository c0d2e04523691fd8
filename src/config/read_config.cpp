// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

#include "bayesid/config.hpp"
#include "bayesid/error.hpp"
#include "config/check_config.hpp"
#include "config/schema_check.hpp"
#include "config/section.hpp"
#include "config/yaml_reader.hpp"

namespace bayesid {
namespace {

/// A better sentence than the schema's, since it is the first thing a new user forgets.
void check_version(const YamlTree& root, const std::string& file) {
  const YamlTree* version = root.find("schema");
  if (!version) throw InputError(file + ":1: schema is missing: add the line `schema: 1`");
  if (version->number() == 1.0) return;
  throw InputError(file + ':' + std::to_string(version->line) + ": schema is " + version->shown() +
                   ", this version reads `schema: 1`");
}

ColumnConfig read_column(const YamlTree& node, const std::string& path, const std::string& file) {
  ColumnConfig column;
  column.source = node.text;
  if (node.kind == YamlTree::Kind::scalar) return column;
  column.source = node.find("source")->text;
  read_value(node, "scale", column.scale);
  read_value(node, "offset", column.offset);
  read_value(node, "sign", column.sign);
  if (column.scale != 0) return column;
  throw InputError(file + ':' + std::to_string(node.find("scale")->line) + ": " + path + '.' +
                   node.key + ".scale is 0, which would erase the column");
}

PhaseConfig read_phase(const YamlTree& node) {
  PhaseConfig phase;
  read_value(node, "from", phase.from);
  read_value(node, "to", phase.to);
  read_value(node, "contacts", phase.contacts);
  return phase;
}

ImpactConfig read_impact(const YamlTree& node) {
  ImpactConfig impact;
  read_value(node, "time", impact.time);
  read_value(node, "contacts", impact.contacts);
  read_value(node, "restitution", impact.restitution);
  read_value(node, "slip", impact.slip);
  read_value(node, "twist", impact.twist);
  return impact;
}

std::vector<LogConfig> read_logs(const YamlTree& section, const std::string& file) {
  std::vector<LogConfig> logs;
  for (std::size_t i = 0; i < section.children.size(); ++i) {
    const YamlTree& node = section.children[i];
    LogConfig& log = logs.emplace_back();
    log.file = resolved(file, node.find("file")->text);
    if (const YamlTree* columns = node.find("columns")) {
      const std::string path = "logs[" + std::to_string(i) + "].columns";
      for (const YamlTree& child : columns->children) {
        log.columns[child.key] = read_column(child, path, file);
      }
    }
    if (const YamlTree* model = node.find("model")) log.model = resolved(file, model->text);
    read_value(node, "joint_order", log.joint_order);
    read_value(node, "rate", log.rate);
    log.phases = read_list(node, "phases", read_phase);
    log.impacts = read_list(node, "impacts", read_impact);
  }
  return logs;
}

MeasurementConfig read_measurements(const YamlTree& section) {
  MeasurementConfig measurements;
  read_value(section, "position", measurements.position);
  read_value(section, "velocity", measurements.velocity);
  const YamlTree* effort = section.find("effort");
  measurements.effort_exact = effort && effort->text == "exact";
  if (!measurements.effort_exact) read_value(section, "effort", measurements.effort);
  const YamlTree* thrust = section.find("thrust");
  measurements.thrust_exact = thrust && thrust->text == "exact";
  if (!measurements.thrust_exact) read_value(section, "thrust", measurements.thrust);
  constexpr std::string_view prefix = "pose.";
  for (const YamlTree& child : section.children) {
    if (!child.key.starts_with(prefix)) continue;
    PoseConfig& pose = measurements.poses[child.key.substr(prefix.size())];
    read_value(child, "position", pose.position);
    read_value(child, "orientation", pose.orientation);
  }
  for (const YamlTree& child : section.children) {
    if (!child.key.starts_with("imu.")) continue;
    ImuConfig& imu = measurements.imus[child.key.substr(std::string_view("imu.").size())];
    read_value(child, "link", imu.place.link);
    read_value(child, "xyz", imu.place.xyz);
    read_value(child, "rpy", imu.place.rpy);
    read_value(child, "acceleration", imu.acceleration);
    read_value(child, "rate", imu.rate);
    read_value(child, "orientation", imu.orientation);
  }
  for (const YamlTree& child : section.children) {
    if (!child.key.starts_with("wrench.")) continue;
    const std::string name = child.key.substr(std::string_view("wrench.").size());
    WrenchConfig& wrench = measurements.wrenches[name];
    wrench.contact = name;
    read_value(child, "contact", wrench.contact);
    read_value(child, "force", wrench.force);
    read_value(child, "torque", wrench.torque);
  }
  if (const YamlTree* energy = section.find("energy")) {
    read_value(*energy, "std", measurements.energy);
    read_value(*energy, "window", measurements.energy_window);
  }
  return measurements;
}

SolverConfig read_solver(const YamlTree& section) {
  SolverConfig solver;
  read_value(section, "dynamics", solver.dynamics);
  read_value(section, "integrator", solver.integrator);
  read_value(section, "max_iterations", solver.max_iterations);
  read_value(section, "tolerance", solver.tolerance);
  return solver;
}

GaitConfig read_gait(const YamlTree& section) {
  GaitConfig gait;
  read_value(section, "type", gait.type);
  read_value(section, "period", gait.period);
  read_value(section, "step_length", gait.step_length);
  read_value(section, "step_height", gait.step_height);
  read_value(section, "body_motion", gait.body_motion);
  return gait;
}

SimulationConfig read_simulation(const YamlTree& section, const std::string& file) {
  SimulationConfig simulation;
  read_value(section, "duration", simulation.duration);
  read_value(section, "rate", simulation.rate);
  read_value(section, "substeps", simulation.substeps);
  read_value(section, "logs", simulation.logs);
  read_value(section, "harmonics", simulation.harmonics);
  read_value(section, "base_frequency", simulation.base_frequency);
  read_value(section, "amplitude", simulation.amplitude);
  read_value(section, "prior_error", simulation.prior_error);
  read_value(section, "rates", simulation.rates);
  read_value(section, "posture", simulation.posture);
  if (const YamlTree* gait = section.find("gait")) simulation.gait = read_gait(*gait);
  if (const YamlTree* trajectory = section.find("trajectory"))
    simulation.trajectory = resolved(file, trajectory->text);
  return simulation;
}

ExcitationConfig read_excitation(const YamlTree& section) {
  ExcitationConfig out;
  read_value(section, "duration", out.duration);
  read_value(section, "harmonics", out.harmonics);
  read_value(section, "rate", out.rate);
  read_value(section, "starts", out.starts);
  read_value(section, "max_iterations", out.max_iterations);
  read_value(section, "criterion", out.criterion);
  read_value(section, "velocity_reward", out.velocity_reward);
  read_value(section, "start", out.start);
  if (const YamlTree* limits = section.find("limits")) {
    read_value(*limits, "position", out.position);
    read_value(*limits, "velocity", out.velocity);
    read_value(*limits, "effort", out.effort);
    read_value(*limits, "self_collision", out.self_collision);
  }
  if (const YamlTree* pairs = section.find("ignore_pairs")) {
    for (const YamlTree& pair : pairs->children) {
      const std::vector<std::string> links = names_of(pair);
      out.ignore_pairs.push_back({links[0], links[1]});
    }
  }
  read_value(section, "mu", out.mu);
  read_value(section, "least_force", out.least_force);
  if (const YamlTree* contacts = section.find("contacts")) out.contacts = names_of(*contacts);
  return out;
}

}  // namespace

Config read_config(const std::string& path) {
  const YamlTree root = read_yaml(path);
  check_version(root, path);
  check_schema(root, config_schema(), path);

  const YamlTree none;
  const auto section = [&](const char* key) -> const YamlTree& {
    const YamlTree* found = root.find(key);
    return found ? *found : none;
  };
  Config config;
  config.file = path;
  config.model = read_model(section("model"), path);
  config.logs = read_logs(section("logs"), path);
  config.measurements = read_measurements(section("measurements"));
  read_value(section("disturbance"), "position", config.disturbance.position);
  read_value(section("disturbance"), "velocity", config.disturbance.velocity);
  read_value(section("disturbance"), "projection", config.disturbance.projection);
  read_value(section("initial_state"), "position", config.initial_state.position);
  read_value(section("initial_state"), "velocity", config.initial_state.velocity);
  read_value(section("initial_state"), "mean", config.initial_state.mean);
  read_value(section("initial_state"), "on_constraints", config.initial_state.on_constraints);
  config.parameters = read_parameters(root, path);
  config.constraints = read_constraints(section("constraints"), path);
  config.solver = read_solver(section("solver"));
  config.simulation = read_simulation(section("simulation"), path);
  config.excitation = read_excitation(section("excitation"));
  collect_lines(root, "", config.lines);
  check_config(config);
  return config;
}

std::string place_of(const Config& config, const std::string& key) {
  // A key that was not written has the place of the section it would stand in.
  for (std::string written = key; !written.empty();) {
    const auto found = config.lines.find(written);
    if (found != config.lines.end()) {
      return config.file + ':' + std::to_string(found->second) + ": " + key;
    }
    const std::size_t end = written.find_last_of(".[");
    written.resize(end == written.npos ? 0 : end);
  }
  return config.file + ": " + key;
}

}  // namespace bayesid
