// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bayesid/dynamics.hpp"
#include "problem/inputs.hpp"

namespace bayesid::test {

/// A robot with every kind of parameter, for tests that must hold for all robots.
struct Scene {
  std::string name;
  Config config;
  std::shared_ptr<const Dynamics> dynamics;
};

Scene make_scene(const std::string& name, const Config& config);

/// Two joints, random arms, a tree with prismatic and continuous joints, one with mimic joints,
/// and a Panda.
const std::vector<Scene>& scenes();

/// The same kinds of robots on a floating base: one body, a tree, one with mimic joints, ANYmal, a
/// quadrotor.
const std::vector<Scene>& floating_scenes();

/// Robots with rotors, all coefficients unknown: the quadrotor Iris, trees that fly with rotors on
/// their base and on moving links, one with mimic joints, and a Panda.
const std::vector<Scene>& rotor_scenes();

/// All of them, and the legged robots that stand.
std::vector<Scene> all_scenes();

/// The configuration's posture as numbers of make_configuration: a floating base at the origin,
/// joints that are not named at 0.
Eigen::VectorXd posture(const Scene& scene);

/// A motion and parameters drawn at random; near the posture when the configuration has one.
struct Instant {
  Eigen::VectorXd theta, q, v, a, tau;  // tau: all inputs of Dynamics
};
Instant random_instant(const Scene& scene, int seed);

/// q ⊕ dq
Eigen::VectorXd moved(const Robot& robot, const Eigen::VectorXd& q, const Eigen::VectorXd& dq);

/// A robot of example-robot-data whose inertia is unknown.
Config robot_config(const std::string& urdf);

/// Panda of example-robot-data with its fingers locked, and parameters as the program's defaults
/// plus stiction.
Config panda_config();

/// ANYmal B of example-robot-data on a floating base.
Config anymal_config();

/// The quadrotor Hector of example-robot-data: one body in free flight.
Config hector_config();

/// The quadrotor Iris of example-robot-data with its four rotors, command in N; coefficients known.
Config iris_config();

/// Columns of θ without links of a few grams, whose first moments differences cannot resolve.
Eigen::MatrixXd heavy_links(const Dynamics& dynamics, Eigen::MatrixXd columns);

}  // namespace bayesid::test
