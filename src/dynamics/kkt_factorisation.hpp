// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

namespace bayesid {

/// Constrained solve: motion under forces and constraints on the acceleration:
///   M δa − Jᵀλ = −b,  J δa = −c  ⇒  δa = −Z Zᵀ b − J⁺ c docs/math/constraints.md (6)
/// Z spans the motions that J leaves free, with Zᵀ M Z = 1. Dependent rows of J are left out.
class KktFactorisation {
 public:
  KktFactorisation(int nv, int max_rows);

  /// No allocation.
  void factor(const Eigen::MatrixXd& mass, const Eigen::Ref<const Eigen::MatrixXd>& J);

  int rank() const { return rank_; }
  int num_free() const { return static_cast<int>(U_.cols()) - rank_; }
  Eigen::Ref<const Eigen::MatrixXd> Z() const { return U_.rightCols(num_free()); }
  Eigen::Ref<const Eigen::MatrixXd> pseudo_inverse() const {
    return pseudo_inverse_.leftCols(num_rows_);
  }
  /// λ for b and c as above. No allocation.
  void multipliers(const Eigen::VectorXd& b, const Eigen::Ref<const Eigen::VectorXd>& c,
                   Eigen::Ref<Eigen::VectorXd> lambda);
  /// Rows that say nothing new.
  std::vector<int> dependent_rows() const;

 private:
  void reflect();
  int num_rows_ = 0, rank_ = 0;
  Eigen::MatrixXd L_, U_, X_,
      pseudo_inverse_;                // U = L⁻ᵀ Q, and X = Q [R; 0] = L⁻¹ Jᵀ with columns reordered
  Eigen::MatrixXd V_, T_, UV_, UVT_;  // Q = 1 − V T Vᵀ
  Eigen::VectorXd y_;
  std::vector<int> order_;
};

/// The smallest efforts τ with Zᵀ gain τ = y; motions over which motors have hardly any authority
/// are let be.
Eigen::VectorXd motor_efforts(const KktFactorisation& kkt, const Eigen::VectorXd& gain,
                              const Eigen::VectorXd& y);

/// The same with joints and rotors: τ is followed by the commands of rotors with those forces.
Eigen::VectorXd motor_efforts(const KktFactorisation& kkt, const Eigen::VectorXd& gain,
                              const Eigen::MatrixXd& rotor_force, const Eigen::VectorXd& y);

}  // namespace bayesid
