// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "bayesid/math/stage.hpp"

namespace bayesid {

/// The parameters θ as the solver sees them: their prior, their constraints, and the stage
/// coordinates ζ(θ) in which the stages are linear.
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
  virtual ParameterConstraints constraints(const Eigen::VectorXd& theta) const = 0;
  /// In words: equalities, then inequalities.
  virtual std::vector<std::string> constraint_names() const = 0;
  /// Σ_i weight_i ∂²constraint_i/∂θ².
  virtual Eigen::MatrixXd constraint_curvature(const Eigen::VectorXd& theta,
                                               const Eigen::VectorXd& equality_weights,
                                               const Eigen::VectorXd& inequality_weights) const = 0;
};

}  // namespace bayesid
