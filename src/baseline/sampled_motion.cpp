// SPDX-License-Identifier: BSD-3-Clause
#include "baseline/sampled_motion.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "bayesid/error.hpp"
#include "bayesid/integrator.hpp"
#include "bayesid/posterior.hpp"
#include "math/median_step.hpp"
#include "math/parallel.hpp"
#include "math/savitzky_golay.hpp"
#include "math/so3.hpp"
#include "posterior/motion_segments.hpp"
#include "problem/pose_channels.hpp"
#include "robot/rigid_pose.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

/// Mode of every sample; none in an impact and at the last sample.
std::vector<int> sample_modes(const Timeline& timeline, int num_samples) {
  std::vector<int> out(num_samples, -1);
  for (size_t i = 0; i < timeline.stages.size(); ++i) {
    const int sample = timeline.nodes[i].sample;
    if (sample >= 0 && !timeline.stages[i].impact) out[sample] = timeline.stages[i].mode;
  }
  return out;
}

/// What one sensor measured of one joint, at its own times.
struct JointChannel {
  VectorXd time, value;
};

/// Poses as columns of position and as rotations; those that were measured.
struct BaseChannel {
  VectorXd time;
  MatrixXd position;
  std::vector<Matrix3d> rotation;
};

Matrix3d rotation_of(const VectorXd& pose) {
  return Eigen::Quaterniond(Eigen::Vector4d(pose.tail<4>())).normalized().toRotationMatrix();
}

/// Local polynomials of one recording.
class Smoother {
 public:
  Smoother(const RobotProblem& problem, int trajectory, SmoothingWindow window)
      : robot_(problem.dynamics().robot()),
        recording_(problem.recordings()[trajectory]),
        noise_(problem.noise()),
        window_(window),
        rule_(rule_of(problem.integrator())),
        step_(median_step(recording_.time)) {
    const Index n = recording_.time.size();
    const Timeline& timeline = problem.timeline(trajectory);
    out_.mode = sample_modes(timeline, static_cast<int>(n));
    out_.cuts = motion_cuts(timeline, n);
    MotionGuess& motion = out_.motion;
    motion.position = motion.velocity = motion.acceleration = MatrixXd::Zero(robot_.nv(), n);
    out_.mid_speed = MatrixXd::Zero(robot_.nv(), n);
    if (robot_.floating) motion.base = identity_pose().replicate(1, n);
    read_joints();
    if (robot_.floating) read_base();
    forget_ends();
    make_weights();
  }

  void smooth(Index sample) {
    const TimeSpan span = span_at(sample);
    for (const Joint& joint : robot_.joints) smooth_joint(joint.idx_v, sample, span);
    if (robot_.floating) smooth_base(sample, span);
  }

  SampledMotion result() { return std::move(out_); }

 private:
  void read_joints() {
    positions_.resize(robot_.nv());
    velocities_.resize(robot_.nv());
    for (const Joint& joint : robot_.joints) {
      const int j = joint.idx_v;
      positions_[j] = {recording_.time, unwrapped(recording_, j)};
      velocities_[j] = {recording_.time, recording_.velocity.row(j).transpose()};
      if (positions_[j].value.array().isNaN().all() && velocities_[j].value.array().isNaN().all()) {
        throw InputError(recording_.file + ": joint " + joint.name +
                         " has neither position nor velocity: a regressor needs the motion of "
                         "every joint");
      }
    }
  }

  void read_base() {
    const MatrixXd pose = measured_base(robot_, recording_.poses);
    if (pose.cols() == 0) {
      throw InputError(recording_.file +
                       ": the pose of the floating base is not measured (pose.<frame> of a frame "
                       "on it): a regressor needs the motion of the base; map and forward do not");
    }
    std::vector<Index> seen;
    for (Index k = 0; k < pose.cols(); ++k) {
      if (pose.col(k).allFinite()) seen.push_back(k);
    }
    base_.time = recording_.time(seen);
    base_.position = pose(Eigen::seqN(0, 3), seen);
    for (const Index k : seen) base_.rotation.push_back(rotation_of(pose.col(k)));
  }

  /// One-sided fits at the ends of a segment know accelerations badly.
  void forget_ends() {
    const Index half = window_.samples / 2;
    for (size_t i = 0; i + 1 < out_.cuts.size(); ++i) {
      const Index first = out_.cuts[i], count = out_.cuts[i + 1] - first;
      const Index margin = std::min(half, count / 4);
      for (Index k = 0; k < margin; ++k) {
        out_.mode[first + k] = out_.mode[first + count - 1 - k] = -1;
      }
    }
  }

  /// On even time stamps all fits inside a segment have the same weights.
  void make_weights() {
    weights_.resize(robot_.nv());
    const Index n = recording_.time.size(), half = window_.samples / 2;
    const VectorXd steps = recording_.time.tail(n - 1) - recording_.time.head(n - 1);
    constexpr double even = 1e-9;  // of a step
    if ((steps.array() - step_).abs().maxCoeff() > even * step_ || n < window_.samples) return;
    const double t = recording_.time[half];
    const TimeSpan whole{recording_.time[0], recording_.time[n - 1]};
    for (const Joint& joint : robot_.joints) {
      const int j = joint.idx_v;
      if (positions_[j].value.array().isNaN().any()) continue;
      const bool has_velocity = !velocities_[j].value.array().isNaN().any();
      if (!has_velocity && !velocities_[j].value.array().isNaN().all()) continue;
      weights_[j] =
          polynomial_weights(window_.order, window_around(t, whole, step_, window_.samples),
                             channels(j, has_velocity), readings(t));
    }
  }

  std::vector<TimedValues> channels(int j, bool has_velocity) const {
    std::vector<TimedValues> out{{.time = positions_[j].time,
                                  .value = positions_[j].value,
                                  .std = noise_.position[j],
                                  .derivative = 0,
                                  .shift = 0}};
    if (has_velocity) {
      out.push_back({.time = velocities_[j].time,
                     .value = velocities_[j].value,
                     .std = noise_.velocity[j],
                     .derivative = 1,
                     .shift = rule_.velocity_at * step_});
    }
    return out;
  }

  /// q, v, a and q̇ of a sample.                                   docs/math/baselines.md (3)
  std::vector<PolynomialReading> readings(double t) const {
    return {
        {t, 0}, {t + rule_.velocity_at * step_, 1}, {t + rule_.acceleration_at * step_, 2}, {t, 1}};
  }

  /// By the weights, when the window lies inside of its segment.
  bool filter_joint(int j, Index sample, Eigen::Vector4d& out) const {
    const MatrixXd& weights = weights_[j];
    if (weights.size() == 0) return false;
    const Index half = window_.samples / 2;
    const auto next = std::upper_bound(out_.cuts.begin(), out_.cuts.end(), sample);
    if (sample - half < *(next - 1) || sample + half >= *next) return false;
    // Velocities whose clock is early leave the window on that side.
    const Index count = weights.cols() - window_.samples;
    const Index late = sample + half + 1 - count;
    out = weights.leftCols(window_.samples) *
          positions_[j].value.segment(sample - half, window_.samples);
    if (count > 0) out += weights.rightCols(count) * velocities_[j].value.segment(late, count);
    return true;
  }

  TimeSpan span_at(Index sample) const {
    const auto next = std::upper_bound(out_.cuts.begin(), out_.cuts.end(), sample);
    const TimeSpan whole{recording_.time[*(next - 1)], recording_.time[*next - 1]};
    return window_around(recording_.time[sample], whole, step_, window_.samples);
  }

  void smooth_joint(int j, Index sample, TimeSpan span) {
    Eigen::Vector4d read;
    if (!filter_joint(j, sample, read)) {
      const LocalPolynomial p = fit_polynomial(window_.order, span, channels(j, true));
      const std::vector<PolynomialReading> wanted = readings(recording_.time[sample]);
      for (int i = 0; i < 4; ++i) read[i] = p.at(wanted[i].time, wanted[i].derivative);
    }
    out_.motion.position(j, sample) = read[0];
    out_.motion.velocity(j, sample) = read[1];
    out_.motion.acceleration(j, sample) = read[2];
    out_.mid_speed(j, sample) = read[3];
  }

  /// Position in the world, and rotation as φ = Log(R_cᵀ R) around the middle of the window.
  /// docs/math/baselines.md (4)
  void smooth_base(Index sample, TimeSpan span) {
    const double* begin = base_.time.data();
    const double* end = begin + base_.time.size();
    const Index first = std::lower_bound(begin, end, span.first) - begin;
    const Index count = std::upper_bound(begin, end, span.last) - begin - first;
    const Matrix3d R_c = base_.rotation[std::min<Index>(first + count / 2, base_.time.size() - 1)];
    MatrixXd turns(3, count);
    for (Index k = 0; k < count; ++k) {
      turns.col(k) = so3_log(R_c.transpose() * base_.rotation[first + k]);
    }
    const VectorXd time = base_.time.segment(first, count);
    std::vector<LocalPolynomial> p, phi;
    for (int i = 0; i < 3; ++i) {
      const VectorXd place = base_.position.row(i).segment(first, count).transpose();
      const VectorXd turn = turns.row(i).transpose();
      p.push_back(fit_polynomial(window_.order, span, {{.time = time, .value = place}}));
      phi.push_back(fit_polynomial(window_.order, span, {{.time = time, .value = turn}}));
    }
    const double t = recording_.time[sample];
    const BaseMotion here = base_at(R_c, p, phi, t);
    out_.motion.base.col(sample) = here.pose;
    out_.motion.position.col(sample).head<6>() = difference_pose(identity_pose(), here.pose);
    out_.mid_speed.col(sample).head<6>() = here.v;
    out_.motion.velocity.col(sample).head<6>() =
        base_at(R_c, p, phi, t + rule_.velocity_at * step_).v;
    out_.motion.acceleration.col(sample).head<6>() =
        base_at(R_c, p, phi, t + rule_.acceleration_at * step_).a;
  }

  struct BaseMotion {
    PoseNumbers pose;
    PoseTangent v, a;
  };
  static BaseMotion base_at(const Matrix3d& R_c, const std::vector<LocalPolynomial>& p,
                            const std::vector<LocalPolynomial>& phi, double t) {
    const auto read = [&](const std::vector<LocalPolynomial>& of, int derivative) {
      return Vector3d(of[0].at(t, derivative), of[1].at(t, derivative), of[2].at(t, derivative));
    };
    const Vector3d turn = read(phi, 0), rate = read(phi, 1);
    const Matrix3d R = R_c * so3_exp(turn), J = so3_right_jacobian(turn);
    const auto dJ = so3_right_jacobian_derivative(turn);
    const Vector3d omega = J * rate;
    const Vector3d alpha =
        J * read(phi, 2) + (rate[0] * dJ[0] + rate[1] * dJ[1] + rate[2] * dJ[2]) * rate;
    const Vector3d v = R.transpose() * read(p, 1);
    BaseMotion out;
    out.pose << read(p, 0), Eigen::Quaterniond(R).coeffs();
    out.v << v, omega;
    out.a << R.transpose() * read(p, 2) - omega.cross(v), alpha;
    return out;
  }

  const Robot& robot_;
  const Recording& recording_;
  const Noise& noise_;
  SmoothingWindow window_;
  const IntegratorRule& rule_;
  double step_;
  std::vector<JointChannel> positions_, velocities_;
  std::vector<MatrixXd> weights_;  // of each velocity; empty: fits of their own
  BaseChannel base_;
  SampledMotion out_;
};

}  // namespace

std::vector<SampledMotion> local_polynomial_motion(const RobotProblem& problem,
                                                   SmoothingWindow window, int num_threads) {
  constexpr Index block = 64;
  ThreadPool pool(num_threads);
  std::vector<SampledMotion> out;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    Smoother smoother(problem, t, window);
    const Index n = problem.recordings()[t].num_samples();
    pool.run(static_cast<int>((n + block - 1) / block), [&](int i, int) {
      for (Index k = i * block; k < std::min(n, (i + 1) * block); ++k) smoother.smooth(k);
    });
    out.push_back(smoother.result());
  }
  return out;
}

std::vector<SampledMotion> smoother_motion(const RobotProblem& problem) {
  std::vector<SmoothedMotion> smoothed = smooth_motions(problem);
  std::vector<SampledMotion> out;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const Recording& recording = problem.recordings()[t];
    const Timeline& timeline = problem.timeline(t);
    SampledMotion one{.motion = std::move(smoothed[t].motion),
                      .mid_speed = {},
                      .mode = sample_modes(timeline, recording.num_samples()),
                      .cuts = motion_cuts(timeline, recording.num_samples())};
    // To the clocks of the transitions, by the next derivative.
    const IntegratorRule& rule = rule_of(problem.integrator());
    const double step = median_step(recording.time);
    MotionGuess& motion = one.motion;
    one.mid_speed = motion.velocity;
    motion.velocity += rule.velocity_at * step * motion.acceleration;
    const MatrixXd a = motion.acceleration;
    for (Index k = 0; k + 1 < a.cols(); ++k) {
      motion.acceleration.col(k) += rule.acceleration_at * (a.col(k + 1) - a.col(k));
    }
    out.push_back(std::move(one));
  }
  return out;
}

int num_smoothable(const RobotProblem& problem) {
  Index longest = 0;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const std::vector<Index> cuts =
        motion_cuts(problem.timeline(t), problem.recordings()[t].num_samples());
    for (size_t i = 0; i + 1 < cuts.size(); ++i) longest = std::max(longest, cuts[i + 1] - cuts[i]);
  }
  return static_cast<int>(longest);
}

}  // namespace bayesid
