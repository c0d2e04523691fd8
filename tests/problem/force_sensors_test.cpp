// SPDX-License-Identifier: BSD-3-Clause
// Sensors of contact forces, and of torques behind the gears, as observations of stages.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/LU>
#include <Eigen/QR>

#include "bayesid/compare.hpp"
#include "bayesid/problem.hpp"
#include "dynamics/contact_wrench.hpp"
#include "support/identification.hpp"
#include "support/legged.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/random_mode.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double dt = 0.001;
constexpr int num_samples = 6;
constexpr double torque_std = 0.4;

/// Contacts of a mode with a force sensor each, its channels with an offset each, and joints with
/// torque sensors. The contacts are closed in stages 0 to 3 and open in stage 4.
struct SensedContacts {
  Config config;
  MotionConstraints constraints;
  std::shared_ptr<const Dynamics> dynamics;
  StageLimits limits = {};

  SensedContacts(const test::Scene& scene, const Mode& mode) : config(scene.config) {
    config.parameters.wrench_offset.emplace();
    for (MotionConstraint c : mode.constraints) {
      if (c.second.body != 0) {
        constraints.loops.push_back(c);
        continue;
      }
      c.is_contact = true;
      c.kp = 0;
      constraints.contacts.push_back(c);
      config.measurements.wrenches["at_" + c.name] = {.contact = c.name, .force = 0.7};
      if (c.type == ConstraintType::frame)
        config.measurements.wrenches["at_" + c.name].torque = 0.05;
    }
    const Robot robot = read_robot(config.model);
    dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, config));
  }

  /// A log of random numbers, one channel of which is missing.
  Recording recording(const test::Scene& scene) const {
    const int nv = dynamics->nv();
    const test::Instant at = test::random_instant(scene, 7);
    const VectorXd numbers = joint_angles(dynamics->robot(), at.q);
    Recording out{.file = "random", .time = VectorXd::LinSpaced(num_samples, 0, 5 * dt)};
    out.position = numbers.replicate(1, num_samples) + 1e-2 * MatrixXd::Random(nv, num_samples);
    out.velocity = 0.3 * MatrixXd::Random(nv, num_samples);
    out.effort = 5 * MatrixXd::Random(nv, num_samples);
    const int base = dynamics->robot().base_nv();
    out.position.topRows(base).setConstant(std::nan(""));
    out.velocity.topRows(base).setConstant(std::nan(""));
    out.effort.topRows(base).setZero();
    out.thrust = MatrixXd::Random(dynamics->num_rotors(), num_samples);
    std::vector<std::string> names;
    for (const MotionConstraint& c : constraints.contacts) names.push_back(c.name);
    out.phases = {{-1.0, 4 * dt, names}};
    for (const auto& [name, wrench] : config.measurements.wrenches) {
      Series& series = out.series["wrench." + name];
      series.time = out.time;
      series.values = 3 * MatrixXd::Random(6, num_samples);
      series.values.row(1).setConstant(std::nan(""));
    }
    out.series["torque"] = {.time = out.time, .values = 4 * MatrixXd::Random(nv, num_samples)};
    out.series["torque"].values.topRows(base).setConstant(std::nan(""));
    return out;
  }

  RobotProblem problem(const test::Scene& scene, bool exact, Projection projection,
                       Integrator integrator = Integrator::semi_implicit_euler) const {
    test::NoiseLevels levels{.position = 1e-3,
                             .velocity = 1e-2,
                             .effort = exact ? 0.0 : 0.5,
                             .disturbance_position = 1e-3,
                             .disturbance_velocity = 1e-2};
    Noise noise = test::make_noise(dynamics->nv(), levels);
    if (!exact) noise.thrust = VectorXd::Constant(dynamics->num_rotors(), 0.2);
    noise.wrenches = config.measurements.wrenches;
    noise.joint_sensors["torque"] = VectorXd::Constant(dynamics->nv(), torque_std);
    return {dynamics,
            {recording(scene)},
            noise,
            integrator,
            ProblemOptions{.constraints = constraints, .projection = projection, .limits = limits}};
  }

  /// The same contacts without force sensors, their forces in cones or pushing, efforts within
  /// limits: all of them tight enough to be active.
  SensedContacts with_limits(bool exact) const {
    SensedContacts out = *this;
    out.config.measurements.wrenches.clear();
    for (size_t i = 0; i < constraints.contacts.size(); ++i) {
      const double mu = i % 2 == 0 ? 0.4 : std::numeric_limits<double>::infinity();
      out.limits.contacts.push_back({constraints.contacts[i].name, mu, "cone"});
    }
    out.limits.force_std = 0.3;
    if (exact) return out;
    for (const Joint& joint : dynamics->robot().joints)
      out.limits.effort.push_back({joint.idx_q, joint.idx_v, -1.0, 2.0, 0.1, "effort"});
    return out;
  }
};

/// A point off the start; parameters too.
Point random_point(const RobotProblem& problem) {
  const Robot& robot = problem.dynamics().robot();
  const int nv = robot.nv(), nq = robot.nq();
  Point out = problem.start();
  for (Eigen::Index k = 0; k < out.paths[0].x.cols(); ++k) {
    auto x = out.paths[0].x.col(k);
    x.head(nq) = test::moved(robot, out.paths[0].x.col(0).head(nq), 1e-3 * VectorXd::Random(nv));
    x.tail(nv) = 0.3 * VectorXd::Random(nv);
  }
  out.theta += 0.05 * problem.space().prior_std().cwiseProduct(VectorXd::Random(out.theta.size()));
  MatrixXd& kappa = out.paths[0].kappa;
  kappa = MatrixXd::Random(kappa.rows(), kappa.cols());
  return out;
}

/// x ⊕ dx
void move_node(const Robot& robot, const VectorXd& dx, int k, Path& path) {
  const int nv = robot.nv(), nq = robot.nq();
  const VectorXd q = path.x.col(k).head(nq);
  path.x.col(k).head(nq) = test::moved(robot, q, dx.head(nv));
  path.x.col(k).tail(nv) += dx.tail(nv);
}

/// A stage, and how its rows move with a change of parameters.
struct Linearised {
  Stage stage;
  std::unique_ptr<Trajectory::Records> records;
  Linearised(const RobotProblem& problem, const Point& point, int k)
      : stage(problem.trajectory(0).size(), problem.space().ncurvature()),
        records(problem.trajectory(0).make_records()) {
    const auto workspace = problem.trajectory(0).make_workspace();
    problem.trajectory(0).linearise(*problem.at(point.theta)->trajectories[0], k, point.paths[0],
                                    *workspace, stage, records.get());
  }
};

/// Random ways through the parameters, in units of the prior; all of them one by one take minutes.
MatrixXd random_ways(const RobotProblem& problem) {
  constexpr int num_ways = 6;
  const MatrixXd ways = problem.space().prior_std().asDiagonal() *
                        MatrixXd::Random(problem.space().prior_std().size(), num_ways);
  return test::heavy_links(problem.dynamics(), ways.transpose()).transpose();
}

void check_rows(const RobotProblem& problem, int k) {
  const Robot& robot = problem.dynamics().robot();
  const int nv = robot.nv();
  Point point = random_point(problem);
  const auto workspace = problem.trajectory(0).make_workspace();
  problem.trajectory(0).restore(*problem.at(point.theta)->trajectories[0], k, *workspace,
                                point.paths[0]);
  const Linearised at(problem, point, k);
  const Stage& stage = at.stage;
  BOOST_REQUIRE(stage.nr > 0);
  const MatrixXd ways = random_ways(problem);
  const auto rows = [&](const VectorXd& change) {
    Point moved = point;
    move_node(robot, change.head(2 * nv), k, moved.paths[0]);
    move_node(robot, change.segment(2 * nv, 2 * nv), k + 1, moved.paths[0]);
    moved.theta += ways * change.tail(ways.cols());
    return VectorXd(Linearised(problem, moved, k).stage.r.head(stage.nr));
  };
  const Eigen::Index n = 4 * nv + ways.cols();
  MatrixXd analytic(stage.nr, n);
  analytic << stage.R_x.topRows(stage.nr), stage.R_y.topRows(stage.nr),
      stage.R_zeta.topRows(stage.nr) * (problem.space().dzeta_dtheta(point.theta) * ways);
  const MatrixXd numeric = precise_jacobian(rows, VectorXd::Zero(n), VectorXd::Constant(n, 1e-4));
  const DerivativeCheck check = check_derivatives(analytic, numeric, 1e-3);
  BOOST_TEST(check.max_error < 1e-6, "stage " << k << ": " << check.worst_entry);
  const VectorXd dzeta = VectorXd::Random(problem.dynamics().nzeta());
  VectorXd shift(2 * nv), shifted(stage.nr);
  problem.trajectory(0).parameter_shift(*problem.at(point.theta)->trajectories[0], k,
                                        point.paths[0], dzeta, *workspace, *at.records, shift,
                                        shifted);
  const VectorXd expected = stage.R_zeta.topRows(stage.nr) * dzeta;
  BOOST_TEST((shifted - expected).norm() < 1e-9 * (1 + expected.norm()));
  const VectorXd moved = stage.D.leftCols(stage.nd) * (stage.K.topRows(stage.nd) * dzeta);
  BOOST_TEST((shift - moved).norm() < 1e-9 * (1 + moved.norm()));
}

/// Every contact of a robot's modes, with the loops beside it.
void for_each_contact(const std::vector<test::Scene>& scenes,
                      const std::function<void(const test::Scene&, const SensedContacts&)>& check) {
  for (const test::Scene& scene : scenes) {
    for (const test::ModeCase& one : test::modes_of(scene, 4)) {
      const bool fits = one.mode.num_rows() <= scene.dynamics->nv();
      const SensedContacts contacts(scene, one.mode);
      if (contacts.constraints.contacts.empty() || !fits) continue;
      std::srand(2);
      BOOST_TEST_CONTEXT(scene.name << ", " << one.name) {
        check(scene, contacts);
      }
    }
  }
}

std::vector<test::Scene> robots() {
  const std::vector<test::Scene>&fixed = test::scenes(), &floating = test::floating_scenes();
  return {fixed[1],    fixed[3],    fixed[4],    floating[0],
          floating[1], floating[2], floating[3], test::standing_scenes()[3]};
}

/// Stage k with a defect that noise can close, and its multiplier.
void close(const RobotProblem& problem, int k, Point& point) {
  const Robot& robot = problem.dynamics().robot();
  const int nv = robot.nv(), nq = robot.nq();
  Path& path = point.paths[0];
  const auto workspace = problem.trajectory(0).make_workspace();
  const auto at = problem.at(point.theta);
  const VectorXd noise = 2 * VectorXd::Random(2 * nv);
  for (int round = 0; round < 8; ++round) {
    const Stage stage = Linearised(problem, point, k).stage;
    const MatrixXd N = stage.N.leftCols(stage.nw);
    const VectorXd stiff = stage.d + N * noise.head(stage.nw);
    const VectorXd q = path.x.col(k + 1).head(nq);
    path.x.col(k + 1).head(nq) = test::moved(robot, q, stiff.head(nv));
    path.x.col(k + 1).tail(nv) += stiff.tail(nv);
  }
  path.gamma.col(k).setZero();
  problem.trajectory(0).restore(*at->trajectories[0], k, *workspace, path);
  if (!robot.floating) return;
  const Stage stage = Linearised(problem, point, k).stage;
  Eigen::Matrix<double, 6, 6> by_q, by_u;
  integrate_jacobians(robot, -stage.d.head(nv), by_q, by_u);
  path.gamma.col(k).head<6>() = by_u.inverse().transpose() * path.gamma.col(k).head<6>();
}

/// The worst entry of the gradient of a stage's share of Φ, from rows and transition, at a random
/// point.
DerivativeCheck compare_gradients(const RobotProblem& problem, int k) {
  const Robot& robot = problem.dynamics().robot();
  const int nv = robot.nv();
  Point point = random_point(problem);
  close(problem, k, point);
  const Stage stage = Linearised(problem, point, k).stage;
  const auto R = [&](const MatrixXd& rows) { return rows.topRows(stage.nr); };
  const VectorXd r = stage.r.head(stage.nr), gamma = point.paths[0].gamma.col(k);
  const MatrixXd T = problem.space().dzeta_dtheta(point.theta);
  const MatrixXd DK = stage.D.leftCols(stage.nd) * stage.K.topRows(stage.nd);
  const MatrixXd ways = random_ways(problem);
  const Eigen::Index n = 4 * nv + ways.cols();
  VectorXd analytic(n);
  analytic << R(stage.R_x).transpose() * r + stage.A.transpose() * gamma,
      R(stage.R_y).transpose() * r - gamma,
      ways.transpose() *
          (T.transpose() * (R(stage.R_zeta).transpose() * r + DK.transpose() * gamma));
  const auto workspace = problem.trajectory(0).make_workspace();
  VectorXd parts(static_cast<Eigen::Index>(problem.cost_parts().size()) + 1);
  const auto cost = [&](const VectorXd& change) {
    Point moved = point;
    move_node(robot, change.head(2 * nv), k, moved.paths[0]);
    move_node(robot, change.segment(2 * nv, 2 * nv), k + 1, moved.paths[0]);
    moved.theta += ways * change.tail(ways.cols());
    problem.trajectory(0).evaluate(*problem.at(moved.theta)->trajectories[0], k, moved.paths[0],
                                   *workspace, parts);
    parts[0] = 0;                   // arrival …
    parts.segment<2>(2).setZero();  // … and encoders belong to the node
    parts[parts.size() - 1] = 0;    // what no noise makes up for
    return VectorXd(VectorXd::Constant(1, parts.sum()));
  };
  VectorXd step = VectorXd::Constant(n, 1e-4);
  step.head(nv).setConstant(1e-5);
  step.segment(2 * nv, nv).setConstant(1e-5);
  step.tail(ways.cols()).setConstant(1e-3);
  const MatrixXd numeric = precise_jacobian(cost, VectorXd::Zero(n), step);
  const MatrixXd expected = analytic.transpose();
  // States and parameters have different scales.
  DerivativeCheck out;
  const auto check_block = [&](const std::string& name, Eigen::Index first, Eigen::Index count) {
    const auto block = numeric.middleCols(first, count);
    const bool is_nothing = std::max(expected.middleCols(first, count).cwiseAbs().maxCoeff(),
                                     block.cwiseAbs().maxCoeff()) < 1e-9;
    if (is_nothing) return;
    const DerivativeCheck check = check_derivatives(expected.middleCols(first, count), block, 1.0);
    if (check.max_error <= out.max_error) return;
    out = check;
    out.worst_entry = name + " " + check.worst_entry;
  };
  check_block("q", 0, nv);
  check_block("v", nv, nv);
  check_block("q'", 2 * nv, nv);
  check_block("v'", 3 * nv, nv);
  check_block("theta", 4 * nv, ways.cols());
  return out;
}

void check_gradient(const RobotProblem& problem, int k) {
  const DerivativeCheck check = compare_gradients(problem, k);
  BOOST_TEST(check.max_error < 1e-6,
             "stage " << k << ", " << check.max_error << ": " << check.worst_entry);
}

/// The same where the gradient has kinks: differences across one are meaningless, so the
/// best of several points counts.
void check_kinked_gradient(const RobotProblem& problem, int k) {
  DerivativeCheck best{.max_error = 1};
  for (int point = 0; point < 4 && best.max_error >= 1e-6; ++point) {
    const DerivativeCheck check = compare_gradients(problem, k);
    if (check.max_error < best.max_error) best = check;
  }
  BOOST_TEST(best.max_error < 1e-6,
             "stage " << k << ", " << best.max_error << ": " << best.worst_entry);
}

/// Cost of a stage by hand: ½|ν|² + ½|w|² + ½|y + b − ŷ|² with every noise of effort tried one by
/// one, w whatever closes the transition.
double stage_cost(const RobotProblem& problem, const Point& point, int k,
                  const SensedContacts& contacts, double& sensors, double& efforts) {
  const Dynamics& dynamics = problem.dynamics();
  const int nv = dynamics.nv(), nq = dynamics.robot().nq();
  const int num_efforts = dynamics.num_efforts();
  const Recording& recording = problem.recordings()[0];
  const Timeline& timeline = problem.timeline(0);
  const Mode& mode = timeline.modes[timeline.stages[k].mode];
  const auto model = dynamics.at(point.theta);
  const VectorXd x = point.paths[0].x.col(k), q = x.head(nq), v = x.tail(nv);
  Dynamics::Workspace workspace(dynamics);
  Kinematics kinematics(dynamics.robot());
  StageDynamics stage(nv, dynamics.nzeta(), mode.num_rows(), dynamics.num_rotors());
  // Of the links alone: no friction, no armature, no motor.
  PhysicalParameters links = model->eta;
  links.gamma.setZero();
  links.armature.setZero();
  links.gain.setZero();
  links.offset.setZero();
  links.presliding.setZero();
  const auto links_model = model_of(dynamics, links);
  ForceBalance balance(nv, dynamics.nzeta(), dynamics.num_rotors());
  // Acceleration, then what all sensors should read.
  const auto solve_with = [&](const VectorXd& noise) {
    VectorXd tau = inputs_at(dynamics, recording, k);
    tau.head(num_efforts) += noise;
    dynamics.solve(*model, mode, q, v, tau, workspace, stage);
    VectorXd out = stage.a;
    for (const auto& [name, config] : contacts.config.measurements.wrenches) {
      const ContactRows contact = find_contact(mode, config.contact);
      const Eigen::Matrix3d R = kinematics.pose(q, contact.constraint->first).rotation;
      ContactWrench wrench = contact_wrench(contact, stage.lambda, Eigen::Matrix3d::Identity());
      if (contact.constraint->axes == Axes::world_aligned) {
        wrench.head<3>() = (R.transpose() * wrench.head<3>()).eval();
        wrench.tail<3>() = (R.transpose() * wrench.tail<3>()).eval();
      }
      out.conservativeResize(out.size() + 6);
      out.tail<6>() = wrench;
    }
    dynamics.balance(*links_model, q, v, stage.a, tau, Order::value, workspace, balance);
    out.conservativeResize(out.size() + nv);
    out.tail(nv) = balance.h;
    if (mode.num_rows() > 0) out.tail(nv) -= stage.rows.J.transpose() * stage.lambda;
    return out;
  };
  const VectorXd at_measured = solve_with(VectorXd::Zero(num_efforts));
  VectorXd effort_std(num_efforts);
  effort_std << problem.noise().effort, problem.noise().thrust;
  if (problem.noise().standstill) {
    const VectorXd more = problem.noise().standstill->at(0).col(k);
    effort_std.head(nv) = (effort_std.head(nv).array().square() + more.array().square()).sqrt();
  }
  MatrixXd by_effort(at_measured.size(), num_efforts);
  for (int i = 0; i < num_efforts; ++i)
    by_effort.col(i) = solve_with(effort_std[i] * VectorXd::Unit(num_efforts, i)) - at_measured;
  std::vector<double> errors, weights;
  std::vector<VectorXd> rows;
  Eigen::Index at = nv;
  for (const auto& [name, config] : contacts.config.measurements.wrenches) {
    for (int channel = 0; channel < 6; ++channel, ++at) {
      const std::optional<double>& std = channel < 3 ? config.force : config.torque;
      const std::string axis = std::array{"fx", "fy", "fz", "tx", "ty", "tz"}[channel];
      const int offset =
          dynamics.parameters().layout().sensor_index("wrench_offset." + name + "." + axis);
      const double measured = recording.series.at("wrench." + name).values(channel, k);
      if (!std || std::isnan(measured)) continue;
      errors.push_back((at_measured[at] + model->eta.sensor[offset] - measured) / *std);
      rows.emplace_back(by_effort.row(at).transpose() / *std);
    }
  }
  for (int j = 0; j < nv; ++j, ++at) {
    const double measured = recording.series.at("torque").values(j, k);
    if (std::isnan(measured)) continue;
    errors.push_back((at_measured[at] - measured) / torque_std);
    rows.emplace_back(by_effort.row(at).transpose() / torque_std);
  }
  const auto num_rows = static_cast<Eigen::Index>(rows.size());
  const VectorXd d = Linearised(problem, point, k).stage.d;
  MatrixXd J(2 * nv + num_rows + num_efforts, num_efforts);
  VectorXd r(J.rows());
  const MatrixXd by_a = by_effort.topRows(nv);
  const VectorXd &sigma_q = problem.noise().disturbance_position,
                 &sigma_v = problem.noise().disturbance_velocity;
  J.topRows(nv) = sigma_q.cwiseInverse().asDiagonal() * by_a * dt * dt;
  J.middleRows(nv, nv) = sigma_v.cwiseInverse().asDiagonal() * by_a * dt;
  r.head(2 * nv) << d.head(nv).cwiseQuotient(sigma_q), d.tail(nv).cwiseQuotient(sigma_v);
  for (Eigen::Index i = 0; i < num_rows; ++i) {
    J.row(2 * nv + i) = rows[static_cast<size_t>(i)];
    r[2 * nv + i] = errors[static_cast<size_t>(i)];
  }
  J.bottomRows(num_efforts).setIdentity();
  r.tail(num_efforts).setZero();
  const VectorXd nu = -J.completeOrthogonalDecomposition().solve(r);
  const VectorXd left = r + J * nu;
  sensors = 0.5 * left.segment(2 * nv, num_rows).squaredNorm();
  efforts = 0.5 * nu.squaredNorm();
  return 0.5 * left.squaredNorm();
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_of_force_sensors_agree_with_central_differences) {
  int num_cases = 0;
  for_each_contact(robots(), [&](const test::Scene& scene, const SensedContacts& contacts) {
    for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::midpoint}) {
      const RobotProblem problem = contacts.problem(scene, true, Projection::kinematic, integrator);
      check_rows(problem, 2);
      check_rows(problem, 4);  // open
    }
    ++num_cases;
  });
  BOOST_TEST(num_cases >= 20);
}

/// With efforts that are noisier at some samples than at others.
RobotProblem with_standstill(const RobotProblem& problem) {
  Noise noise = problem.noise();
  std::vector<MatrixXd> more;
  for (const Recording& recording : problem.recordings()) {
    const MatrixXd random = MatrixXd::Random(recording.effort.rows(), recording.effort.cols());
    more.emplace_back(noise.effort.asDiagonal() * (2 * random).cwiseAbs());
  }
  noise.standstill = std::make_shared<const std::vector<MatrixXd>>(std::move(more));
  return problem.with_noise(noise);
}

BOOST_AUTO_TEST_CASE(the_objective_of_forces_and_noisy_efforts_has_the_gradient_of_its_stage) {
  for (const Projection projection :
       {Projection::none, Projection::kinematic, Projection::dynamic}) {
    for_each_contact(robots(), [&](const test::Scene& scene, const SensedContacts& contacts) {
      for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::midpoint}) {
        const RobotProblem problem = contacts.problem(scene, false, projection, integrator);
        check_gradient(problem, 2);
        check_gradient(problem, 4);
        check_gradient(with_standstill(problem), 3);
      }
    });
  }
}

BOOST_AUTO_TEST_CASE(the_objective_of_inequalities_has_the_gradient_of_its_stage) {
  int num_rows = 0;
  for (const Projection projection :
       {Projection::none, Projection::kinematic, Projection::dynamic}) {
    for_each_contact(robots(), [&](const test::Scene& scene, const SensedContacts& contacts) {
      for (const bool exact : {true, false}) {
        const RobotProblem problem = contacts.with_limits(exact).problem(scene, exact, projection);
        check_kinked_gradient(problem, 2);
        check_kinked_gradient(problem, 4);
        num_rows += Linearised(problem, random_point(problem), 2).stage.nr;
      }
    });
  }
  BOOST_TEST(num_rows > 100);
}

BOOST_AUTO_TEST_CASE(the_objective_is_the_least_over_all_noises) {
  for_each_contact(robots(), [&](const test::Scene& scene, const SensedContacts& contacts) {
    const RobotProblem problem = with_standstill(contacts.problem(scene, false, Projection::none));
    Point point = random_point(problem);
    const auto workspace = problem.trajectory(0).make_workspace();
    const std::vector<std::string> names = problem.cost_parts();
    VectorXd parts(static_cast<Eigen::Index>(names.size()) + 1);
    problem.trajectory(0).evaluate(*problem.at(point.theta)->trajectories[0], 2, point.paths[0],
                                   *workspace, parts);
    double sensors = 0, efforts = 0, found = 0, found_sensors = 0;
    const double expected = stage_cost(problem, point, 2, contacts, sensors, efforts);
    for (size_t i = 0; i < names.size(); ++i) {
      const double part = parts[static_cast<Eigen::Index>(i)];
      const bool is_sensor = names[i].starts_with("wrench.") || names[i] == "torque";
      if (is_sensor) found_sensors += part;
      if (is_sensor || names[i] == "disturbance" || names[i] == "effort") found += part;
    }
    BOOST_TEST(found == expected, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(found_sensors == sensors, boost::test_tools::tolerance(1e-6));
    BOOST_TEST(parts[parts.size() - 2] == efforts, boost::test_tools::tolerance(1e-6));
  });
}

}  // namespace bayesid
