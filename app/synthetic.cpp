// SPDX-License-Identifier: BSD-3-Clause
#include "synthetic.hpp"

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

struct Block {
  std::string prefix;
  const MatrixXd& values;  // joints × samples; may end one sample early
};

std::string csv(const Robot& robot, const Eigen::VectorXd& time, const std::vector<Block>& blocks) {
  std::string out = "time";
  for (const Block& block : blocks) {
    for (const Joint& joint : robot.joints) out += "," + block.prefix + "." + joint.name;
  }
  out += '\n';
  for (Eigen::Index k = 0; k < time.size(); ++k) {
    add_number(out, time[k]);
    for (const Block& block : blocks) {
      for (Eigen::Index j = 0; j < robot.nv(); ++j) {
        out += ',';
        if (k < block.values.cols()) add_number(out, block.values(j, k));
      }
    }
    out += '\n';
  }
  return out;
}

/// A logarithm shifts by log(1 ± error); other values are multiplied by 1 ± error.
double moved(const Parameter& parameter, double factor) {
  return parameter.is_logarithm ? parameter.prior + std::log(factor) : parameter.prior * factor;
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

std::string log_csv(const Robot& robot, const Simulation& simulation) {
  const Recording& measured = simulation.measured;
  return csv(robot, measured.time,
             {{"q", measured.position}, {"v", measured.velocity}, {"tau", measured.effort}});
}

std::string truth_csv(const Robot& robot, const Simulation& simulation) {
  return csv(robot, simulation.measured.time,
             {{"q", simulation.position},
              {"v", simulation.velocity},
              {"a", simulation.acceleration},
              {"tau", simulation.effort}});
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
