// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/synthetic_csv.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bayesid/sensor.hpp"
#include "report/number.hpp"

namespace bayesid::pipeline {

using Eigen::MatrixXd;

namespace {

struct Column {
  std::string name;
  const MatrixXd& values;  // rows × samples; may end one sample early; NaN: not measured
  Eigen::Index row;
  const Eigen::VectorXd* time = nullptr;  // of the samples; null: those of the log
};

void add_columns(const Robot& robot, const std::string& prefix, const MatrixXd& values,
                 std::vector<Column>& out) {
  for (const Joint& joint : robot.joints)
    out.push_back({prefix + "." + joint.name, values, joint.idx_v});
}

void add_thrust(const ModelConfig& model, const MatrixXd& values, std::vector<Column>& out) {
  for (std::size_t r = 0; r < model.rotors.size(); ++r)
    out.push_back({"thrust." + model.rotors[r].name, values, static_cast<Eigen::Index>(r)});
}

void add_poses(const Recording& measured, std::vector<Column>& out) {
  constexpr std::array<const char*, 7> axes{"px", "py", "pz", "qx", "qy", "qz", "qw"};
  for (const auto& [frame, pose] : measured.poses) {
    const auto series = measured.series.find("pose." + frame);
    const bool is_timed = series != measured.series.end();
    for (int i = 0; i < 7; ++i) {
      out.push_back({"pose." + frame + "." + axes[i], is_timed ? series->second.values : pose, i,
                     is_timed ? &series->second.time : nullptr});
    }
  }
}

/// Sensors that are never sampled with the states.
void add_series(const Robot& robot, const Recording& measured, std::vector<Column>& out) {
  for (const auto& [group, series] : measured.series) {
    const SensorKind* kind = kind_of_group(group);
    if (!kind || kind->sampled_at() == SampledAt::states) continue;
    const std::vector<std::string> names = kind->channels(robot, group);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      if (!names[i].empty() && !series.values.row(row).array().isNaN().all())
        out.push_back({names[i], series.values, row, &series.time});
    }
  }
}

/// All times at which something was measured.
std::vector<double> all_times(const Eigen::VectorXd& time, const std::vector<Column>& columns) {
  std::vector<double> out(time.begin(), time.end());
  for (const Column& column : columns) {
    if (column.time) out.insert(out.end(), column.time->begin(), column.time->end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void add_base(const Robot& robot, const Simulation& simulation, std::vector<Column>& out) {
  if (!robot.floating) return;
  constexpr std::array<const char*, 7> axes{"px", "py", "pz", "qx", "qy", "qz", "qw"};
  constexpr std::array<const char*, 6> rates{"vx", "vy", "vz", "wx", "wy", "wz"};
  for (int i = 0; i < 7; ++i)
    out.push_back({std::string("q.base.") + axes[i], simulation.configuration, i});
  for (int i = 0; i < 6; ++i)
    out.push_back({std::string("v.base.") + rates[i], simulation.velocity, i});
}

std::string csv(const Eigen::VectorXd& time, const std::vector<Column>& columns) {
  std::string out = "time";
  for (const Column& column : columns) out += "," + column.name;
  out += '\n';
  std::vector<Eigen::Index> next(columns.size(), 0);
  for (const double t : all_times(time, columns)) {
    out += shortest(t);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      out += ',';
      const Column& column = columns[i];
      const Eigen::VectorXd& times = column.time ? *column.time : time;
      if (next[i] >= times.size() || times[next[i]] != t) continue;
      const Eigen::Index k = next[i]++;
      if (k >= column.values.cols() || std::isnan(column.values(column.row, k))) continue;
      out += shortest(column.values(column.row, k));
    }
    out += '\n';
  }
  return out;
}

}  // namespace

std::string log_csv(const Robot& robot, const ModelConfig& model, const Simulation& simulation) {
  const Recording& measured = simulation.measured;
  std::vector<Column> columns;
  add_columns(robot, "q", measured.position, columns);
  add_columns(robot, "v", measured.velocity, columns);
  add_columns(robot, "tau", measured.effort, columns);
  add_thrust(model, measured.thrust, columns);
  add_poses(measured, columns);
  add_series(robot, measured, columns);
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    columns.push_back(
        {"contact." + model.contacts[i].name, simulation.closed, static_cast<Eigen::Index>(i)});
  }
  return csv(measured.time, columns);
}

std::string truth_csv(const Robot& robot, const ModelConfig& model, const Simulation& simulation) {
  std::vector<Column> columns;
  add_base(robot, simulation, columns);
  add_columns(robot, "q", simulation.position, columns);
  add_columns(robot, "v", simulation.velocity, columns);
  add_columns(robot, "a", simulation.acceleration, columns);
  add_columns(robot, "tau", simulation.effort, columns);
  add_thrust(model, simulation.thrust, columns);
  return csv(simulation.measured.time, columns);
}

std::string truth_json(const ParameterSet& parameters, const Eigen::VectorXd& theta,
                       unsigned seed) {
  nlohmann::ordered_json out{{"schema", 1}, {"version", BAYESID_VERSION}, {"seed", seed}};
  const Eigen::VectorXd values = parameters.all_values(theta);
  for (std::size_t i = 0; i < parameters.all().size(); ++i) {
    out["parameters"][parameters.all()[i].name] = values[static_cast<Eigen::Index>(i)];
  }
  for (const PhysicalValue& value : parameters.values(theta)) {
    out["physical"][value.name] = value.value;
  }
  return out.dump(2) + "\n";
}

}  // namespace bayesid::pipeline
