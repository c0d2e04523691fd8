// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/dynamics/dynamics.hpp"
#include "bayesid/noise.hpp"
#include "bayesid/problem/problem.hpp"
#include "bayesid/problem/recording.hpp"
#include "bayesid/problem/timeline.hpp"
#include "bayesid/stage_limits.hpp"

namespace bayesid {

class RobotTrajectory;
struct StageSetting;

/// Noise from the configuration; the default of efforts and rotor commands is 1 % of their root
/// mean square in the recordings.
Noise make_noise(const Robot& robot, const Config& config,
                 const std::vector<Recording>& recordings);

/// What holds the robot, and how the problem is written.
struct ProblemOptions {
  MotionConstraints constraints;
  Projection projection = Projection::kinematic;
  Formulation formulation = Formulation::inverse;
  bool on_constraints = true;                  // at the first sample
  std::map<std::string, double> initial_mean;  // q.<joint>, v.<joint>: replaces the first sample
  StageLimits limits = {};
};

/// Largest violations of a path.
struct Violation {
  double gap = 0;         // of the transitions
  double dynamics = 0;    // of the balance of forces, N·m or N
  double constraint = 0;  // of loops and contacts, in the acceleration
  double position = 0;    // of the same, m or rad; contacts count from where they closed
};

/// What a path implies, a column for each stage.
struct PathDetails {
  Eigen::MatrixXd disturbance;  // 2 nv rows, projected; as the multipliers tell it
  Eigen::MatrixXd force;        // of the constraints (impulses in an impact), rows of the mode
  Eigen::MatrixXd slip;         // impulses along the rows that slip
  Violation violation;
};

/// A channel of a sensor in words.
struct ChannelName {
  std::string sensor;   // as in the configuration: position, effort, imu.<name> …
  std::string channel;  // joint, or axis
  int velocity = -1;    // whose joint it is; −1: of no joint
};

/// A robot and its recordings as an estimation problem: a trajectory for each recording. x = (q,
/// v), u = (a, n): n is what the sensors of efforts and of rotor commands missed; in an impact a is
/// the jump of the velocity. With windows of more than one stage, δx and γ end with one number for
/// the balance of energy of the window that is open: docs/math/energy.md (9)-(11).
class RobotProblem : public Problem {
 public:
  RobotProblem(std::shared_ptr<const Dynamics> dynamics, std::vector<Recording> recordings,
               const Noise& noise, Integrator integrator, const ProblemOptions& options = {});

  const Dynamics& dynamics() const { return *dynamics_; }
  const std::vector<Recording>& recordings() const { return *recordings_; }
  const Noise& noise() const;
  Integrator integrator() const { return integrator_; }
  const ProblemOptions& options() const { return options_; }
  const Timeline& timeline(int trajectory) const;

  /// How many rows the balance of energy has in a trajectory.
  int num_energy_rows(int trajectory) const;
  PathDetails details(const Eigen::VectorXd& theta, int trajectory, const Path& path) const;
  /// Of a row that Trajectory::linearise names.
  ChannelName channel_name(const RowName& row) const;

 private:
  struct Parts;
  RobotProblem(Parts parts, Integrator integrator, ProblemOptions options);
  static Parts make_parts(std::shared_ptr<const Dynamics> dynamics,
                          std::vector<Recording> recordings, const Noise& noise,
                          Integrator integrator, const ProblemOptions& options);
  const RobotTrajectory& robot_trajectory(int t) const;

  std::shared_ptr<const Dynamics> dynamics_;
  std::shared_ptr<const std::vector<Recording>> recordings_;
  std::shared_ptr<const StageSetting> setting_;
  Integrator integrator_;
  ProblemOptions options_;
};

}  // namespace bayesid
