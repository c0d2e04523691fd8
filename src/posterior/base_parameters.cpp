// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/base_parameters.hpp"

#include <Eigen/QR>
#include <cmath>
#include <random>

#include "bayesid/error.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "simulation/reference.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Random motions of one mode and what their forces show.
class RandomMotions {
 public:
  RandomMotions(const Dynamics& dynamics, const DynamicsAt& at, const VectorXd& start, Mode mode)
      : dynamics_(dynamics),
        at_(at),
        start_(start),
        mode_(std::move(mode)),
        workspace_(dynamics),
        stage_(dynamics.nv(), dynamics.nzeta(), mode_.num_rows(), dynamics.num_rotors()) {
    for (const MotionConstraint& c : mode_.constraints) {
      if (!c.is_contact) loops_.constraints.push_back(c);
    }
  }

  /// Nᵀ ∂h/∂ζ at the next motion, N an orthonormal basis of what the constraints leave free; below
  /// it the efforts of links, where sensors show them.
  MatrixXd next() {
    const int nv = dynamics_.nv();
    const VectorXd q = posture();
    VectorXd v = VectorXd::NullaryExpr(nv, [&] { return speed(); });
    if (mode_.num_rows() > 0) v = free_part(dynamics_.rows_at(mode_, q, v, Level::velocity).J, v);
    const VectorXd desired = VectorXd::NullaryExpr(nv, [&] { return 10.0 * unit_(random_); });
    const VectorXd tau = efforts(q, v, desired);
    dynamics_.solve(at_, mode_, q, v, tau, workspace_, stage_);
    const VectorXd a = stage_.a;
    const MatrixXd Z = stage_.kkt->Z();
    dynamics_.balance(at_, q, v, a, tau, Order::derivatives, workspace_, stage_.balance);
    if (mode_.num_rows() == 0) return with_link_efforts(stage_.balance.dh_dzeta, v, a, tau);
    const MatrixXd N =
        Eigen::HouseholderQR<MatrixXd>(Z).householderQ() * MatrixXd::Identity(Z.rows(), Z.cols());
    return with_link_efforts(N.transpose() * stage_.balance.dh_dzeta, v, a, tau);
  }

 private:
  MatrixXd with_link_efforts(const MatrixXd& rows, const VectorXd& v, const VectorXd& a,
                             const VectorXd& tau) {
    if (!dynamics_.shows_link_efforts()) return rows;
    LinkEffort link(dynamics_.nv(), dynamics_.nzeta());
    dynamics_.link_effort(at_, v, a, tau, nullptr, Order::derivatives, workspace_, link);
    MatrixXd out(rows.rows() + link.dzeta.rows(), rows.cols());
    out << rows, link.dzeta;
    return out;
  }
  VectorXd posture() {
    const Robot& robot = dynamics_.robot();
    VectorXd numbers = VectorXd::NullaryExpr(robot.nv(), [&] { return 3.0 * unit_(random_); });
    if (loops_.constraints.empty()) return make_configuration(robot, numbers);
    constexpr double share = 0.15;  // loops close near where they were closed
    numbers = joint_angles(robot, start_) + share * numbers;
    return with_closed_loops(dynamics_, loops_, numbers, start_);
  }
  /// Of any order of magnitude, as friction has slopes of any.
  double speed() {
    const double side = unit_(random_) < 0 ? -2.0 : 2.0;
    return side * std::pow(10.0, -2.5 * std::abs(unit_(random_)));
  }
  /// What the desired acceleration needs where there are motors; rotors as they come.
  VectorXd efforts(const VectorXd& q, const VectorXd& v, const VectorXd& desired) {
    VectorXd out = VectorXd::Zero(dynamics_.num_inputs());
    for (int p = 0; p < dynamics_.num_presliding(); ++p)
      out[dynamics_.num_efforts() + p] = unit_(random_);
    dynamics_.balance(at_, q, v, desired, out, Order::value, workspace_, stage_.balance);
    for (int j = 0; j < dynamics_.nv(); ++j) {
      if (at_.eta.gain[j] != 0) out[j] = stage_.balance.h[j] / at_.eta.gain[j];
    }
    const double weight = at_.eta.pi.row(0).sum() * dynamics_.robot().gravity().norm();
    for (int r = 0; r < dynamics_.num_rotors(); ++r) {
      const double thrust = std::max(1e-9, std::abs(at_.eta.thrust[r]));
      out[dynamics_.nv() + r] =
          (1 + 0.5 * unit_(random_)) * weight / thrust / dynamics_.num_rotors();
    }
    return out;
  }

  const Dynamics& dynamics_;
  const DynamicsAt& at_;
  VectorXd start_;
  Mode mode_, loops_;
  Dynamics::Workspace workspace_;
  StageDynamics stage_;
  std::mt19937 random_{1};
  std::uniform_real_distribution<double> unit_{-1.0, 1.0};
};

/// Slopes that happen to be equal make friction equal at first order; nearby they do not.
DynamicsAt with_different_slopes(DynamicsAt at) {
  for (Index d = 0; d < at.eta.gamma.cols(); ++d) {
    at.eta.gamma(1, d) *= 1.3;
    at.eta.gamma(2, d) *= 0.9;
  }
  return at;
}

}  // namespace

Mode without_stabilisation(Mode mode) {
  for (MotionConstraint& c : mode.constraints) c.kp = c.kd = 0;
  return mode;
}

MatrixXd free_part(const MatrixXd& J, const MatrixXd& columns) {
  return columns - J.completeOrthogonalDecomposition().solve(J * columns);
}

VectorXd with_closed_loops(const Dynamics& dynamics, const Mode& loops, const VectorXd& numbers,
                           const VectorXd& q) {
  const VectorXd changed = make_configuration(dynamics.robot(), numbers);
  try {
    return close_loops(dynamics, loops, changed, VectorXd::Zero(dynamics.nv()));
  } catch (const InputError&) {
    return q;
  }
}

MatrixXd random_regressor(const Dynamics& dynamics, const VectorXd& theta, const MotionSpace& space,
                          const MatrixXd& dzeta_dr) {
  const DynamicsAt at = with_different_slopes(*dynamics.at(theta));
  const int samples = 10 + 4 * static_cast<int>(dzeta_dr.cols()) / dynamics.nv();
  const int sensors = dynamics.parameters().layout().num_sensors;
  std::vector<MatrixXd> blocks;
  Index rows = 0;
  for (const Mode& mode : space.modes) {
    RandomMotions motions(dynamics, at, space.q, without_stabilisation(mode));
    for (int s = 0; s < samples; ++s) rows += blocks.emplace_back(motions.next() * dzeta_dr).rows();
  }
  MatrixXd out = MatrixXd::Zero(rows + sensors, dzeta_dr.cols());
  Index first = 0;
  for (const MatrixXd& block : blocks) {
    out.middleRows(first, block.rows()) = block;
    first += block.rows();
  }
  // Forces do not depend on biases and delays; each sensor determines its own.
  const int first_sensor = dynamics.parameters().layout().sensor(0);
  for (int i = 0; i < dynamics.nzeta(); ++i) {
    const int entry = dynamics.coordinates().entries[i];
    if (entry >= first_sensor) out.row(rows + entry - first_sensor) = dzeta_dr.row(i);
  }
  return out;
}

BaseParameters base_parameters(const MatrixXd& Y, const std::vector<int>& order) {
  constexpr double independent = 1e-8;  // round-off leaves 1e-11, random motions at least 1e-5
  const VectorXd norms = Y.colwise().norm();
  const VectorXd scale = norms.cwiseMax(std::max(1e-12, 1e-6 * norms.maxCoeff()));
  const Index n = Y.cols();
  // Only the triangle counts: Y = Q R.
  MatrixXd R = Y * scale.cwiseInverse().asDiagonal();
  if (R.rows() > n) {
    const MatrixXd factor = R.householderQr().matrixQR().topRows(n);
    R = factor.triangularView<Eigen::Upper>();
  }
  MatrixXd basis(R.rows(), n), shares = MatrixXd::Zero(n, n);
  BaseParameters out;
  for (const int j : order) {
    const auto rank = static_cast<Index>(out.kept.size());
    VectorXd rest = R.col(j);
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough
      const VectorXd along = basis.leftCols(rank).transpose() * rest;
      rest -= basis.leftCols(rank) * along;
      shares.col(j).head(rank) += along;
    }
    const double length = rest.norm();
    if (length <= independent || rank >= R.rows()) continue;
    basis.col(rank) = rest / length;
    shares(rank, j) = length;
    out.kept.push_back(j);
  }
  const auto rank = static_cast<Index>(out.kept.size());
  const MatrixXd kept = shares(Eigen::seqN(0, rank), out.kept);
  out.G = kept.triangularView<Eigen::Upper>().solve(shares.topRows(rank));
  out.effect.resize(rank);
  for (Index i = 0; i < rank; ++i) {
    for (Index j = 0; j < n; ++j) {
      const bool is_zero = std::abs(out.G(i, j)) < 1e-8;
      out.G(i, j) = is_zero ? 0.0 : out.G(i, j) * scale[j] / scale[out.kept[i]];
    }
    out.effect[i] = norms[out.kept[i]] / std::sqrt(static_cast<double>(Y.rows()));
  }
  for (Index i = 0; i < rank; ++i) {  // exactly
    out.G.col(out.kept[i]) = VectorXd::Unit(rank, i);
  }
  return out;
}

}  // namespace bayesid
