// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/constraint.hpp"
#include "bayesid/dynamics.hpp"
#include "bayesid/log.hpp"
#include "bayesid/robot.hpp"
#include "bayesid/sensor.hpp"
#include "bayesid/stage.hpp"
#include "bayesid/trajectory.hpp"

namespace bayesid {

/// Samples of a sensor at times of its own, a column for each.
struct Series {
  Eigen::VectorXd time;  // s, as stamped
  Eigen::MatrixXd values;
};

/// A segment of a log without gaps, joint by joint in the order of the robot's velocities. Nothing
/// measures the six rows of a floating base: NaN, and an effort of 0.
struct Recording {
  std::string file;
  Eigen::VectorXd time;         // s, one for each sample
  Eigen::MatrixXd position;     // nv × samples; NaN where not measured
  Eigen::MatrixXd velocity;     // the same
  Eigen::MatrixXd effort;       // known at every sample (zero-order hold); 0 on passive joints
  Eigen::MatrixXd thrust = {};  // command of each rotor, rotors × samples, known like efforts
  // z of each presliding drive, drives × samples; empty: the problem finds it from the positions.
  Eigen::MatrixXd presliding = {};
  // Derivatives of efforts, nv × samples; empty: the problem finds them where it needs them.
  Eigen::MatrixXd effort_rate = {};
  // By frame: px, py, pz, qx, qy, qz, qw in the world, 7 × samples; NaN where not measured.
  std::map<std::string, Eigen::MatrixXd> poses;
  // By group: position, velocity, pose.<frame>, imu.<name>, wrench.<name>. What stands here is
  // fitted; the matrices above then only give the initial guess of the motion.
  std::map<std::string, Series> series;

  std::vector<PhaseConfig> phases;  // closed contacts
  std::vector<ImpactConfig> impacts;

  int num_samples() const { return static_cast<int>(time.size()); }
};

/// A log on the samples of the estimation, and the groups of channels that have times of their own.
struct GriddedLog {
  Log log;
  std::map<std::string, Series> series;
};

/// The samples of the estimation: `rate` (Hz) when given, else those of the fastest group of
/// channels. Throws InputError naming the log.
GriddedLog place_on_grid(const Robot& robot, const Log& log, const Config& config,
                         std::optional<double> rate, std::vector<std::string>& warnings);

/// Cuts a log into recordings and checks that it belongs to this robot: joint names, units, gaps.
/// Throws InputError naming the log, its line or time, and the joint; what was repaired is added to
/// `warnings`.
std::vector<Recording> make_recordings(const Robot& robot, const GriddedLog& log,
                                       const Config& config, std::vector<std::string>& warnings);
std::vector<Recording> make_recordings(const Robot& robot, const Log& log, const Config& config,
                                       std::vector<std::string>& warnings);

/// Poses of a series at the nearest of the given times, NaN at the others: 7 × times.
Eigen::MatrixXd nearest_samples(const Series& series, const Eigen::VectorXd& time);

/// Motion at every sample. The first six positions of a floating base are those of
/// make_configuration.
struct MotionGuess {
  Eigen::MatrixXd position, velocity, acceleration;  // nv × samples
  Eigen::MatrixXd base = {};  // pose of a floating base, 7 × samples; empty when it is fixed
};

/// A first guess: measured positions with holes filled, velocities (measured, else differences) and
/// differences of those; the last acceleration repeats. A floating base follows the pose sensor on
/// it, and rests at the origin when there is none.
MotionGuess guess_motion(const Robot& robot, const Recording& recording);

/// Configuration at sample k.
Eigen::VectorXd configuration_at(const Robot& robot, const MotionGuess& motion, int k);

/// A node: a state, at a sample or between two.
struct NodePlan {
  double time = 0;
  int sample = -1;  // that is observed here; −1: none
};

/// The stages of one recording. Contacts that close do so with an impact; without one in the
/// configuration, nothing bounces.
struct Timeline {
  std::vector<StagePlan> stages;
  std::vector<NodePlan> nodes;  // one more than stages
  std::vector<Mode> modes;
  int max_rows() const;
  int max_slips() const;
  /// A free robot: a stage between any two samples.
  static Timeline of(const Recording& recording);
};

/// Windows of `size` stages, one behind the other; an impact breaks a window off, and what is left
/// at the end of a recording is in none.
std::vector<EnergyWindow> make_energy_windows(const Timeline& timeline, int size);

/// Throws InputError naming the log and the time: impacts outside of it, contacts that are closed
/// twice.
Timeline make_timeline(const Recording& recording, const MotionConstraints& constraints);

class RobotTrajectory;
struct StageSetting;

/// Noise from the configuration. What it leaves open is guessed: sensors of motion from what their
/// samples show by themselves, efforts and rotor commands 1 % of their root mean square.
Noise make_noise(const Robot& robot, const Config& config,
                 const std::vector<Recording>& recordings);

/// Constraints of the robot, and the formulation of the problem.
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
  Eigen::MatrixXd disturbance;  // 2 nv rows, projected; from the multipliers
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
/// v), u = (a, n): n is the noise of the sensors of efforts and of rotor commands; in an impact a
/// is the jump of the velocity. With windows of more than one stage, δx and γ end with one number
/// for the balance of energy of the window that is open: docs/math/energy.md (9)-(11).
class RobotProblem : public Problem {
 public:
  RobotProblem(std::shared_ptr<const Dynamics> dynamics, std::vector<Recording> recordings,
               const Noise& noise, Integrator integrator, const ProblemOptions& options = {});

  const Dynamics& dynamics() const { return *dynamics_; }
  const std::vector<Recording>& recordings() const { return *recordings_; }
  const Noise& noise() const;
  /// The same robot, recordings and constraints under other standard deviations.
  RobotProblem with_noise(const Noise& noise) const;
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
                          std::shared_ptr<const std::vector<Recording>> recordings,
                          const Noise& noise, Integrator integrator, const ProblemOptions& options);
  const RobotTrajectory& robot_trajectory(int t) const;

  std::shared_ptr<const Dynamics> dynamics_;
  std::shared_ptr<const std::vector<Recording>> recordings_;
  std::shared_ptr<const StageSetting> setting_;
  Integrator integrator_;
  ProblemOptions options_;
};

/// What was read of one log.
struct LogUse {
  std::string file;
  std::string model;  // SHA-256 of the description it was recorded with, as far as is known
  int samples = 0, dropped = 0, segments = 0;
  std::vector<std::string> warnings;
  LogFacts facts;  // as recorded
};

/// A problem, and what was said and left out while it was read.
struct LoadedProblem {
  std::shared_ptr<const RobotProblem> problem;
  std::vector<LogUse> logs;
  std::vector<std::string> warnings;  // of robot and parameters; each log has its own

  /// All of them, in the order of reading.
  std::vector<std::string> all_warnings() const;
  int num_samples() const;
};

/// Reads the robot and the logs of a configuration. Throws InputError.
LoadedProblem make_problem(const Config& config);

/// Throws InputError when there are fewer samples than unknown parameters.
void check_enough_samples(const LoadedProblem& loaded, const Config& config);

}  // namespace bayesid
