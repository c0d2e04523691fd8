// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "stage/stage_view.hpp"
#include "stage/transition_noise.hpp"

namespace bayesid {

/// What sensors read of forces in one stage, and what inequalities ask of forces and efforts.
/// Numbers y, linear in the noise of efforts, and rows of least squares, linear in y: the first
/// `num_numbers` columns and the first `n` rows count. Memory of one thread; nothing allocates
/// after the constructor.
/// docs/math/observation.md (7)-(12), docs/math/inequalities.md (5)-(7)
class ForceReadings {
 public:
  ForceReadings(const StageSetting& setting, const std::vector<ForceSensor>& sensors);

  /// Whether anything reads forces in a stage.
  static bool any(const StageSetting& setting, const StageView& at);

  /// The numbers at the measured effort, and F₀, from the stage as it was solved or linearised
  /// last; `noise_force` is what the noise of efforts does in there, null: nothing. (7), (8), (14)
  void read(const StageView& at, Order order, const StageMotion& motion, const StageDynamics& stage,
            Kinematics& kinematics, Dynamics::Workspace& workspace,
            const Eigen::VectorXd* noise_force = nullptr);
  /// Adds what the numbers' multipliers make of the balance's own, ξ. docs/math/dynamics.md (4)
  void add_balance_multiplier(Eigen::VectorXd& xi) const;
  /// What forces and efforts are at the likeliest noise, and the rows there. Needs the noise's
  /// factor, and the defect at the measured effort. (9)-(11)
  void whiten_readings(const StageView& at, const Steps& steps, const StageMotion& motion,
                       const StageDynamics& stage, TransitionNoise& noise);
  /// γ of the problem with all noises, from that of the reduced one. (12)
  void find_multiplier(const Eigen::Ref<const Eigen::VectorXd>& gamma, const StageMotion& motion,
                       const TransitionNoise& noise);
  /// The same at inputs that are consistent.
  void find_multiplier_at(const StageView& at, const Steps& steps, const StageMotion& motion,
                          const StageDynamics& stage, TransitionNoise& noise);
  /// The noise of efforts that states and forces tell together, in standard deviations. (11)
  void likeliest_noise(const Steps& steps, const StageMotion& motion, TransitionNoise& noise,
                       Eigen::VectorXd& n) const;
  /// Parts of the sensors and, last, of the inequalities, and what the noise of efforts costs
  /// beyond the transition.
  double cost(const StageView& at, Eigen::Ref<Eigen::VectorXd> parts) const;
  /// Gap of the inequalities, and their next multipliers on request.
  double update_multipliers(bool change, int k, Path& path) const;
  /// Rows of the stage, whitened; its A, D and K are those of the linearisation. (11)
  void add_rows(const StageView& at, const StageMotion& motion, const StageDynamics& stage,
                Stage& out);

  /// Where a number comes from.
  struct Source {
    int sensor = -1, channel = 0;  // of a force sensor; −1: an inequality's
    int row = 0;                   // of its residual
    int limit = 0;                 // of contacts or of efforts
  };
  int num_numbers = 0,
      num_sensed = 0;   // the numbers of sensors stand first, those of contacts next
  int num_contact = 0;  // numbers of contacts' cones, three for each
  std::vector<Source> source;
  Eigen::VectorXd pi;             // y = mean − V₀π
  Eigen::MatrixXd F0, by_effort;  // a force b on the robot adds F₀ᵀ b to y; what stds of efforts do
  Eigen::MatrixXd X;              // L⁻¹ G Λᵀ
  int n = 0;
  Eigen::MatrixXd S;        // rows by y
  Eigen::VectorXd weight;   // of the rows: 1/σ²
  Eigen::VectorXd e, r, p;  // values at the mean; whitened; V⁻¹ e
  Eigen::VectorXd gamma;    // multiplier of the transition, the forces' share included
  Eigen::MatrixXd V;        // lower Cholesky factor of the rows' covariance

 private:
  void read_sensors(const StageView& at, Order order, const StageMotion& motion,
                    const StageDynamics& stage, Kinematics& kinematics,
                    Dynamics::Workspace& workspace);
  void add_link_parts(Order order, const StageDynamics& stage);
  void read_limits(const StageView& at, Order order, const StageMotion& motion,
                   const StageDynamics& stage, Kinematics& kinematics);
  int begin_number(const Source& source);
  using Row = Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>;
  void add_contact_force(const StageDynamics& stage, const Row& by_lambda, int number);
  void propagate_noise(const StageView& at, const Steps& steps, const StageDynamics& stage,
                       const TransitionNoise& noise);
  // Inequalities of forces and efforts: force_limits.cpp.
  void choose_rows(const Eigen::MatrixXd& kappa, int k, double penalty);
  double multiplier_cost(const Path& path, int k) const;
  double limit_cost(const Eigen::VectorXd& y, const Path& path, int k) const;
  double noise_cost(const Eigen::VectorXd& at_pi) const;
  void scale_rows();
  void solve_numbers(const Path& path, int k);
  void state_columns(const StageView& at, const StageMotion& motion, const StageDynamics& stage,
                     Stage& out);

  const StageSetting& setting_;
  std::vector<Residual> residuals_;  // of each sensor
  std::vector<std::vector<int>> own_parameters_;
  Instant instant_;
  Eigen::VectorXd tau_;         // inputs that the sensors read
  Eigen::VectorXd value_;       // y at the measured effort; of sensors less what was measured
  Eigen::VectorXd mean_;        // y given the transition
  Eigen::VectorXd at_, trial_;  // y at the likeliest noise
  Eigen::VectorXd pi_trial_, e_at_;
  Eigen::MatrixXd H_, H_x_;  // Hᵀ by the noise of the transition, and by x'
  Eigen::MatrixXd V0_;       // covariance of y, given the transition
  Eigen::MatrixXd SV0_, F_, MF_, RD_;
  // By the state where forces act: of axes that turn, and of friction.
  Eigen::MatrixXd by_x_, rows_by_q_;
  // Of sensors that read the efforts of links: these, how each number moves with them and with the
  // acceleration, what that adds to F₀, and by ζ.
  bool reads_links_ = false;
  LinkEffort link_;
  Eigen::MatrixXd by_link_, by_a_, F_a_, by_zeta_, work_, rows_by_a_;
  Eigen::RowVectorXd by_lambda_;
};

}  // namespace bayesid
