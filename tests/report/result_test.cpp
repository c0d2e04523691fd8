// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "bayesid/result.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/floating_motion.hpp"
#include "support/random_robot.hpp"
#include "support/simulated_problem.hpp"
#include "support/temp_folder.hpp"

namespace bayesid {

namespace {

using Json = nlohmann::json;

Result simulated_result() {
  const test::SimulatedProblem& scene = test::simulated_problem();
  LogUse log;
  log.file = "run1.csv";
  log.samples = 401;
  log.warnings = {"a bad byte: \xff"};
  return make_result(*scene.problem, scene.solution, {log});
}

std::string csv_of(const RobotProblem& problem, const Solution& solution) {
  const Result result = make_result(problem, solution, {});
  return trajectory_csv(make_estimated_motion(problem, solution, result.paths, 1).tables);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// Cells of a line without quotes.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out(1);
  for (const char c : line) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(make_result_adds_up) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  const Result result = simulated_result();
  double sum = result.cost.at("arrival") + result.cost.at("prior") + result.cost.at("disturbance");
  for (const auto& [kind, cost] : result.measurements) sum += cost;
  BOOST_TEST(std::abs(sum - result.cost.at("total")) < 1e-9 * sum);
  BOOST_TEST(result.measurements.count("position") == 1u);
  BOOST_TEST(result.measurements.count("velocity") == 1u);
  BOOST_TEST(result.measurements.count("effort") == 1u);
  BOOST_TEST(result.violation.at("gap") < 1e-6);
  BOOST_TEST(result.violation.at("dynamics") < 1e-4);
  BOOST_TEST(result.violation.at("parameter_inequality") < 1e-9);
  BOOST_TEST(result.num_stages == scene.recordings[0].num_samples() - 1);
  // The identified model predicts better than the nominal one, on every joint.
  for (int j = 0; j < 2; ++j) BOOST_TEST(result.identified.rmse[j] < result.nominal.rmse[j]);
}

BOOST_AUTO_TEST_CASE(result_json_has_the_promised_keys) {
  Result result = simulated_result();
  result.seed = 5;
  const Json json = Json::parse(result_json(result));
  for (const char* key : {"schema", "version", "status", "iterations", "cost", "violation",
                          "parameters", "physical", "covariance", "identifiability", "history",
                          "prediction", "timing", "logs", "warnings", "seed"}) {
    BOOST_TEST(json.contains(key), key);
  }
  BOOST_TEST(json["warnings"] == Json(result.warnings));
  result.findings = {"a contact that pulls"};
  BOOST_TEST(Json::parse(result_json(result))["warnings"].back() == "a contact that pulls");
  BOOST_TEST(json["schema"] == 1);
  BOOST_TEST(json["status"] == "converged");
  BOOST_TEST(json["seed"] == 5);
  for (const char* key : {"total", "arrival", "prior", "disturbance", "measurements"}) {
    BOOST_TEST(json["cost"].contains(key), key);
  }
  for (const char* key : {"gap", "dynamics", "constraint", "position", "parameter_equality",
                          "parameter_inequality"}) {
    BOOST_TEST(json["violation"].contains(key), key);
  }
  for (const char* key : {"total", "per_iteration", "per_stage_us", "threads", "peak_memory_mb"}) {
    BOOST_TEST(json["timing"].contains(key), key);
  }
  BOOST_TEST(json["timing"]["peak_memory_mb"].get<double>() > 1);
  BOOST_TEST(json["prediction"]["shoulder"].contains("nominal"));
  BOOST_TEST(json["prediction"]["slide"].contains("range"));
  BOOST_TEST(json["logs"][0]["samples"] == 401);
  BOOST_TEST(json["parameters"]["inertia.hand.hx"]["fixed"] == true);
  BOOST_TEST(!json["parameters"]["inertia.arm.hx"].contains("fixed"));
  BOOST_TEST(json["physical"]["mass.arm"].contains("prior_std"));
}

BOOST_AUTO_TEST_CASE(result_json_has_identifiability) {
  const Result result = simulated_result();
  const Json json = Json::parse(result_json(result))["identifiability"];
  const Identifiability& identifiability = result.identifiability;
  BOOST_TEST(json["rank"] == result.posterior.rank);
  BOOST_TEST(json["structural_rank"] == identifiability.structural_rank);
  BOOST_TEST(json["log_rank"] == identifiability.log_rank);
  BOOST_TEST(json["numerical_rank"] == identifiability.numerical_rank);
  BOOST_TEST(json["base_parameters"].size() == identifiability.base_parameters.size());
  BOOST_TEST(!identifiability.base_parameters.empty());
  for (size_t i = 0; i < identifiability.base_parameters.size(); ++i) {
    const Json& one = json["base_parameters"][i];
    BOOST_TEST(one["text"] == identifiability.base_parameters[i].text);
    BOOST_TEST(one["terms"].size() == identifiability.base_parameters[i].terms.size());
    BOOST_TEST(one["terms"][identifiability.base_parameters[i].terms[0].name] == 1.0);
    BOOST_TEST(one["data_std"] == identifiability.base_parameters[i].data_std);
  }
  BOOST_TEST(json["undetermined"].size() == identifiability.undetermined.size());
  BOOST_TEST(!identifiability.undetermined.empty());
  for (const Json& one : json["undetermined"]) {
    BOOST_TEST((one["kind"] == "structural" || one["kind"] == "this log"));
    BOOST_TEST(one["motion"].is_null() == (one["kind"] == "structural"));
  }
  for (const Json& one : json["correlations"]) BOOST_TEST(one.contains("data_value"));
}

BOOST_AUTO_TEST_CASE(result_json_numbers_read_back_as_they_were) {
  const Result result = simulated_result();
  const Json json = Json::parse(result_json(result));
  for (const Estimate& estimate : result.posterior.parameters) {
    BOOST_TEST(json["parameters"][estimate.name]["value"].get<double>() == estimate.value);
    BOOST_TEST(json["parameters"][estimate.name]["std"].get<double>() == estimate.std);
    BOOST_TEST(json["identifiability"]["parameters"][estimate.name].get<double>() ==
               estimate.determined);
  }
  const auto n = static_cast<size_t>(result.posterior.theta_cov.rows());
  BOOST_TEST(json["covariance"]["names"].size() == n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      BOOST_TEST(
          json["covariance"]["matrix"][i][j].get<double>() ==
          result.posterior.theta_cov(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
    }
  }
}

BOOST_AUTO_TEST_CASE(result_json_stays_json_when_numbers_fail) {
  Result result = simulated_result();
  result.status = Status::not_finite;
  result.cost["total"] = std::numeric_limits<double>::quiet_NaN();
  const Json json = Json::parse(result_json(result));
  BOOST_TEST(json["cost"]["total"].is_null());
}

BOOST_AUTO_TEST_CASE(actuation_yaml_lists_joints_then_drives) {
  Result result;
  result.joints = {"joint1", "7"};
  result.posterior.physical = {{.name = "mass.link1", .value = 2},
                               {.name = "friction.joint1.viscous", .value = 0.5, .std = 1e-5},
                               {.name = "friction.motor.a.coulomb", .value = 2, .std = 0.25},
                               {.name = "armature.joint1", .value = 0.125, .std = 0.5},
                               {.name = "effort_gain.7", .value = 1, .std = 0}};
  const std::string text = actuation_yaml(result);
  BOOST_TEST(text.substr(text.find("schema")) ==
             "schema: 1\n"
             "joints:\n"
             "  joint1:\n"
             "    friction:\n"
             "      viscous: {value: 0.5, std: 1.0e-05}\n"
             "    armature: {value: 0.125, std: 0.5}\n"
             "  \"7\":\n"
             "    effort_gain: {value: 1.0, std: 0.0}\n"
             "drives:\n"
             "  \"motor.a\":\n"
             "    friction:\n"
             "      coulomb: {value: 2.0, std: 0.25}\n");
  BOOST_TEST(actuation_yaml(Result{}).find("joints: {}\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(trajectory_csv_has_a_row_for_each_sample) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  const std::vector<std::string> lines = lines_of(csv_of(*scene.problem, scene.solution));
  BOOST_TEST(
      lines[0] ==
      "time,q.shoulder,q.shoulder.std,v.shoulder,v.shoulder.std,a.shoulder,tau.shoulder,w.q."
      "shoulder,"
      "w.v.shoulder,q.slide,q.slide.std,v.slide,v.slide.std,a.slide,tau.slide,w.q.slide,w.v.slide");
  BOOST_TEST(lines.size() == 402u);
  const Path& path = scene.solution.point.paths[0];
  const std::vector<std::string> row = cells_of(lines[101]), last = cells_of(lines.back());
  BOOST_TEST(row.size() == 17u);
  BOOST_TEST(last.size() == 17u);
  BOOST_TEST(std::stod(row[0]) == scene.recordings[0].time[100]);
  BOOST_TEST(std::abs(std::stod(row[1]) - path.x(0, 100)) < 1e-9);
  BOOST_TEST(std::abs(std::stod(row[3]) - path.x(2, 100)) < 1e-8);
  BOOST_TEST(std::stod(row[2]) > 0);
  BOOST_TEST(std::abs(std::stod(row[6]) - scene.recordings[0].effort(0, 100) - path.u(2, 100)) <
             1e-7);
  for (const size_t empty : {5u, 6u, 7u, 8u, 13u, 16u}) BOOST_TEST(last[empty].empty());
}

BOOST_AUTO_TEST_CASE(trajectory_csv_of_several_recordings_has_a_column_for_them) {
  const test::SimulatedProblem& scene = test::simulated_problem(2);
  const std::vector<std::string> lines = lines_of(csv_of(*scene.problem, scene.solution));
  BOOST_TEST(lines.size() == 803u);
  BOOST_TEST(lines[0].rfind("log,time,q.shoulder", 0) == 0u);
  BOOST_TEST(cells_of(lines[1])[0] == "0");
  BOOST_TEST(cells_of(lines.back())[0] == "1");
}

BOOST_AUTO_TEST_CASE(trajectory_csv_of_a_floating_base_begins_with_its_pose) {
  test::TempFolder folder;
  Config config;
  config.model.urdf = folder.write("robot.urdf", test::random_urdf(3, {.num_joints = 2}));
  config.model.floating_base = true;
  config.parameters.inertia.emplace();
  const Robot robot = read_robot(config.model);
  std::vector<std::string> warnings;
  const std::vector<Recording> recordings =
      make_recordings(robot, test::floating_log(robot, "link0", 20, 0.01), config, warnings);
  const RobotProblem problem(std::make_shared<const Dynamics>(robot, ParameterSet(robot, config)),
                             recordings, make_noise(robot, config, recordings),
                             Integrator::semi_implicit_euler);
  const Solution solution = solve(problem, {.max_iterations = 0});
  const std::vector<std::string> lines = lines_of(csv_of(problem, solution));
  const std::vector<std::string> names = cells_of(lines.at(0));
  BOOST_TEST(lines.size() == 21u);
  BOOST_TEST(names.size() == 1u + 7 + 6 * 6 + 2 * 8);
  for (const std::string& line : lines) BOOST_TEST(cells_of(line).size() == names.size());
  const auto cell = [&](const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    return std::stod(cells_of(lines.at(11)).at(at));
  };
  const Eigen::Matrix<double, 7, 1> pose = test::base_pose_at(0.1);
  BOOST_TEST(std::abs(cell("q.base.px") - pose[0]) < 1e-9);
  BOOST_TEST(std::abs(std::abs(cell("q.base.qw")) - std::abs(pose[6])) < 1e-9);
  BOOST_TEST(std::abs(cell("v.base.wz") - test::base_velocity_at(0.1)[5]) < 0.01);
  BOOST_TEST(cell("q.base.rx.std") > 0);
  BOOST_TEST(std::abs(cell("q.joint1") - 0.1 * std::sin(0.1)) < 1e-9);
}

}  // namespace bayesid
