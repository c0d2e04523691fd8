// SPDX-License-Identifier: BSD-3-Clause
#include "support/standing.hpp"

#include <Eigen/QR>
#include <cmath>
#include <random>

namespace bayesid::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double dt = 0.002;  // s

/// The base sways and Newton's method keeps the feet; joints that move no foot rest.
class Sway {
 public:
  explicit Sway(const Scene& scene)
      : dynamics_(*scene.dynamics),
        mode_(all_contacts(scene)),
        at_rest_(VectorXd::Zero(dynamics_.nv())),
        numbers_(posture(scene)),
        feet_(position(make_configuration(dynamics_.robot(), numbers_)).r) {}

  /// Configuration at a time; the search starts at the one requested last.
  VectorXd at(double time) {
    const Eigen::Index num_joints = dynamics_.nv() - 6;
    for (int i = 0; i < 6; ++i) numbers_[i] = amplitude(i) * std::sin((3.0 + i) * time + i);
    for (int iteration = 0; iteration < 4; ++iteration) {
      const ConstraintRows rows = position(make_configuration(dynamics_.robot(), numbers_));
      const MatrixXd by_joints = rows.dr_dq.rightCols(num_joints);
      numbers_.tail(num_joints) -=
          by_joints.completeOrthogonalDecomposition().solve(rows.r - feet_);
    }
    return make_configuration(dynamics_.robot(), numbers_);
  }

 private:
  static double amplitude(int i) { return i < 3 ? 0.02 : 0.05; }  // m, rad
  ConstraintRows position(const VectorXd& q) const {
    return dynamics_.rows_at(mode_, q, at_rest_, Level::position);
  }

  const Dynamics& dynamics_;
  Mode mode_;
  VectorXd at_rest_, numbers_, feet_;
};

/// Efforts of a motion, with the shortest contact forces that carry the base.
class Carrier {
 public:
  explicit Carrier(const Scene& scene)
      : dynamics_(*scene.dynamics),
        mode_(all_contacts(scene)),
        at_(dynamics_.at(dynamics_.parameters().prior())),
        workspace_(dynamics_),
        stage_(dynamics_.nv(), dynamics_.nzeta(), mode_.num_rows()),
        none_(VectorXd::Zero(dynamics_.nv())) {}

  VectorXd efforts(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    dynamics_.linearise(*at_, mode_, q, v, a, none_, none_, workspace_, stage_);
    const MatrixXd carried = stage_.rows.J.leftCols<6>().transpose();
    const VectorXd lambda =
        carried.completeOrthogonalDecomposition().solve(stage_.balance.h.head<6>());
    VectorXd out = stage_.balance.h - stage_.rows.J.transpose() * lambda;
    out.head<6>().setZero();
    return out;
  }

 private:
  const Dynamics& dynamics_;
  Mode mode_;
  std::shared_ptr<const DynamicsAt> at_;
  Dynamics::Workspace workspace_;
  StageDynamics stage_;
  VectorXd none_;
};

void add_noise(double std, std::mt19937& random, Eigen::Ref<MatrixXd> out) {
  std::normal_distribution<double> normal(0.0, std);
  for (Eigen::Index j = 0; j < out.cols(); ++j) {
    for (Eigen::Index i = 0; i < out.rows(); ++i) out(i, j) += normal(random);
  }
}

}  // namespace

Recording standing_recording(const Scene& scene, int num_samples, unsigned seed) {
  const Robot& robot = scene.dynamics->robot();
  const int nv = robot.nv();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Recording out{.file = scene.name,
                .time = VectorXd::LinSpaced(num_samples, 0, dt * (num_samples - 1))};
  out.position = out.velocity = MatrixXd::Constant(nv, num_samples, nan);
  out.effort = MatrixXd::Zero(nv, num_samples);
  MatrixXd& poses = out.poses[scene.config.measurements.poses.begin()->first];
  poses.resize(7, num_samples);
  Sway sway(scene);
  Carrier carrier(scene);
  VectorXd before = sway.at(-dt), q = sway.at(0), v(nv), v_next(nv);
  difference(robot, before, q, v);
  v /= dt;
  for (int k = 0; k < num_samples; ++k) {
    const VectorXd next = sway.at(dt * (k + 1));
    difference(robot, q, next, v_next);
    v_next /= dt;
    poses.col(k) = q.head<7>();  // the sensor sits in the base's origin
    out.position.col(k).tail(nv - 6) = joint_angles(robot, q).tail(nv - 6);
    out.velocity.col(k).tail(nv - 6) = v.tail(nv - 6);
    out.effort.col(k) = carrier.efforts(q, v, (v_next - v) / dt);
    q = next;
    v = v_next;
  }
  std::mt19937 random(seed);
  add_noise(1e-4, random, out.position.bottomRows(nv - 6));
  add_noise(1e-2, random, out.velocity.bottomRows(nv - 6));
  add_noise(0.1, random, out.effort.bottomRows(nv - 6));
  add_noise(1e-3, random, poses.topRows(3));
  std::vector<std::string> feet;
  for (const ContactConfig& c : scene.config.model.contacts) feet.push_back(c.name);
  out.phases = {{-1.0, dt * num_samples + 1.0, feet}};
  return out;
}

RobotProblem standing_problem(const Scene& scene, int num_stages, bool effort_exact,
                              unsigned seed) {
  const Recording recording = standing_recording(scene, num_stages + 1, seed);
  Noise noise = bayesid::make_noise(scene.dynamics->robot(), scene.config, {recording});
  if (effort_exact) noise.effort = VectorXd();
  ProblemOptions options;
  options.constraints = make_constraints(scene.dynamics->robot(), scene.config);
  return RobotProblem(scene.dynamics, {recording}, noise, scene.config.solver.integrator, options);
}

}  // namespace bayesid::test
