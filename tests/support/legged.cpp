// SPDX-License-Identifier: BSD-3-Clause
#include "support/legged.hpp"

#include <array>

#include "bayesid/problem.hpp"

namespace bayesid::test {

namespace {

Config on_the_ground(Config config, const std::string& base) {
  config.model.floating_base = true;
  config.measurements.poses[base] = {.position = 1e-3, .orientation = 1e-3};
  config.parameters.friction.emplace();
  return config;
}

Config unitree(const std::string& name) {
  Config config = on_the_ground(robot_config("b1_description/urdf/" + name + ".urdf"), "trunk");
  for (const std::string leg : {"FL", "FR", "RL", "RR"}) {
    config.simulation.posture[leg + "_hip_joint"] = leg[1] == 'L' ? 0.1 : -0.1;
    config.simulation.posture[leg + "_thigh_joint"] = 0.8;
    config.simulation.posture[leg + "_calf_joint"] = -1.5;
    config.model.contacts.push_back({.name = leg, .frame = leg + "_foot"});
  }
  return config;
}

}  // namespace

Config standing_anymal() {
  Config config = on_the_ground(anymal_config(), "base");
  for (const std::string leg : {"LF", "RF", "LH", "RH"}) {
    const double left = leg[0] == 'L' ? 1 : -1, fore = leg[1] == 'F' ? 1 : -1;
    config.simulation.posture[leg + "_HAA"] = 0.1 * left;
    config.simulation.posture[leg + "_HFE"] = 0.7 * fore;
    config.simulation.posture[leg + "_KFE"] = -1.0 * fore;
    config.model.contacts.push_back({.name = leg, .frame = leg + "_FOOT"});
  }
  return config;
}

Config standing_b1() {
  return unitree("b1");
}

Config standing_b1_z1() {
  Config config = unitree("b1-z1");
  config.simulation.posture.insert({{"joint2", 1.5}, {"joint3", -1.5}});
  return config;
}

Config standing_talos() {
  Config config = on_the_ground(robot_config("talos_data/robots/talos_reduced.urdf"), "base_link");
  for (const std::string name : {"torso_1", "torso_2", "head_1", "head_2"})
    config.model.lock[name + "_joint"] = 0.0;
  for (const std::string side : {"left", "right"}) {
    config.model.lock["gripper_" + side + "_joint"] = 0.0;
    for (int i = 1; i <= 7; ++i)
      config.model.lock["arm_" + side + "_" + std::to_string(i) + "_joint"] = i == 4 ? -0.5 : 0.0;
    constexpr std::array<double, 6> leg{0.0, 0.0, -0.411, 0.859, -0.448, 0.0};
    for (int i = 1; i <= 6; ++i)
      config.simulation.posture["leg_" + side + "_" + std::to_string(i) + "_joint"] = leg[i - 1];
    config.model.contacts.push_back(
        {.name = side, .frame = side + "_sole_link", .type = ConstraintType::frame});
  }
  return config;
}

const std::vector<Scene>& standing_scenes() {
  static const std::vector<Scene> all{make_scene("standing ANYmal", standing_anymal()),
                                      make_scene("standing B1", standing_b1()),
                                      make_scene("standing B1 with Z1", standing_b1_z1()),
                                      make_scene("standing Talos", standing_talos())};
  return all;
}

Mode all_contacts(const Scene& scene) {
  return {make_constraints(scene.dynamics->robot(), scene.config).contacts};
}

}  // namespace bayesid::test
