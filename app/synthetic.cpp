// SPDX-License-Identifier: BSD-3-Clause
#include "synthetic.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

namespace bayesid::app {

using Eigen::MatrixXd;

namespace {

void add_number(std::string& out, double value) {
  std::array<char, 32> text{};
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
}

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

void add_imus(const Recording& measured, std::vector<Column>& out) {
  constexpr std::array<const char*, 10> axes{"ax", "ay", "az", "wx", "wy",
                                             "wz", "qx", "qy", "qz", "qw"};
  for (const auto& [group, series] : measured.series) {
    if (!group.starts_with("imu.")) continue;
    for (int i = 0; i < 10; ++i) {
      if (!series.values.row(i).array().isNaN().all())
        out.push_back({group + "." + axes[i], series.values, i, &series.time});
    }
  }
}

void add_wrenches(const Recording& measured, std::vector<Column>& out) {
  for (const auto& [group, series] : measured.series) {
    if (!group.starts_with("wrench.")) continue;
    for (int i = 0; i < 6; ++i) {
      if (!series.values.row(i).array().isNaN().all())
        out.push_back({group + "." + wrench_axes[i], series.values, i, &series.time});
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
    add_number(out, t);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      out += ',';
      const Column& column = columns[i];
      const Eigen::VectorXd& times = column.time ? *column.time : time;
      if (next[i] >= times.size() || times[next[i]] != t) continue;
      const Eigen::Index k = next[i]++;
      if (k >= column.values.cols() || std::isnan(column.values(column.row, k))) continue;
      add_number(out, column.values(column.row, k));
    }
    out += '\n';
  }
  return out;
}

/// A logarithm shifts by log(1 ± error); other values are multiplied by 1 ± error.
double moved(const Parameter& parameter, double factor) {
  return parameter.is_logarithm() ? parameter.prior + std::log(factor) / parameter.rate
                                  : parameter.prior * factor;
}

/// Where friction bends. Far from the truth, its two saturating terms trade places and both are
/// right.
bool is_slope(const Parameter& parameter) {
  return parameter.physical.ends_with(".stribeck1") || parameter.physical.ends_with(".stribeck2") ||
         parameter.physical.ends_with(".coulomb_slope");
}

}  // namespace

Config with_wrong_priors(const Config& truth, const ParameterSet& parameters, double error,
                         unsigned seed) {
  Config out = truth;
  if (error == 0) return out;
  std::mt19937_64 random(seed);
  for (const Parameter& parameter : parameters.all()) {
    if (parameter.fixed) continue;
    const bool up = (random() >> 63U) != 0;
    ParameterOverride& one = out.parameters.set[parameter.name];
    if (is_slope(parameter)) {
      one.prior = parameter.prior + (up ? parameter.std : -parameter.std);
      continue;
    }
    // Down to 1 % at the least, so that every logarithm exists.
    one.prior = moved(parameter, up ? 1 + error : std::max(0.01, 1 - error));
    one.std = std::max(parameter.std, std::abs(*one.prior - parameter.prior));
  }
  return out;
}

std::string log_csv(const Robot& robot, const ModelConfig& model, const Simulation& simulation) {
  const Recording& measured = simulation.measured;
  std::vector<Column> columns;
  add_columns(robot, "q", measured.position, columns);
  add_columns(robot, "v", measured.velocity, columns);
  add_columns(robot, "tau", measured.effort, columns);
  add_thrust(model, measured.thrust, columns);
  add_poses(measured, columns);
  add_imus(measured, columns);
  add_wrenches(measured, columns);
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

}  // namespace bayesid::app
