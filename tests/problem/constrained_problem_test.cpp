// SPDX-License-Identifier: BSD-3-Clause
// Loops, contacts and floating bases: whole problems.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/LU>

#include "bayesid/problem.hpp"
#include "bayesid/solve.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "support/identification.hpp"
#include "support/legged.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/oracle.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Config four_bar() {
  Config config = read_config(std::string(BAYESID_SOURCE) + "/data/models/four_bar_leg.yaml");
  config.simulation.duration = 2;
  config.simulation.rate = 500;
  return config;
}

/// The same problem with the other formulation.
std::unique_ptr<RobotProblem> forward(const RobotProblem& problem,
                                      std::shared_ptr<const Dynamics> dynamics) {
  ProblemOptions options = problem.options();
  options.formulation = Formulation::forward;
  return std::make_unique<RobotProblem>(std::move(dynamics), problem.recordings(), problem.noise(),
                                        problem.integrator(), options);
}

void check_same_optimum(const RobotProblem& problem, std::shared_ptr<const Dynamics> dynamics) {
  const Solution inverse = solve(problem, {.tolerance = 1e-8, .num_threads = 2});
  // Parameters start a few standard deviations away: far priors of large robots have more than one
  // optimum, and the two ways may lead to different ones.
  const std::unique_ptr<RobotProblem> forward_problem = forward(problem, std::move(dynamics));
  Point start = forward_problem->start();
  std::srand(1);
  start.theta = inverse.point.theta + 3 * inverse.theta_cov.diagonal().cwiseSqrt().cwiseProduct(
                                              VectorXd::Random(start.theta.size()));
  for (Eigen::Index i = 0; i < start.theta.size(); ++i) {
    const double room = problem.space().prior_std()[i];
    start.theta[i] = std::clamp(start.theta[i], inverse.point.theta[i] - 0.5 * room,
                                inverse.point.theta[i] + 0.5 * room);
  }
  const Solution other = solve(*forward_problem, {.tolerance = 1e-8, .num_threads = 2}, &start);
  BOOST_TEST(inverse.converged());
  BOOST_TEST(other.converged());
  BOOST_TEST_MESSAGE("inverse " << inverse.history.size() << ", forward " << other.history.size()
                                << " iterations, objective " << inverse.cost << ", difference "
                                << other.cost - inverse.cost);
  BOOST_TEST(std::abs(other.cost - inverse.cost) < 1e-6 * inverse.cost);
  const VectorXd std = inverse.theta_cov.diagonal().cwiseSqrt();
  const VectorXd difference = (other.point.theta - inverse.point.theta).cwiseQuotient(std);
  BOOST_TEST(difference.lpNorm<Eigen::Infinity>() < 1e-4);
}

/// x' = Ψ(x, a(x; θ)) ⊕ P(q; θ) w for a given w, or the impact.
class Transition {
 public:
  Transition(const RobotProblem& problem, const Path& path, int k, VectorXd n)
      : problem_(problem),
        dynamics_(problem.dynamics()),
        path_(path),
        k_(k),
        plan_(problem.timeline(0).stages[k]),
        mode_(problem.timeline(0).modes[plan_.mode]),
        n_(std::move(n)),
        w_q_(VectorXd::Zero(dynamics_.nv())),
        w_v_(w_q_) {}

  void disturb(const VectorXd& w_q, const VectorXd& w_v) {
    w_q_ = w_q;
    w_v_ = w_v;
  }
  MatrixXd projector(const StageDynamics& stage) const {
    const int nv = dynamics_.nv(), rows = mode_.num_rows();
    MatrixXd inverse = MatrixXd::Identity(nv, nv);
    const bool projects = problem_.options().projection != Projection::none;
    if (rows == 0 || plan_.impact || !projects) return inverse;
    if (problem_.options().projection == Projection::dynamic)
      inverse = stage.balance.mass.inverse();
    const MatrixXd J = stage.rows.J.topRows(rows);
    return MatrixXd::Identity(nv, nv) -
           inverse * J.transpose() * (J * inverse * J.transpose()).inverse() * J;
  }
  VectorXd operator()(const VectorXd& x, const VectorXd& theta) const {
    const int nq = dynamics_.robot().nq(), nv = dynamics_.nv();
    Dynamics::Workspace workspace(dynamics_);
    StageDynamics stage(nv, dynamics_.nzeta(), mode_.num_rows());
    const VectorXd q = x.head(nq), v = x.tail(nv);
    VectorXd out(nq + nv), next(nq), moved(nq);
    const auto model = dynamics_.at(theta);
    if (plan_.impact) {
      dynamics_.solve_impact(*model, mode_, q, v, workspace, stage);
      out << q, v + stage.a;
      return out;
    }
    VectorXd tau = inputs_at(dynamics_, problem_.recordings()[0], plan_.sample);
    tau.head(n_.size()) += n_;
    const test::ActingState acting = test::acting_state(problem_, path_, k_, q, v);
    dynamics_.solve(*model, mode_, acting.q, acting.v, tau, workspace, stage, &acting.step);
    const MatrixXd P = projector(stage);
    const double dt = plan_.dt;
    const bool is_euler = problem_.integrator() == Integrator::semi_implicit_euler;
    integrate(dynamics_.robot(), q, dt * v + (is_euler ? 1 : 0.5) * dt * dt * stage.a, next);
    integrate(dynamics_.robot(), next, P * w_q_, moved);
    out << moved, v + dt * stage.a + P * w_v_;
    return out;
  }

 private:
  const RobotProblem& problem_;
  const Dynamics& dynamics_;
  Path path_;
  int k_;
  StagePlan plan_;
  Mode mode_;
  VectorXd n_, w_q_, w_v_;
};

/// Stage k at a feasible point, with disturbances that are not small.
void check_stage(const RobotProblem& problem, int k) {
  const Dynamics& dynamics = problem.dynamics();
  const Robot& robot = dynamics.robot();
  const int nq = robot.nq(), nv = robot.nv();
  Point point = problem.start();
  Path& path = point.paths[0];
  const auto at = problem.at(point.theta);
  const auto workspace = problem.trajectory(0).make_workspace();
  std::srand(3);
  path.u.col(k).tail(nv).setZero();
  path.gamma.col(k) = VectorXd::Random(2 * nv);
  path.gamma.col(k).head(nv) *= 1e-4 / std::pow(problem.noise().disturbance_position[0], 2);
  path.gamma.col(k).tail(nv) *= 1e-2 / std::pow(problem.noise().disturbance_velocity[0], 2);
  Transition transition(problem, path, k, VectorXd::Zero(nv));
  const VectorXd x = path.x.col(k);
  // w = −Σ Pᵀγ, with γ transported to where the noise enters; a few iterations converge.
  for (int round = 0; round < 4; ++round) {
    Dynamics::Workspace ws(dynamics);
    const Mode& mode = problem.timeline(0).modes[problem.timeline(0).stages[k].mode];
    StageDynamics stage(nv, dynamics.nzeta(), mode.num_rows());
    const VectorXd tau =
        inputs_at(dynamics, problem.recordings()[0], problem.timeline(0).stages[k].sample);
    const test::ActingState acting = test::acting_state(problem, path, k, x.head(nq), x.tail(nv));
    dynamics.solve(*dynamics.at(point.theta), mode, acting.q, acting.v, tau, ws, stage,
                   &acting.step);
    const MatrixXd P = transition.projector(stage);
    VectorXd gamma = path.gamma.col(k);
    if (robot.floating && round > 0) {
      Eigen::Matrix<double, 6, 6> by_q, by_w;
      Transition undisturbed(problem, path, k, VectorXd::Zero(nv));
      VectorXd e(nv);
      difference(robot, undisturbed(x, point.theta).head(nq), path.x.col(k + 1).head(nq), e);
      integrate_jacobians(robot, e, by_q, by_w);
      gamma.head<6>() = by_w.transpose() * gamma.head<6>();
    }
    const auto variance = [](const VectorXd& std) { return VectorXd(std.cwiseAbs2()); };
    transition.disturb(-variance(problem.noise().disturbance_position)
                            .cwiseProduct(P.transpose() * gamma.head(nv)),
                       -variance(problem.noise().disturbance_velocity)
                            .cwiseProduct(P.transpose() * gamma.tail(nv)));
    path.x.col(k + 1) = transition(x, point.theta);
    path.u.col(k).head(nv) = stage.a;
    if (problem.timeline(0).stages[k].impact)
      path.u.col(k).head(nv) = path.x.col(k + 1).tail(nv) - x.tail(nv);
  }
  Stage stage(problem.trajectory(0).size(), problem.space().ncurvature());
  const auto records = problem.trajectory(0).make_records();
  problem.trajectory(0).linearise(*at->trajectories[0], k, path, *workspace, stage, records.get());
  const auto moved = [&](const VectorXd& dx, const VectorXd& theta) {
    VectorXd from(nq + nv), out(2 * nv), q(nq);
    integrate(robot, x.head(nq), dx.head(nv), q);
    from << q, x.tail(nv) + dx.tail(nv);
    const VectorXd next = transition(from, theta);
    difference(robot, path.x.col(k + 1).head(nq), next.head(nq), out.head(nv));
    out.tail(nv) = next.tail(nv) - path.x.col(k + 1).tail(nv);
    return out;
  };
  const DerivativeCheck in_x = check_derivatives(
      stage.A, precise_jacobian([&](const VectorXd& dx) { return moved(dx, point.theta); },
                                VectorXd::Zero(2 * nv)));
  BOOST_TEST_CONTEXT("dx " << in_x.worst_entry) {
    BOOST_TEST(in_x.max_error < 1e-6);
  }
  const MatrixXd D = stage.D.leftCols(stage.nd), K = stage.K.topRows(stage.nd);
  MatrixXd analytic = D * K * problem.space().dzeta_dtheta(point.theta);
  MatrixXd numeric =
      precise_jacobian([&](const VectorXd& theta) { return moved(VectorXd::Zero(2 * nv), theta); },
                       point.theta, 1e-3 * problem.space().prior_std());
  const std::vector<std::string> names = dynamics.parameters().names();
  for (const Link& link : robot.links) {  // differences cannot resolve links of a gram
    for (size_t i = 0; i < names.size(); ++i) {
      if (link.pi[0] > 0.01 || !names[i].starts_with("inertia." + link.name + ".")) continue;
      analytic.col(static_cast<Eigen::Index>(i)).setZero();
      numeric.col(static_cast<Eigen::Index>(i)).setZero();
    }
  }
  const DerivativeCheck in_theta = check_derivatives(analytic, numeric, 1e-2);
  BOOST_TEST_CONTEXT("dtheta " << in_theta.worst_entry) {
    BOOST_TEST(in_theta.max_error < 1e-6);
  }
  const VectorXd dzeta = VectorXd::Random(dynamics.nzeta());
  VectorXd shift(2 * nv), rows(0);
  problem.trajectory(0).parameter_shift(*at->trajectories[0], k, path, dzeta, *workspace, *records,
                                        shift, rows);
  BOOST_TEST((shift - D * (K * dzeta)).norm() < 1e-9 * (1 + shift.norm()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(stages_in_constraints_agree_with_central_differences) {
  for (const Projection projection :
       {Projection::dynamic, Projection::kinematic, Projection::none}) {
    for (const auto& [formulation, integrator] :
         {std::pair{Formulation::inverse, Integrator::semi_implicit_euler},
          std::pair{Formulation::forward, Integrator::semi_implicit_euler},
          std::pair{Formulation::inverse, Integrator::midpoint}}) {
      Config bar = four_bar(), trot = test::with_gait(test::standing_anymal(), "trot");
      for (Config* config : {&bar, &trot}) {
        config->disturbance.projection = projection;
        config->solver.dynamics = formulation;
        config->solver.integrator = integrator;
        const test::Identification identification = test::make_identification(*config, 0.3);
        const RobotProblem& problem = *identification.problem;
        BOOST_TEST_CONTEXT(config->model.urdf << ", projection " << static_cast<int>(projection)) {
          check_stage(problem, 5);
          const std::vector<StagePlan>& stages = problem.timeline(0).stages;
          for (int k = 0; k < static_cast<int>(stages.size()); ++k) {
            if (!stages[k].impact) continue;
            check_stage(problem, k);
            check_stage(problem, k - 20);  // while two feet swing
            break;
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(forward_and_inverse_dynamics_have_the_same_optimum) {
  const test::Identification bar = test::make_identification(four_bar(), 0.3);
  check_same_optimum(*bar.problem, bar.dynamics);
}

BOOST_AUTO_TEST_CASE(forward_and_inverse_dynamics_have_the_same_optimum_of_reference_problems,
                     *boost::unit_test::label("needs_oracle") * test::needs_shared("oracle")) {
  for (const std::string name : {"double_pendulum", "four_bar"}) {
    const std::string folder = test::shared_folder("oracle/" + name);
    const LoadedProblem loaded = make_problem(read_config(folder + "/config.yaml"));
    const std::shared_ptr<const Dynamics> dynamics(loaded.problem, &loaded.problem->dynamics());
    BOOST_TEST_CONTEXT(name) {
      check_same_optimum(*loaded.problem, dynamics);
    }
  }
}

BOOST_AUTO_TEST_CASE(forward_and_inverse_dynamics_agree_on_large_robots,
                     *boost::unit_test::label("slow")) {
  test::IdentificationOptions arm = test::arm_options();
  arm.simulation.duration = 2.0;
  arm.prior_error = 0.3;
  Config config = test::panda_config();
  test::fix_slopes(config);  // where friction bends, two seconds have more than one optimum
  const test::Identification panda = test::make_identification(config, arm, 1);
  check_same_optimum(*panda.problem, panda.dynamics);
  const test::Identification standing =
      test::make_identification(test::with_gait(test::standing_anymal(), "stand"), 0.3);
  check_same_optimum(*standing.problem, standing.dynamics);
}

}  // namespace bayesid
