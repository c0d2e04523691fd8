// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/constraint.hpp"

#include <Eigen/Geometry>
#include <pinocchio/multibody.hpp>

#include "math/se3.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Column = BodyKinematics::Column;

// Small and called for each column: calls would cost more than what they do.

[[gnu::always_inline]] inline Vector6 stack(const Vector3d& linear, const Vector3d& angular) {
  Vector6 out;
  out.head<3>() = linear;
  out.tail<3>() = angular;
  return out;
}

/// Motion cross product; (linear, angular).
[[gnu::always_inline]] inline Vector6 cross(const Vector6& a, const Vector6& b) {
  Vector6 out;
  out[0] = a[4] * b[2] - a[5] * b[1] + a[1] * b[5] - a[2] * b[4];
  out[1] = a[5] * b[0] - a[3] * b[2] + a[2] * b[3] - a[0] * b[5];
  out[2] = a[3] * b[1] - a[4] * b[0] + a[0] * b[4] - a[1] * b[3];
  out[3] = a[4] * b[5] - a[5] * b[4];
  out[4] = a[5] * b[3] - a[3] * b[5];
  out[5] = a[3] * b[4] - a[4] * b[3];
  return out;
}

/// Motion acting on a force.
[[gnu::always_inline]] inline Vector6 cross_dual(const Vector6& m, const Vector6& f) {
  return stack(m.tail<3>().cross(f.head<3>()),
               m.tail<3>().cross(f.tail<3>()) + m.head<3>().cross(f.head<3>()));
}

[[gnu::always_inline]] inline Vector3d at_point(const Vector6& m, const Vector3d& p) {
  return {m[0] + m[4] * p[2] - m[5] * p[1], m[1] + m[5] * p[0] - m[3] * p[2],
          m[2] + m[3] * p[1] - m[4] * p[0]};
}

/// One of the two places of a constraint.
struct Side {
  Side(const FramePlacement& frame, const BodyKinematics& at)
      : kinematics(at),
        body(frame.body),
        R(at.rotation[body] * frame.rotation),
        p(at.rotation[body] * frame.translation + at.translation[body]),
        V(at.velocity.col(body)),
        A(at.acceleration.col(body)),
        v(at_point(V, p)) {}

  Vector6 column(const Column& c) const { return kinematics.J.col(c.index); }
  const std::vector<Column>& support() const { return kinematics.support[body]; }
  Vector3d acceleration() const { return at_point(A, p) + V.tail<3>().cross(v); }

  const BodyKinematics& kinematics;
  int body;
  Matrix3d R;  // of the place, in the world
  Vector3d p;
  Vector6 V, A;
  Vector3d v;  // of the point
};

/// What one column does to the body of a side. docs/math/constraints.md (3)
struct Moved {
  explicit Moved(const Vector6& column) : J(column) {}
  Moved(const Side& side, const Column& c, bool accelerates) : J(side.column(c)) {
    const BodyKinematics& at = side.kinematics;
    const Vector6 V_parent = at.velocity.col(c.parent);
    const Vector6 beyond = side.V - V_parent;  // velocity that the joints from this one on add
    dV_dq = cross(J, beyond);
    if (!accelerates) return;
    const Vector6 A_beyond = side.A - at.acceleration.col(c.parent);
    dA_dq = cross(J, A_beyond) + cross(cross(V_parent, J), beyond);
    dA_dv = cross(at.velocity.col(c.joint), J) + dV_dq;
  }
  Vector6 J, dV_dq, dA_dq, dA_dv;
};

/// Weights of acceleration, velocity and position in a residual.
struct Weights {
  double acceleration, velocity, position;
};

Weights weights_of(const MotionConstraint& c, Level level) {
  if (level == Level::position) return {0, 0, 1};
  return level == Level::velocity ? Weights{0, 1, 0} : Weights{1, c.kd, c.kp};
}

/// Residual of a constraint in world-aligned axes, and what changes with one column of a side.
class Rows {
 public:
  Rows(const MotionConstraint& c, const BodyKinematics& at, Level level)
      : c_(c), w_(weights_of(c, level)), one_(c.first, at), two_(c.second, at) {
    if (is_point()) {
      r_.head<3>() = w_.acceleration * (one_.acceleration() - two_.acceleration()) +
                     w_.velocity * (one_.v - two_.v) + w_.position * (one_.p - two_.p);
      r_.tail<3>().setZero();
      return;
    }
    m_ = w_.acceleration * (one_.A - two_.A + cross(one_.V, two_.V)) +
         w_.velocity * (one_.V - two_.V);
    r_ = stack(at_point(m_, one_.p), m_.tail<3>());
    if (w_.position == 0) return;
    const Vector6 error =
        se3_log(two_.R.transpose() * one_.R, two_.R.transpose() * (one_.p - two_.p));
    J_log_ = se3_log_jacobian(error);
    error_ = stack(one_.R * error.head<3>(), one_.R * error.tail<3>());
    r_ += w_.position * error_;
  }

  bool is_point() const { return c_.type == ConstraintType::point; }
  bool is_local() const { return c_.axes == Axes::local; }
  const Side& side(int i) const { return i == 0 ? one_ : two_; }

  /// The residual in the axes of the constraint.
  Vector6 value() const { return in_axes(r_); }

  /// Column of the Jacobian.
  Vector6 jacobian(int i, const Moved& c) const { return in_axes(jacobian_world(i, c)); }

  Vector6 dr_dv(int i, const Moved& c) const {
    const Side& s = side(i);
    const Vector6& J = c.J;
    const double sign = i == 0 ? 1 : -1;
    if (is_point()) {
      const Vector3d dp = at_point(J, s.p);
      const Vector3d da = at_point(c.dA_dv, s.p) + J.tail<3>().cross(s.v) + s.V.tail<3>().cross(dp);
      return in_axes(stack(sign * (w_.acceleration * da + w_.velocity * dp), Vector3d::Zero()));
    }
    const Vector6 coupled = i == 0 ? cross(J, two_.V) : cross(one_.V, J);
    const Vector6 dm = w_.acceleration * (sign * c.dA_dv + coupled) + sign * w_.velocity * J;
    return in_axes(stack(at_point(dm, one_.p), dm.tail<3>()));
  }

  Vector6 dr_dq(int i, const Moved& c) const {
    Vector6 out = is_point() ? point_dr_dq(i, c) : frame_dr_dq(i, c);
    if (i == 0 && is_local()) {
      const Vector3d turn = c.J.tail<3>();
      out.head<3>() -= turn.cross(r_.head<3>());
      out.tail<3>() -= turn.cross(r_.tail<3>());
    }
    return in_axes(out);
  }

 private:
  Vector6 in_axes(const Vector6& world) const {
    if (!is_local()) return world;
    return stack(one_.R.transpose() * world.head<3>(), one_.R.transpose() * world.tail<3>());
  }

  Vector6 jacobian_world(int i, const Moved& c) const {
    const double sign = i == 0 ? 1 : -1;
    const Vector6 J = sign * c.J;
    if (is_point()) return stack(at_point(J, side(i).p), Vector3d::Zero());
    return stack(at_point(J, one_.p), J.tail<3>());
  }

  Vector6 point_dr_dq(int i, const Moved& c) const {
    const Side& s = side(i);
    const Vector6& dV = c.dV_dq;
    const Vector3d dp = at_point(c.J, s.p), omega = s.V.tail<3>();
    const Vector3d dv = at_point(dV, s.p) + omega.cross(dp);
    Vector3d sum = w_.velocity * dv + w_.position * dp;
    if (w_.acceleration != 0) {
      sum += w_.acceleration * (at_point(c.dA_dq, s.p) + s.A.tail<3>().cross(dp) +
                                dV.tail<3>().cross(s.v) + omega.cross(dv));
    }
    return stack((i == 0 ? 1 : -1) * sum, Vector3d::Zero());
  }

  Vector6 frame_dr_dq(int i, const Moved& c) const {
    const double sign = i == 0 ? 1 : -1;
    const Vector6& dV = c.dV_dq;
    Vector6 dm = sign * w_.velocity * dV;
    if (w_.acceleration != 0) {
      dm += w_.acceleration * (sign * c.dA_dq + (i == 0 ? cross(dV, two_.V) : cross(one_.V, dV)));
    }
    Vector6 out = stack(at_point(dm, one_.p), dm.tail<3>());
    if (i == 0) out.head<3>() += m_.tail<3>().cross(at_point(c.J, one_.p));
    if (w_.position == 0) return out;
    // δ Log(M₂⁻¹M₁) = J_log · (relative twist in the first frame), turned to world axes.
    const Vector6 J = jacobian_world(i, c);
    Vector6 local = stack(one_.R.transpose() * J.head<3>(), one_.R.transpose() * J.tail<3>());
    local = (J_log_ * local).eval();
    out.head<3>() += w_.position * (one_.R * local.head<3>());
    out.tail<3>() += w_.position * (one_.R * local.tail<3>());
    if (i == 0) {
      const Vector3d turn = c.J.tail<3>();
      out.head<3>() += w_.position * turn.cross(error_.head<3>());
      out.tail<3>() += w_.position * turn.cross(error_.tail<3>());
    }
    return out;
  }

  const MotionConstraint& c_;
  Weights w_;
  Side one_, two_;
  Vector6 r_, m_, error_;  // world-aligned; m at the world's origin
  Eigen::Matrix<double, 6, 6> J_log_;
};

void add(const std::vector<int>& rows, int first, const Vector6& value, int column, MatrixXd& out) {
  for (size_t n = 0; n < rows.size(); ++n)
    out(first + static_cast<int>(n), column) += value[rows[n]];
}

}  // namespace

int num_rows(const std::vector<MotionConstraint>& constraints) {
  int out = 0;
  for (const MotionConstraint& c : constraints) out += c.num_rows();
  return out;
}

std::vector<std::string> row_names(const Mode& mode) {
  std::vector<std::string> out;
  for (const MotionConstraint& c : mode.constraints) {
    for (const int row : c.rows) out.push_back(c.name + "." + row_axes[row]);
  }
  return out;
}

BodyKinematics::BodyKinematics(const pinocchio::Model& model)
    : rotation(model.njoints, Matrix3d::Identity()),
      translation(model.njoints, Vector3d::Zero()),
      velocity(Spatial::Zero(6, model.njoints)),
      acceleration(Spatial::Zero(6, model.njoints)),
      J(Spatial::Zero(6, model.nv)),
      support(model.njoints) {
  for (int body = 1; body < model.njoints; ++body) {
    for (const pinocchio::JointIndex joint : model.supports[body]) {
      for (int i = 0; i < model.nvs[joint]; ++i) {
        support[body].push_back({model.idx_vs[joint] + i, static_cast<int>(joint),
                                 static_cast<int>(model.parents[joint])});
      }
    }
  }
}

ConstraintRows::ConstraintRows(int max_rows, int nv)
    : J(MatrixXd::Zero(max_rows, nv)),
      dr_dq(MatrixXd::Zero(max_rows, nv)),
      dr_dv(MatrixXd::Zero(max_rows, nv)),
      r(VectorXd::Zero(max_rows)) {}

void evaluate_rows(const std::vector<MotionConstraint>& constraints, const BodyKinematics& at,
                   Level level, bool derivatives, ConstraintRows& out) {
  const int n = num_rows(constraints);
  out.J.topRows(n).setZero();
  out.dr_dq.topRows(n).setZero();
  out.dr_dv.topRows(n).setZero();
  int first = 0;
  for (const MotionConstraint& c : constraints) {
    const Rows rows(c, at, level);
    const Vector6 value = rows.value();
    for (int i = 0; i < c.num_rows(); ++i) out.r[first + i] = value[c.rows[i]];
    for (const int i : {0, 1}) {
      for (const Column& column : rows.side(i).support()) {
        const bool accelerates = level == Level::acceleration;
        const Moved moved = derivatives ? Moved(rows.side(i), column, accelerates)
                                        : Moved(rows.side(i).column(column));
        add(c.rows, first, rows.jacobian(i, moved), column.index, out.J);
        if (!derivatives) continue;
        add(c.rows, first, rows.dr_dq(i, moved), column.index, out.dr_dq);
        if (accelerates) add(c.rows, first, rows.dr_dv(i, moved), column.index, out.dr_dv);
      }
    }
    first += c.num_rows();
  }
}

void subtract_force_derivative(const std::vector<MotionConstraint>& constraints,
                               const BodyKinematics& at, const Eigen::Ref<const VectorXd>& lambda,
                               Eigen::Ref<MatrixXd> out) {
  int first = 0;
  for (const MotionConstraint& c : constraints) {
    const Side one(c.first, at), two(c.second, at);
    Vector6 axes = Vector6::Zero();
    for (const int row : c.rows) axes[row] = lambda[first++];
    const bool local = c.axes == Axes::local, point = c.type == ConstraintType::point;
    const Vector3d f = local ? Vector3d(one.R * axes.head<3>()) : Vector3d(axes.head<3>());
    const Vector3d n = local ? Vector3d(one.R * axes.tail<3>()) : Vector3d(axes.tail<3>());
    for (const int i : {0, 1}) {
      const Side& s = i == 0 ? one : two;
      const double sign = i == 0 ? 1 : -1;
      const Vector3d& p = point ? s.p : one.p;
      const Vector6 F = stack(f, n + p.cross(f));  // on this side, at the world's origin
      // The point moves, with local axes the force turns, and the columns of J turn with the joints
      // before them.
      for (const int j : {0, 1}) {
        const Side& mover = j == 0 ? one : two;
        const bool moves_point = point ? j == i : j == 0;
        for (const Column& column : mover.support()) {
          const Vector6 J = mover.column(column);
          Vector6 dF = Vector6::Zero();
          if (moves_point) dF.tail<3>() += at_point(J, p).cross(f);
          if (j == 0 && local) {
            const Vector3d df = J.tail<3>().cross(f);
            dF.head<3>() += df;
            dF.tail<3>() += J.tail<3>().cross(n) + p.cross(df);
          }
          const Vector6 still = -sign * dF;
          const Vector6 turned = j == i ? Vector6(still + sign * cross_dual(J, F)) : still;
          for (const Column& k : s.support()) {
            const Vector6& change = k.joint < column.joint ? still : turned;
            out(k.index, column.index) += at.J.col(k.index).dot(change);
          }
        }
      }
    }
  }
}

}  // namespace bayesid
