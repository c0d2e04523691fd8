// SPDX-License-Identifier: BSD-3-Clause
// Error bars of predicted efforts. docs/math/prediction.md (13), (14)
#include <Eigen/Geometry>
#include <vector>

#include "bayesid/posterior.hpp"
#include "blocks/presliding.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "posterior/constrained_walk.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Derivatives of the forces on the robot by its motion.
struct ForceSlopes {
  MatrixXd q, v, a;
};

/// Places of the pairs (q, v, a) × (q, v, a) among six numbers.
constexpr int pair_location[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

/// Covariance of the i-th and j-th derivative of the pose of a base, in its own axes, from those of
/// the seven numbers: turned as the mean is; what errors of the pose do to velocities is left out.
Eigen::Matrix<double, 6, 6> base_cov(const Eigen::Ref<const VectorXd>& numbers, const VectorXd& q,
                                     int i, int j) {
  const Eigen::Quaterniond turn(q[6], q[3], q[4], q[5]);
  Eigen::Matrix<double, 6, 7> by_number = Eigen::Matrix<double, 6, 7>::Zero();
  by_number.topLeftCorner<3, 3>() = turn.toRotationMatrix().transpose();
  for (int c = 0; c < 4; ++c) {
    const Eigen::Quaterniond unit(Eigen::Vector4d::Unit(c));  // x, y, z, w
    by_number.block<3, 1>(3, 3 + c) = 2 * (turn.conjugate() * unit).vec();
  }
  Eigen::Matrix<double, 7, 1> cov;
  for (int n = 0; n < 7; ++n) cov[n] = numbers[6 * n + pair_location[i][j]];
  return by_number * cov.asDiagonal() * by_number.transpose();
}

/// Variance of each row of slopes · (δq, δv, δa) at sample k.                             (14)
VectorXd motion_variance(const ForceSlopes& slopes, const MotionCov& cov, const VectorXd& q,
                         Index k) {
  const MatrixXd* by[3] = {&slopes.q, &slopes.v, &slopes.a};
  const Index nv = slopes.q.cols();
  VectorXd out = VectorXd::Zero(slopes.q.rows());
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      VectorXd own(nv);
      for (Index n = 0; n < nv; ++n) own[n] = cov.joints(6 * n + pair_location[i][j], k);
      out += by[i]->cwiseProduct(*by[j]) * own;
      if (cov.base.cols() == 0) continue;
      const Eigen::Matrix<double, 6, 6> base = base_cov(cov.base.col(k), q, i, j);
      out += (by[i]->leftCols(6) * base).cwiseProduct(by[j]->leftCols(6)).rowwise().sum();
    }
  }
  return out;
}

/// Diagonal of J Σ_ζ Jᵀ + N Σ_τ Nᵀ, with N Σ_τ ᐟ² given.                                  (13)
VectorXd variance_of(const MatrixXd& dtau_dzeta, const MatrixXd& zeta_cov, const MatrixXd& noise) {
  return (dtau_dzeta * zeta_cov).cwiseProduct(dtau_dzeta).rowwise().sum() +
         noise.rowwise().squaredNorm();
}

/// What lies between two columns that were computed lies on a line between them.
void fill_between(const std::vector<Index>& known, MatrixXd& values) {
  for (size_t i = 0; i + 1 < known.size(); ++i) {
    const Index from = known[i], to = known[i + 1];
    for (Index k = from + 1; k < to; ++k) {
      const double share = static_cast<double>(k - from) / static_cast<double>(to - from);
      values.col(k) = (1 - share) * values.col(from) + share * values.col(to);
    }
  }
  if (known.empty()) return;
  for (Index k = 0; k < known.front(); ++k) values.col(k) = values.col(known.front());
  for (Index k = known.back() + 1; k < values.cols(); ++k) values.col(k) = values.col(known.back());
}

/// At the effort that the model predicts: ∂τ̂ = gain⁻¹ ∂h.
class FreeWalk {
 public:
  FreeWalk(const Dynamics& dynamics, const DynamicsAt& model, const EffortStdSources& from)
      : dynamics_(dynamics),
        model_(model),
        from_(from),
        workspace_(dynamics),
        balance_(dynamics.nv(), dynamics.nzeta(), dynamics.num_rotors()),
        presliding_(presliding_along(dynamics.parameters(), from.motion.position)),
        inputs_(VectorXd::Zero(dynamics.num_inputs())),
        per_gain_(VectorXd::Zero(dynamics.nv())) {
    for (int j = 0; j < dynamics.nv(); ++j) {
      if (model.eta.gain[j] != 0) per_gain_[j] = 1 / model.eta.gain[j];
    }
  }

  VectorXd variance(Index k) {
    const int nv = dynamics_.nv();
    inputs_.head(nv) = from_.predicted.col(k);
    if (dynamics_.num_rotors() > 0)
      inputs_.segment(nv, dynamics_.num_rotors()) = from_.recording.thrust.col(k);
    inputs_.segment(dynamics_.num_efforts(), presliding_.rows()) = presliding_.col(k);
    const VectorXd q = configuration_at(dynamics_.robot(), from_.motion, static_cast<int>(k));
    dynamics_.balance(model_, q, from_.motion.velocity.col(k), from_.motion.acceleration.col(k),
                      inputs_, Order::derivatives, workspace_, balance_);
    MatrixXd noise = MatrixXd::Zero(nv, nv);
    for (int j = 0; j < nv && from_.effort_std.size() > 0; ++j) {
      if (model_.eta.gain[j] != 0) noise(j, j) = from_.effort_std[j];
    }
    const ForceSlopes slopes{per_gain_.asDiagonal() * balance_.dh_dq,
                             per_gain_.asDiagonal() * balance_.dh_dv,
                             per_gain_.asDiagonal() * balance_.mass};
    return variance_of(per_gain_.asDiagonal() * balance_.dh_dzeta, from_.zeta_cov, noise) +
           motion_variance(slopes, from_.motion_cov, q, k);
  }

 private:
  const Dynamics& dynamics_;
  const DynamicsAt& model_;
  const EffortStdSources& from_;
  Dynamics::Workspace workspace_;
  ForceBalance balance_;
  MatrixXd presliding_;
  VectorXd inputs_, per_gain_;
};

/// measured − predicted = −(what motors make of Zᵀ h), whose change along the motion is that of
/// Zᵀ M Π (a − a_q δq − a_v Π δv): what the nearest acceleration lacks to the one of the forces.
VectorXd constrained_variance(const Dynamics& dynamics, const DynamicsAt& model,
                              const EffortStdSources& from, const ConstrainedWalk& walk, int k) {
  const Eigen::VectorXd& gain = model.eta.gain;
  MatrixXd motors(dynamics.nv(), walk.Z.cols());
  for (Index j = 0; j < walk.Z.cols(); ++j)
    motors.col(j) = motor_efforts(*walk.stage.kkt, gain, VectorXd::Unit(walk.Z.cols(), j));
  const MatrixXd by_force = motors * walk.Z.transpose(), projection = walk.projection();
  const MatrixXd by_motion = by_force * walk.stage.balance.mass * projection;
  MatrixXd noise = MatrixXd::Zero(dynamics.nv(), dynamics.nv());
  if (from.effort_std.size() > 0)
    noise = by_force * gain.cwiseProduct(from.effort_std).asDiagonal();
  const ForceSlopes slopes{-by_motion * walk.stage.da_dq,
                           -by_motion * walk.stage.da_dv * projection, by_motion};
  const VectorXd q = configuration_at(dynamics.robot(), from.motion, k);
  return variance_of(by_force * walk.stage.balance.dh_dzeta, from.zeta_cov, noise) +
         motion_variance(slopes, from.motion_cov, q, k);
}

}  // namespace

MatrixXd effort_std(const Dynamics& dynamics, const VectorXd& theta, const EffortStdSources& from) {
  constexpr Index most_computed = 10000;
  const std::shared_ptr<const DynamicsAt> model = dynamics.at(theta);
  const Index num_samples = from.motion.position.cols();
  const Index every = 1 + num_samples / most_computed;
  MatrixXd out = MatrixXd::Zero(dynamics.nv(), num_samples);
  std::vector<Index> known;
  if (from.timeline.max_rows() == 0) {
    FreeWalk walk(dynamics, *model, from);
    for (Index k = 0; k < num_samples; k += every) {
      out.col(k) = walk.variance(k).cwiseMax(0).cwiseSqrt();
      known.push_back(k);
    }
  } else {
    ConstrainedWalk walk(dynamics, *model, from.motion, from.recording, from.timeline);
    for (size_t i = 0; i < from.timeline.stages.size(); i += static_cast<size_t>(every)) {
      const int k = walk.sample(i);
      if (k < 0) continue;
      walk.linearise(i);
      const VectorXd variance = constrained_variance(dynamics, *model, from, walk, k);
      out.col(k) = variance.cwiseMax(0).cwiseSqrt();
      known.push_back(k);
    }
  }
  fill_between(known, out);
  return out;
}

}  // namespace bayesid
