// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <limits>

#include "bayesid/config.hpp"
#include "bayesid/error.hpp"
#include "config/schema_check.hpp"
#include "config/section.hpp"
#include "config/yaml_reader.hpp"

namespace bayesid {
namespace {

/// Paths are relative to the folder of the configuration.
std::string resolved(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).lexically_normal().string();
}

/// A better sentence than the schema's, since it is the first thing a new user forgets.
void check_version(const YamlTree& root, const std::string& file) {
  const YamlTree* version = root.find("schema");
  if (!version) throw InputError(file + ":1: schema is missing: add the line `schema: 1`");
  if (version->number() == 1.0) return;
  throw InputError(file + ':' + std::to_string(version->line) + ": schema is " + version->shown() +
                   ", this version reads `schema: 1`");
}

std::map<std::string, double> read_lock(const YamlTree& lock) {
  std::map<std::string, double> values;
  for (const YamlTree& child : lock.children) {
    if (lock.kind == YamlTree::Kind::map) values[child.key] = number_of(child);
    if (child.kind == YamlTree::Kind::map) values.merge(read_lock(child));
    if (lock.kind == YamlTree::Kind::list && child.kind == YamlTree::Kind::scalar) {
      values[child.text] = 0;
    }
  }
  return values;
}

ModelConfig read_model(const YamlTree& section, const std::string& file) {
  ModelConfig model;
  model.urdf = resolved(file, section.find("urdf")->text);
  read_value(section, "repair_inertias", model.repair_inertias);
  if (const YamlTree* gravity = section.find("gravity")) {
    for (std::size_t i = 0; i < 3; ++i) model.gravity[i] = number_of(gravity->children[i]);
  }
  if (const YamlTree* lock = section.find("lock")) model.lock = read_lock(*lock);

  const YamlTree* actuation = section.find("actuation");
  if (!actuation) return model;
  read_value(*actuation, "joints", model.actuated);
  if (const YamlTree* drives = actuation->find("drives")) {
    for (const YamlTree& child : drives->children) {
      DriveConfig& drive = model.drives.emplace_back();
      drive.name = child.find("name")->text;
      read_value(child, "joints", drive.joints);
    }
  }
  return model;
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
    if (const YamlTree* order = node.find("joint_order")) log.joint_order = names_of(*order);
    if (const YamlTree* rate = node.find("rate")) log.rate = rate->number();
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
  return measurements;
}

/// A bound may be infinite, unlike all other numbers.
double bound(const YamlTree& node) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return node.number().value_or(node.text == "-.inf" ? -infinity : infinity);
}

ConstraintsConfig read_constraints(const YamlTree& section, const std::string& file) {
  ConstraintsConfig constraints;
  const YamlTree* bounds = section.find("bounds");
  if (!bounds) return constraints;
  for (const YamlTree& child : bounds->children) {
    const double lower = bound(child.children[0]);
    const double upper = bound(child.children[1]);
    if (!(lower < upper)) {
      throw InputError(file + ':' + std::to_string(child.line) + ": constraints.bounds." +
                       child.key + " is [" + child.children[0].text + ", " +
                       child.children[1].text + "], the first must be smaller than the second");
    }
    constraints.bounds[child.key] = {lower, upper};
  }
  return constraints;
}

SolverConfig read_solver(const YamlTree& section) {
  SolverConfig solver;
  const YamlTree* integrator = section.find("integrator");
  if (integrator && integrator->text == "constant_acceleration") {
    solver.integrator = Integrator::constant_acceleration;
  }
  read_value(section, "max_iterations", solver.max_iterations);
  read_value(section, "tolerance", solver.tolerance);
  return solver;
}

SimulationConfig read_simulation(const YamlTree& section) {
  SimulationConfig simulation;
  read_value(section, "duration", simulation.duration);
  read_value(section, "rate", simulation.rate);
  read_value(section, "logs", simulation.logs);
  read_value(section, "harmonics", simulation.harmonics);
  read_value(section, "base_frequency", simulation.base_frequency);
  read_value(section, "amplitude", simulation.amplitude);
  read_value(section, "prior_error", simulation.prior_error);
  return simulation;
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
  read_value(section("initial_state"), "position", config.initial_state.position);
  read_value(section("initial_state"), "velocity", config.initial_state.velocity);
  read_value(section("initial_state"), "mean", config.initial_state.mean);
  config.parameters = read_parameters(root, path);
  config.constraints = read_constraints(section("constraints"), path);
  config.solver = read_solver(section("solver"));
  config.simulation = read_simulation(section("simulation"));
  collect_lines(root, "", config.lines);
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
