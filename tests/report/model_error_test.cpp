// SPDX-License-Identifier: BSD-3-Clause
// Errors put into a simulated log are located by its identification.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "bayesid/result.hpp"
#include "report/model_error_report.hpp"
#include "report/verdict.hpp"
#include "support/simulated_problem.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

using Json = nlohmann::json;

/// The identification of the simulated log with an error in the measured efforts of its shoulder,
/// as a function of angle, speed and time.
Result identified_with(const std::function<double(double, double, double)>& error) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  std::vector<Recording> recordings = scene.recordings;
  for (Recording& one : recordings) {
    for (Eigen::Index k = 0; k < one.time.size(); ++k)
      one.effort(0, k) += error(one.position(0, k), one.velocity(0, k), one.time[k]);
  }
  const RobotProblem problem(scene.dynamics, recordings, scene.noise,
                             Integrator::semi_implicit_euler);
  const Solution solution = solve(problem, {});
  Result out = make_result(problem, solution, {});
  out.details = std::make_shared<const ResultDetails>(make_details(problem, solution, out, 1));
  out.verdict = make_verdict(out);
  for (const JointResidual& joint : out.details->model_error) {
    BOOST_TEST_MESSAGE(joint.joint << ": rms " << joint.rms << ", expected " << joint.expected_rms);
    for (const ModelErrorFinding& one : joint.findings)
      BOOST_TEST_MESSAGE("  " << one.kind << " " << one.share << ": " << one.text);
  }
  return out;
}

const Verdict* model_error_of(const Result& result) {
  for (const Verdict& one : result.verdict) {
    if (one.topic == "model_error") return &one;
  }
  return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(model_error_is_silent_where_the_model_is_right) {
  const Result result = identified_with([](double, double, double) { return 0.0; });
  BOOST_TEST(result.details->model_error.size() == 2u);
  BOOST_TEST(model_error_of(result) == nullptr);
}

BOOST_AUTO_TEST_CASE(model_error_names_joint_and_periods_of_a_ripple) {
  const Result result =
      identified_with([](double q, double, double) { return 0.5 * std::sin(60 * q + 1); });
  const JointResidual& joint = result.details->model_error[0];
  BOOST_REQUIRE(!joint.findings.empty());
  const ModelErrorFinding& ripple = joint.findings[0];
  BOOST_TEST(ripple.kind == "ripple");
  BOOST_TEST(std::abs(ripple.numbers.at("periods_per_turn") - 60) < 0.5);
  BOOST_TEST(std::abs(ripple.size - 0.5) < 0.1);
  const Verdict* verdict = model_error_of(result);
  BOOST_REQUIRE(verdict);
  BOOST_TEST((verdict->severity == Severity::warning));
  BOOST_TEST(verdict->text.find(joint.joint + ": torque ripple, ") != std::string::npos);
  BOOST_TEST(verdict->text.find("periods per turn") != std::string::npos);

  const Json json = Json::parse(result_json(result));
  BOOST_REQUIRE(json.contains("model_error"));
  const Json& first = json["model_error"][0];
  BOOST_TEST(first["joint"] == joint.joint);
  BOOST_TEST(first["findings"][0]["kind"] == "ripple");
  BOOST_TEST(first["findings"][0]["periods_per_turn"].get<double>() ==
             ripple.numbers.at("periods_per_turn"));
  for (const char* variable : {"angle", "speed", "time", "phase"}) {
    const Json& curve = first["curves"][variable];
    BOOST_TEST(curve["at"].size() <= 40u);
    BOOST_TEST(curve["at"].size() == curve["mean"].size());
    BOOST_TEST(curve["at"].size() == curve["std"].size());
    BOOST_TEST(curve["at"].size() == curve["counts"].size());
  }
  BOOST_TEST(first["spectra"][0]["frequency"].size() <= 200u);
}

BOOST_AUTO_TEST_CASE(model_error_finds_friction_that_falls_with_time) {
  const Result result = identified_with(
      [](double, double v, double t) { return std::tanh(50 * v) * (0.5 - 0.25 * t); });
  const JointResidual& joint = result.details->model_error[0];
  BOOST_REQUIRE(!joint.findings.empty());
  BOOST_TEST(joint.findings[0].kind == "friction_drift");
  BOOST_TEST(joint.findings[0].numbers.at("change") < 0);
}

BOOST_AUTO_TEST_CASE(model_error_verdict_has_the_three_largest_findings_that_matter) {
  JointResidual joint{.joint = "elbow", .unit = "N·m", .rms = 2, .expected_rms = 1};
  for (const double share : {0.3, 0.05, 0.2, 0.15, 0.12})
    joint.findings.push_back(
        {.joint = "elbow", .kind = "cable", .share = share, .text = "a cable"});
  const std::vector<Verdict> found = model_error_verdict({joint});
  BOOST_REQUIRE(found.size() == 3u);
  BOOST_TEST(found[0].numbers.at("share") == 0.3);
  BOOST_TEST(found[2].numbers.at("share") == 0.15);
  joint.rms = 1;  // as the noise explains it
  joint.is_white = true;
  BOOST_TEST(model_error_verdict({joint}).empty());
  joint.is_white = false;
  BOOST_TEST(model_error_verdict({joint}).size() == 3u);
}

BOOST_AUTO_TEST_CASE(model_error_verdict_ranks_by_the_noise_and_puts_a_sign_first) {
  const auto joint = [](const char* name, const char* kind, double share, double rms) {
    JointResidual out{.joint = name, .unit = "N·m", .rms = rms, .expected_rms = 1};
    out.findings.push_back({.joint = name, .kind = kind, .share = share, .text = kind});
    return out;
  };
  std::vector<JointResidual> joints{joint("a", "cable", 0.9, 1.5), joint("b", "ratio", 0.5, 4)};
  BOOST_REQUIRE(model_error_verdict(joints).size() == 2u);
  BOOST_TEST(model_error_verdict(joints)[0].text.starts_with("Effort of b"));
  joints.push_back(joint("c", "sign", 0.2, 2));
  BOOST_REQUIRE(model_error_verdict(joints).size() == 1u);
  BOOST_TEST(model_error_verdict(joints)[0].text.starts_with("Effort of c"));
}

}  // namespace bayesid
