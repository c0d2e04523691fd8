// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/dynamics/dynamics.hpp"
#include "bayesid/observation/term.hpp"
#include "bayesid/problem/problem.hpp"
#include "bayesid/problem/recording.hpp"

namespace bayesid {

/// Standard deviations of everything but the parameters, one for each velocity.
struct Noise {
  Eigen::VectorXd position, velocity;                          // sensors
  Eigen::VectorXd effort;                                      // empty: efforts are exact
  Eigen::VectorXd disturbance_position, disturbance_velocity;  // per step
  Eigen::VectorXd initial_position, initial_velocity;          // of the arrival prior
  std::map<std::string, PoseConfig> poses = {};                // by frame
};

/// Noise from the configuration; the default of the effort is 1 % of its root mean square in the
/// recordings.
Noise make_noise(const Robot& robot, const Config& config,
                 const std::vector<Recording>& recordings);

/// A robot and its recordings as an estimation problem. x = (q, v), u = (a, n): n is what the
/// effort sensor missed.
class RobotProblem final : public Problem {
 public:
  RobotProblem(std::shared_ptr<const Dynamics> dynamics, std::vector<Recording> recordings,
               Noise noise, Integrator integrator, std::map<std::string, double> initial_mean = {});

  const Dynamics& dynamics() const { return *dynamics_; }
  const std::vector<Recording>& recordings() const { return recordings_; }
  const Noise& noise() const { return noise_; }
  Integrator integrator() const { return integrator_; }

  /// Noise implied by the multipliers of transition k: disturbance w and what the effort sensor
  /// missed is in u.
  Eigen::VectorXd disturbance(int trajectory, int k, const Path& path) const;
  /// Largest violation of a path: of the transitions, and of the balance of forces.
  std::pair<double, double> violation(const Eigen::VectorXd& theta, int trajectory,
                                      const Path& path) const;

  int num_trajectories() const override { return static_cast<int>(recordings_.size()); }
  StageSize size(int trajectory) const override;
  Eigen::VectorXd prior_mean() const override { return dynamics_->parameters().prior(); }
  Eigen::VectorXd prior_std() const override { return dynamics_->parameters().prior_std(); }
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
  Eigen::VectorXd natural_step() const override { return dynamics_->parameters().natural_step(); }
  Eigen::VectorXd reach(const Eigen::VectorXd& theta) const override {
    return dynamics_->parameters().reach(theta);
  }
  ParameterConstraints constraints(const Eigen::VectorXd& theta) const override;
  int ncurvature() const override;
  Eigen::MatrixXd stage_curvature(const Eigen::VectorXd& sums) const override;
  int memory_size() const override;
  void linearise(const At& at, int trajectory, int k, const Path& path, Workspace& workspace,
                 Stage& out, double* memory) const override;
  void parameter_shift(const At& at, int trajectory, int k, const Path& path,
                       const Eigen::VectorXd& dzeta, Workspace& workspace, const double* memory,
                       Eigen::Ref<Eigen::VectorXd> out) const override;
  void move(int trajectory, int k, const Path& path, const Eigen::Ref<const Eigen::MatrixXd>& dx,
            const Eigen::Ref<const Eigen::MatrixXd>& dgamma, double length, Workspace& workspace,
            const double* memory, Path& out) const override;
  std::vector<std::string> cost_parts() const override;
  bool evaluate(const At& at, int trajectory, int k, const Path& path, Workspace& workspace,
                Eigen::Ref<Eigen::VectorXd> parts) const override;
  void restore(const At& at, int trajectory, int k, Workspace& workspace,
               Path& path) const override;
  std::string place(int trajectory, int k) const override;

 private:
  struct Trajectory {
    std::vector<std::unique_ptr<Term>> terms;
    Eigen::VectorXd q_mean, v_mean;  // arrival prior
  };
  class Scratch;
  void add_poses(const Recording& recording, Trajectory& trajectory) const;
  bool noisy_effort() const { return noise_.effort.size() > 0; }
  double time_step(int trajectory, int k) const;
  double position_gain(double dt) const;  // ∂q'/∂a of the integrator
  void read(int trajectory, int k, const Path& path, Scratch& s) const;
  void transition_defect(double dt, const Eigen::Ref<const Eigen::VectorXd>& next,
                         Scratch& s) const;
  void noise_factor(const PhysicalParameters& eta, double dt, Scratch& s,
                    Eigen::MatrixXd& factor) const;
  void node_cost(int trajectory, int k, Scratch& s, Stage& out) const;
  void effort_noise(const Eigen::VectorXd& gain, double dt,
                    const Eigen::Ref<const Eigen::VectorXd>& gamma,
                    const Eigen::MatrixXd& mass_inverse, Eigen::Ref<Eigen::VectorXd> out) const;

  std::shared_ptr<const Dynamics> dynamics_;
  std::vector<Recording> recordings_;
  Noise noise_;
  Integrator integrator_;
  std::vector<Trajectory> trajectories_;
};

}  // namespace bayesid
