// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/flight.hpp"

#include <Eigen/Geometry>
#include <Eigen/QR>

#include "dynamics/kkt_factorisation.hpp"
#include "math/so3.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr double position_frequency = 2.0;   // rad/s, of the controller
constexpr double attitude_frequency = 15.0;  // faster: the position waits for it
constexpr double joint_frequency = 5.0;

Matrix3d rotation_of(const VectorXd& q) {
  return Eigen::Quaterniond(q[6], q[3], q[4], q[5]).normalized().toRotationMatrix();
}

/// Where rotors push together, in the axes of the base.
Vector3d thrust_axis(const MatrixXd& rotor_force) {
  const Vector3d sum = rotor_force.topRows<3>().rowwise().sum();
  return sum.norm() > 0 ? Vector3d(sum.normalized()) : Vector3d(Vector3d::UnitZ());
}

/// Rotors that can make any force and moment need not tilt the base.
bool can_do_all(const MatrixXd& rotor_force) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(rotor_force.topRows<6>());
  qr.setThreshold(1e-3);
  return qr.rank() == 6;
}

/// The base turned about the vertical, then tilted so that its rotors push along `force`.
Matrix3d wanted_rotation(double heading, const Vector3d& force, const MatrixXd& rotor_force) {
  Matrix3d level = Eigen::AngleAxisd(heading, Vector3d::UnitZ()).toRotationMatrix();
  if (can_do_all(rotor_force)) return level;
  const Vector3d push = level * thrust_axis(rotor_force);
  return Eigen::Quaterniond::FromTwoVectors(push, force).toRotationMatrix() * level;
}

/// Acceleration of base and joints that leads back to the reference; `stage` is solved without
/// efforts.
VectorXd wanted_acceleration(const Robot& robot, const ReferencePoint& desired, const VectorXd& q,
                             const VectorXd& v, const StageDynamics& stage) {
  const Matrix3d R = rotation_of(q);
  const Vector3d omega = v.segment<3>(3), bend = omega.cross(v.head<3>());
  // The origin of the base in the world, and the tilt with which rotors can move it there.
  const Vector3d falling = R * (stage.a.head<3>() + bend);
  const Vector3d position_error = desired.q.head<3>() - q.head<3>();
  const Vector3d velocity_error = desired.v.head<3>() - R * v.head<3>();
  const Vector3d wanted =
      desired.a.head<3>() +
      position_frequency * (2 * velocity_error + position_frequency * position_error);
  const Matrix3d goal = wanted_rotation(desired.q[5], wanted - falling, stage.balance.rotor_force);
  const Vector3d turn = so3_log(R.transpose() * goal);

  VectorXd error(robot.nv());
  difference(robot, q, make_configuration(robot, desired.q), error);
  VectorXd out = desired.a + joint_frequency * (2 * (desired.v - v) + joint_frequency * error);
  out.head<3>() = R.transpose() * wanted - bend;
  out.segment<3>(3) = attitude_frequency * (attitude_frequency * turn - 2 * omega);
  return out;
}

}  // namespace

VectorXd flight_efforts(const Dynamics& dynamics, const DynamicsAt& at,
                        const ReferencePoint& desired, const VectorXd& q, const VectorXd& v,
                        const StageDynamics& stage) {
  const int nv = dynamics.nv();
  const MatrixXd& rotor_force = stage.balance.rotor_force;
  const VectorXd a = wanted_acceleration(dynamics.robot(), desired, q, v, stage);
  // What rotors cannot do across their axis is not selected of them.
  MatrixXd selected = MatrixXd::Identity(nv, nv);
  if (!can_do_all(rotor_force)) {
    const Vector3d axis = thrust_axis(rotor_force);
    selected.topLeftCorner<3, 3>() = axis * axis.transpose();
  }
  const MatrixXd Z = stage.kkt->Z();
  MatrixXd actuation(nv, dynamics.num_efforts());
  actuation << MatrixXd(at.eta.gain.asDiagonal()), rotor_force;
  const MatrixXd authority = selected * (Z * (Z.transpose() * actuation));
  return authority.completeOrthogonalDecomposition().solve(selected * (a - stage.a));
}

void start_flight(const Dynamics& dynamics, const DynamicsAt& at, const ReferencePoint& desired,
                  Dynamics::Workspace& workspace, StageDynamics& stage, VectorXd& q, VectorXd& v) {
  const Robot& robot = dynamics.robot();
  VectorXd numbers = desired.q;
  numbers.head<6>().setZero();
  q = make_configuration(robot, numbers);
  v = VectorXd::Zero(dynamics.nv());
  const VectorXd none = VectorXd::Zero(dynamics.num_inputs());
  dynamics.solve(at, {}, q, v, none, workspace, stage);
  const Vector3d falling = stage.a.head<3>();
  const Matrix3d R =
      wanted_rotation(desired.q[5], desired.a.head<3>() - falling, stage.balance.rotor_force);
  q.head<3>() = desired.q.head<3>();
  q.segment<4>(3) = Eigen::Quaterniond(R).coeffs();
  v = desired.v;
  v.head<3>() = R.transpose() * desired.v.head<3>();
  v.segment<3>(3).setZero();
}

}  // namespace bayesid
