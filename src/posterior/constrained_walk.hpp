// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/dynamics.hpp"
#include "bayesid/problem.hpp"

namespace bayesid {

/// Walks along a motion under constraints: what moves as the robot can, nearest to the motion.
class ConstrainedWalk {
 public:
  ConstrainedWalk(const Dynamics& dynamics, const DynamicsAt& model, const MotionGuess& motion,
                  const Recording& recording, const Timeline& timeline);

  /// Sample that stage i begins with; −1: none, or an impact.
  int sample(size_t i) const { return timeline_.stages[i].impact ? -1 : timeline_.nodes[i].sample; }
  /// Leaves the balance of forces at the measured effort in `stage`, and Z.
  void visit(size_t i);
  /// The same with all derivatives, at the effort with which the motion obeys the forces.
  void linearise(size_t i);
  /// How velocities and accelerations of the motion move the nearest ones: Z (W Z)⁺ W.
  Eigen::MatrixXd projection() const;

  StageDynamics stage;
  Eigen::MatrixXd Z;

 private:
  void find_motion(size_t i);

  const Dynamics& dynamics_;
  const DynamicsAt& model_;
  const MotionGuess& motion_;
  const Recording& recording_;
  const Timeline& timeline_;
  Dynamics::Workspace workspace_;
  Eigen::VectorXd trust_;
  Eigen::MatrixXd presliding_;
  Eigen::VectorXd q_, v_, a_, effort_;  // at the stage last visited
};

}  // namespace bayesid
