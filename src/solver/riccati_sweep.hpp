// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "bayesid/stage.hpp"

namespace bayesid {

/// Parametrised Riccati recursion over one trajectory, in two passes:
/// the first runs backward over the stages and leaves a quadratic function of (δx₀, δζ);
/// the second, once δζ is known, gives the step of every state and multiplier without any stored
/// θ-gain. All storage is made by the constructor; no call allocates. docs/math/riccati.md (2)-(12)
class RiccatiSweep {
 public:
  RiccatiSweep(const StageSize& size, int ncurvature);

  /// From now on the first pass keeps G of every node that `gain_spacing` divides.
  static constexpr int gain_spacing = 64;
  void keep_gains();
  /// Of such a node.
  const Eigen::MatrixXd& kept_gain(int k) const { return gains_[k / gain_spacing]; }

  // First pass: begin with the last node, then stages N−1 … 0, then finish.
  void begin(const Stage& last_node);
  void step(int k, const Stage& stage);
  void finish();
  /// Eliminates the first state, which has to obey `constraints`; after finish().
  void eliminate_arrival(const ArrivalConstraints& constraints);

  // Quadratic left by the first pass: ½ δx₀ᵀV δx₀ + vᵀδx₀ + δx₀ᵀG δζ + ½ δζᵀV_ζζ δζ + v_ζᵀδζ.
  Eigen::Ref<const Eigen::MatrixXd> V() const { return V_; }
  Eigen::Ref<const Eigen::MatrixXd> G() const { return G_.leftCols(size_.nzeta); }
  Eigen::Ref<const Eigen::VectorXd> v() const { return G_.col(size_.nzeta); }
  Eigen::MatrixXd V_zetazeta() const;  // symmetric
  Eigen::VectorXd v_zeta() const;
  // The same with δx₀ eliminated.
  Eigen::MatrixXd condensed_hessian() const;
  Eigen::VectorXd condensed_gradient() const;
  /// ∂x₀/∂ζ, and the covariance of x₀ for known parameters.
  Eigen::MatrixXd arrival_sensitivity() const;
  Eigen::MatrixXd arrival_covariance() const;
  // Gradient of the multipliers' part, Σ (D K)ᵀγ, and the sums of Stage::curvature.
  const Eigen::VectorXd& multiplier_gradient() const { return multiplier_gradient_; }
  const Eigen::VectorXd& curvature() const { return curvature_; }

  // Second pass: fill in what δζ does to each stage, then sweep. Can be repeated with another δζ.
  Eigen::Ref<Eigen::VectorXd> shift(int k) { return shifts_.col(k); }
  Eigen::Ref<Eigen::VectorXd> row_shift(int k) { return row_shifts_.col(k).head(row_counts_[k]); }
  void solve_states();
  Eigen::Ref<const Eigen::VectorXd> dx(int k) const { return dx_.col(k); }
  Eigen::Ref<const Eigen::VectorXd> dgamma(int k) const {
    return dgamma_.col(k);
  }  // of transition k → k+1

  Eigen::Ref<const Eigen::MatrixXd> dx() const { return dx_; }
  Eigen::Ref<const Eigen::MatrixXd> dgamma() const { return dgamma_; }

  // Lengths the line search needs, after solve_states. docs/math/riccati.md (12)
  double gradient_along_step() const;  // Σ q̂ᵀδx
  double defect_along_step() const;    // Σ dᵀδγ, with d as δζ leaves it
  double arrival_along_step() const { return arrival_along_step_; }  // δx₀ᵀ(V δx₀ + p)
  double rows_along_step() const { return rows_along_step_; }        // Σ zᵀ(R_x δx + R_y δx' + z) …
  double rows_gradient() const { return rows_gradient_; }            // … and Σ rᵀz, z = R_ζ δζ
  double closing_cost() const { return closing_cost_; }              // sums of the stages' numbers
  double stiff_work() const { return stiff_work_; }
  double largest_defect() const { return largest_defect_; }  // max norm of d

  const StageSize& size() const { return size_; }
  /// Covariance of every state for known parameters (the smoother's), and closed-loop matrices for
  /// the rest: x' − x̄' = (1 − S V')(A (x − x̄)) + noise of covariance S.
  Eigen::MatrixXd closed_loop(int k) const;
  Eigen::MatrixXd noise_covariance(int k) const;  // S_k
  Eigen::MatrixXd information(int k) const;       // V_k
  double bytes() const;                           // storage held

 private:
  void flush();
  void meet_rows(int k, const Stage& stage);
  void leave_rows(int k, const Stage& stage);
  auto rows_x(int k) const {
    return Eigen::Map<const Eigen::MatrixXd>(rows_x_.col(k).data(), row_counts_[k], size_.nx);
  }
  auto rows_y(int k) const {
    return Eigen::Map<const Eigen::MatrixXd>(rows_y_.col(k).data(), row_counts_[k], size_.nx);
  }

  StageSize size_;
  int filled_E_ = 0, filled_D_ = 0, filled_R_ = 0;  // rows gathered before one update of V_ζζ
  // Kept for the second pass, one column for each stage; symmetric matrices packed.
  Eigen::MatrixXd A_, information_, noise_, defects_, shifts_, gradients_, costates_, dx_, dgamma_;
  Eigen::MatrixXd rows_x_, rows_y_, rows_r_, row_shifts_;  // the same of rows
  std::vector<int> row_counts_;
  std::vector<Eigen::MatrixXd> gains_;  // of every 64th node, when they are kept
  // Value function of the node last reached; the last column of G is v.
  Eigen::MatrixXd V_, G_;
  Eigen::MatrixXd parameter_hessian_;  // lower triangle; last row is the gradient
  Eigen::VectorXd parameter_gradient_, multiplier_gradient_, curvature_;
  double closing_cost_ = 0, stiff_work_ = 0, largest_defect_ = 0, arrival_along_step_ = 0;
  double rows_along_step_ = 0, rows_gradient_ = 0;
  // δx₀ = arrival_shift_ + arrival_basis_ y, y free; whitened_: ½|Lᵀy|² is its cost.
  Eigen::MatrixXd arrival_basis_, arrival_factor_;
  Eigen::VectorXd arrival_shift_;
  // Workspace.
  Eigen::MatrixXd H_, VD_, VN_, F_, E_, E_transposed_, S_, VA_, closed_, closed_transposed_,
      D_transposed_, DVD_;
  Eigen::MatrixXd next_V_;
  Eigen::MatrixXd rows_E_, rows_K_, rows_Z_, rows_R_, cross_, cross_D_;
  Eigen::VectorXd row_tmp_, tmp_, tmp2_, noise_tmp_, Atgamma_, Dtgamma_;
};

}  // namespace bayesid
