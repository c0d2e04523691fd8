// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "bayesid/math/sensor_rows.hpp"
#include "bayesid/math/stage.hpp"

namespace bayesid {

/// One trajectory of an iterate: columns are states, stage inputs, multipliers of the transitions,
/// and multipliers of the inequalities of a node with its stage, whose penalty is a factor for all.
/// What is held, numbers of each stage, stands still while an iteration searches its step.
struct Path {
  Eigen::MatrixXd x, u, gamma, kappa = {}, held = {};
  double penalty = 1;
};

/// What is estimated: θ and every trajectory.
struct Point {
  Eigen::VectorXd theta;
  std::vector<Path> paths;
};

/// An estimation problem as the solver sees it: matrices, and no robot.
///
/// With the noise of each transition eliminated, the objective is a function Φ of states and θ
/// alone:     (docs/math/problem.md)
///   Φ = ½|θ − θ̄|² + Σ node costs(x_k) + Σ ½|x_{k+1} ⊖ f(x_k; θ)|²_{W_k⁻¹}
/// It is the value of the constrained problem at the noise that closes every transition, and the
/// merit function of the line search. Linearisation happens at lifted inputs u (accelerations),
/// which need not be consistent yet.
class Problem {
 public:
  class At {  // what depends on θ alone
   public:
    virtual ~At() = default;
  };
  class Workspace {  // one for each thread
   public:
    virtual ~Workspace() = default;
  };

  virtual ~Problem() = default;

  virtual int num_trajectories() const = 0;
  virtual StageSize size(int trajectory) const = 0;
  virtual Eigen::VectorXd prior_mean() const = 0;
  virtual Eigen::VectorXd prior_std() const = 0;  // of each parameter
  virtual PriorAt prior(const Eigen::VectorXd& theta) const = 0;
  virtual Point start() const = 0;

  virtual std::unique_ptr<Workspace> make_workspace() const = 0;
  virtual std::shared_ptr<const At> at(const Eigen::VectorXd& theta) const = 0;

  /// Stage coordinates ζ(θ), ∂ζ/∂θ (nζ × nθ), and Σ_i s_i ∂²ζ_i/∂θ².
  virtual Eigen::VectorXd zeta(const Eigen::VectorXd& theta) const = 0;
  virtual Eigen::MatrixXd dzeta_dtheta(const Eigen::VectorXd& theta) const = 0;
  virtual Eigen::MatrixXd zeta_curvature(const Eigen::VectorXd& theta,
                                         const Eigen::VectorXd& s) const = 0;
  /// The θ with the same ζ whose prior cost is least, and the change of each parameter within which
  /// ζ is nearly linear.
  virtual Eigen::VectorXd nearest_equivalent(const Eigen::VectorXd& theta) const = 0;
  virtual Eigen::VectorXd natural_step() const = 0;
  /// Largest change of each parameter in one iteration: finite where the stages are not linear in
  /// ζ.
  virtual Eigen::VectorXd reach(const Eigen::VectorXd& theta) const = 0;
  /// Parameter equalities and inequalities, linearised.
  virtual ParameterConstraints constraints(const Eigen::VectorXd& theta) const = 0;
  /// In words: equalities, then inequalities.
  virtual std::vector<std::string> constraint_names() const = 0;
  /// Σ_i weight_i ∂²constraint_i/∂θ².
  virtual Eigen::MatrixXd constraint_curvature(const Eigen::VectorXd& theta,
                                               const Eigen::VectorXd& equality_weights,
                                               const Eigen::VectorXd& inequality_weights) const = 0;
  /// Second derivatives in ζ that Gauss–Newton drops, multipliers times curvature, from the sums of
  /// Stage::curvature.
  virtual int ncurvature() const = 0;
  virtual Eigen::MatrixXd stage_curvature(const Eigen::VectorXd& sums) const = 0;

  /// Equalities of the first state, linearised.
  virtual ArrivalConstraints arrival(int trajectory, const Path& path) const = 0;

  /// Numbers kept for each stage between linearise and the calls below it.
  virtual int memory_size() const = 0;

  /// Stage k, or the last node (k = N), at a path. No allocation.
  virtual void linearise(const At& at, int trajectory, int k, const Path& path,
                         Workspace& workspace, Stage& out, double* memory) const = 0;
  /// The same, and what its sensors say row by row.
  virtual void linearise_rows(const At& at, int trajectory, int k, const Path& path,
                              Workspace& workspace, Stage& out, double* memory,
                              SensorRows& rows) const {
    linearise(at, trajectory, k, path, workspace, out, memory);
    rows.clear();
  }
  /// D K δζ of stage k, and R_ζ δζ of its rows. No allocation.
  virtual void parameter_shift(const At& at, int trajectory, int k, const Path& path,
                               const Eigen::VectorXd& dzeta, Workspace& workspace,
                               const double* memory, Eigen::Ref<Eigen::VectorXd> out,
                               Eigen::Ref<Eigen::VectorXd> rows) const = 0;
  /// Node k and transition k of `out` = path moved by `length` times the step. No allocation.
  virtual void move(int trajectory, int k, const Path& path,
                    const Eigen::Ref<const Eigen::MatrixXd>& dx,
                    const Eigen::Ref<const Eigen::MatrixXd>& dgamma, double length,
                    Workspace& workspace, const double* memory, Path& out) const = 0;
  /// Names of the parts of the objective, in the order of `evaluate`.
  virtual std::vector<std::string> cost_parts() const = 0;
  /// Parts of Φ at node k and transition k and, as one number more, how far the transition is from
  /// what noise can make up for; false when a number is not finite. No allocation.
  virtual bool evaluate(const At& at, int trajectory, int k, const Path& path, Workspace& workspace,
                        Eigen::Ref<Eigen::VectorXd> parts) const = 0;
  /// Makes inputs and multipliers of transition k consistent with the states: u and γ for which it
  /// holds exactly.
  virtual void restore(const At& at, int trajectory, int k, Workspace& workspace,
                       Path& path) const = 0;
  /// How many numbers of each stage are held.
  virtual int num_held() const { return 0; }
  /// Takes them anew from states and inputs of stage k.
  virtual void hold(const At& /*at*/, int /*trajectory*/, int /*k*/, Path& /*path*/) const {}
  /// Whether states or stages have inequalities. They are part of Φ as an augmented Lagrangian, of
  /// the multipliers κ of the path.                               docs/math/inequalities.md
  virtual bool has_inequalities() const { return false; }
  /// Largest violation of the inequalities of node k and its stage, or of their complementarity, in
  /// their units. Sets the next multipliers when they shall change.
  virtual double press(const At& /*at*/, int /*trajectory*/, int /*k*/, Workspace& /*workspace*/,
                       bool /*change*/, Path& /*path*/) const {
    return 0;
  }
  /// Where stage k is, in words for people: log and time.
  virtual std::string place(int trajectory, int k) const = 0;
};

}  // namespace bayesid
