// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/simulation/simulate.hpp"

#include <cmath>
#include <random>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double tracking_frequency = 5.0;  // rad/s, of the controller

/// q(t) = middle + Σ_h s_h sin(h ω t + φ_h) for each joint.
struct Sines {
  VectorXd middle;
  MatrixXd amplitude, phase;  // nv × harmonics
  double omega = 0;

  void at(double t, VectorXd& q, VectorXd& v, VectorXd& a) const {
    q = middle;
    v.setZero(q.size());
    a.setZero(q.size());
    for (Eigen::Index h = 0; h < amplitude.cols(); ++h) {
      const double w = omega * static_cast<double>(h + 1);
      for (Eigen::Index j = 0; j < q.size(); ++j) {
        const double s = std::sin(w * t + phase(j, h)), c = std::cos(w * t + phase(j, h));
        q[j] += amplitude(j, h) * s;
        v[j] += w * amplitude(j, h) * c;
        a[j] -= w * w * amplitude(j, h) * s;
      }
    }
  }
};

Sines random_sines(const Robot& robot, const SimulationConfig& options, std::mt19937_64& random) {
  std::uniform_real_distribution<double> angle(-M_PI, M_PI), share(0.3, 1.0);
  Sines out;
  out.omega = 2 * M_PI * options.base_frequency;
  out.middle = VectorXd::Zero(robot.nv());
  out.amplitude = MatrixXd::Zero(robot.nv(), options.harmonics);
  out.phase = MatrixXd::NullaryExpr(robot.nv(), options.harmonics, [&] { return angle(random); });
  for (int j = 0; j < robot.nv(); ++j) {
    const Joint& joint = robot.joints[j];
    const bool limited = std::isfinite(joint.lower) && std::isfinite(joint.upper);
    if (limited) out.middle[j] = 0.5 * (joint.lower + joint.upper);
    const double room = limited ? 0.4 * (joint.upper - joint.lower) : options.amplitude;
    const double total = std::min(options.amplitude, room);
    for (int h = 0; h < options.harmonics; ++h) out.amplitude(j, h) = share(random);
    out.amplitude.row(j) *= total / out.amplitude.row(j).sum();
  }
  return out;
}

}  // namespace

Simulation simulate(const Dynamics& dynamics, const VectorXd& theta, const Noise& noise,
                    Integrator integrator, const SimulationConfig& options, unsigned seed) {
  const Robot& robot = dynamics.robot();
  const int nv = robot.nv();
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto draw = [&](const VectorXd& std) {
    return VectorXd(
        VectorXd::NullaryExpr(nv, [&](Eigen::Index j) { return std[j] * normal(random); }));
  };
  const Sines sines = random_sines(robot, options, random);
  const double dt = 1.0 / options.rate;
  const int samples = static_cast<int>(std::lround(options.duration * options.rate)) + 1;
  const double position_gain =
      integrator == Integrator::semi_implicit_euler ? dt * dt : 0.5 * dt * dt;

  Simulation out;
  out.position = out.velocity = MatrixXd::Zero(nv, samples);
  out.acceleration = out.effort = MatrixXd::Zero(nv, samples - 1);
  out.measured.file = "simulation";
  out.measured.time = VectorXd::LinSpaced(samples, 0.0, dt * (samples - 1));
  out.measured.position = out.measured.velocity = out.measured.effort = MatrixXd::Zero(nv, samples);

  const auto model = dynamics.at(theta);
  Dynamics::Workspace workspace(dynamics);
  ForceBalance balance(nv, dynamics.nzeta());
  VectorXd angles(nv), v(nv), q_wanted(nv), v_wanted(nv), a(nv);
  sines.at(0.0, angles, v, a);
  for (int k = 0; k < samples; ++k) {
    out.position.col(k) = angles;
    out.velocity.col(k) = v;
    out.measured.position.col(k) = angles + draw(noise.position);
    out.measured.velocity.col(k) = v + draw(noise.velocity);
    sines.at(k * dt, q_wanted, v_wanted, a);
    a += tracking_frequency * (2 * (v_wanted - v) + tracking_frequency * (q_wanted - angles));
    // Effort that makes the balance exact: gain · τ + offset = everything else.
    dynamics.balance(*model, make_configuration(robot, angles), v, a, VectorXd::Zero(nv),
                     Order::value, workspace, balance);
    VectorXd effort = VectorXd::Zero(nv);
    for (int j = 0; j < nv; ++j) {
      if (model->eta.gain[j] != 0) effort[j] = balance.h[j] / model->eta.gain[j];
    }
    out.measured.effort.col(k) = effort;
    if (noise.effort.size() > 0) out.measured.effort.col(k) -= draw(noise.effort);
    if (k + 1 == samples) break;
    out.acceleration.col(k) = a;
    out.effort.col(k) = effort;
    angles += dt * v + position_gain * a + draw(noise.disturbance_position);
    v += dt * a + draw(noise.disturbance_velocity);
  }
  return out;
}

}  // namespace bayesid
