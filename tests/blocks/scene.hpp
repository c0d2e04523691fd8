// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>

#include "bayesid/config.hpp"
#include "bayesid/robot.hpp"
#include "blocks/inertia_ee.hpp"
#include "math/so3.hpp"

namespace bayesid::test {

/// A link whose inertia is neither diagonal nor centred, a different one for each seed.
inline Link make_link(const std::string& name, int body, double seed) {
  blocks::InertiaCoordinates theta;
  theta << 0.1 * seed, 0.05, 0.01 * seed, -0.2, 0.2, -0.1 * seed, 0.1, -4.5, -5.0,
      -3.5 - 0.1 * seed;
  return {.name = name,
          .body = body,
          .rotation = Eigen::Matrix3d::Identity(),
          .translation = Eigen::Vector3d::Zero(),
          .pi = blocks::inertia_from_coordinates(theta),
          .line = 10 * body};
}

inline Joint make_joint(const std::string& name, int body) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {.name = name,
          .body = body,
          .idx_q = body - 1,
          .idx_v = body - 1,
          .lower = -infinity,
          .upper = infinity,
          .velocity = infinity,
          .effort = infinity,
          .child_link = "link" + std::to_string(body)};
}

/// Two joints, two links.
inline Robot double_pendulum() {
  Robot robot;
  robot.name = "double_pendulum";
  robot.urdf_file = "model.urdf";
  robot.joints = {make_joint("joint1", 1), make_joint("joint2", 2)};
  robot.links = {make_link("link1", 1, 1), make_link("link2", 2, 2)};
  robot.mimic = Eigen::MatrixXd::Identity(2, 2);
  return robot;
}

/// The same with a tool fixed to link2, turned and away from its origin.
inline Robot pendulum_with_tool() {
  Robot robot = double_pendulum();
  Link tool = make_link("tool", 2, 3);
  tool.rotation = so3_exp({0.3, -0.2, 0.9});
  tool.translation = {0.1, -0.3, 0.5};
  robot.links.push_back(tool);
  return robot;
}

/// All families on all joints, one motor that turns with both joints, default priors.
inline Config everything() {
  Config config;
  config.file = "arm.yaml";
  config.model.drives = {{.name = "motor", .joints = {{"joint1", 1.0}, {"joint2", -2.0}}}};
  config.parameters.inertia.emplace();
  config.parameters.friction.emplace();
  config.parameters.armature.emplace();
  config.parameters.effort_gain.emplace();
  config.parameters.effort_offset.emplace();
  config.parameters.gear_ratio.emplace();
  return config;
}

inline Selection only(std::vector<std::string> names) {
  return {.all = false, .names = std::move(names)};
}

}  // namespace bayesid::test
