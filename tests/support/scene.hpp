// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bayesid/dynamics/dynamics.hpp"

namespace bayesid::test {

/// A robot with every kind of parameter, for tests that must hold for all robots.
struct Scene {
  std::string name;
  Config config;
  std::shared_ptr<const Dynamics> dynamics;
};

/// Two joints, random arms, a tree with prismatic and continuous joints, one with mimic joints,
/// and a Panda.
const std::vector<Scene>& scenes();

/// The same kinds of robots on a floating base: one body, a tree, one with mimic joints, ANYmal.
const std::vector<Scene>& floating_scenes();

/// Both.
std::vector<Scene> all_scenes();

/// A motion and parameters drawn at random.
struct Instant {
  Eigen::VectorXd theta, q, v, a, tau;
};
Instant random_instant(const Scene& scene, int seed);

/// Panda of example-robot-data with its fingers locked, and parameters as the program's defaults
/// plus stiction.
Config panda_config();

/// ANYmal B of example-robot-data on a floating base.
Config anymal_config();

}  // namespace bayesid::test
