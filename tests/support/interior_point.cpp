// SPDX-License-Identifier: BSD-3-Clause
#include "support/interior_point.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "support/numeric_jacobian.hpp"
#include "support/scene.hpp"

namespace bayesid::test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

namespace {

/// All unknowns at once: states (tangent), noises of efforts in standard deviations, parameters.
class Window {
 public:
  explicit Window(const RobotProblem& problem)
      : problem_(problem),
        dynamics_(problem.dynamics()),
        nv_(dynamics_.nv()),
        num_stages_(problem.trajectory(0).size().num_stages),
        num_noises_(problem.noise().effort.size() > 0 ? nv_ : 0),
        ntheta_(problem.space().prior_mean().size()),
        point(problem.start()),
        noise(MatrixXd::Zero(nv_, num_stages_)) {}

  Index size() const { return theta_at() + ntheta_; }
  int num_feet() const { return mode().num_rows() / 3; }
  int num_cones() const { return num_stages_ * num_feet(); }

  /// Point and noise move along a step.
  void move(const VectorXd& step) {
    for (int k = 0; k <= num_stages_; ++k) move_state(step.segment(state_at(k), 2 * nv_), k, point);
    for (int k = 0; k < num_stages_ && num_noises_ > 0; ++k)
      noise.col(k) += step.segment(noise_at(k), nv_);
    point.theta += step.tail(ntheta_);
  }

  /// Cost, gradient and Gauss–Newton's Hessian.
  double cost(VectorXd& gradient, MatrixXd& hessian) const {
    gradient = VectorXd::Zero(size());
    hessian = MatrixXd::Zero(size(), size());
    const PriorAt prior = problem_.space().prior(point.theta);
    gradient.tail(ntheta_) = prior.gradient;
    hessian.bottomRightCorner(ntheta_, ntheta_) = prior.hessian;
    double out = prior.cost + node_costs(gradient, hessian);
    for (int k = 0; k < num_stages_; ++k) {
      const std::vector<Index> places = places_of(k);
      const VectorXd zero = VectorXd::Zero(static_cast<Index>(places.size()));
      const VectorFunction residual = [&](const VectorXd& change) {
        return stage_residual(change, k);
      };
      const VectorXd r = residual(zero);
      const MatrixXd J = precise_jacobian(residual, zero, steps());
      out += 0.5 * r.squaredNorm();
      add(J.transpose() * r, places, gradient);
      add(J.transpose() * J, places, hessian);
    }
    return out;
  }

  /// μ f_n − |f_t| of every foot in every stage, its derivatives, and Σ z of minus its curvature is
  /// added to a Hessian.
  VectorXd cones(double mu, const VectorXd& z, MatrixXd& J, MatrixXd& hessian) const {
    VectorXd out(num_cones());
    J = MatrixXd::Zero(num_cones(), size());
    for (int k = 0; k < num_stages_; ++k) {
      const std::vector<Index> places = places_of(k);
      const VectorXd zero = VectorXd::Zero(static_cast<Index>(places.size()));
      const VectorFunction force = [&](const VectorXd& change) { return forces(change, k); };
      const VectorXd f = force(zero);
      const MatrixXd by_all = precise_jacobian(force, zero, steps());
      for (int foot = 0; foot < num_feet(); ++foot) {
        const int row = k * num_feet() + foot;
        const Vector2d along = f.segment<2>(3 * foot).normalized();
        const double sideways = f.segment<2>(3 * foot).norm();
        out[row] = mu * f[3 * foot + 2] - sideways;
        const VectorXd slope = mu * by_all.row(3 * foot + 2).transpose() -
                               by_all.middleRows(3 * foot, 2).transpose() * along;
        const VectorXd across =
            by_all.middleRows(3 * foot, 2).transpose() * Vector2d(-along.y(), along.x());
        for (size_t i = 0; i < places.size(); ++i) J(row, places[i]) = slope[static_cast<Index>(i)];
        add((z[row] / sideways) * across * across.transpose(), places, hessian);
      }
    }
    return out;
  }

  MatrixXd all_forces() const {
    MatrixXd out(mode().num_rows(), num_stages_);
    for (int k = 0; k < num_stages_; ++k)
      out.col(k) = forces(VectorXd::Zero(static_cast<Index>(places_of(k).size())), k);
    return out;
  }

 private:
  Index state_at(int k) const { return static_cast<Index>(2) * nv_ * k; }
  Index noise_at(int k) const { return state_at(num_stages_ + 1) + num_noises_ * k; }
  Index theta_at() const { return noise_at(num_stages_); }
  const Mode& mode() const { return problem_.timeline(0).modes[0]; }

  /// Both states of a stage, its noise, the parameters.
  std::vector<Index> places_of(int k) const {
    std::vector<Index> out;
    for (Index i = 0; i < static_cast<Index>(4) * nv_; ++i) out.push_back(state_at(k) + i);
    for (Index i = 0; i < num_noises_; ++i) out.push_back(noise_at(k) + i);
    for (Index i = 0; i < ntheta_; ++i) out.push_back(theta_at() + i);
    return out;
  }

  VectorXd steps() const {
    VectorXd out = VectorXd::Constant(4 * nv_ + num_noises_ + ntheta_, 1e-4);
    out.segment(4 * nv_, num_noises_).setConstant(1e-2);
    out.tail(ntheta_) = 1e-3 * problem_.space().prior_std();
    return out;
  }

  static void add(const VectorXd& part, const std::vector<Index>& places, VectorXd& to) {
    for (size_t i = 0; i < places.size(); ++i) to[places[i]] += part[static_cast<Index>(i)];
  }
  static void add(const MatrixXd& part, const std::vector<Index>& places, MatrixXd& to) {
    for (size_t i = 0; i < places.size(); ++i) {
      for (size_t j = 0; j < places.size(); ++j)
        to(places[i], places[j]) += part(static_cast<Index>(i), static_cast<Index>(j));
    }
  }

  void move_state(const VectorXd& step, int k, Point& to) const {
    auto x = to.paths[0].x.col(k);
    const Index nq = x.size() - nv_;
    x.head(nq) = moved(dynamics_.robot(), x.head(nq), step.head(nv_));
    x.tail(nv_) += step.tail(nv_);
  }

  /// Arrival and sensors, from the problem.
  double node_costs(VectorXd& gradient, MatrixXd& hessian) const {
    const auto workspace = problem_.trajectory(0).make_workspace();
    const auto at = problem_.at(point.theta);
    Stage stage(problem_.trajectory(0).size(), problem_.space().ncurvature());
    const auto records = problem_.trajectory(0).make_records();
    const std::vector<std::string> names = problem_.cost_parts();
    VectorXd parts(static_cast<Index>(names.size()) + 1);
    double out = 0;
    for (int k = 0; k <= num_stages_; ++k) {
      problem_.trajectory(0).linearise(*at->trajectories[0], k, point.paths[0], *workspace, stage,
                                       records.get());
      gradient.segment(state_at(k), 2 * nv_) += stage.q;
      hessian.block(state_at(k), state_at(k), 2 * nv_, 2 * nv_) += stage.Q;
      problem_.trajectory(0).evaluate(*at->trajectories[0], k, point.paths[0], *workspace, parts);
      for (size_t i = 0; i < names.size(); ++i) {
        if (names[i] != "disturbance" && names[i] != "effort") out += parts[static_cast<Index>(i)];
      }
    }
    return out;
  }

  struct ForwardDynamics {
    VectorXd a, force;
  };
  ForwardDynamics solve_dynamics(const Point& at, const VectorXd& nu, int k) const {
    Dynamics::Workspace workspace(dynamics_);
    StageDynamics stage(nv_, dynamics_.nzeta(), mode().num_rows(), dynamics_.num_rotors());
    const VectorXd x = at.paths[0].x.col(k);
    VectorXd tau = problem_.recordings()[0].effort.col(k);
    if (num_noises_ > 0) tau += problem_.noise().effort.cwiseProduct(nu);
    dynamics_.solve(*dynamics_.at(at.theta), mode(), x.head(x.size() - nv_), x.tail(nv_), tau,
                    workspace, stage);
    return {stage.a, stage.lambda.head(mode().num_rows())};
  }

  Point changed(const VectorXd& change, int k, VectorXd& nu) const {
    Point out = point;
    move_state(change.head(2 * nv_), k, out);
    move_state(change.segment(2 * nv_, 2 * nv_), k + 1, out);
    nu = noise.col(k);
    if (num_noises_ > 0) nu += change.segment(4 * nv_, nv_);
    out.theta += change.tail(ntheta_);
    return out;
  }

  VectorXd forces(const VectorXd& change, int k) const {
    VectorXd nu;
    const Point at = changed(change, k, nu);
    return solve_dynamics(at, nu, k).force;
  }

  /// Disturbance and noise of efforts, both in standard deviations.
  VectorXd stage_residual(const VectorXd& change, int k) const {
    VectorXd nu;
    const Point at = changed(change, k, nu);
    const Robot& robot = dynamics_.robot();
    const double dt = problem_.timeline(0).stages[k].dt;
    const VectorXd x = at.paths[0].x.col(k), next = at.paths[0].x.col(k + 1);
    const Index nq = x.size() - nv_;
    const VectorXd a = solve_dynamics(at, VectorXd::Zero(nv_), k).a;
    VectorXd more = VectorXd::Zero(nv_);
    if (num_noises_ > 0) more = solve_dynamics(at, nu, k).a - a;
    const VectorXd reached = moved(robot, x.head(nq), dt * x.tail(nv_) + dt * dt * a);
    VectorXd dq(nv_), out(2 * nv_ + num_noises_);
    difference(robot, next.head(nq), reached, dq);
    const Noise& noises = problem_.noise();
    out.head(nv_) = (dq + dt * dt * more).cwiseQuotient(noises.disturbance_position);
    out.segment(nv_, nv_) =
        (x.tail(nv_) + dt * (a + more) - next.tail(nv_)).cwiseQuotient(noises.disturbance_velocity);
    out.tail(num_noises_) = nu.head(num_noises_);
    return out;
  }

  const RobotProblem& problem_;
  const Dynamics& dynamics_;
  int nv_, num_stages_;
  Index num_noises_, ntheta_;

 public:
  Point point;
  MatrixXd noise;
};

}  // namespace

DenseSolution solve_interior_point(const RobotProblem& problem, double mu) {
  constexpr int most_iterations = 80;
  Window window(problem);
  VectorXd s = VectorXd::Ones(window.num_cones()), z = s, gradient;
  MatrixXd hessian, J;
  DenseSolution out;
  double barrier = 1.0;
  for (; out.iterations < most_iterations; ++out.iterations) {
    out.cost = window.cost(gradient, hessian);
    const VectorXd g = window.cones(mu, z, J, hessian);
    const VectorXd pull = z.cwiseQuotient(s);
    const VectorXd push =
        (VectorXd::Constant(s.size(), barrier).cwiseQuotient(s)) - pull.cwiseProduct(g - s);
    hessian += J.transpose() * pull.asDiagonal() * J;
    const VectorXd step = hessian.ldlt().solve(J.transpose() * push - gradient);
    const VectorXd ds = J * step + g - s;
    const VectorXd dz =
        VectorXd::Constant(s.size(), barrier).cwiseQuotient(s) - z - pull.cwiseProduct(ds);
    double length = 1;
    for (Index i = 0; i < s.size(); ++i) {
      if (ds[i] < 0) length = std::min(length, -0.99 * s[i] / ds[i]);
      if (dz[i] < 0) length = std::min(length, -0.99 * z[i] / dz[i]);
    }
    window.move(length * step);
    s += length * ds;
    z += length * dz;
    const double size = std::sqrt(step.dot(hessian * step));
    if (barrier <= 1e-12 && size < 1e-7) break;
    if (length > 0.5) barrier = std::max(1e-12, 0.2 * barrier);
  }
  out.cost = window.cost(gradient, hessian);
  out.theta = window.point.theta;
  out.forces = window.all_forces();
  return out;
}

}  // namespace bayesid::test
