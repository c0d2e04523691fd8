// SPDX-License-Identifier: BSD-3-Clause
#include "support/cube_toss.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace bayesid::test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr double free_slip = 0.3, free_twist = 5e-3;  // N·s, N·m·s: any impulse will do
constexpr double disturbance_position = 1e-6;         // m, rad
// m/s, rad/s in a step: slow errors of the camera, which look like accelerations of 0.1 m/s² over a
// flight of 15 samples, and the drag of the air.
constexpr double disturbance_velocity = 2.5e-3;
Recording make_recording(const CubeToss& toss, const CubeModel& model) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const Eigen::Index n = model.with_impact ? toss.time.size() : toss.num_before;
  Recording out;
  out.file = toss.name;
  out.time = toss.time.head(n);
  out.position = out.velocity = MatrixXd::Constant(6, n, nan);
  out.effort = MatrixXd::Zero(6, n);
  out.poses["cube"] = toss.pose.leftCols(n);
  if (model.with_impact)
    out.impacts = {{.time = toss.impact,
                    .contacts = {toss.name},
                    .restitution = toss.restitution,
                    .slip = model.slip,
                    .twist = model.twist}};
  return out;
}

/// Least value of a function with one minimum, by golden section.
double golden_section(const std::function<double(double)>& f, double low, double high,
                      double width) {
  const double share = (std::sqrt(5.0) - 1) / 2;
  double a = high - share * (high - low), b = low + share * (high - low), fa = f(a), fb = f(b);
  while (high - low > width) {
    if (fa < fb) {
      high = b;
      b = a;
      fb = fa;
      fa = f(a = high - share * (high - low));
    } else {
      low = a;
      a = b;
      fa = fb;
      fb = f(b = low + share * (high - low));
    }
  }
  return 0.5 * (low + high);
}

}  // namespace

std::shared_ptr<const Dynamics> cube_dynamics(const CubeModel& model) {
  Config config;
  config.model.urdf = std::string(BAYESID_SOURCE) + "/data/models/cube.urdf";
  config.model.floating_base = true;
  config.model.gravity = {0, 0, -standard_gravity};
  InertiaPriorConfig& inertia = config.parameters.inertia.emplace();
  inertia.log_mass = 1e-3;
  inertia.first_moment = model.first_moment;
  inertia.first_moment_is_relative = false;
  inertia.rotation = 0.3;
  if (model.moments_known) {
    for (const std::string name : {"wx", "wy", "wz", "log_lx", "log_ly", "log_lz"})
      config.parameters.set["inertia.cube." + name].fixed = true;
  }
  const Robot robot = read_robot(config.model);
  return std::make_shared<const Dynamics>(robot, ParameterSet(robot, config));
}

RobotProblem cube_problem(std::shared_ptr<const Dynamics> dynamics,
                          const std::vector<CubeToss>& tosses, const CubeModel& model) {
  ProblemOptions options;
  std::vector<Recording> recordings;
  for (const CubeToss& toss : tosses) {
    recordings.push_back(make_recording(toss, model));
    MotionConstraint& contact = options.constraints.contacts.emplace_back();
    contact.name = toss.name;
    contact.axes = Axes::world_aligned;
    contact.first = *find_frame(dynamics->robot(), "cube");
    contact.first.translation = touching_point(toss, model.rounding);
    contact.second = {0, Matrix3d::Identity(), Vector3d::Zero()};
    contact.rows = {2};
    contact.is_contact = true;
  }
  Noise noise;
  noise.position = noise.velocity = VectorXd::Ones(6);
  noise.disturbance_position = VectorXd::Constant(6, disturbance_position);
  noise.disturbance_velocity = VectorXd::Constant(6, disturbance_velocity);
  noise.initial_position.resize(6);
  noise.initial_position << VectorXd::Constant(3, model.position),
      VectorXd::Constant(3, model.orientation);
  noise.initial_velocity = VectorXd::Constant(6, 10.0);
  noise.poses["cube"] = {.position = model.position, .orientation = model.orientation};
  return RobotProblem(std::move(dynamics), std::move(recordings), std::move(noise),
                      Integrator::constant_acceleration, std::move(options));
}

void find_impact(CubeModel model, bool free_restitution, CubeToss& toss) {
  model.slip = free_slip;
  model.twist = free_twist;
  model.moments_known = true;  // any will do
  const std::shared_ptr<const Dynamics> dynamics = cube_dynamics(model);
  const auto cost = [&] {
    return solve(cube_problem(dynamics, {toss}, model), {.max_iterations = 50}).cost;
  };
  const auto at_time = [&](double time) {
    toss.impact = time;
    return cost();
  };
  const auto at_restitution = [&](double restitution) {
    toss.restitution = restitution;
    return cost();
  };
  const double step = toss.time[1] - toss.time[0];
  double room = 0.5 * step;
  for (int round = 0; round < (free_restitution ? 3 : 1); ++round) {
    toss.impact = golden_section(at_time, toss.impact - room, toss.impact + room, 1e-3 * step);
    room = 0.1 * step;
    if (free_restitution) {
      const double middle = toss.restitution;
      toss.restitution =
          golden_section(at_restitution, std::max(0.0, middle - 0.1), middle + 0.1, 1e-4);
    }
  }
}

CubeInertia cube_inertia(const ParameterSet& parameters, const Solution& solution) {
  const VectorXd& theta = solution.point.theta;
  const std::vector<std::string> names = parameters.names();
  const auto index = [&](const std::string& name) {
    return std::ranges::find(names, "inertia.cube." + name) - names.begin();
  };
  const double m = std::exp(theta[index("log_mass")]);
  const std::array<std::string, 3> axes{"x", "y", "z"};
  MatrixXd J = MatrixXd::Zero(7, theta.size());  // of the ratios, their mean, and the centre
  CubeInertia out;
  for (int i = 0; i < 3; ++i) {
    out.ratio[i] = 0;
    for (int j = 0; j < 3; ++j) {
      if (j == i) continue;
      const double part = std::exp(theta[index("log_l" + axes[j])]) / m;
      out.ratio[i] += part;
      J(i, index("log_l" + axes[j])) = part;
    }
    J(i, index("log_mass")) = -out.ratio[i];
    J.row(3) += J.row(i) / 3;
    out.centre[i] = theta[index("h" + axes[i])] / m;
    J(4 + i, index("h" + axes[i])) = 1 / m;
    J(4 + i, index("log_mass")) = -out.centre[i];
  }
  const VectorXd std = (J * solution.theta_cov * J.transpose()).diagonal().cwiseSqrt();
  out.mean = out.ratio.mean();
  out.ratio_std = std.head<3>();
  out.mean_std = std[3];
  out.centre_std = std.tail<3>();
  return out;
}

}  // namespace bayesid::test
