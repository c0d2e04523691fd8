// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/constrained_walk.hpp"

#include <Eigen/QR>

#include "blocks/presliding.hpp"
#include "dynamics/kkt_factorisation.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double trust_in_base = 0.01;  // in its derivatives, beside those of encoders

/// The one of a + Z y that is nearest to the desired value.
VectorXd nearest(const VectorXd& weight, const MatrixXd& Z, const VectorXd& a,
                 const VectorXd& desired) {
  const MatrixXd weighted = weight.asDiagonal() * Z;
  const VectorXd missing = weight.cwiseProduct(desired - a);
  return a + Z * weighted.colPivHouseholderQr().solve(missing);
}

}  // namespace

ConstrainedWalk::ConstrainedWalk(const Dynamics& dynamics, const DynamicsAt& model,
                                 const MotionGuess& motion, const Recording& recording,
                                 const Timeline& timeline)
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

void ConstrainedWalk::find_motion(size_t i) {
  const int k = sample(i), nv = dynamics_.nv();
  const Mode& mode = timeline_.modes[timeline_.stages[i].mode];
  q_ = configuration_at(dynamics_.robot(), motion_, k);
  const VectorXd smoothed = motion_.velocity.col(k);
  effort_ = VectorXd::Zero(dynamics_.num_inputs());
  effort_.head(nv) = recording_.effort.col(k);
  if (dynamics_.num_rotors() > 0)
    effort_.segment(nv, dynamics_.num_rotors()) = recording_.thrust.col(k);
  effort_.segment(dynamics_.num_efforts(), presliding_.rows()) = presliding_.col(k);
  dynamics_.solve(model_, mode, q_, smoothed, effort_, workspace_, stage);
  Z = stage.kkt->Z();
  v_ = nearest(trust_, Z, VectorXd::Zero(nv), smoothed);
  dynamics_.solve(model_, mode, q_, v_, effort_, workspace_, stage);
  a_ = nearest(trust_, Z, stage.a, motion_.acceleration.col(k));
}

void ConstrainedWalk::visit(size_t i) {
  find_motion(i);
  dynamics_.balance(model_, q_, v_, a_, effort_, Order::value, workspace_, stage.balance);
}

void ConstrainedWalk::linearise(size_t i) {
  visit(i);
  const Mode& mode = timeline_.modes[timeline_.stages[i].mode];
  const VectorXd y = Z.transpose() * stage.balance.h;
  VectorXd missed = VectorXd::Zero(dynamics_.num_efforts());
  missed.head(dynamics_.nv()) = motor_efforts(*stage.kkt, model_.eta.gain, y);
  dynamics_.linearise(model_, mode, q_, v_, a_, effort_, missed, workspace_, stage);
  Z = stage.kkt->Z();
}

MatrixXd ConstrainedWalk::projection() const {
  const MatrixXd weighted = trust_.asDiagonal() * Z, weights = trust_.asDiagonal();
  return Z * weighted.colPivHouseholderQr().solve(weights);
}

}  // namespace bayesid
