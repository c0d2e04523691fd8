// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/posterior/prediction.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "bayesid/parameters/presliding.hpp"
#include "dynamics/response.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double trust_in_base = 0.01;  // in its derivatives, beside those of encoders

/// The one of a + Z y that is nearest to a wish.
VectorXd nearest(const VectorXd& weight, const MatrixXd& Z, const VectorXd& a,
                 const VectorXd& wish) {
  const MatrixXd weighted = weight.asDiagonal() * Z;
  const VectorXd missing = weight.cwiseProduct(wish - a);
  return a + Z * weighted.colPivHouseholderQr().solve(missing);
}

}  // namespace

namespace {

/// τ̂ = h(q, v, a; θ)|τ=0 / gain                                            docs/math/prediction.md
/// (11)
MatrixXd free_effort(const Dynamics& dynamics, const DynamicsAt& model, const MotionGuess& motion,
                     const MatrixXd& thrust) {
  const int nv = dynamics.nv();
  Dynamics::Workspace workspace(dynamics);
  ForceBalance balance(nv, dynamics.nzeta(), dynamics.num_rotors());
  const MatrixXd presliding = presliding_along(dynamics.parameters(), motion.position);
  VectorXd commands = VectorXd::Zero(dynamics.num_inputs());
  MatrixXd out = MatrixXd::Zero(nv, motion.position.cols());
  for (Eigen::Index k = 0; k < motion.position.cols(); ++k) {
    if (thrust.rows() > 0) commands.segment(nv, thrust.rows()) = thrust.col(k);
    commands.tail(presliding.rows()) = presliding.col(k);
    dynamics.balance(model, configuration_at(dynamics.robot(), motion, static_cast<int>(k)),
                     motion.velocity.col(k), motion.acceleration.col(k), commands, Order::value,
                     workspace, balance);
    for (int j = 0; j < nv; ++j) {
      if (model.eta.gain[j] != 0) out(j, k) = balance.h[j] / model.eta.gain[j];
    }
  }
  return out;
}

}  // namespace

MatrixXd predict_effort(const Dynamics& dynamics, const VectorXd& theta, const MotionGuess& motion,
                        const MatrixXd& thrust) {
  return free_effort(dynamics, *dynamics.at(theta), motion, thrust);
}

MatrixXd predict_effort(const Dynamics& dynamics, const VectorXd& theta, const MotionGuess& motion,
                        const Recording& recording, const Timeline& timeline) {
  return predict_effort(dynamics, *dynamics.at(theta), motion, recording, timeline);
}

namespace {

/// Walks along a motion under constraints: what moves as the robot can, nearest to the motion.
class ConstrainedWalk {
 public:
  ConstrainedWalk(const Dynamics& dynamics, const DynamicsAt& model, const MotionGuess& motion,
                  const Recording& recording, const Timeline& timeline)
      : stage(dynamics.nv(), dynamics.nzeta(), timeline.max_rows(), dynamics.num_rotors()),
        dynamics_(dynamics),
        model_(model),
        motion_(motion),
        recording_(recording),
        timeline_(timeline),
        workspace_(dynamics),
        trust_(VectorXd::Ones(dynamics.nv())),
        presliding_(presliding_along(dynamics.parameters(), motion.position)) {
    trust_.head(dynamics.robot().base_nv()).setConstant(trust_in_base);
  }

  /// Sample that stage i begins with; −1: none, or an impact.
  int sample(size_t i) const { return timeline_.stages[i].impact ? -1 : timeline_.nodes[i].sample; }
  /// Leaves the balance of forces at the measured effort in `stage`, and Z.
  void visit(size_t i, Order order) {
    const int k = sample(i), nv = dynamics_.nv();
    const Mode& mode = timeline_.modes[timeline_.stages[i].mode];
    const VectorXd q = configuration_at(dynamics_.robot(), motion_, k);
    const VectorXd smoothed = motion_.velocity.col(k);
    VectorXd effort = VectorXd::Zero(dynamics_.num_inputs());
    effort.head(nv) = recording_.effort.col(k);
    if (dynamics_.num_rotors() > 0)
      effort.segment(nv, dynamics_.num_rotors()) = recording_.thrust.col(k);
    effort.tail(presliding_.rows()) = presliding_.col(k);
    dynamics_.solve(model_, mode, q, smoothed, effort, workspace_, stage);
    Z = stage.response->Z();
    const VectorXd v = nearest(trust_, Z, VectorXd::Zero(nv), smoothed);
    dynamics_.solve(model_, mode, q, v, effort, workspace_, stage);
    const VectorXd a = nearest(trust_, Z, stage.a, motion_.acceleration.col(k));
    dynamics_.balance(model_, q, v, a, effort, order, workspace_, stage.balance);
  }

  StageDynamics stage;
  MatrixXd Z;

 private:
  const Dynamics& dynamics_;
  const DynamicsAt& model_;
  const MotionGuess& motion_;
  const Recording& recording_;
  const Timeline& timeline_;
  Dynamics::Workspace workspace_;
  VectorXd trust_;
  MatrixXd presliding_;
};

}  // namespace

/// With constraints, motors can work against each other without a trace in the motion: of the
/// measured effort only what moves the robot is replaced. docs/math/prediction.md (11a)
MatrixXd predict_effort(const Dynamics& dynamics, const DynamicsAt& model,
                        const MotionGuess& motion, const Recording& recording,
                        const Timeline& timeline) {
  if (timeline.max_rows() == 0) return free_effort(dynamics, model, motion, recording.thrust);
  ConstrainedWalk walk(dynamics, model, motion, recording, timeline);
  MatrixXd out = recording.effort;
  for (size_t i = 0; i < timeline.stages.size(); ++i) {
    if (walk.sample(i) < 0) continue;
    walk.visit(i, Order::value);
    out.col(walk.sample(i)) += motor_efforts(*walk.stage.response, model.eta.gain,
                                             walk.Z.transpose() * walk.stage.balance.h);
  }
  return out;
}

namespace {

/// √ of the diagonal of J Σ_ζ Jᵀ + N Σ_τ Nᵀ, with N Σ_τ ᐟ² given.
VectorXd std_of(const MatrixXd& dtau_dzeta, const MatrixXd& zeta_cov, const MatrixXd& noise) {
  const VectorXd of_parameters = (dtau_dzeta * zeta_cov).cwiseProduct(dtau_dzeta).rowwise().sum();
  return (of_parameters + noise.rowwise().squaredNorm()).cwiseMax(0).cwiseSqrt();
}

/// At the effort that the model predicts: ∂τ̂/∂ζ = gain⁻¹ ∂h/∂ζ.
VectorXd free_std(const Dynamics& dynamics, const DynamicsAt& model, const VectorXd& q,
                  const EffortStdSources& from, Eigen::Index k, Dynamics::Workspace& workspace,
                  ForceBalance& balance, const VectorXd& inputs) {
  const int nv = dynamics.nv();
  dynamics.balance(model, q, from.motion.velocity.col(k), from.motion.acceleration.col(k), inputs,
                   Order::derivatives, workspace, balance);
  MatrixXd dtau = MatrixXd::Zero(nv, dynamics.nzeta()), noise = MatrixXd::Zero(nv, nv);
  for (int j = 0; j < nv; ++j) {
    if (model.eta.gain[j] == 0) continue;
    dtau.row(j) = balance.dh_dzeta.row(j) / model.eta.gain[j];
    if (from.effort_std.size() > 0) noise(j, j) = from.effort_std[j];
  }
  return std_of(dtau, from.zeta_cov, noise);
}

/// What lies between two columns that were computed lies on a line between them.
void fill_between(const std::vector<Eigen::Index>& known, MatrixXd& values) {
  for (size_t i = 0; i + 1 < known.size(); ++i) {
    const Eigen::Index from = known[i], to = known[i + 1];
    for (Eigen::Index k = from + 1; k < to; ++k) {
      const double share = static_cast<double>(k - from) / static_cast<double>(to - from);
      values.col(k) = (1 - share) * values.col(from) + share * values.col(to);
    }
  }
  if (known.empty()) return;
  for (Eigen::Index k = 0; k < known.front(); ++k) values.col(k) = values.col(known.front());
  for (Eigen::Index k = known.back() + 1; k < values.cols(); ++k)
    values.col(k) = values.col(known.back());
}

}  // namespace

MatrixXd effort_std(const Dynamics& dynamics, const VectorXd& theta, const EffortStdSources& from) {
  constexpr Eigen::Index most_computed = 10000;
  const int nv = dynamics.nv();
  const std::shared_ptr<const DynamicsAt> model = dynamics.at(theta);
  const Eigen::Index num_samples = from.motion.position.cols();
  const Eigen::Index every = 1 + num_samples / most_computed;
  MatrixXd out = MatrixXd::Zero(nv, num_samples);
  std::vector<Eigen::Index> known;
  if (from.timeline.max_rows() == 0) {
    Dynamics::Workspace workspace(dynamics);
    ForceBalance balance(nv, dynamics.nzeta(), dynamics.num_rotors());
    const MatrixXd presliding = presliding_along(dynamics.parameters(), from.motion.position);
    VectorXd inputs = VectorXd::Zero(dynamics.num_inputs());
    for (Eigen::Index k = 0; k < num_samples; k += every) {
      inputs.head(nv) = from.predicted.col(k);
      if (dynamics.num_rotors() > 0)
        inputs.segment(nv, dynamics.num_rotors()) = from.recording.thrust.col(k);
      inputs.tail(presliding.rows()) = presliding.col(k);
      const VectorXd q = configuration_at(dynamics.robot(), from.motion, static_cast<int>(k));
      out.col(k) = free_std(dynamics, *model, q, from, k, workspace, balance, inputs);
      known.push_back(k);
    }
  } else {
    ConstrainedWalk walk(dynamics, *model, from.motion, from.recording, from.timeline);
    for (size_t i = 0; i < from.timeline.stages.size(); i += static_cast<size_t>(every)) {
      const int k = walk.sample(i);
      if (k < 0) continue;
      walk.visit(i, Order::derivatives);
      // measured − predicted = −(what motors make of Zᵀ h)
      MatrixXd motors(nv, walk.Z.cols());
      for (Eigen::Index j = 0; j < walk.Z.cols(); ++j)
        motors.col(j) =
            motor_efforts(*walk.stage.response, model->eta.gain, VectorXd::Unit(walk.Z.cols(), j));
      const MatrixXd by_force = motors * walk.Z.transpose();
      MatrixXd noise = MatrixXd::Zero(nv, nv);
      if (from.effort_std.size() > 0)
        noise = by_force * model->eta.gain.cwiseProduct(from.effort_std).asDiagonal();
      out.col(k) = std_of(by_force * walk.stage.balance.dh_dzeta, from.zeta_cov, noise);
      known.push_back(k);
    }
  }
  fill_between(known, out);
  return out;
}

/// Root mean square over all samples of all recordings. docs/math/prediction.md (12)
EffortError effort_error(const Robot& robot, const std::vector<Recording>& recordings,
                         const std::vector<MatrixXd>& predicted) {
  assert(recordings.size() == predicted.size());
  const auto num_joints = static_cast<Eigen::Index>(robot.joints.size());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  VectorXd squares = VectorXd::Zero(num_joints), count = squares;
  VectorXd lowest = VectorXd::Constant(num_joints, infinity), highest = -lowest;
  for (size_t t = 0; t < recordings.size(); ++t) {
    const MatrixXd measured = recordings[t].effort.bottomRows(num_joints);
    const MatrixXd expected = predicted[t].bottomRows(num_joints);
    for (Eigen::Index k = 0; k < measured.cols(); ++k) {
      for (Eigen::Index j = 0; j < num_joints; ++j) {
        if (std::isnan(measured(j, k))) continue;
        squares[j] += std::pow(expected(j, k) - measured(j, k), 2);
        count[j] += 1;
        lowest[j] = std::min(lowest[j], measured(j, k));
        highest[j] = std::max(highest[j], measured(j, k));
      }
    }
  }
  EffortError out{VectorXd::Zero(num_joints), VectorXd::Zero(num_joints)};
  for (Eigen::Index j = 0; j < num_joints; ++j) {
    if (count[j] == 0) continue;
    out.rmse[j] = std::sqrt(squares[j] / count[j]);
    out.range[j] = highest[j] - lowest[j];
  }
  return out;
}

}  // namespace bayesid
