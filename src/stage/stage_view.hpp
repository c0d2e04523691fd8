// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "bayesid/sensor.hpp"
#include "bayesid/trajectory.hpp"

namespace bayesid {

/// A sensor of forces and the sample that counts in each stage; −1: none.
struct ForceSensor {
  const Sensor* sensor;
  const std::vector<int>* samples;
};

/// One stage as it stands at a path.
struct StageView {
  const DynamicsAt& model;
  const StagePlan& plan;
  const Mode& mode;
  const std::vector<ForceSensor>& force_sensors;
  const Eigen::VectorXd& effort_std;  // of efforts, then rotor commands; empty: all are exact
  const Path& path;
  int k;
};

}  // namespace bayesid
