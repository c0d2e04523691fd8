// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "bayesid/math/sensor_rows.hpp"
#include "bayesid/math/stage.hpp"
#include "bayesid/parameter_space.hpp"

namespace bayesid {

/// One trajectory of an iterate: columns are states, stage inputs, multipliers of the transitions,
/// and multipliers of the inequalities of a node with its stage, whose penalty is a factor for all.
/// Lagged numbers of each stage are those of the iterate before: they stand still while an
/// iteration searches its step.
struct Path {
  Eigen::MatrixXd x, u, gamma, kappa = {}, lagged = {};
  double penalty = 1;
};

/// One log as the solver sees it: stages that are linear-quadratic around a path, and no robot.
/// Linearisation happens at lifted inputs u (accelerations), which need not be consistent yet.
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
  class Records {  // what each stage keeps between `linearise` and the calls that want it
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
  /// `rows` tells what its sensors say row by row. No allocation without these.
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

}  // namespace bayesid
