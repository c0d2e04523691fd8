// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "bayesid/result.hpp"

#include <Eigen/Cholesky>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "report/energy_flow.hpp"
#include "report/friction_curves.hpp"
#include "report/verdict.hpp"
#include "support/simulated_problem.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

using Json = nlohmann::json;

Result detailed_result(const RobotProblem& problem, const Solution& solution) {
  Result out = make_result(problem, solution, {});
  out.details = std::make_shared<const ResultDetails>(make_details(problem, solution, out, 1));
  out.verdict = make_verdict(out);
  return out;
}

/// The same log with the configured noise of one kind of sensor `factor` times too large.
Result result_with_noise(VectorXd Noise::* kind, double factor) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  Noise noise = scene.noise;
  noise.*kind *= factor;
  const RobotProblem problem(scene.dynamics, scene.recordings, noise,
                             Integrator::semi_implicit_euler);
  return detailed_result(problem, solve(problem, {}));
}

bool has_doubt(const Result& result, const std::string& word) {
  return std::ranges::any_of(result.verdict, [&](const Verdict& one) {
    return one.severity != Severity::ok && one.text.find(word) != std::string::npos;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(residuals_are_one_where_the_configured_noise_is_right) {
  const Result result = result_with_noise(&Noise::position, 1);
  BOOST_REQUIRE(result.details->residuals.size() == 6u);  // three sensors, two joints
  for (const ResidualCheck& one : result.details->residuals) {
    BOOST_TEST_CONTEXT(one.sensor << " of " << one.channel) {
      BOOST_TEST(one.expected.has_value());
      // 400 samples: a chance error of 1/√800 = 0.035, of efforts more, as few degrees are free.
      BOOST_TEST(std::abs(one.rms - 1) < (one.sensor == "effort" ? 0.25 : 0.12));
      int counted = one.below + one.above;
      for (const int count : one.counts) counted += count;
      BOOST_TEST(counted == one.samples);
      BOOST_TEST(one.autocorrelation.size() == 20u);
      BOOST_TEST(one.is_white.value_or(true));
    }
  }
  BOOST_TEST(!has_doubt(result, "residuals"));
  BOOST_REQUIRE(result.details->sensors.size() == 2u);
  for (const SensorCheck& one : result.details->sensors) {
    const InnovationCheck& check = one.innovations;
    BOOST_TEST_CONTEXT(one.sensor << ", mean square " << check.mean_square) {
      BOOST_TEST(check.samples == 800);
      // 95 % of χ²/800: 1 ± 1.96 √(2/800); the check itself is wider.
      BOOST_TEST(std::abs(check.lower - 0.904) < 0.002);
      BOOST_TEST(std::abs(check.upper - 1.100) < 0.002);
      BOOST_TEST(std::abs(check.mean_square - 1) < 0.2);
      BOOST_TEST(check.is_white.value_or(false));
    }
  }
}

BOOST_AUTO_TEST_CASE(residuals_detect_wrong_configured_noise) {
  const auto rms_of = [](const Result& result, const std::string& sensor) {
    for (const ResidualCheck& one : result.details->residuals) {
      if (one.sensor == sensor) return one.rms;
    }
    return 1.0;
  };
  const Result small = result_with_noise(&Noise::velocity, 0.3);
  BOOST_TEST(rms_of(small, "velocity") > 2.5);
  BOOST_TEST(has_doubt(small, "or extend the model"));
  const Result large = result_with_noise(&Noise::velocity, 4);
  BOOST_TEST(rms_of(large, "velocity") < 0.35);
  BOOST_TEST(has_doubt(large, "Set measurements.velocity of "));
  BOOST_TEST((large.verdict.front().severity == Severity::error));
}

BOOST_AUTO_TEST_CASE(energy_of_a_simulated_log_is_accounted_for) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  const Path& path = scene.solution.point.paths[0];
  const EnergyFlow flow = make_energy_flow(*scene.problem, scene.solution.point.theta, 0, path);
  const double turnover = flow.supplied.cwiseAbs().maxCoeff() + flow.stored.cwiseAbs().maxCoeff();
  BOOST_TEST(turnover > 1);
  BOOST_TEST(flow.supplied[0] == 0.0);
  // Beside the noise of the efforts the integrator loses a little of it at 100 Hz.
  BOOST_TEST(flow.balance().cwiseAbs().maxCoeff() < 0.03 * turnover);
  for (Index k = 1; k < flow.dissipated.size(); ++k)
    BOOST_REQUIRE(flow.dissipated[k] >= flow.dissipated[k - 1]);
}

BOOST_AUTO_TEST_CASE(friction_std_is_that_of_samples_of_the_posterior) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  const ParameterSet& parameters = scene.dynamics->parameters();
  // A hundredth of the covariance: to first order the std shrinks with its root.
  const MatrixXd cov = 1e-4 * scene.solution.theta_cov;
  const VectorXd& theta = scene.solution.point.theta;
  const std::vector<FrictionCurve> curves = make_friction_curves(parameters, theta, cov, {});
  BOOST_REQUIRE(curves.size() == 2u);
  const MatrixXd L = cov.llt().matrixL();
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  constexpr int num_draws = 4000;
  MatrixXd sum = MatrixXd::Zero(101, 2), squares = sum;
  for (int i = 0; i < num_draws; ++i) {
    VectorXd z(theta.size());
    for (double& one : z) one = normal(random);
    const PhysicalParameters eta = parameters.physical(theta + L * z);
    for (Index d = 0; d < 2; ++d) {
      for (Index k = 0; k < 101; ++k) {
        const double tau = friction(curves[d].speed[k], eta.gamma.col(d)).tau - curves[d].value[k];
        sum(k, d) += tau;
        squares(k, d) += tau * tau;
      }
    }
  }
  for (Index d = 0; d < 2; ++d) {
    for (Index k = 0; k < 101; k += 10) {
      const double std = std::sqrt(squares(k, d) / num_draws);
      // 4000 draws: 1/√8000 = 1.1 % by chance.
      BOOST_TEST(std::abs(curves[d].std[k] - std) < 0.05 * std + 1e-12);
    }
  }
}

BOOST_AUTO_TEST_CASE(effort_std_is_that_of_predictions_by_samples_of_the_posterior) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  const Dynamics& dynamics = *scene.dynamics;
  const VectorXd& theta = scene.solution.point.theta;
  const MatrixXd cov = 1e-4 * scene.solution.theta_cov;
  const MotionGuess motion = smooth_motion(dynamics.robot(), scene.recordings[0], scene.noise);
  const MatrixXd predicted = predict_effort(dynamics, theta, motion);
  const MatrixXd J = dynamics.dzeta_dtheta(theta);
  const MatrixXd zeta_cov = J * cov * J.transpose();
  const VectorXd exact;
  const MotionCov none{.joints = MatrixXd::Zero(6 * dynamics.nv(), predicted.cols())};
  const EffortStdSources sources{
      motion, none, predicted, scene.recordings[0], scene.problem->timeline(0), zeta_cov, exact};
  const MatrixXd std = effort_std(dynamics, theta, sources);
  const MatrixXd L = cov.llt().matrixL();
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  constexpr int num_draws = 1000;
  MatrixXd squares = MatrixXd::Zero(predicted.rows(), predicted.cols());
  for (int i = 0; i < num_draws; ++i) {
    VectorXd z(theta.size());
    for (double& one : z) one = normal(random);
    squares += (predict_effort(dynamics, theta + L * z, motion) - predicted).cwiseAbs2();
  }
  const MatrixXd sampled = (squares / num_draws).cwiseSqrt();
  BOOST_TEST((std - sampled).cwiseAbs().maxCoeff() < 0.12 * sampled.maxCoeff());
  const MatrixXd noisy = effort_std(dynamics, theta,
                                    {motion, none, predicted, scene.recordings[0],
                                     scene.problem->timeline(0), zeta_cov, scene.noise.effort});
  BOOST_TEST((noisy.cwiseAbs2() - std.cwiseAbs2()).cwiseSqrt().isConstant(0.05, 1e-9));
}

BOOST_AUTO_TEST_CASE(verdict_of_a_result_that_did_not_converge_is_red) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  Solution stopped = scene.solution;
  stopped.status = Status::iteration_limit;
  const Result result = detailed_result(*scene.problem, stopped);
  BOOST_TEST((result.verdict.front().severity == Severity::error));
  BOOST_TEST(result.verdict.front().topic == "convergence");
  const Result good = detailed_result(*scene.problem, scene.solution);
  for (const Verdict& one : good.verdict) BOOST_TEST((one.severity != Severity::error), one.text);
}

BOOST_AUTO_TEST_CASE(verdict_of_a_worse_prediction_is_red) {
  const EffortError before{VectorXd::Constant(1, 1.0), VectorXd::Constant(1, 10.0)};
  const EffortError after{VectorXd::Constant(1, 2.0), VectorXd::Constant(1, 10.0)};
  BOOST_TEST((prediction_verdict({"elbow"}, before, after, "").severity == Severity::error));
  BOOST_TEST((prediction_verdict({"elbow"}, after, before, "").severity == Severity::ok));
}

BOOST_AUTO_TEST_CASE(result_json_has_what_the_page_needs) {
  const test::SimulatedProblem& scene = test::simulated_problem(2);
  const Result result = detailed_result(*scene.problem, scene.solution);
  const Json json = Json::parse(result_json(result));
  for (const char* key : {"model", "bounds", "log_quality", "verdict", "friction_curves",
                          "inertias", "residuals", "cones", "series"}) {
    BOOST_TEST(json.contains(key), key);
  }
  BOOST_TEST(json["series"]["trajectories"].size() == 2u);
  BOOST_TEST(json["friction_curves"][0]["speed"].size() == 101u);
  // The ellipsoid's numbers are those of the table of physical values.
  for (const Json& one : json["inertias"]) {
    const std::string link = one["link"];
    const double mass = json["physical"]["mass." + link]["value"];
    BOOST_TEST(std::abs(one["value"]["mass"].get<double>() - mass) < 1e-12 * mass);
    const double ixx = json["physical"]["inertia." + link + ".ixx"]["value"];
    BOOST_TEST(std::abs(one["value"]["inertia"][0].get<double>() - ixx) < 1e-9 * mass);
    const double iyz = json["physical"]["inertia." + link + ".iyz"]["value"];
    BOOST_TEST(std::abs(one["value"]["inertia"][4].get<double>() - iyz) < 1e-9 * mass);
  }
}

}  // namespace bayesid
