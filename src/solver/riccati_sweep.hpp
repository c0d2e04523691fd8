// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

namespace bayesid {

/// Sizes of one trajectory as the sweep sees it.
struct SweepSize {
  int nx = 0;          // tangent of the state
  int nd = 0;          // rank of the parameters' way into the dynamics
  int nzeta = 0;       // stage coordinates of the parameters
  int num_stages = 0;  // N; states 0…N
};

/// One stage of the linear-quadratic problem, its inputs already eliminated:
///   δx' = A δx + D K δζ + d + N ε,   cost ½|ε|² + ½ δxᵀQ δx + qᵀδx                 docs/math/riccati.md (1)
/// d is the defect without noise; γ is the current multiplier of the transition.
struct SweepStage {
  Eigen::MatrixXd A, D, K, N, Q;
  Eigen::VectorXd d, q, gamma;

  explicit SweepStage(const SweepSize& size);
};

/// Parametrised Riccati recursion over one trajectory, in two passes:
/// the first runs backward over the stages and leaves a quadratic function of (δx₀, δζ);
/// the second, once δζ is known, gives the step of every state and multiplier without any stored θ-gain.
/// All storage is made by the constructor; no call allocates.                        docs/math/riccati.md (2)-(12)
class RiccatiSweep {
 public:
  explicit RiccatiSweep(const SweepSize& size);

  // First pass: begin with the last node, then stages N−1 … 0, then finish.
  void begin(const SweepStage& last_node);
  void step(int k, const SweepStage& stage);
  void finish();

  // Quadratic left by the first pass: ½ δx₀ᵀV δx₀ + vᵀδx₀ + δx₀ᵀG δζ + ½ δζᵀV_ζζ δζ + v_ζᵀδζ.
  Eigen::Ref<const Eigen::MatrixXd> V() const { return V_; }
  Eigen::Ref<const Eigen::MatrixXd> G() const { return G_.leftCols(size_.nzeta); }
  Eigen::Ref<const Eigen::VectorXd> v() const { return G_.col(size_.nzeta); }
  Eigen::MatrixXd V_zetazeta() const;  // symmetric
  Eigen::VectorXd v_zeta() const;

  // Second pass: add what δζ does to the defect of each stage, then sweep.
  Eigen::Ref<Eigen::VectorXd> defect(int k) { return defects_.col(k); }
  void solve_states();  // eliminates δx₀ too
  Eigen::Ref<const Eigen::VectorXd> dx(int k) const { return dx_.col(k); }
  Eigen::Ref<const Eigen::VectorXd> dgamma(int k) const { return dgamma_.col(k); }  // of transition k → k+1

  const SweepSize& size() const { return size_; }
  /// Covariance of every state for known parameters (the smoother's), and closed-loop matrices for the rest:
  /// x' − x̄' = (1 − S V')(A (x − x̄)) + noise of covariance S.
  Eigen::MatrixXd closed_loop(int k) const;
  Eigen::MatrixXd noise_covariance(int k) const;  // S_k
  Eigen::MatrixXd information(int k) const;       // V_k
  double bytes() const;                           // storage held

 private:
  void flush();

  SweepSize size_;
  int batch_ = 0, filled_ = 0;  // stages gathered before one update of V_ζζ
  // Kept for the second pass, one column for each stage; symmetric matrices packed.
  Eigen::MatrixXd A_, information_, noise_, defects_, gradients_, costates_, dx_, dgamma_;
  // Value function of the node last reached; the last column of G is v.
  Eigen::MatrixXd V_, G_;
  Eigen::MatrixXd parameter_hessian_;  // lower triangle; last row is the gradient
  Eigen::VectorXd parameter_gradient_;
  // Workspace.
  Eigen::MatrixXd H_, VD_, VN_, F_, E_, S_, VA_, closed_, next_V_, next_G_, DtG_;
  Eigen::MatrixXd rows_E_, rows_K_, rows_Z_;
  Eigen::VectorXd tmp_, tmp2_, Atgamma_, gamma_;
};

}  // namespace bayesid
