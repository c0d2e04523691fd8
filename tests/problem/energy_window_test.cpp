// SPDX-License-Identifier: BSD-3-Clause
// The balance of energy over windows of stages: its rows, what stages hand on, the step and the
// optimum.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "bayesid/solve.hpp"
#include "solver/accumulator.hpp"
#include "support/energy.hpp"
#include "support/numeric_jacobian.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A linear function of all unknowns of a linearised problem: M z + m.
struct Affine {
  MatrixXd M;
  VectorXd m;
};

/// The linearised problem with every unknown in one vector z = (y, ε₀ … ε_N₋₁, δθ); y: what the
/// equalities of the first state leave free. Windows are sums of rows of one stage each.
class Dense {
 public:
  Dense(const test::Identification& identification, const Point& point, int window)
      : plain_(test::with_energy(identification, 0)),
        single_(test::with_energy(identification, 1)),
        point_(point),
        T_(plain_.space().dzeta_dtheta(point.theta)) {
    const int n = plain_.trajectory(0).size().nx;
    point_.paths[0].gamma = point.paths[0].gamma.topRows(n);
    const int num_stages = plain_.trajectory(0).size().num_stages;
    std::vector<Stage> stages;
    Eigen::Index num_noises = 0;
    for (int k = 0; k <= num_stages; ++k) {
      stages.push_back(test::linearised(plain_, point_, k));
      if (k < num_stages) num_noises += stages.back().nw;
    }
    begin(num_noises);
    Eigen::Index noise = x[0].M.cols() - num_noises - T_.cols();
    for (int k = 0; k <= num_stages; ++k) {
      add_node(stages[k], x[k]);
      if (k == num_stages) break;
      x.push_back(next(stages[k], x[k], noise));
      noise += stages[k].nw;
    }
    for (int first = 0; first + window <= num_stages; first += window) add_window(first, window);
    add_prior();
    z = H.ldlt().solve(-g);
    cov = H.ldlt().solve(MatrixXd::Identity(H.rows(), H.cols()));
  }

  VectorXd dx(int k) const { return x[k].M * z + x[k].m; }
  VectorXd std(int k) const {
    return (x[k].M * cov * x[k].M.transpose()).diagonal().cwiseMax(0.0).cwiseSqrt();
  }
  VectorXd dtheta() const { return z.tail(T_.cols()); }
  MatrixXd theta_cov() const { return cov.bottomRightCorner(T_.cols(), T_.cols()); }

 private:
  void begin(Eigen::Index num_noises) {
    const ArrivalConstraints arrival = plain_.trajectory(0).arrival(point_.paths[0]);
    const Eigen::Index n = arrival.E.cols();
    MatrixXd basis = MatrixXd::Identity(n, n);
    VectorXd shift = VectorXd::Zero(n);
    if (arrival.E.rows() > 0) {
      shift = -arrival.E.completeOrthogonalDecomposition().solve(arrival.e);
      const Eigen::ColPivHouseholderQR<MatrixXd> qr(arrival.E.transpose());
      basis = MatrixXd(qr.householderQ()).rightCols(n - qr.rank());
    }
    const Eigen::Index size = basis.cols() + num_noises + T_.cols();
    x.push_back({MatrixXd::Zero(n, size), shift});
    x[0].M.leftCols(basis.cols()) = basis;
    H = MatrixXd::Zero(size, size);
    H.diagonal().segment(basis.cols(), num_noises).setOnes();
    g = VectorXd::Zero(size);
  }
  void add_node(const Stage& s, const Affine& at) {
    H += at.M.transpose() * s.Q * at.M;
    g += at.M.transpose() * (s.Q * at.m + s.q);
  }
  Affine next(const Stage& s, const Affine& at, Eigen::Index noise) const {
    Affine out{s.A * at.M, s.A * at.m + s.d};
    out.M.rightCols(T_.cols()) += s.D.leftCols(s.nd) * (s.K.topRows(s.nd) * T_);
    out.M.middleCols(noise, s.nw) += s.N.leftCols(s.nw);
    return out;
  }
  void add_window(int first, int window) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(H.cols());
    double r = 0;
    for (int k = first; k < first + window; ++k) {
      const Stage s = test::linearised(single_, point_, k);
      const int i = s.nr - 1;
      row += s.R_x.row(i) * x[k].M + s.R_y.row(i) * x[k + 1].M;
      row.tail(T_.cols()) += s.R_zeta.row(i) * T_;
      r += s.r[i] + s.R_x.row(i).dot(x[k].m) + s.R_y.row(i).dot(x[k + 1].m);
    }
    H += row.transpose() * row;
    g += row.transpose() * r;
  }
  void add_prior() {
    const VectorXd precision = plain_.space().prior_std().cwiseAbs2().cwiseInverse();
    H.diagonal().tail(T_.cols()) += precision;
    g.tail(T_.cols()) += precision.cwiseProduct(point_.theta - plain_.space().prior_mean());
  }

  RobotProblem plain_, single_;
  Point point_;
  MatrixXd T_;
  std::vector<Affine> x;
  MatrixXd H, cov;
  VectorXd g, z;
};

/// Σ of all parts and the prior.
double objective(const RobotProblem& problem, const Point& point) {
  const auto at = problem.at(point.theta);
  const auto workspace = problem.trajectory(0).make_workspace();
  VectorXd parts(static_cast<Eigen::Index>(problem.cost_parts().size()) + 1);
  double out = 0.5 * (point.theta - problem.space().prior_mean())
                         .cwiseQuotient(problem.space().prior_std())
                         .squaredNorm();
  for (int k = 0; k <= problem.trajectory(0).size().num_stages; ++k) {
    BOOST_REQUIRE(
        problem.trajectory(0).evaluate(*at->trajectories[0], k, point.paths[0], *workspace, parts));
    out += parts.head(parts.size() - 1).sum();
  }
  return out;
}

double energy_part(const RobotProblem& problem, const Point& point) {
  const auto at = problem.at(point.theta);
  const auto workspace = problem.trajectory(0).make_workspace();
  const std::vector<std::string> names = problem.cost_parts();
  const auto place = std::ranges::find(names, "energy") - names.begin();
  VectorXd parts(static_cast<Eigen::Index>(names.size()) + 1);
  double out = 0;
  for (int k = 0; k <= problem.trajectory(0).size().num_stages; ++k) {
    problem.trajectory(0).evaluate(*at->trajectories[0], k, point.paths[0], *workspace, parts);
    out += parts[place];
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(windows_follow_each_other_and_end_at_impacts) {
  Timeline timeline;
  timeline.stages.resize(12);
  timeline.stages[5].impact = true;
  const std::vector<EnergyWindow> windows = make_energy_windows(timeline, 3);
  const int first[] = {0, 0, 0, -1, -1, -1, 6, 6, 6, 9, 9, 9};
  for (int k = 0; k < 12; ++k) {
    BOOST_TEST(windows[k].first == first[k]);
    BOOST_TEST(windows[k].ends == (k == 2 || k == 8 || k == 11));
  }
  const std::vector<EnergyWindow> single = make_energy_windows(timeline, 1);
  for (int k = 0; k < 12; ++k) {
    BOOST_TEST(single[k].first == (k == 5 ? -1 : k));
    BOOST_TEST(single[k].ends == (k != 5));
  }
  for (const EnergyWindow& window : make_energy_windows(timeline, 7))
    BOOST_TEST(window.first == -1);
}

BOOST_AUTO_TEST_CASE(a_window_of_one_stage_needs_no_memory) {
  const test::Identification identification =
      test::make_identification(test::two_joint_config(), 0.1);
  BOOST_TEST(test::with_energy(identification, 1).trajectory(0).size().nx == 4);
  BOOST_TEST(test::with_energy(identification, 2).trajectory(0).size().nx == 5);
}

BOOST_AUTO_TEST_CASE(the_row_of_a_window_is_the_sum_of_rows_of_its_stages) {
  constexpr int window = 3;
  for (const auto& [name, config] : test::energy_configs()) {
    const test::Identification identification = test::make_identification(config, 0.1);
    const RobotProblem problem = test::with_energy(identification, window);
    const RobotProblem single = test::with_energy(identification, 1);
    const Point point = test::off_start(problem, 1);
    Point same = point;
    same.paths[0].gamma.conservativeResize(2 * problem.dynamics().nv(), Eigen::NoChange);
    double cost = 0, sum = 0;
    for (int k = 0; k < problem.trajectory(0).size().num_stages; ++k) {
      const Stage stage = test::linearised(problem, point, k);
      sum += test::linearised(single, same, k).r[0];
      BOOST_TEST(stage.nr == (k % window == window - 1 ? 1 : 0), name << ", stage " << k);
      if (stage.nr == 0) continue;
      BOOST_TEST(std::abs(stage.r[0] - sum) < 1e-9 * (1 + std::abs(sum)), name << ", stage " << k);
      cost += 0.5 * sum * sum;
      sum = 0;
    }
    BOOST_TEST(cost > 1e-3, name);
    BOOST_TEST(std::abs(energy_part(problem, point) - cost) < 1e-9 * (1 + cost), name);
  }
}

/// By all nodes of the window and by θ: what each stage hands on, unrolled.
BOOST_AUTO_TEST_CASE(what_stages_hand_on_agrees_with_central_differences) {
  constexpr int window = 4, first = 4, last = first + window - 1;
  for (const auto& [name, config] : test::energy_configs()) {
    const test::Identification identification = test::make_identification(config, 0.1);
    const RobotProblem problem = test::with_energy(identification, window);
    const int n = 2 * problem.dynamics().nv();
    const Point point = test::off_start(problem, 2);
    const Eigen::Index size = (window + 1) * n + point.theta.size();
    MatrixXd analytic = MatrixXd::Zero(1, size);
    VectorXd by_zeta = VectorXd::Zero(problem.dynamics().nzeta());
    for (int k = first; k < last; ++k) {
      const Stage stage = test::linearised(problem, point, k);
      analytic.middleCols((k - first) * n, n) = stage.A.row(n).head(n);
      BOOST_TEST(stage.A(n, n) == (k == first ? 0 : 1));
      BOOST_TEST(stage.d[n] == 0);
      BOOST_TEST(stage.N.row(n).isZero(0));
      BOOST_TEST(stage.A.col(n).head(n).isZero(0));
      by_zeta += (stage.D.leftCols(stage.nd).row(n) * stage.K.topRows(stage.nd)).transpose();
    }
    const Stage stage = test::linearised(problem, point, last);
    BOOST_REQUIRE(stage.nr == 1);
    BOOST_TEST(stage.R_x(0, n) == 1);
    BOOST_TEST(stage.R_y(0, n) == 0);
    analytic.middleCols((window - 1) * n, n) = stage.R_x.row(0).head(n);
    analytic.middleCols(window * n, n) = stage.R_y.row(0).head(n);
    by_zeta += stage.R_zeta.row(0).transpose();
    analytic.rightCols(point.theta.size()) =
        by_zeta.transpose() * problem.space().dzeta_dtheta(point.theta);
    const auto row = [&](const VectorXd& change) {
      const Point moved = test::moved(problem, point, first, change);
      return VectorXd(test::linearised(problem, moved, last).r);
    };
    const DerivativeCheck check =
        check_derivatives(analytic, numeric_jacobian(row, VectorXd::Zero(size)), 1e-2);
    BOOST_TEST(check.max_error < 1e-6, name << ": " << check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(parameters_shift_what_stages_hand_on) {
  const test::Identification identification =
      test::make_identification(test::energy_configs()[2].second, 0.1);
  const RobotProblem problem = test::with_energy(identification, 3);
  const Point point = test::off_start(problem, 3);
  const auto at = problem.at(point.theta);
  const auto workspace = problem.trajectory(0).make_workspace();
  Stage stage(problem.trajectory(0).size(), problem.space().ncurvature());
  const auto records = problem.trajectory(0).make_records();
  VectorXd shift(problem.trajectory(0).size().nx);
  const VectorXd dzeta = VectorXd::Random(problem.dynamics().nzeta());
  for (int k = 0; k < 6; ++k) {
    problem.trajectory(0).linearise(*at->trajectories[0], k, point.paths[0], *workspace, stage,
                                    records.get());
    VectorXd rows(stage.nr);
    problem.trajectory(0).parameter_shift(*at->trajectories[0], k, point.paths[0], dzeta,
                                          *workspace, *records, shift, rows);
    const VectorXd expected = stage.D.leftCols(stage.nd) * (stage.K.topRows(stage.nd) * dzeta);
    BOOST_TEST((shift - expected).norm() < 1e-9 * (1 + expected.norm()));
    BOOST_TEST((rows - stage.R_zeta.topRows(stage.nr) * dzeta).norm() < 1e-9 * (1 + rows.norm()));
    BOOST_TEST((std::abs(shift[shift.size() - 1]) > 0) == (k % 3 != 2));
  }
}

BOOST_AUTO_TEST_CASE(steps_and_marginals_equal_those_of_all_unknowns_at_once) {
  constexpr int window = 4;
  for (const auto& [name, config] : test::energy_configs()) {
    const test::Identification identification = test::make_identification(config, 0.1);
    const RobotProblem problem = test::with_energy(identification, window);
    const int n = 2 * problem.dynamics().nv();
    const Point point = test::off_start(problem, 4);
    const Dense dense(identification, point, window);

    const auto at = problem.at(point.theta);
    Accumulator accumulator(problem, 1);
    const Condensed condensed = accumulator.accumulate(point, *at);
    const MatrixXd T = problem.space().dzeta_dtheta(point.theta);
    const VectorXd precision = problem.space().prior_std().cwiseAbs2().cwiseInverse();
    MatrixXd H = T.transpose() * condensed.hessian * T;
    H.diagonal() += precision;
    const VectorXd g = T.transpose() * condensed.gradient +
                       precision.cwiseProduct(point.theta - problem.space().prior_mean());
    const VectorXd dtheta = -H.ldlt().solve(g);
    const VectorXd theta_std = dense.theta_cov().diagonal().cwiseSqrt();
    const double theta_error =
        (dtheta - dense.dtheta()).cwiseQuotient(theta_std).lpNorm<Eigen::Infinity>();
    accumulator.solve_states(point, *at, T * dense.dtheta());
    Solution solution;
    solution.point = point;
    solution.theta_cov = dense.theta_cov();
    const MatrixXd std = state_std(problem, solution, 0, 1);
    double step_error = 0, std_error = 0, largest = 0;
    for (int k = 0; k <= problem.trajectory(0).size().num_stages; ++k) {
      const VectorXd expected = dense.std(k), scale = expected.cwiseMax(1e-9);
      const VectorXd error = accumulator.sweep(0).dx(k).head(n) - dense.dx(k);
      step_error = std::max(step_error, error.cwiseQuotient(scale).lpNorm<Eigen::Infinity>());
      largest = std::max(largest, dense.dx(k).cwiseQuotient(scale).lpNorm<Eigen::Infinity>());
      std_error =
          std::max(std_error,
                   (std.col(k).head(n) - expected).cwiseQuotient(scale).lpNorm<Eigen::Infinity>());
    }
    BOOST_TEST_MESSAGE(name << ": step " << largest << " std, errors: θ " << theta_error << ", x "
                            << step_error << ", std " << std_error);
    BOOST_TEST(theta_error < 1e-7, name);
    BOOST_TEST(step_error < 1e-7, name);
    BOOST_TEST(std_error < 1e-7, name);
  }
}

/// The objective is independent of the extra state: it sums energies and work along the path.
BOOST_AUTO_TEST_CASE(at_the_optimum_the_objective_has_no_slope) {
  const test::Identification identification =
      test::make_identification(test::energy_configs()[0].second, 0.3);
  const RobotProblem problem = test::with_energy(identification, 5);
  const Solution solution = solve(problem, {.tolerance = 1e-9});
  BOOST_REQUIRE(solution.converged());
  BOOST_TEST(std::abs(objective(problem, solution.point) - solution.cost) < 1e-9 * solution.cost);
  const Eigen::Index num_nodes = solution.point.paths[0].x.cols();
  const Eigen::Index size = 2 * problem.dynamics().nv() * num_nodes + solution.point.theta.size();
  double worst = 0;
  for (Eigen::Index i = 0; i < size; ++i) {
    const double step = i < size - solution.point.theta.size() ? 1e-5 : 1e-4;
    const auto at = [&](double length) {
      return objective(problem,
                       test::moved(problem, solution.point, 0, length * VectorXd::Unit(size, i)));
    };
    const double middle = at(0), ahead = at(step), behind = at(-step);
    const double slope = (ahead - behind) / (2 * step),
                 curvature = (ahead + behind - 2 * middle) / (step * step);
    BOOST_REQUIRE(curvature > 0);
    worst = std::max(worst, std::abs(slope) / std::sqrt(curvature));
  }
  BOOST_TEST_MESSAGE("largest slope: " << worst << " standard deviations");
  BOOST_TEST(worst < 1e-4);
  // The multiplier of what is handed on is the residual of the window.
  const int n = 2 * problem.dynamics().nv();
  for (int k = 0; k < problem.trajectory(0).size().num_stages; ++k) {
    const double expected =
        k % 5 == 4 ? 0 : test::linearised(problem, solution.point, k + 4 - k % 5).r[0];
    BOOST_TEST(std::abs(solution.point.paths[0].gamma(n, k) - expected) < 1e-6);
  }
  // It is not that of the rows of single stages.
  const Solution single = solve(test::with_energy(identification, 1), {.tolerance = 1e-9});
  const VectorXd std = solution.theta_cov.diagonal().cwiseSqrt();
  BOOST_TEST((single.point.theta - solution.point.theta).cwiseQuotient(std).norm() > 1e-4);
}

BOOST_AUTO_TEST_CASE(logs_with_windows_converge_to_the_same_bits_for_any_number_of_threads) {
  for (const auto& [name, config] : test::energy_configs()) {
    Config longer = config;
    longer.simulation.duration = 0.3;
    const test::Identification identification = test::make_identification(longer, 0.1);
    const RobotProblem problem = test::with_energy(identification, 7);
    const Solution one = solve(problem, {.num_threads = 1}),
                   two = solve(problem, {.num_threads = 3});
    BOOST_TEST_MESSAGE(name << ": " << one.history.size() << " iterations");
    BOOST_TEST(one.converged(), name);
    BOOST_TEST((one.point.theta.array() == two.point.theta.array()).all(), name);
    BOOST_TEST((one.point.paths[0].x.array() == two.point.paths[0].x.array()).all(), name);
    BOOST_TEST((one.theta_cov.array() == two.theta_cov.array()).all(), name);
    const double largest_multiplier =
        one.point.paths[0].gamma.row(2 * problem.dynamics().nv()).cwiseAbs().maxCoeff();
    BOOST_TEST(largest_multiplier > 0, name);
  }
}

}  // namespace bayesid
