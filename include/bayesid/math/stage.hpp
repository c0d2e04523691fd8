// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace bayesid {

/// Sizes of one trajectory as the solver sees it.
struct StageSize {
  int nx = 0;          // tangent of the state
  int nd = 0;          // largest rank of the parameters' way into the dynamics
  int nw = 0;          // largest number of noises of a transition
  int nzeta = 0;       // stage coordinates of the parameters
  int num_stages = 0;  // N; states 0…N
  int nr = 0;          // largest number of rows of a stage
};

/// One stage of the linear-quadratic problem, its inputs already eliminated:
///   δx' = A δx + D K δζ + d + N ε,   cost ½|ε|² + ½ δxᵀQ δx + qᵀδx docs/math/riccati.md (1)
/// and rows that see both ends of the stage and the parameters:
///   cost ½|r + R_x δx + R_y δx' + R_ζ δζ|²
/// d is the defect without noise; γ is the current multiplier of the transition. D, K and N may use
/// fewer columns (rows of K) than they have, R and r fewer rows. `curvature` holds this stage's
/// share of sums that the problem wants back (see Problem::stage_curvature).
struct Stage {
  Eigen::MatrixXd A, D, K, N, Q;
  Eigen::VectorXd d, q, gamma, curvature;
  Eigen::MatrixXd R_x, R_y, R_zeta;
  Eigen::VectorXd r;
  int nd, nw, nr = 0;
  // What the line search needs to know of d − N Nᵀγ: the cost of the noise that makes up for its
  // part in the range of N, and γ times the part that no noise can make up for.  (12)
  double closing_cost = 0, stiff_work = 0;

  Stage(const StageSize& s, int ncurvature)
      : A(Eigen::MatrixXd::Zero(s.nx, s.nx)),
        D(Eigen::MatrixXd::Zero(s.nx, s.nd)),
        K(Eigen::MatrixXd::Zero(s.nd, s.nzeta)),
        N(Eigen::MatrixXd::Zero(s.nx, s.nw)),
        Q(Eigen::MatrixXd::Zero(s.nx, s.nx)),
        d(Eigen::VectorXd::Zero(s.nx)),
        q(Eigen::VectorXd::Zero(s.nx)),
        gamma(Eigen::VectorXd::Zero(s.nx)),
        curvature(Eigen::VectorXd::Zero(ncurvature)),
        R_x(Eigen::MatrixXd::Zero(s.nr, s.nx)),
        R_y(Eigen::MatrixXd::Zero(s.nr, s.nx)),
        R_zeta(Eigen::MatrixXd::Zero(s.nr, s.nzeta)),
        r(Eigen::VectorXd::Zero(s.nr)),
        nd(s.nd),
        nw(s.nw) {}
};

/// Equalities of the first state: E δx₀ + e = 0.
struct ArrivalConstraints {
  Eigen::MatrixXd E;
  Eigen::VectorXd e;
};

/// Minus the logarithm of the parameters' prior at a point, up to a constant: value, gradient, and
/// a positive definite Hessian (Gauss–Newton's, where it is no quadratic).
struct PriorAt {
  double cost = 0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
};

/// Linear constraints on the parameters: E δθ + e = 0, G δθ + g ≥ 0.
struct ParameterConstraints {
  Eigen::MatrixXd E;
  Eigen::VectorXd e;
  Eigen::MatrixXd G;
  Eigen::VectorXd g;
};

}  // namespace bayesid
