// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>

#include "bayesid/config.hpp"
#include "bayesid/dynamics.hpp"
#include "bayesid/problem.hpp"
#include "bayesid/simulate.hpp"

namespace bayesid {

/// Where the robot wants to be, as numbers of make_configuration, and which of them it cares for.
struct ReferencePoint {
  Eigen::VectorXd q, v, a;  // nv
  Eigen::VectorXd weight;   // nv; 0: follows from the constraints
  // Of a given motion: where it is instead of q, with v and a in the axes of the base, and the
  // efforts it needs. Else empty.
  Eigen::VectorXd configuration = {}, effort = {};
};

/// Sums of sines for the body or the joints, the steps of a gait, or a given motion.
class Reference {
 public:
  Reference(const Dynamics& dynamics, const SimulationConfig& options,
            const MotionConstraints& constraints, std::mt19937_64& random,
            const MotionTable* motion = nullptr);

  ReferencePoint at(double time) const;
  /// Contacts closed at a time.
  std::vector<bool> closed(double time) const;
  /// Joint numbers from which the motion starts.
  const Eigen::VectorXd& posture() const { return posture_; }
  /// Null without one.
  const MotionTable* motion() const { return motion_; }

 private:
  struct Swing {
    std::vector<int> joints;         // of v
    Eigen::VectorXd pseudo_inverse;  // of those, at the top of a step
  };
  double phase(double time) const;
  double swing_share(double time, int contact, double& rate, double& acceleration) const;
  void draw_sines(const Robot& robot, const SimulationConfig& options, std::mt19937_64& random);
  void limit_acceleration(int i);
  ReferencePoint along_motion(double time) const;
  void prepare_gait(const Dynamics& dynamics);

  const Robot& robot_;
  const MotionTable* motion_;
  const MotionConstraints constraints_;
  GaitConfig gait_;
  bool walks_ = false, flies_ = false;
  int base_nv_;
  Eigen::VectorXd posture_, weight_;
  Eigen::MatrixXd amplitude_, phase_;  // nv × harmonics
  double omega_ = 0;
  std::vector<Swing> swings_;  // of each contact
};

/// Moves joints until the loops are closed; `fixed`: 1 for joints that stay, 0 for those that move.
/// Throws InputError when that fails, naming the loop and by how much it stays open.
Eigen::VectorXd close_loops(const Dynamics& dynamics, const Mode& loops, Eigen::VectorXd q,
                            const Eigen::VectorXd& fixed);

}  // namespace bayesid
