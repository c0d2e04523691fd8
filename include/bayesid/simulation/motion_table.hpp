// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <map>
#include <string>
#include <vector>

#include "bayesid/dynamics/constraint.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// A motion that a robot shall follow, a column for each instant.
struct MotionTable {
  Eigen::VectorXd time;           // s, from 0
  Eigen::MatrixXd q;              // nq, configurations
  Eigen::MatrixXd v, a;           // nv
  Eigen::MatrixXd tau;            // nv, efforts without errors to correct; empty: not known
  Eigen::MatrixXd lambda;         // forces of the rows; empty: not known
  std::vector<std::string> rows;  // names of the forces
  // By contact: closed all the time, or open; those not named are closed.
  std::map<std::string, bool> closed;

  int num_samples() const { return static_cast<int>(time.size()); }
};

/// time, q.<joint>, v.<joint>, a.<joint>, tau.<joint>, of a floating base q.base.px … qw, v.base.vx
/// … wz and a.base.vx …, contact.<name> (1: closed), lambda.<name>.<axis>.
std::string motion_csv(const Robot& robot, const MotionTable& motion);

/// The same back; forces are not read. Throws InputError naming file, line and column.
MotionTable read_motion(const Robot& robot, const std::string& file);

}  // namespace bayesid
