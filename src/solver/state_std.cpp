// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Cholesky>

#include "bayesid/solver/solve.hpp"
#include "solver/condense.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int block_size = 256;

/// ∂x_k/∂ζ along a trajectory, a block of stages at a time: gains of the whole log are never
/// stored.
class Sensitivity {
 public:
  Sensitivity(const Problem& problem, const Problem::At& at, const Path& path,
              const RiccatiSweep& sweep, int trajectory)
      : problem_(problem),
        at_(at),
        path_(path),
        sweep_(sweep),
        trajectory_(trajectory),
        workspace_(problem.make_workspace()),
        stage_(sweep.size(), problem.ncurvature()),
        memory_(problem.memory_size()) {
    const int num_stages = sweep.size().num_stages;
    // G at the end of every block, from one pass backward. docs/math/riccati.md (8)
    checkpoints_.resize(num_stages / block_size + 2);
    MatrixXd G = MatrixXd::Zero(sweep.size().nx, sweep.size().nzeta);
    for (int k = num_stages; k >= 0; --k) {
      if (k % block_size == 0 || k == num_stages)
        checkpoints_[(k + block_size - 1) / block_size] = G;
      if (k > 0) G = previous(k - 1, G);
    }
  }

  /// Calls use(k, ∂x_k/∂ζ) for k = 0 … N.
  template <typename Use>
  void run(const MatrixXd& first, const Use& use) {
    const int num_stages = sweep_.size().num_stages;
    MatrixXd X = first;
    use(0, X);
    for (int begin = 0; begin < num_stages; begin += block_size) {
      const int end = std::min(num_stages, begin + block_size);
      std::vector<MatrixXd> C(end - begin),
          G(end - begin);  // of stages begin … end − 1; G of the node after each
      MatrixXd G_next = checkpoints_[(end + block_size - 1) / block_size];
      for (int k = end - 1; k >= begin; --k) {
        const MatrixXd G_k = previous(k, G_next);
        G[k - begin] = seen_from_behind(G_next);
        C[k - begin] = parameter_columns();
        G_next = G_k;
      }
      for (int k = begin; k < end; ++k) {
        // X' = Ā X + (1 − S V') C − S G' docs/math/riccati.md (19)
        const MatrixXd S = sweep_.noise_covariance(k), V = sweep_.information(k + 1);
        X = sweep_.closed_loop(k) * X + C[k - begin] - S * (V * C[k - begin] + G[k - begin]);
        use(k + 1, X);
      }
    }
  }

 private:
  /// G_k = Āᵀ(V' C + G'), with what rows add; leaves the stage in stage_. (8), (8b)
  MatrixXd previous(int k, const MatrixXd& G_next) {
    problem_.linearise(at_, trajectory_, k, path_, *workspace_, stage_, memory_.data());
    const MatrixXd C = parameter_columns();
    MatrixXd out = sweep_.closed_loop(k).transpose() *
                   (sweep_.information(k + 1) * C + seen_from_behind(G_next));
    const auto R_x = stage_.R_x.topRows(stage_.nr), R_y = stage_.R_y.topRows(stage_.nr);
    if (stage_.nr > 0) out += R_x.transpose() * (stage_.R_zeta.topRows(stage_.nr) + R_y * C);
    return out;
  }
  /// G' with the share of the rows of stage_. (8a)
  MatrixXd seen_from_behind(const MatrixXd& G_next) const {
    if (stage_.nr == 0) return G_next;
    return G_next + stage_.R_y.topRows(stage_.nr).transpose() * stage_.R_zeta.topRows(stage_.nr);
  }
  MatrixXd parameter_columns() const {
    return stage_.D.leftCols(stage_.nd) * stage_.K.topRows(stage_.nd);
  }

  const Problem& problem_;
  const Problem::At& at_;
  const Path& path_;
  const RiccatiSweep& sweep_;
  int trajectory_;
  std::unique_ptr<Problem::Workspace> workspace_;
  Stage stage_;
  VectorXd memory_;
  std::vector<MatrixXd> checkpoints_;
};

}  // namespace

MatrixXd state_std(const Problem& problem, const Solution& solution, int trajectory,
                   int num_threads) {
  Condenser condenser(problem, std::max(1, num_threads));
  const std::shared_ptr<const Problem::At> at = problem.at(solution.point.theta);
  condenser.linearise(solution.point, *at);
  const RiccatiSweep& sweep = condenser.sweep(trajectory);
  const StageSize& size = sweep.size();
  const MatrixXd dzeta_dtheta = problem.dzeta_dtheta(solution.point.theta);
  const MatrixXd zeta_cov = dzeta_dtheta * solution.theta_cov * dzeta_dtheta.transpose();

  // With known parameters: P₀, then P' = Ā P Āᵀ + S.
  MatrixXd variance(size.nx, size.num_stages + 1);
  MatrixXd P = sweep.arrival_covariance();
  for (int k = 0; k <= size.num_stages; ++k) {
    variance.col(k) = P.diagonal();
    if (k == size.num_stages) break;
    const MatrixXd closed = sweep.closed_loop(k);
    P = closed * P * closed.transpose() + sweep.noise_covariance(k);
  }
  // What the parameters' uncertainty adds.
  if (size.nzeta > 0) {
    Sensitivity sensitivity(problem, *at, solution.point.paths[trajectory], sweep, trajectory);
    sensitivity.run(sweep.arrival_sensitivity(), [&](int k, const MatrixXd& X) {
      variance.col(k) += (X * zeta_cov).cwiseProduct(X).rowwise().sum();
    });
  }
  return variance.cwiseSqrt();
}

}  // namespace bayesid
