// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem.hpp"
#include "bayesid/trajectory.hpp"
#include "problem/energy_balance.hpp"
#include "problem/robot_space.hpp"
#include "problem/sensor_track.hpp"
#include "stage/timed_rows.hpp"
#include "stage/transition.hpp"

namespace bayesid {

/// What one recording brings to its trajectory, beside the setting of all.
struct RobotLog {
  const Recording* recording;
  Timeline timeline;
  std::vector<SensorTrack> tracks;              // with samples of the states, or within stages
  std::vector<SensorTrack> of_forces;           // at starts of stages
  std::vector<EnergyWindow> windows;            // of each stage; empty: energy is not balanced
  const Eigen::MatrixXd* standstill = nullptr;  // Noise::standstill; null: nothing
  Eigen::VectorXd q_mean, v_mean;               // arrival prior
  bool on_constraints = true;                   // at the first sample
};

/// One recording of a robot as the solver sees it: its timeline, its sensors and the integrator,
/// put together. All trajectories of a problem have the same sensors, those that saw nothing too.
class RobotTrajectory final : public Trajectory {
 public:
  struct RobotAt final : At {
    std::shared_ptr<const DynamicsAt> dynamics;
    std::shared_ptr<const Schedule> schedule;
  };
  class Scratch;

  /// The recordings outlive what is made of them.
  RobotTrajectory(std::shared_ptr<const StageSetting> setting,
                  std::shared_ptr<const std::vector<Recording>> recordings, RobotLog log);

  StageSize size() const override;
  std::vector<std::string> cost_parts() const override;
  std::shared_ptr<const At> at(std::shared_ptr<const ParameterSpace::At> parameters) const override;
  Path start(const At& at) const override;
  std::unique_ptr<Workspace> make_workspace() const override;
  std::unique_ptr<Records> make_records() const override;
  ArrivalConstraints arrival(const Path& path) const override;
  void linearise(const At& at, int k, const Path& path, Workspace& workspace, Stage& out,
                 Records* records, SensorRows* rows) const override;
  void parameter_shift(const At& at, int k, const Path& path, const Eigen::VectorXd& dzeta,
                       Workspace& workspace, const Records& records,
                       Eigen::Ref<Eigen::VectorXd> out,
                       Eigen::Ref<Eigen::VectorXd> rows) const override;
  void move(const At& at, int k, const Path& path, const Eigen::Ref<const Eigen::MatrixXd>& dx,
            const Eigen::Ref<const Eigen::MatrixXd>& dgamma, double length, Workspace& workspace,
            const Records& records, Path& out) const override;
  bool evaluate(const At& at, int k, const Path& path, Workspace& workspace,
                Eigen::Ref<Eigen::VectorXd> parts) const override;
  void restore(const At& at, int k, Workspace& workspace, Path& path) const override;
  int num_lagged() const override { return bayesid::num_lagged(*setting_); }
  void lag(const At& at, int k, Path& path) const override;
  bool has_inequalities() const override { return setting_->has_inequalities(); }
  double update_multipliers(const At& at, int k, Workspace& workspace, bool change,
                            Path& path) const override;
  std::string location(int k) const override;

  const Recording& recording() const { return *log_.recording; }
  const Timeline& timeline() const { return log_.timeline; }
  const RobotLog& log() const { return log_; }
  PathDetails details(const At& at, const Path& path) const;
  ChannelName channel_name(const RowName& row) const;

 private:
  const StagePlan& plan(int k) const { return log_.timeline.stages[k]; }
  const Mode& mode(int k) const { return log_.timeline.modes[plan(k).mode]; }
  EnergyLog energy_log() const { return {*log_.recording, log_.timeline, log_.windows}; }
  /// Stage k at a path; its measured inputs are in the workspace.
  StageView view(const At& at, int k, const Path& path, Scratch& s) const;
  StageView view_without_inputs(const At& at, int k, const Path& path, Scratch& s) const;

  void read_node(int k, const Path& path, Scratch& s) const;
  // Costs and rows of sensors: sensor_rows.cpp.
  void add_node_cost(int k, const Path& path, Scratch& s, Stage& out) const;
  void add_arrival_cost(Scratch& s, Stage& out) const;
  bool evaluate_sample(const RobotAt& at, const TimedSample& sample, int k, const Path& path,
                       Order order, Scratch& s) const;
  void add_timed_rows(const RobotAt& at, int k, const Path& path, Scratch& s, Stage& out) const;
  void add_node_parts(int k, const Path& path, Scratch& s, Eigen::Ref<Eigen::VectorXd> parts) const;
  void add_timed_costs(const RobotAt& at, int k, const Path& path, Scratch& s,
                       Eigen::Ref<Eigen::VectorXd> parts) const;
  int energy_sensor() const { return static_cast<int>(log_.tracks.size()); }  // of RowName::sensor
  int effort_sensor() const {
    return energy_sensor() + 1 + static_cast<int>(log_.of_forces.size());
  }
  void name_node_rows(int k, const Path& path, Scratch& s, SensorRows& rows) const;
  void name_stage_rows(const RobotAt& at, int k, const Path& path, Scratch& s,
                       SensorRows& rows) const;
  void name_inputs(const DynamicsAt& model, int k, const Stage& stage, const Transition& s,
                   SensorRows& rows) const;
  // Path in words: path_details.cpp.
  void raise(int k, Scratch& s, Violation& out) const;
  double position_violation(const Path& path) const;

  std::shared_ptr<const StageSetting> setting_;
  std::shared_ptr<const std::vector<Recording>> recordings_;
  RobotLog log_;
  std::vector<ForceSensor> force_sensors_;
  std::vector<std::vector<int>> own_parameters_;  // of each track
  std::shared_ptr<const Schedule> schedule_;      // at the priors of the delays
  bool delays_move_ = false;
};

/// Memory of one thread, for all trajectories of a setting.
class RobotTrajectory::Scratch final : public Trajectory::Workspace {
 public:
  Scratch(const StageSetting& setting, const RobotLog& log,
          const std::vector<ForceSensor>& force_sensors);

  Transition transition;
  EnergyBalance energy;
  Instant node;
  std::vector<Residual> residuals;  // one for each track
  TimedRows timed;
  StageRecord spare;  // where nothing is kept
  Eigen::VectorXd dq, position_weight, velocity_weight, effort_std;
  Matrix6 base_q, base_u;
};

}  // namespace bayesid
