// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

namespace bayesid {

/// A stage: from one node to the next, or the moment of an impact.
struct StagePlan {
  double dt = 0;   // s; 0 for an impact
  int sample = 0;  // of the recording whose effort acts
  int mode = 0;    // index in Timeline::modes
  bool impact = false;
};

/// Where a stage stands in the windows of the balance of energy.
struct EnergyWindow {
  int first = -1;     // stage its window begins with; −1: in none
  bool ends = false;  // with this stage
};

/// Sizes of one trajectory for the solver.
struct StageSize {
  int nx = 0;          // tangent of the state
  int nd = 0;          // largest rank of the parameters' way into the dynamics
  int nw = 0;          // largest number of noises of a transition
  int nzeta = 0;       // base parameters ζ
  int num_stages = 0;  // N; states 0…N
  int nr = 0;          // largest number of rows of a stage
};

/// One stage of the linear-quadratic problem, its inputs already eliminated:
///   δx' = A δx + D K δζ + d + N ε,   cost ½|ε|² + ½ δxᵀQ δx + qᵀδx docs/math/riccati.md (1)
/// and rows that depend on both ends of the stage and on the parameters:
///   cost ½|r + R_x δx + R_y δx' + R_ζ δζ|²
/// d is the defect without noise; γ is the current multiplier of the transition. D, K and N may use
/// fewer columns (rows of K) than they have, R and r fewer rows. `curvature` is this stage's
/// share of sums that the problem needs (see Problem::stage_curvature).
struct Stage {
  Eigen::MatrixXd A, D, K, N, Q;
  Eigen::VectorXd d, q, gamma, curvature;
  Eigen::MatrixXd R_x, R_y, R_zeta;
  Eigen::VectorXd r;
  int nd, nw, nr = 0;
  // What the line search needs to know of d − N Nᵀγ: the cost of the noise that closes its part
  // in the range of N, and γ times the part that no noise can close.  (12)
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
struct LinearConstraints {
  Eigen::MatrixXd E;
  Eigen::VectorXd e;
  Eigen::MatrixXd G;
  Eigen::VectorXd g;
};

/// Which number of which sensor a row is, as the problem counts them.
struct RowName {
  int sensor = 0, channel = 0;
  bool operator==(const RowName&) const = default;
};

/// What sensors say at a node and in the stage behind it, row by row.
///   at the node    r + R δx, whitened: the rows of its Q and q, the prior of the first state aside
///   in the stage   its first rows, one for each of `stage`; rows behind them are of no sensor
/// Residuals of the stage's sensors, in configured standard deviations, are sums of its noise and
/// rows:
///   by_noise ε + by_rows (r + R_x δx + R_y δx')
/// one for each of `stage`, then one for each of `inputs`: sensors whose error moves the state.
struct SensorRows {
  std::vector<RowName> node, stage, inputs;
  Eigen::MatrixXd R;
  Eigen::VectorXd r;
  Eigen::MatrixXd by_noise, by_rows;

  void clear() {
    node.clear();
    stage.clear();
    inputs.clear();
    R.resize(0, 0);
    r.resize(0);
    by_noise.resize(0, 0);
    by_rows.resize(0, 0);
  }
};

}  // namespace bayesid
