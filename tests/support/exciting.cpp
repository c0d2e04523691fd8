// SPDX-License-Identifier: BSD-3-Clause
#include "support/exciting.hpp"

#include <random>

#include "excitation/motion_start.hpp"
#include "support/identification.hpp"
#include "support/legged.hpp"

namespace bayesid::test {

using Eigen::VectorXd;

namespace {

Config model_config(const std::string& name) {
  return read_config(std::string(BAYESID_SOURCE) + "/data/models/" + name);
}

ExcitingScene make_exciting(const std::string& name, Config config) {
  config.parameters.armature.emplace();
  config.parameters.effort_gain.emplace();
  config.excitation.mu = 0.7;
  const Robot robot = read_robot(config.model);
  return {name, config, std::make_shared<const Dynamics>(robot, ParameterSet(robot, config))};
}

}  // namespace

ConstrainedMotion ExcitingScene::motion() const {
  const MotionStart start = make_motion_start(*dynamics, config);
  return {*dynamics, start.mode, start.q};
}

const std::vector<ExcitingScene>& exciting_scenes() {
  static const std::vector<ExcitingScene> all = [] {
    std::vector<ExcitingScene> out;
    for (const Scene& scene : scenes()) {
      if (scene.name != "long arm") out.push_back({scene.name, scene.config, scene.dynamics});
    }
    out.push_back(make_exciting("four-bar", exciting_four_bar()));
    out.push_back(make_exciting("three loops", model_config("three_loop_leg.yaml")));
    out.push_back(make_exciting("ANYmal", exciting_anymal()));
    out.push_back(make_exciting("Talos", standing_talos()));
    return out;
  }();
  return all;
}

Config exciting_arm() {
  Config config = two_joint_config();
  config.measurements.position.all = 1e-4;
  config.measurements.velocity.all = 1e-2;
  config.measurements.effort.all = 0.1;
  config.excitation.duration = 4;
  config.excitation.harmonics = 4;
  config.excitation.rate = 200;
  config.excitation.starts = 2;
  return config;
}

Config exciting_four_bar() {
  Config config = model_config("four_bar_leg.yaml");
  config.excitation.duration = 3;
  config.excitation.harmonics = 3;
  config.excitation.rate = 200;
  config.excitation.starts = 1;
  return config;
}

Config exciting_anymal() {
  Config config = standing_anymal();
  config.measurements.effort.all = 0.1;
  config.excitation.duration = 3;
  config.excitation.harmonics = 3;
  config.excitation.rate = 400;  // joints turn at up to 13 rad/s
  config.excitation.starts = 1;
  config.excitation.max_iterations = 20;
  config.excitation.mu = 0.7;
  config.excitation.position = 0.2;  // of ±9.42 rad, which no leg turns
  return config;
}

Coordinates random_coordinates(int size, double scale, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto draw = [&](double of) {
    return VectorXd(VectorXd::NullaryExpr(size, [&] { return of * uniform(random); }));
  };
  Coordinates out;
  out.y = draw(scale);
  out.dy = draw(1.0);
  out.ddy = draw(3.0);
  return out;
}

double largest_violation(const Dynamics& dynamics, const Mode& mode, const MotionAt& at) {
  if (mode.num_rows() == 0) return 0;
  double out = 0;
  Kinematics kinematics(dynamics.robot());
  for (const MotionConstraint& c : mode.constraints) {
    for (const Level level : {Level::position, Level::velocity, Level::acceleration}) {
      const VectorXd r = kinematics.rows(at.q, at.v, at.a, {c}, level).r.head(c.num_rows());
      out = std::max(out, r.lpNorm<Eigen::Infinity>());
    }
  }
  return out;
}

}  // namespace bayesid::test
