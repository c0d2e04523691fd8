// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/constrained_motion.hpp"

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>

#include "excitation/base_chart.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double dependent = 1e-7;    // singular values of J, of the largest
constexpr double closed = 1e-13;      // m, rad
constexpr double longest_step = 0.2;  // rad or m of y, from one closed configuration to the next
constexpr int most_parts = 32;        // of such a step, where Newton's method fails
constexpr double steepest = 20;       // way of z for that of y: beyond, it went to another branch
constexpr int most_newton_steps = 30;

}  // namespace

/// All rows at a motion.
struct ConstrainedMotion::Rows {
  MatrixXd J, dr_dq, dr_dv;
  VectorXd r;
};

/// v = T ċ and a = T c̈ + Ṫ ċ with their derivatives; joints are their own charts.
struct ConstrainedMotion::Chart {
  VectorXd v, a;
  MatrixXd T, dv_dc, da_dc, da_dcdot;
};

ConstrainedMotion::ConstrainedMotion(const Dynamics& dynamics, Mode mode, VectorXd q_ini)
    : robot_(dynamics.robot()), mode_(std::move(mode)), q_ini_(std::move(q_ini)) {
  R_ini_.setIdentity();
  if (robot_.floating) {
    R_ini_ = Eigen::Quaterniond(q_ini_[6], q_ini_[3], q_ini_[4], q_ini_[5]).toRotationMatrix();
  }
  Kinematics kinematics(robot_);
  for (MotionConstraint& c : mode_.constraints) {
    c.kp = c.kd = 0;
    if (c.is_contact) {
      const FramePose pose = kinematics.pose(q_ini_, c.first);
      c.second = {0, pose.rotation, pose.translation};
    }
    single_.push_back({c});
  }
  const int nv = robot_.nv();
  B_ = MatrixXd::Identity(nv, nv);
  D_ = MatrixXd::Zero(nv, 0);
  if (is_free()) return;
  const VectorXd rest = VectorXd::Zero(nv);
  const MatrixXd Phi =
      rows(q_ini_, rest, rest, Level::velocity, kinematics).J * chart(rest, rest, rest).T;
  const Eigen::JacobiSVD<MatrixXd> svd(Phi, Eigen::ComputeFullV);
  const VectorXd& sizes = svd.singularValues();
  Eigen::Index rank = 0;
  while (rank < sizes.size() && sizes[rank] > dependent * sizes[0]) ++rank;
  D_ = svd.matrixV().leftCols(rank);
  B_ = svd.matrixV().rightCols(nv - rank);
}

VectorXd ConstrainedMotion::configuration(const VectorXd& c) const {
  VectorXd joints = c, out(q_ini_.size());
  if (robot_.floating) joints.head<6>().setZero();
  integrate(robot_, q_ini_, joints, out);
  if (robot_.floating) {
    const VectorXd rest = VectorXd::Zero(6);
    const BaseMotion base = base_motion(R_ini_, q_ini_.head<3>(), c.head<6>(), rest, rest);
    out.head<3>() = base.p;
    out.segment<4>(3) = Eigen::Quaterniond(base.R).coeffs();
  }
  return out;
}

ConstrainedMotion::Chart ConstrainedMotion::chart(const VectorXd& c, const VectorXd& dc,
                                                  const VectorXd& ddc) const {
  const int nv = robot_.nv();
  Chart out{dc,
            ddc,
            MatrixXd::Identity(nv, nv),
            MatrixXd::Zero(nv, nv),
            MatrixXd::Zero(nv, nv),
            MatrixXd::Zero(nv, nv)};
  if (!robot_.floating) return out;
  const BaseMotion base =
      base_motion(R_ini_, q_ini_.head<3>(), c.head<6>(), dc.head<6>(), ddc.head<6>());
  out.v.head<6>() = base.v;
  out.a.head<6>() = base.a;
  out.T.topLeftCorner<6, 6>() = base.T;
  out.dv_dc.topLeftCorner<6, 6>() = base.dv_dc;
  out.da_dc.topLeftCorner<6, 6>() = base.da_dc;
  out.da_dcdot.topLeftCorner<6, 6>() = base.da_dcdot;
  return out;
}

ConstrainedMotion::Rows ConstrainedMotion::rows(const VectorXd& q, const VectorXd& v,
                                                const VectorXd& a, Level level,
                                                Kinematics& kinematics) const {
  const int count = mode_.num_rows(), nv = robot_.nv();
  Rows out{MatrixXd(count, nv), MatrixXd(count, nv), MatrixXd(count, nv), VectorXd(count)};
  int first = 0;
  for (const std::vector<MotionConstraint>& one : single_) {
    const ConstraintRows& seen = kinematics.rows(q, v, a, one, level);
    const int n = one[0].num_rows();
    out.J.middleRows(first, n) = seen.J.topRows(n);
    out.dr_dq.middleRows(first, n) = seen.dr_dq.topRows(n);
    out.dr_dv.middleRows(first, n) = seen.dr_dv.topRows(n);
    out.r.segment(first, n) = seen.r.head(n);
    first += n;
  }
  return out;
}

/// Newton's method for z at y, from the z it is given.
bool ConstrainedMotion::close(const VectorXd& y, Kinematics& kinematics, VectorXd& z) const {
  const VectorXd rest = VectorXd::Zero(robot_.nv());
  double last = INFINITY;
  for (int i = 0; i < most_newton_steps; ++i) {
    const VectorXd c = B_ * y + D_ * z;
    const Rows at = rows(configuration(c), rest, rest, Level::position, kinematics);
    const double error = at.r.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(error)) return false;
    // One more step after it is small: to round-off.
    if (last < closed || (error < 1e3 * closed && error >= last)) return error < 1e3 * closed;
    last = error;
    const MatrixXd slope = at.dr_dq * chart(c, rest, rest).T * D_;
    z -= slope.colPivHouseholderQr().solve(at.r);
  }
  return false;
}

bool ConstrainedMotion::go_on(const VectorXd& y_from, const VectorXd& y, Kinematics& kinematics,
                              VectorXd& z) const {
  if (is_free()) return true;
  const VectorXd way = y - y_from;
  const double length = way.lpNorm<Eigen::Infinity>();
  if (!(length < 1000 * longest_step)) return false;
  // In steps, so that loops and legs keep to their branch.
  const int end = most_parts * std::max(1, static_cast<int>(std::ceil(length / longest_step)));
  for (int done = 0, step = most_parts; done < end;) {
    const int next = std::min(end, done + step);
    VectorXd moved = z;
    const bool is_closed = close(y_from + way * next / end, kinematics, moved);
    if (is_closed && (moved - z).norm() <= steepest * (way.norm() * (next - done) / end) + closed) {
      z = moved;
      done = next;
    } else if (step == 1) {
      return false;
    } else {
      step /= 2;
    }
  }
  return true;
}

bool ConstrainedMotion::at(const VectorXd& y, const VectorXd& dy, const VectorXd& ddy,
                           Kinematics& kinematics, MotionAt& out) const {
  VectorXd z = VectorXd::Zero(D_.cols());
  if (!go_on(VectorXd::Zero(size()), y, kinematics, z)) return false;
  return at(ClosedAt{y, z}, dy, ddy, kinematics, out);
}

bool ConstrainedMotion::at(const ClosedAt& closed_at, const VectorXd& dy, const VectorXd& ddy,
                           Kinematics& kinematics, MotionAt& out) const {
  differentiate(B_ * closed_at.y + D_ * closed_at.z, dy, ddy, kinematics, out);
  return out.a.allFinite();
}

/// Rates and derivatives at a chart that holds the constraints.    docs/math/excitation.md (5)-(6)
void ConstrainedMotion::differentiate(const VectorXd& c, const VectorXd& dy, const VectorXd& ddy,
                                      Kinematics& kinematics, MotionAt& out) const {
  const int nv = robot_.nv();
  out.q = configuration(c);
  const VectorXd rest = VectorXd::Zero(nv);
  if (is_free()) {
    const Chart at = chart(c, dy, ddy);
    out.v = at.v;
    out.a = at.a;
    out.dq_dy = at.T;
    out.dv_dy = at.dv_dc;
    out.da_dy = at.da_dc;
    out.da_ddy = at.da_dcdot;
    out.dconditioning_dy = VectorXd::Zero(nv);
    return;
  }
  const MatrixXd T = chart(c, rest, rest).T;
  const MatrixXd J = rows(out.q, rest, rest, Level::velocity, kinematics).J;
  const Eigen::ColPivHouseholderQR<MatrixXd> slope(J * T * D_);
  const auto solve_rows = [&](const MatrixXd& r) { return MatrixXd(-D_ * slope.solve(r)); };

  // ċ = G ẏ from J T ċ = 0, and c̈ from J a + J̇ v = 0.
  const MatrixXd G = B_ + solve_rows(J * T * B_);
  const VectorXd dc = G * dy;
  Chart at = chart(c, dc, B_ * ddy);
  const Rows drift = rows(out.q, at.v, at.a, Level::acceleration, kinematics);
  at = chart(c, dc, B_ * ddy + solve_rows(drift.r));
  out.v = at.v;
  out.a = at.a;

  // The same equations, differentiated.
  const Rows speed = rows(out.q, out.v, out.a, Level::velocity, kinematics);
  const Rows all = rows(out.q, out.v, out.a, Level::acceleration, kinematics);
  out.dq_dy = T * G;
  const MatrixXd dc_dy = solve_rows(speed.dr_dq * out.dq_dy + J * at.dv_dc * G);  // of ċ
  out.dv_dy = at.dv_dc * G + T * dc_dy;
  out.da_dy = at.da_dc * G + at.da_dcdot * dc_dy;
  out.da_dy += T * solve_rows(all.dr_dq * out.dq_dy + all.dr_dv * out.dv_dy + J * out.da_dy);
  out.da_ddy = at.da_dcdot * G;
  out.da_ddy += T * solve_rows(all.dr_dv * out.dq_dy + J * out.da_ddy);
  find_conditioning(c, G, J, T * solve_rows(MatrixXd::Identity(J.rows(), J.rows())), kinematics,
                    out);
}

/// √m / |∂q/∂y|, of which the derivative wants that of ∂q/∂y = T G, column by column: the motion
/// with ẏ a unit vector. `solver` is −T D (ΦD)⁺.                    docs/math/excitation.md (6a)
void ConstrainedMotion::find_conditioning(const VectorXd& c, const MatrixXd& G, const MatrixXd& J,
                                          const MatrixXd& solver, Kinematics& kinematics,
                                          MotionAt& out) const {
  const VectorXd rest = VectorXd::Zero(robot_.nv());
  VectorXd slope = VectorXd::Zero(size());
  for (int i = 0; i < size(); ++i) {
    const Chart one = chart(c, G.col(i), rest);
    const MatrixXd dr_dq = rows(out.q, one.v, rest, Level::velocity, kinematics).dr_dq;
    // dvᵀ v, from the side of v: it is short.
    const VectorXd w = solver.transpose() * one.v;
    slope += G.transpose() * (one.dv_dc.transpose() * (one.v + J.transpose() * w));
    slope += out.dq_dy.transpose() * (dr_dq.transpose() * w);
  }
  const double norm = out.dq_dy.norm();
  out.conditioning = std::sqrt(static_cast<double>(size())) / norm;
  out.dconditioning_dy = -out.conditioning / (norm * norm) * slope;
}

}  // namespace bayesid
