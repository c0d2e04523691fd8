// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/dynamics/dynamics.hpp"
#include "bayesid/observation/wrench.hpp"
#include "bayesid/problem/problem.hpp"
#include "bayesid/problem/recording.hpp"
#include "bayesid/problem/sensor.hpp"
#include "bayesid/problem/stage_limits.hpp"
#include "bayesid/problem/timeline.hpp"

namespace bayesid {

struct Steps;
struct StageMemory;
struct EnergySlopes;
struct ForceRows;

/// Where an inertial measurement unit sits, and how well it measures.
struct ImuNoise {
  FramePlacement frame;
  ImuConfig std;
};

/// Standard deviations of everything but the parameters, one for each velocity.
struct Noise {
  Eigen::VectorXd position, velocity;                          // sensors
  Eigen::VectorXd effort;                                      // empty: efforts are exact
  Eigen::VectorXd disturbance_position, disturbance_velocity;  // per step
  Eigen::VectorXd initial_position, initial_velocity;          // of the arrival prior
  std::map<std::string, PoseConfig> poses = {};                // by frame
  std::map<std::string, ImuNoise> imus = {};                   // by name
  std::optional<double> energy = {};                           // J, of a window of stages
  Eigen::VectorXd thrust = {};  // of the command of each rotor; empty: commands are exact
  int energy_window = 1;        // stages
  std::map<std::string, WrenchConfig> wrenches = {};  // by name
};

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
};

/// A channel of a sensor in words.
struct ChannelName {
  std::string sensor;   // as in the configuration: position, effort, imu.<name> …
  std::string channel;  // joint, or axis
  int velocity = -1;    // whose joint it is; −1: of no joint
};

/// A robot and its recordings as an estimation problem. x = (q, v), u = (a, n): n is what the
/// sensors of efforts and of rotor commands missed; in an impact a is the jump of the velocity.
/// With windows of more than one stage, δx and γ end with one number for the balance of energy of
/// the window that is open: docs/math/energy.md (9)-(11).
class RobotProblem final : public Problem {
 public:
  RobotProblem(std::shared_ptr<const Dynamics> dynamics, std::vector<Recording> recordings,
               Noise noise, Integrator integrator, ProblemOptions options = {});

  const Dynamics& dynamics() const { return *dynamics_; }
  const std::vector<Recording>& recordings() const { return recordings_; }
  const Noise& noise() const { return noise_; }
  Integrator integrator() const { return integrator_; }

  const ProblemOptions& options() const { return options_; }
  const Timeline& timeline(int trajectory) const { return trajectories_[trajectory].timeline; }
  /// How many rows the balance of energy has in a trajectory.
  int num_energy_rows(int trajectory) const;

  PathDetails details(const Eigen::VectorXd& theta, int trajectory, const Path& path) const;
  /// Of a row that linearise_rows names.
  ChannelName channel_name(const RowName& row) const;
  Violation violation(const Eigen::VectorXd& theta, int trajectory, const Path& path) const;

  int num_trajectories() const override { return static_cast<int>(recordings_.size()); }
  StageSize size(int trajectory) const override;
  Eigen::VectorXd prior_mean() const override { return dynamics_->parameters().prior(); }
  Eigen::VectorXd prior_std() const override { return dynamics_->parameters().prior_std(); }
  PriorAt prior(const Eigen::VectorXd& theta) const override {
    return dynamics_->parameters().prior_at(theta);
  }
  Point start() const override;
  std::unique_ptr<Workspace> make_workspace() const override;
  std::shared_ptr<const At> at(const Eigen::VectorXd& theta) const override;
  Eigen::VectorXd zeta(const Eigen::VectorXd& theta) const override {
    return dynamics_->zeta(theta);
  }
  Eigen::MatrixXd dzeta_dtheta(const Eigen::VectorXd& theta) const override {
    return dynamics_->dzeta_dtheta(theta);
  }
  Eigen::MatrixXd zeta_curvature(const Eigen::VectorXd& theta,
                                 const Eigen::VectorXd& s) const override {
    return dynamics_->zeta_curvature(theta, s);
  }
  Eigen::VectorXd nearest_equivalent(const Eigen::VectorXd& theta) const override {
    return dynamics_->parameters().nearest_equivalent(theta);
  }
  Eigen::VectorXd natural_step() const override { return dynamics_->parameters().scaling(); }
  Eigen::VectorXd reach(const Eigen::VectorXd& theta) const override {
    return dynamics_->parameters().trust_bound(theta);
  }
  ParameterConstraints constraints(const Eigen::VectorXd& theta) const override;
  std::vector<std::string> constraint_names() const override;
  Eigen::MatrixXd constraint_curvature(const Eigen::VectorXd& theta,
                                       const Eigen::VectorXd& equality_weights,
                                       const Eigen::VectorXd& inequality_weights) const override {
    return dynamics_->parameters().relations().curvature(theta, equality_weights,
                                                         inequality_weights);
  }
  int ncurvature() const override;
  Eigen::MatrixXd stage_curvature(const Eigen::VectorXd& sums) const override;
  ArrivalConstraints arrival(int trajectory, const Path& path) const override;
  int memory_size() const override;
  void linearise(const At& at, int trajectory, int k, const Path& path, Workspace& workspace,
                 Stage& out, double* memory) const override;
  void linearise_rows(const At& at, int trajectory, int k, const Path& path, Workspace& workspace,
                      Stage& out, double* memory, SensorRows& rows) const override;
  void parameter_shift(const At& at, int trajectory, int k, const Path& path,
                       const Eigen::VectorXd& dzeta, Workspace& workspace, const double* memory,
                       Eigen::Ref<Eigen::VectorXd> out,
                       Eigen::Ref<Eigen::VectorXd> rows) const override;
  void move(int trajectory, int k, const Path& path, const Eigen::Ref<const Eigen::MatrixXd>& dx,
            const Eigen::Ref<const Eigen::MatrixXd>& dgamma, double length, Workspace& workspace,
            const double* memory, Path& out) const override;
  std::vector<std::string> cost_parts() const override;
  bool evaluate(const At& at, int trajectory, int k, const Path& path, Workspace& workspace,
                Eigen::Ref<Eigen::VectorXd> parts) const override;
  void restore(const At& at, int trajectory, int k, Workspace& workspace,
               Path& path) const override;
  std::string place(int trajectory, int k) const override;
  int num_held() const override;
  void hold(const At& at, int trajectory, int k, Path& path) const override;
  bool has_inequalities() const override;
  double press(const At& at, int trajectory, int k, Workspace& workspace, bool change,
               Path& path) const override;

 private:
  struct Trajectory {
    Timeline timeline;
    std::vector<Sensor> sensors;
    std::vector<WrenchSensor> wrenches;
    std::shared_ptr<const Schedule> schedule;  // of timed sensors, at the priors of their delays
    Eigen::VectorXd q_mean, v_mean;            // arrival prior
    std::vector<EnergyWindow> windows;         // of each stage
  };
  class Scratch;
  void add_sensor(const std::string& group, std::unique_ptr<Term> term, const Series* series,
                  Trajectory& trajectory) const;
  void add_encoders(const Recording& recording, Trajectory& trajectory) const;
  void add_poses(const Recording& recording, Trajectory& trajectory) const;
  void add_imus(const Recording& recording, Trajectory& trajectory) const;
  void add_wrenches(const Recording& recording, Trajectory& trajectory) const;
  bool delays_move() const;
  const Schedule& schedule(const At& at, int trajectory) const;
  bool noisy_effort() const { return effort_std_.size() > 0; }
  bool is_midpoint() const { return integrator_ == Integrator::midpoint; }
  void place_forces(int trajectory, int k, const Path& path, Scratch& s) const;
  void turn_to_start(const StagePlan& plan, Eigen::Ref<Eigen::MatrixXd> by_q,
                     const Scratch& s) const;
  const StagePlan& plan(int trajectory, int k) const;
  const Mode& mode(int trajectory, int k) const;
  Steps steps(const StagePlan& plan) const;
  bool is_projected(const StagePlan& plan, const Mode& mode) const;
  void read(int trajectory, int k, const Path& path, Scratch& s) const;
  void solve_stage(const DynamicsAt& model, int trajectory, int k, Scratch& s) const;
  void linearise_stage(const DynamicsAt& model, const StagePlan& plan, const Mode& mode,
                       Scratch& s) const;
  void transition_defect(const Steps& steps, const Eigen::Ref<const Eigen::VectorXd>& next,
                         Scratch& s) const;
  void defect_jacobians(Scratch& s) const;
  void noise_basis(const StagePlan& plan, const Mode& mode, Scratch& s) const;
  void noise_factor(const PhysicalParameters& eta, const Steps& steps, Scratch& s) const;
  void effort_columns(const PhysicalParameters& eta, Scratch& s) const;
  void noise_coordinates(const Eigen::VectorXd& d, Scratch& s, Eigen::VectorXd& y) const;
  void multiplier_coordinates(const Eigen::Ref<const Eigen::VectorXd>& gamma, Scratch& s) const;
  void node_cost(int trajectory, int k, Scratch& s, Stage& out) const;
  bool look(const At& at, int trajectory, int k, const Path& path, const Seen& seen, Order order,
            Scratch& s) const;
  void stage_rows(const At& at, int trajectory, int k, const Path& path, Scratch& s,
                  Stage& out) const;
  int energy_sensor() const;  // numbers of RowName::sensor
  int effort_sensor() const;
  void name_node_rows(int trajectory, int k, const Path& path, Scratch& s, SensorRows& rows) const;
  void name_stage_rows(const At& at, int trajectory, int k, const Path& path, Scratch& s,
                       SensorRows& rows) const;
  void weigh_inputs(const DynamicsAt& model, int trajectory, int k, const Stage& stage,
                    const Scratch& s, SensorRows& rows) const;
  int nx() const { return 2 * dynamics_->nv() + (carries_energy() ? 1 : 0); }
  bool carries_energy() const { return noise_.energy && noise_.energy_window > 1; }
  void energy_row(const At& at, int trajectory, int k, const Path& path, Scratch& s,
                  Stage& out) const;
  void carry_energy(int trajectory, int k, Scratch& s, Stage& out, double* memory) const;
  double energy_cost(const At& at, int trajectory, int k, const Path& path, Scratch& s) const;
  bool look_at_energy(const At& at, int trajectory, int k, const Path& path, Order order,
                      Scratch& s) const;
  double energy_gain(const DynamicsAt& model, int trajectory, int k, const Path& path, Order order,
                     Scratch& s) const;
  void add_outflow(const DynamicsAt& model, int trajectory, int k, const Path& path, Scratch& s,
                   double& sum, EnergySlopes* slopes) const;
  double measured_work(const DynamicsAt& model, int trajectory, int k, Scratch& s,
                       EnergySlopes* slopes) const;
  double rotor_work(const DynamicsAt& model, int trajectory, int k, const Path& path, Scratch& s,
                    EnergySlopes* slopes) const;
  bool sees_forces(int trajectory, int k) const;
  void read_forces(const DynamicsAt& model, int trajectory, int k, Scratch& s) const;
  void spread_forces(const DynamicsAt& model, const Steps& steps, Scratch& s) const;
  void see_contact(const ContactRows& contact, const Eigen::Matrix3d& turn, int channel,
                   Scratch& s) const;
  void see_sensors(const DynamicsAt& model, int trajectory, int k, Scratch& s) const;
  void see_limits(int trajectory, int k, Scratch& s) const;
  template <typename Task>
  void for_each_state_limit(const Eigen::Ref<const Eigen::VectorXd>& x, const Task& task) const;
  void add_state_limits(int k, const Path& path, Stage& out) const;
  double state_limit_cost(int k, const Path& path) const;
  void choose_rows(int trajectory, const Eigen::MatrixXd& kappa, int k, double penalty,
                   ForceRows& rows) const;
  double multiplier_cost(const Path& path, int k, const ForceRows& rows) const;
  double force_limit_cost(const Eigen::VectorXd& y, const Path& path, int k,
                          const ForceRows& rows) const;
  double settling_cost(const Eigen::VectorXd& pi, const ForceRows& rows) const;
  void weigh_rows(ForceRows& rows) const;
  void settle_forces(int trajectory, int k, const Path& path, ForceRows& rows) const;
  void weigh_forces(const DynamicsAt& model, int trajectory, int k, const Path& path,
                    Scratch& s) const;
  void force_multiplier(const Eigen::Ref<const Eigen::VectorXd>& gamma, Scratch& s) const;
  void linearise_forces(const DynamicsAt& model, int trajectory, int k, const Path& path,
                        Scratch& s) const;
  void add_force_multiplier(const DynamicsAt& model, int trajectory, int k, const Path& path,
                            Scratch& s) const;
  void likeliest_noise(const Steps& steps, Scratch& s) const;
  double evaluate_forces(const DynamicsAt& model, int trajectory, int k, const Path& path,
                         Scratch& s, Eigen::Ref<Eigen::VectorXd> parts) const;
  void follow_forces(const DynamicsAt& model, int trajectory, int k, const Path& path,
                     Scratch& s) const;
  void force_state_columns(const StagePlan& plan, Scratch& s, Stage& out) const;
  void force_rows(int trajectory, int k, Scratch& s, Stage& out) const;
  int first_wrench_part() const;
  int rows_at() const;    // in the memory of a stage: R_ζ of its rows …
  int inputs_at() const;  // … and the inputs it was linearised at
  int num_row_columns() const { return dynamics_->nzeta() - first_row_column_; }
  void evaluate_rows(const At& at, int trajectory, int k, const Path& path, Scratch& s,
                     Eigen::Ref<Eigen::VectorXd> parts) const;
  void state_columns(const Steps& steps, bool with_noise, Scratch& s, Stage& out) const;
  void parameter_columns(const Steps& steps, bool with_noise, Scratch& s, Stage& out) const;
  void noise_columns(Scratch& s, Stage& out) const;
  bool disturb(const DynamicsAt& model, const Mode& mode, Scratch& s) const;
  void closing_numbers(Scratch& s, Stage& out) const;
  void follow(const DynamicsAt& model, int trajectory, int k, Scratch& s) const;
  void follow_noise(const DynamicsAt& model, Scratch& s) const;
  void answer_to_multiplier(const StageMemory& kept, const Steps& steps,
                            const Eigen::Ref<const Eigen::Matrix<double, 6, 6>>& to_q,
                            const Eigen::Ref<const Eigen::VectorXd>& gamma, Scratch& s) const;
  void effort_noise(const StageMemory& kept, const Steps& steps, Scratch& s) const;
  void spread_velocity_noise(const StageMemory& kept, bool projected, Scratch& s) const;
  void examine(const DynamicsAt& model, int trajectory, int k, const Path& path, Scratch& s) const;
  Eigen::VectorXd projected_disturbance(const Scratch& s) const;
  double position_violation(int trajectory, const Path& path) const;
  double stiffness(const StagePlan& plan, const Mode& mode, Scratch& s) const;

  std::shared_ptr<const Dynamics> dynamics_;
  std::vector<Recording> recordings_;
  Noise noise_;
  Eigen::VectorXd effort_std_;  // of efforts, then rotor commands; empty: all are exact
  Integrator integrator_;
  ProblemOptions options_;
  std::vector<Trajectory> trajectories_;
  int max_rows_ = 0, max_slips_ = 0;  // over all modes
  int max_timed_rows_ = 0;            // of a stage
  int max_force_rows_ = 0;            // of the same
  std::vector<int> sensor_columns_;   // of ζ, for each of the sensors' parameters; −1: fixed
  int first_row_column_ = 0;          // of ζ that rows of stages see: the sensors' stand last
  std::vector<std::vector<int>> own_parameters_;  // of each sensor
  double position_scale_ = 1, velocity_scale_ = 1;
};

}  // namespace bayesid
