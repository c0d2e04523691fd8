// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "excitation/excitation_program.hpp"
#include "excitation/tabulate.hpp"
#include "support/exciting.hpp"
#include "support/numeric_jacobian.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd one(double value) {
  return VectorXd::Constant(1, value);
}

/// A robot with everything that a search needs.
struct Bench {
  explicit Bench(const test::ExcitingScene& scene, Criterion criterion = Criterion::information)
      : dynamics(*scene.dynamics),
        motion(scene.motion()),
        columns(make_columns(dynamics, motion, criterion)),
        model(dynamics, motion, dynamics.parameters().prior(), columns.columns, noise(scene)),
        pool(2) {}

  MatrixXd noise(const test::ExcitingScene& scene) const {
    Config config = scene.config;
    config.measurements.effort.all = 0.1;
    return balance_noise(dynamics, motion, make_noise(dynamics.robot(), config, {}),
                         config.excitation);
  }
  MotionInstant at(const test::Coordinates& c) {
    MotionInstant out;
    InstantModel::Workspace workspace = model.make_workspace();
    model.evaluate(c.y, c.dy, c.ddy, workspace, out);
    BOOST_REQUIRE(out.exists);
    return out;
  }

  const Dynamics& dynamics;
  ConstrainedMotion motion;
  InformationColumns columns;
  InstantModel model;
  ThreadPool pool;
};

VectorXd stacked(const CoordinateSlopes& slopes) {
  VectorXd out(3 * slopes.y.size());
  out << slopes.y, slopes.dy, slopes.ddy;
  return out;
}

VectorXd stacked(const test::Coordinates& c) {
  return stacked(CoordinateSlopes{c.y, c.dy, c.ddy});
}

test::Coordinates split(const VectorXd& all) {
  const Eigen::Index n = all.size() / 3;
  return {all.head(n), all.segment(n, n), all.tail(n)};
}

MatrixXd random_symmetric(int size) {
  std::srand(4);
  const MatrixXd A = MatrixXd::Random(size, size);
  return A + A.transpose();
}

}  // namespace

// Forces and efforts balance: gain ∘ τ + Jᵀλ equals inverse dynamics.
BOOST_AUTO_TEST_CASE(instant_forces_and_efforts_balance) {
  for (const test::ExcitingScene& scene : test::exciting_scenes()) {
    Bench bench(scene);
    const MotionInstant at = bench.at(test::random_coordinates(bench.motion.size(), 0.2, 2));
    const auto model = bench.dynamics.at(bench.dynamics.parameters().prior());
    Dynamics::Workspace workspace(bench.dynamics);
    ForceBalance balance(bench.dynamics.nv(), bench.dynamics.nzeta());
    VectorXd inputs = VectorXd::Zero(bench.dynamics.num_inputs());
    inputs.head(at.tau.size()) = at.tau;
    bench.dynamics.balance(*model, at.motion.q, at.motion.v, at.motion.a, inputs, Order::value,
                           workspace, balance);
    VectorXd left = balance.h;
    if (at.J.rows() > 0) left -= at.J.transpose() * at.lambda;
    BOOST_TEST(left.norm() < 1e-8 * (1 + balance.h.norm()), scene.name);
  }
}

BOOST_AUTO_TEST_CASE(instant_limits_have_the_derivatives_of_central_differences) {
  for (const test::ExcitingScene& scene : test::exciting_scenes()) {
    Bench bench(scene);
    const test::Coordinates c = test::random_coordinates(bench.motion.size(), 0.15, 2);
    const MotionInstant now = bench.at(c);
    const std::vector<MotionLimit> limits =
        make_motion_limits(bench.dynamics, bench.motion, scene.config);
    MatrixXd analytic(static_cast<Eigen::Index>(limits.size()), 3 * bench.motion.size());
    for (std::size_t i = 0; i < limits.size(); ++i) {
      analytic.row(static_cast<Eigen::Index>(i)) =
          stacked(limit_slopes(limits[i], now)).transpose() / limits[i].scale;
    }
    const auto values = [&](const VectorXd& all) {
      const MotionInstant at = bench.at(split(all));
      VectorXd out(static_cast<Eigen::Index>(limits.size()));
      for (std::size_t i = 0; i < limits.size(); ++i)
        out[static_cast<Eigen::Index>(i)] = limit_value(limits[i], at) / limits[i].scale;
      return out;
    };
    const DerivativeCheck check =
        check_derivatives(analytic, precise_jacobian(values, stacked(c)), 1e-3);
    BOOST_TEST(check.max_error < 1e-6, scene.name << " " << check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(instant_information_has_the_derivatives_of_central_differences) {
  for (const test::ExcitingScene& scene : test::exciting_scenes()) {
    Bench bench(scene);
    const test::Coordinates c = test::random_coordinates(bench.motion.size(), 0.15, 7);
    const MatrixXd S = random_symmetric(bench.model.num_columns());
    const auto value = [&](const VectorXd& all) {
      const MotionInstant at = bench.at(split(all));
      return one((S * at.regressor.transpose() * at.regressor).trace());
    };
    InstantModel::Workspace workspace = bench.model.make_workspace();
    const VectorXd analytic = stacked(bench.model.slopes(bench.at(c), S, workspace));
    const DerivativeCheck check =
        check_derivatives(analytic.transpose(), precise_jacobian(value, stacked(c)), 1e-2);
    BOOST_TEST(check.max_error < 1e-5, scene.name << " " << check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(information_costs_have_the_derivatives_of_central_differences) {
  std::srand(3);
  const MatrixXd A = MatrixXd::Random(8, 4), B = MatrixXd::Random(8, 4);
  const MatrixXd prior = B.transpose() * B, data = A.transpose() * A;
  const MatrixXd direction = random_symmetric(4);
  for (const bool gain : {true, false}) {
    const auto cost = [&](const MatrixXd& at) {
      return gain ? gained_information(prior, at) : inflated_variance(at);
    };
    const auto along = [&](const VectorXd& t) { return one(cost(data + t[0] * direction).value); };
    const double analytic = (cost(data).slope * direction).trace();
    const double numeric = precise_jacobian(along, VectorXd::Zero(1))(0, 0);
    BOOST_TEST(std::abs(analytic - numeric) < 1e-7 * (1 + std::abs(numeric)));
  }
}

BOOST_AUTO_TEST_CASE(gained_information_is_the_sum_of_logarithms_of_variance_ratios) {
  const MatrixXd prior = MatrixXd::Identity(3, 3);
  const MatrixXd data = Eigen::Vector3d(3, 8, 0).asDiagonal();
  BOOST_TEST(gained_information(prior, data).value == -std::log(4.0 * 9.0),
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(inflated_variance_is_zero_for_orthogonal_columns_of_any_length) {
  const MatrixXd data = Eigen::Vector3d(3, 800, 1).asDiagonal();
  BOOST_TEST(std::abs(inflated_variance(data).value) < 1e-5);
  MatrixXd correlated = data;
  correlated(0, 1) = correlated(1, 0) = 0.9 * std::sqrt(2400.0);
  BOOST_TEST(inflated_variance(correlated).value > 1);
}

BOOST_AUTO_TEST_CASE(excitation_program_has_the_derivatives_of_central_differences) {
  for (const test::ExcitingScene& scene : test::exciting_scenes()) {
    for (const Criterion criterion : {Criterion::information, Criterion::condition}) {
      const bool of_condition = criterion == Criterion::condition;
      // Needs more rows than columns: many times, and few parameters.
      if (of_condition && scene.name != "two joints" && scene.name != "four-bar") continue;
      Bench bench(scene, criterion);
      std::vector<MotionLimit> limits =
          make_motion_limits(bench.dynamics, bench.motion, scene.config);
      for (MotionLimit& limit : limits) {  // far beyond limits there would be no value
        limit.lower = -INFINITY;
        limit.upper = INFINITY;
      }
      ExcitationProgram program({.model = bench.model,
                                 .basis = FourierBasis(3.0, 3),
                                 .limits = limits,
                                 .criterion = criterion,
                                 .prior = bench.columns.prior,
                                 .samples = 50,
                                 .velocity_reward = 0.3},
                                of_condition ? 60 : 8, bench.pool);
      program.add_time(1.234);
      std::srand(5);
      const VectorXd x = 0.2 * VectorXd::Random(program.num_variables());
      BOOST_REQUIRE(program.move_to(x));
      const VectorXd gradient = program.gradient();
      const std::vector<double> slopes = program.row_slopes();
      MatrixXd jacobian =
          MatrixXd::Zero(static_cast<Eigen::Index>(program.rows().size()), x.size());
      std::size_t place = 0;
      for (std::size_t i = 0; i < program.rows().size(); ++i) {
        const NonlinearProgram::Row& row = program.rows()[i];
        for (int j = 0; j < row.count; ++j)
          jacobian(static_cast<Eigen::Index>(i), row.first + j) = slopes[place++];
      }
      // Along a few directions: every coefficient of every robot would take long.
      const MatrixXd directions = MatrixXd::Random(x.size(), 3);
      const auto value = [&](const VectorXd& t) {
        program.move_to(x + directions * t);
        VectorXd out(1 + program.row_values().size());
        out << program.value(), program.row_values();
        return out;
      };
      const MatrixXd numeric = precise_jacobian(value, VectorXd::Zero(3));
      const DerivativeCheck of_value =
          check_derivatives(gradient.transpose() * directions, numeric.topRows(1), 1e-2);
      const DerivativeCheck of_rows =
          check_derivatives(jacobian * directions, numeric.bottomRows(numeric.rows() - 1), 1e-3);
      BOOST_TEST(of_value.max_error < 1e-5, scene.name << " " << of_value.worst_entry);
      BOOST_TEST(of_rows.max_error < 1e-6, scene.name << " " << of_rows.worst_entry);
    }
  }
}

// Such a motion once ended the program without an error message.
BOOST_AUTO_TEST_CASE(tabulate_reports_constraint_errors_between_the_times_of_the_program) {
  for (const test::ExcitingScene& scene : test::exciting_scenes()) {
    if (scene.name != "ANYmal") continue;
    Bench bench(scene);
    ExcitationProgram program({.model = bench.model,
                               .basis = FourierBasis(3.0, 3),
                               .limits = {},
                               .prior = bench.columns.prior},
                              2, bench.pool);
    Config config = scene.config;
    config.excitation.duration = 3;
    config.excitation.rate = 50;
    // Series that are zero in the middle, the one time of the program, and not around it.
    VectorXd x = VectorXd::Zero(program.num_variables());
    const VectorXd middle = program.parts().basis.at(1.5).row(0),
                   around = program.parts().basis.at(0.7).row(0);
    const VectorXd series = around - middle * (middle.dot(around) / middle.squaredNorm());
    for (int i = 0; i < bench.motion.size(); ++i)
      x.segment(i * series.size(), series.size()) = 20 * series;
    BOOST_TEST(program.move_to(0.001 * x));
    BOOST_TEST(tabulate(program, 0.001 * x, config).has_value());
    BOOST_TEST(!tabulate(program, x, config).has_value());
  }
}

BOOST_AUTO_TEST_CASE(excitation_program_gives_the_same_bits_for_any_number_of_threads) {
  for (const test::ExcitingScene& scene : test::exciting_scenes()) {
    if (scene.name != "panda" && scene.name != "four-bar") continue;
    Bench bench(scene);
    std::vector<VectorXd> gradients;
    for (const int threads : {1, 3}) {
      ThreadPool pool(threads);
      ExcitationProgram program({.model = bench.model,
                                 .basis = FourierBasis(3.0, 3),
                                 .limits = {},
                                 .prior = bench.columns.prior},
                                12, pool);
      std::srand(5);
      BOOST_REQUIRE(program.move_to(0.2 * VectorXd::Random(program.num_variables())));
      gradients.push_back(program.gradient());
    }
    BOOST_TEST((gradients[0] == gradients[1]));
  }
}

}  // namespace bayesid
