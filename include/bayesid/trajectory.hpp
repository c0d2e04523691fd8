// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "bayesid/stage.hpp"

namespace bayesid {

/// The parameters θ for the solver: their prior, their constraints, and the base
/// parameters ζ(θ) in which the stages are linear.
class ParameterSpace {
 public:
  class At {  // what depends on θ alone
   public:
    virtual ~At() = default;
  };

  virtual ~ParameterSpace() = default;

  virtual Eigen::VectorXd prior_mean() const = 0;
  virtual Eigen::VectorXd prior_std() const = 0;  // of each parameter
  virtual PriorAt prior(const Eigen::VectorXd& theta) const = 0;
  virtual std::shared_ptr<const At> at(const Eigen::VectorXd& theta) const = 0;

  /// ζ(θ), ∂ζ/∂θ (nζ × nθ), and Σ_i s_i ∂²ζ_i/∂θ².
  virtual Eigen::VectorXd zeta(const Eigen::VectorXd& theta) const = 0;
  virtual Eigen::MatrixXd dzeta_dtheta(const Eigen::VectorXd& theta) const = 0;
  virtual Eigen::MatrixXd zeta_curvature(const Eigen::VectorXd& theta,
                                         const Eigen::VectorXd& s) const = 0;
  /// Second derivatives in ζ that Gauss–Newton drops, multipliers times curvature, from the sums of
  /// Stage::curvature, of which there are ncurvature().
  virtual int ncurvature() const = 0;
  virtual Eigen::MatrixXd stage_curvature(const Eigen::VectorXd& sums) const = 0;

  /// The θ with the same ζ whose prior cost is least.
  virtual Eigen::VectorXd nearest_equivalent(const Eigen::VectorXd& theta) const = 0;
  /// Change of each parameter within which ζ is nearly linear.
  virtual Eigen::VectorXd scaling() const = 0;
  /// Largest change of each parameter in one iteration: finite where the stages are not linear in
  /// ζ.
  virtual Eigen::VectorXd trust_region(const Eigen::VectorXd& theta) const = 0;

  /// Equalities and inequalities, linearised.
  virtual LinearConstraints constraints(const Eigen::VectorXd& theta) const = 0;
  /// In words: equalities, then inequalities.
  virtual std::vector<std::string> constraint_names() const = 0;
  /// Σ_i weight_i ∂²constraint_i/∂θ².
  virtual Eigen::MatrixXd constraint_curvature(const Eigen::VectorXd& theta,
                                               const Eigen::VectorXd& equality_weights,
                                               const Eigen::VectorXd& inequality_weights) const = 0;
};

/// One trajectory of an iterate: columns are states, stage inputs, multipliers of the transitions,
/// and multipliers of the inequalities of a node with its stage, whose penalty is a factor for all.
/// Lagged numbers of each stage are those of the iterate before: they stand still while an
/// iteration searches its step.
struct Path {
  Eigen::MatrixXd x, u, gamma, kappa = {}, lagged = {};
  double penalty = 1;
};

/// One log for the solver: stages that are linear-quadratic around a path, and no robot.
/// Linearisation is at inputs u (accelerations), which need not be consistent yet.
class Trajectory {
 public:
  class At {  // what depends on θ alone
   public:
    virtual ~At() = default;
  };
  class Workspace {  // one for each thread; serves all trajectories of a problem
   public:
    virtual ~Workspace() = default;
  };
  class Records {  // what each stage keeps between `linearise` and later calls
   public:
    virtual ~Records() = default;
    virtual double bytes() const = 0;
  };

  virtual ~Trajectory() = default;

  virtual StageSize size() const = 0;
  /// Names of the parts of the objective, in the order of `evaluate`.
  virtual std::vector<std::string> cost_parts() const = 0;
  virtual std::shared_ptr<const At> at(
      std::shared_ptr<const ParameterSpace::At> parameters) const = 0;
  virtual Path start(const At& at) const = 0;
  virtual std::unique_ptr<Workspace> make_workspace() const = 0;
  virtual std::unique_ptr<Records> make_records() const = 0;

  /// Equalities of the first state, linearised.
  virtual ArrivalConstraints arrival(const Path& path) const = 0;
  /// Stage k, or the last node (k = N), at a path; its record is kept where there are records, and
  /// `rows` gets the rows of its sensors. No allocation without these.
  virtual void linearise(const At& at, int k, const Path& path, Workspace& workspace, Stage& out,
                         Records* records, SensorRows* rows = nullptr) const = 0;
  /// D K δζ of stage k, and R_ζ δζ of its rows. No allocation.
  virtual void parameter_shift(const At& at, int k, const Path& path, const Eigen::VectorXd& dzeta,
                               Workspace& workspace, const Records& records,
                               Eigen::Ref<Eigen::VectorXd> out,
                               Eigen::Ref<Eigen::VectorXd> rows) const = 0;
  /// Node k and transition k of `out` = path moved by `length` times the step. No allocation.
  virtual void move(const At& at, int k, const Path& path,
                    const Eigen::Ref<const Eigen::MatrixXd>& dx,
                    const Eigen::Ref<const Eigen::MatrixXd>& dgamma, double length,
                    Workspace& workspace, const Records& records, Path& out) const = 0;
  /// Parts of Φ at node k and transition k and, as one number more, how far the transition is from
  /// what noise can close; false when a number is not finite. No allocation.
  virtual bool evaluate(const At& at, int k, const Path& path, Workspace& workspace,
                        Eigen::Ref<Eigen::VectorXd> parts) const = 0;
  /// Makes inputs and multipliers of transition k consistent with the states: u and γ for which it
  /// holds exactly.
  virtual void restore(const At& at, int k, Workspace& workspace, Path& path) const = 0;

  /// How many numbers of each stage are lagged; takes them anew from states and inputs of stage k.
  virtual int num_lagged() const { return 0; }
  virtual void lag(const At& /*at*/, int /*k*/, Path& /*path*/) const {}

  /// Whether states or stages have inequalities. They are part of Φ as an augmented Lagrangian, of
  /// the multipliers κ of the path.                               docs/math/inequalities.md
  virtual bool has_inequalities() const { return false; }
  /// Largest violation of the inequalities of node k and its stage, or of their complementarity, in
  /// their units. Updates the multipliers when they shall change.
  virtual double update_multipliers(const At& /*at*/, int /*k*/, Workspace& /*workspace*/,
                                    bool /*change*/, Path& /*path*/) const {
    return 0;
  }
  /// Where stage k is, in words for people: log and time.
  virtual std::string location(int k) const = 0;
};

/// What is estimated: θ and every trajectory.
struct Point {
  Eigen::VectorXd theta;
  std::vector<Path> paths;
};

/// What depends on θ alone, of the parameters and of each trajectory.
struct ProblemAt {
  std::shared_ptr<const ParameterSpace::At> parameters;
  std::vector<std::shared_ptr<const Trajectory::At>> trajectories;
};

/// An estimation problem for the solver: parameters, and trajectories that share them.
///
/// With the noise of each transition eliminated, the objective is a function Φ of states and θ
/// alone:     (docs/math/problem.md)
///   Φ = ½|θ − θ̄|² + Σ node costs(x_k) + Σ ½|x_{k+1} ⊖ f(x_k; θ)|²_{W_k⁻¹}
/// It is the value of the constrained problem at the noise that closes every transition, and the
/// merit function of the line search.
class Problem {
 public:
  Problem(std::shared_ptr<const ParameterSpace> parameters,
          std::vector<std::shared_ptr<const Trajectory>> trajectories);

  const ParameterSpace& space() const { return *space_; }
  int num_trajectories() const { return static_cast<int>(trajectories_.size()); }
  const Trajectory& trajectory(int t) const { return *trajectories_[t]; }
  const std::vector<std::shared_ptr<const Trajectory>>& trajectories() const {
    return trajectories_;
  }
  /// Those of every trajectory.
  std::vector<std::string> cost_parts() const;
  bool has_inequalities() const;

  Point start() const;
  std::shared_ptr<const ProblemAt> at(const Eigen::VectorXd& theta) const;

 private:
  std::shared_ptr<const ParameterSpace> space_;
  std::vector<std::shared_ptr<const Trajectory>> trajectories_;
};

}  // namespace bayesid
