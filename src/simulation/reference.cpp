// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/reference.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "bayesid/dynamics.hpp"
#include "bayesid/error.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Shares of a stride: both pairs stand, one swings, both stand, the other swings.
constexpr double first_lift = 0.2, first_touch = 0.5, second_lift = 0.7;

/// Joints that carry a contact and nothing else: those between it and the base.
std::vector<int> leg_joints(const Dynamics& dynamics, const MotionConstraint& contact) {
  Kinematics kinematics(dynamics.robot());
  const int nv = dynamics.nv();
  VectorXd numbers(nv);
  for (int i = 0; i < nv; ++i) numbers[i] = 0.3 + 0.1 * std::sin(i);
  const MatrixXd J =
      kinematics.jacobian(make_configuration(dynamics.robot(), numbers), contact.first);
  std::vector<int> out;
  for (int i = dynamics.robot().base_nv(); i < nv; ++i) {
    if (J.col(i).norm() > 1e-9) out.push_back(i);
  }
  return out;
}

}  // namespace

Reference::Reference(const Dynamics& dynamics, const SimulationConfig& options,
                     const MotionConstraints& constraints, std::mt19937_64& random,
                     const MotionTable* motion)
    : robot_(dynamics.robot()),
      motion_(motion),
      constraints_(constraints),
      base_nv_(dynamics.robot().base_nv()) {
  const Robot& robot = dynamics.robot();
  if (options.gait) gait_ = *options.gait;
  flies_ = robot.floating && dynamics.num_rotors() > 0 && constraints.empty();
  walks_ = !motion && gait_.type == "trot" && constraints.contacts.size() > 1;
  posture_ = VectorXd::Zero(robot.nv());
  for (const Joint& joint : robot.joints) {
    const bool limited = std::isfinite(joint.lower) && std::isfinite(joint.upper);
    if (limited && constraints.empty()) posture_[joint.idx_v] = 0.5 * (joint.lower + joint.upper);
    const auto given = options.posture.find(joint.name);
    if (given != options.posture.end()) posture_[joint.idx_v] = given->second;
  }
  // Motors follow the reference; what hangs on a loop, and the legs of a robot that stands, follow.
  weight_ = VectorXd::Ones(robot.nv());
  const VectorXd gain = dynamics.parameters().physical(dynamics.parameters().prior()).gain;
  for (const Joint& joint : robot.joints) {
    if (gain[joint.idx_v] == 0) weight_[joint.idx_v] = 0;
  }
  draw_sines(robot, options, random);
  if (robot.floating) prepare_gait(dynamics);
}

void Reference::draw_sines(const Robot& robot, const SimulationConfig& options,
                           std::mt19937_64& random) {
  std::uniform_real_distribution<double> angle(-M_PI, M_PI), share(0.3, 1.0);
  omega_ = 2 * M_PI * options.base_frequency;
  amplitude_ = MatrixXd::Zero(robot.nv(), options.harmonics);
  phase_ = MatrixXd::NullaryExpr(robot.nv(), options.harmonics, [&] { return angle(random); });
  for (int i = 0; i < robot.nv(); ++i) {
    // On rotors the base follows sines like a joint does.
    double total = flies_ ? options.amplitude : gait_.body_motion;
    if (i >= base_nv_) {
      const Joint& joint = robot.joints[i - base_nv_];
      const bool limited = std::isfinite(joint.lower) && std::isfinite(joint.upper);
      const double room = limited ? 0.4 * (joint.upper - joint.lower) : options.amplitude;
      total = std::min(options.amplitude, room);
    }
    for (int h = 0; h < options.harmonics; ++h) amplitude_(i, h) = share(random);
    amplitude_.row(i) *= total / amplitude_.row(i).sum();
    if (flies_ && i < base_nv_) limit_acceleration(i);
  }
}

/// Rotors should not have to push backwards.
void Reference::limit_acceleration(int i) {
  const VectorXd omega = omega_ * VectorXd::LinSpaced(amplitude_.cols(), 1, amplitude_.cols());
  const double largest = amplitude_.row(i).dot(omega.cwiseAbs2());
  const double limit = i < 3 ? 4.0 : 1.0;  // m/s², rad/s²
  if (largest > limit) amplitude_.row(i) *= limit / largest;
}

/// Legs do not follow sines: they stand, or swing to where the posture wants them.
void Reference::prepare_gait(const Dynamics& dynamics) {
  const Robot& robot = dynamics.robot();
  Kinematics kinematics(robot);
  const VectorXd q = make_configuration(robot, posture_);
  for (const MotionConstraint& contact : constraints_.contacts) {
    Swing& swing = swings_.emplace_back();
    swing.joints = leg_joints(dynamics, contact);
    const MatrixXd J = kinematics.jacobian(q, contact.first);
    MatrixXd leg(3, static_cast<Eigen::Index>(swing.joints.size()));
    for (size_t i = 0; i < swing.joints.size(); ++i)
      leg.col(static_cast<Eigen::Index>(i)) = J.col(swing.joints[i]).head<3>();
    swing.pseudo_inverse =
        leg.completeOrthogonalDecomposition().solve(Eigen::Vector3d(0, 0, gait_.step_height));
    for (const int joint : swing.joints) amplitude_.row(joint).setZero();
  }
}

double Reference::phase(double time) const {
  return time / gait_.period - std::floor(time / gait_.period);
}

/// Feet 0 and 3 swing together, 1 and 2, and so on; of two feet, each alone.
std::vector<bool> Reference::closed(double time) const {
  std::vector<bool> out(constraints_.contacts.size(), true);
  for (size_t i = 0; motion_ && i < out.size(); ++i) {
    const auto named = motion_->closed.find(constraints_.contacts[i].name);
    out[i] = named == motion_->closed.end() || named->second;
  }
  if (!walks_) return out;
  const double p = phase(time);
  for (size_t i = 0; i < out.size(); ++i) {
    const bool first = i % 4 == 0 || i % 4 == 3;
    out[i] = first ? p < first_lift || p >= first_touch : p < second_lift;
  }
  return out;
}

/// How far a foot is lifted, 0…1, with derivatives.
double Reference::swing_share(double time, int contact, double& rate, double& acceleration) const {
  rate = acceleration = 0;
  if (closed(time)[contact]) return 0;
  const bool first = contact % 4 == 0 || contact % 4 == 3;
  const double begin = first ? first_lift : second_lift, end = first ? first_touch : 1.0;
  const double w = 2 * M_PI / ((end - begin) * gait_.period);
  const double angle = 2 * M_PI * (phase(time) - begin) / (end - begin);
  rate = 0.5 * w * std::sin(angle);
  acceleration = 0.5 * w * w * std::cos(angle);
  return 0.5 * (1 - std::cos(angle));
}

/// From the sample before by its velocity and acceleration; at rest behind the last one.
ReferencePoint Reference::along_motion(double time) const {
  const MotionTable& m = *motion_;
  const Eigen::Index last = m.num_samples() - 1;
  Eigen::Index k = std::upper_bound(m.time.begin(), m.time.end(), time + 1e-9) - m.time.begin();
  k = std::clamp<Eigen::Index>(k - 1, 0, last);
  const double dt = k == last ? 0 : time - m.time[k];
  const double share = k == last ? 0 : dt / (m.time[k + 1] - m.time[k]);
  const Eigen::Index next = std::min(k + 1, last);
  ReferencePoint out;
  out.weight = VectorXd::Ones(robot_.nv());
  out.a = (1 - share) * m.a.col(k) + share * m.a.col(next);
  out.v = m.v.col(k) + dt * m.a.col(k);
  out.configuration.resize(m.q.rows());
  integrate(robot_, m.q.col(k), dt * m.v.col(k) + 0.5 * dt * dt * m.a.col(k), out.configuration);
  out.q = joint_angles(robot_, out.configuration);
  if (m.tau.cols() > 0) out.effort = (1 - share) * m.tau.col(k) + share * m.tau.col(next);
  return out;
}

ReferencePoint Reference::at(double time) const {
  if (motion_) return along_motion(time);
  ReferencePoint out{posture_, VectorXd::Zero(posture_.size()), VectorXd::Zero(posture_.size()),
                     weight_};
  for (Eigen::Index h = 0; h < amplitude_.cols(); ++h) {
    const double w = omega_ * static_cast<double>(h + 1);
    for (Eigen::Index i = 0; i < posture_.size(); ++i) {
      const double s = std::sin(w * time + phase_(i, h)), c = std::cos(w * time + phase_(i, h));
      out.q[i] += amplitude_(i, h) * s;
      out.v[i] += w * amplitude_(i, h) * c;
      out.a[i] -= w * w * amplitude_(i, h) * s;
    }
  }
  if (walks_) {
    out.q[0] += gait_.step_length * time / gait_.period;
    out.v[0] += gait_.step_length / gait_.period;
  }
  const std::vector<bool> stands = closed(time);
  for (size_t i = 0; i < swings_.size(); ++i) {
    double rate = 0, acceleration = 0;
    const double share = swing_share(time, static_cast<int>(i), rate, acceleration);
    for (size_t n = 0; n < swings_[i].joints.size(); ++n) {
      const int joint = swings_[i].joints[n];
      const double pseudo_inverse = swings_[i].pseudo_inverse[static_cast<Eigen::Index>(n)];
      out.q[joint] += share * pseudo_inverse;
      out.v[joint] += rate * pseudo_inverse;
      out.a[joint] += acceleration * pseudo_inverse;
      if (stands[i]) out.weight[joint] = 0;
    }
  }
  return out;
}

VectorXd close_loops(const Dynamics& dynamics, const Mode& loops, VectorXd q,
                     const VectorXd& fixed) {
  if (loops.num_rows() == 0) return q;
  const VectorXd zero = VectorXd::Zero(dynamics.nv());
  for (int i = 0; i < 50; ++i) {
    const ConstraintRows rows = dynamics.rows_at(loops, q, zero, Level::position);
    if (rows.r.lpNorm<Eigen::Infinity>() < 1e-13) break;
    const MatrixXd free = rows.dr_dq * (VectorXd::Ones(fixed.size()) - fixed).asDiagonal();
    const VectorXd step = -free.completeOrthogonalDecomposition().solve(rows.r);
    VectorXd next(q.size());
    integrate(dynamics.robot(), q, step, next);
    q = next;
  }
  const VectorXd error = dynamics.rows_at(loops, q, zero, Level::position).r;
  Eigen::Index worst = 0;
  if (error.cwiseAbs().maxCoeff(&worst) > 1e-9) {
    throw InputError(
        "the loops cannot be closed at the start of the motion: " + row_names(loops)[worst] +
        " stays open by " + std::to_string(1e3 * error[worst]) + " mm; give simulation.posture");
  }
  return q;
}

}  // namespace bayesid
