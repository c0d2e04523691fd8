// SPDX-License-Identifier: BSD-3-Clause
#include "support/slip_oracle.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/QR>
#include <random>

#include "dynamics/kkt_factorisation.hpp"
#include "dynamics/slip.hpp"
#include "math/so3.hpp"
#include "support/cube_toss.hpp"
#include "support/numeric_jacobian.hpp"

namespace bayesid::test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

Matrix3d rotation(const Eigen::Ref<const VectorXd>& q) {
  return Eigen::Quaterniond(q[6], q[3], q[4], q[5]).normalized().toRotationMatrix();
}

/// States of a toss from its first one, the noises and the parameters.
class Rollout {
 public:
  explicit Rollout(const RobotProblem& problem)
      : problem_(problem), dynamics_(problem.dynamics()), workspace_(dynamics_) {}

  /// w: a column for each stage that is no impact.
  MatrixXd states(const VectorXd& theta, const VectorXd& x0, const MatrixXd& w,
                  const VectorXd& impulse) {
    const Timeline& timeline = problem_.timeline(0);
    const auto model = dynamics_.at(theta);
    MatrixXd x(13, static_cast<Eigen::Index>(timeline.nodes.size()));
    x.col(0) = x0;
    Eigen::Index next_noise = 0;
    for (std::size_t i = 0; i < timeline.stages.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const StagePlan& plan = timeline.stages[i];
      const Mode& mode = timeline.modes[plan.mode];
      StageDynamics stage(6, dynamics_.nzeta(), std::max(1, mode.num_rows()));
      const VectorXd q = x.col(k).head(7), v = x.col(k).tail(6);
      if (plan.impact) {
        dynamics_.solve_impact(*model, mode, q, v, workspace_, stage);
        x.col(k + 1) << q, v + slipping_jump(stage, mode, v, impulse);
        continue;
      }
      dynamics_.solve(*model, mode, q, v, VectorXd::Zero(6), workspace_, stage);
      VectorXd moved(7), disturbed(7);
      const double dt = plan.dt;
      integrate(dynamics_.robot(), q, dt * v + 0.5 * dt * dt * stage.a, moved);
      integrate(dynamics_.robot(), moved, w.col(next_noise).head(6), disturbed);
      x.col(k + 1) << disturbed, v + dt * stage.a + w.col(next_noise).tail(6);
      ++next_noise;
    }
    return x;
  }

 private:
  const RobotProblem& problem_;
  const Dynamics& dynamics_;
  Dynamics::Workspace workspace_;
};

CubeModel toss_model() {
  return {.position = 1e-4, .orientation = 5e-4, .slip = 0.2, .twist = 1e-3, .rounding = 3e-3};
}

/// Samples that stand where the cube is, and an impact between two of them.
CubeToss plain_toss() {
  CubeToss out;
  out.name = "toss";
  out.time = VectorXd::LinSpaced(10, 0, 9 * 0.0067);
  out.pose.resize(7, 10);
  const Eigen::Quaterniond tilted(so3_exp(Vector3d(0.6, 0.5, 0.1)));
  for (int k = 0; k < 10; ++k) out.pose.col(k) << 0, 0, 0.1, tilted.coeffs();
  out.impact = 4.3 * 0.0067;
  out.restitution = 0.3;
  out.corner = Vector3d(1, -1, -1);
  out.num_before = 5;
  out.num_after = 5;
  return out;
}

/// Truth: another inertia than the prior's, and friction along the plate.
MatrixXd true_states(const RobotProblem& problem) {
  VectorXd theta = problem.space().prior_mean(), x0(13);
  const VectorXd direction{{0, 1.5, -1, 1, 0.1, -0.1, 0.2, 0.5, 0.3, 0.6}};
  theta += direction.cwiseProduct(problem.space().prior_std());
  const Eigen::Quaterniond tilted(so3_exp(Vector3d(0.6, 0.5, 0.1)));
  x0 << 0, 0, 0.1, tilted.coeffs(), 0.4, -0.3, -0.9, 3.0, -2.0, 1.0;
  const auto num_stages = static_cast<Eigen::Index>(problem.timeline(0).stages.size());
  const VectorXd impulse{{-0.06, 0.05, 2e-4, -1e-4, 1e-4}};
  return Rollout(problem).states(theta, x0, MatrixXd::Zero(12, num_stages), impulse);
}

}  // namespace

VectorXd slip_std(const Mode& mode) {
  VectorXd out(mode.num_slips());
  int i = 0;
  for (const MotionConstraint& c : mode.slips) {
    for (const int row : c.rows) out[i++] = c.slip_std(row);
  }
  return out;
}

VectorXd slip_impulse(const StageDynamics& stage, const Mode& mode, const VectorXd& gamma) {
  const MatrixXd Z = stage.kkt->Z();
  return -slip_std(mode).cwiseAbs2().cwiseProduct(stage.slip->J() * (Z * (Z.transpose() * gamma)));
}

VectorXd slipping_jump(const StageDynamics& stage, const Mode& mode, const VectorXd& v,
                       const VectorXd& impulse) {
  const Eigen::Index nv = v.size(), n = mode.num_rows();
  const MatrixXd J = stage.rows.J.topRows(n);
  VectorXd bounce(n);
  Eigen::Index first = 0;
  for (const MotionConstraint& c : mode.constraints) {
    bounce.segment(first, c.num_rows()).setConstant(1 + c.restitution);
    first += c.num_rows();
  }
  MatrixXd kkt = MatrixXd::Zero(nv + n, nv + n);
  kkt.topLeftCorner(nv, nv) = stage.balance.mass;
  kkt.topRightCorner(nv, n) = -J.transpose();
  kkt.bottomLeftCorner(n, nv) = J;
  VectorXd right(nv + n);
  right << stage.slip->J().transpose() * impulse, -bounce.cwiseProduct(J * v);
  return kkt.fullPivLu().solve(right).head(nv);
}

SimulatedToss simulated_toss(Formulation formulation) {
  const std::shared_ptr<const Dynamics> dynamics = cube_dynamics(toss_model());
  CubeToss toss = plain_toss();
  const RobotProblem without_data = cube_problem(dynamics, {toss}, toss_model());
  const MatrixXd x = true_states(without_data);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const std::vector<NodePlan>& nodes = without_data.timeline(0).nodes;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k].sample < 0) continue;
    const VectorXd noise = VectorXd::NullaryExpr(6, [&] { return normal(random); });
    VectorXd seen(7), step(6);
    step << toss_model().position * noise.head<3>(), toss_model().orientation * noise.tail<3>();
    integrate(dynamics->robot(), x.col(static_cast<Eigen::Index>(k)).head(7), step, seen);
    toss.pose.col(nodes[k].sample) = seen;
  }
  // The contact point belongs to the orientation at the impact, given by the samples.
  const RobotProblem made = cube_problem(dynamics, {toss}, toss_model());
  ProblemOptions options = made.options();
  options.constraints = without_data.options().constraints;
  options.formulation = formulation;
  return {std::make_unique<RobotProblem>(dynamics, made.recordings(), made.noise(),
                                         made.integrator(), options)};
}

DenseAnswer solve_toss_densely(const SimulatedToss& toss) {
  const RobotProblem& problem = toss.problem();
  const Robot& robot = problem.dynamics().robot();
  const Noise& noise = problem.noise();
  const Timeline& timeline = problem.timeline(0);
  const VectorXd prior = problem.space().prior_mean(), prior_std = problem.space().prior_std();
  const Eigen::Index nt = prior.size();
  Eigen::Index num_noises = 0;
  VectorXd impulse_std;
  for (const StagePlan& stage : timeline.stages) {
    if (stage.impact) impulse_std = slip_std(timeline.modes[stage.mode]);
    num_noises += stage.impact ? 0 : 1;
  }
  const VectorXd x_mean = problem.start().paths[0].x.col(0);
  VectorXd x_std(12), w_std(12);
  x_std << noise.initial_position, noise.initial_velocity;
  w_std << noise.disturbance_position, noise.disturbance_velocity;
  const MatrixXd& poses = problem.recordings()[0].poses.at("cube");
  Rollout rollout(problem);
  // z: θ, x₀, slip, w in standard deviations of their priors.
  const Eigen::Index ns = impulse_std.size(), nz = nt + 12 + ns + 12 * num_noises;
  const auto residual = [&](const VectorXd& z) {
    VectorXd x0(13), q(7);
    const VectorXd dx = x_std.cwiseProduct(z.segment(nt, 12));
    integrate(robot, x_mean.head(7), dx.head(6), q);
    x0 << q, x_mean.tail(6) + dx.tail(6);
    const MatrixXd w = w_std.asDiagonal() * z.tail(12 * num_noises).reshaped(12, num_noises);
    const MatrixXd x = rollout.states(prior + prior_std.cwiseProduct(z.head(nt)), x0, w,
                                      impulse_std.cwiseProduct(z.segment(nt + 12, ns)));
    VectorXd out(nz + 6 * (poses.cols() - 1));
    out.head(nz) = z;
    for (std::size_t k = 0; k < timeline.nodes.size(); ++k) {
      const int sample = timeline.nodes[k].sample;
      if (sample < 1) continue;  // the first sample is the arrival's prior
      const VectorXd pose = x.col(static_cast<Eigen::Index>(k)).head(7);
      out.segment<3>(nz + 6 * (sample - 1)) =
          (pose.head<3>() - poses.col(sample).head<3>()) / *noise.poses.at("cube").position;
      out.segment<3>(nz + 6 * (sample - 1) + 3) =
          so3_log(rotation(poses.col(sample)).transpose() * rotation(pose)) /
          *noise.poses.at("cube").orientation;
    }
    return out;
  };
  VectorXd z = VectorXd::Zero(nz);
  MatrixXd J;
  for (int iteration = 0; iteration < 25; ++iteration) {
    J = precise_jacobian(residual, z, VectorXd::Constant(nz, 1e-3));
    const VectorXd r = residual(z);
    VectorXd step = -J.householderQr().solve(r);
    double length = 1;
    while (length > 1e-3 &&
           residual(z + length * step).squaredNorm() > r.squaredNorm() * (1 + 1e-12))
      length /= 2;
    z += length * step;
    if (step.norm() < 1e-8) break;
  }
  const MatrixXd cov = (J.transpose() * J).inverse();
  return {.cost = 0.5 * residual(z).squaredNorm(),
          .theta = prior + prior_std.cwiseProduct(z.head(nt)),
          .impulse = impulse_std.cwiseProduct(z.segment(nt + 12, ns)),
          .theta_cov = prior_std.asDiagonal() * cov.topLeftCorner(nt, nt) * prior_std.asDiagonal()};
}

}  // namespace bayesid::test
