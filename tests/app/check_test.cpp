// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/program.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid::test;
using nlohmann::json;

namespace {

/// The small log with columns first … last replaced by the cell.
std::string with_columns(int first, int last, const std::string& cell) {
  std::istringstream stream(small_case().log);
  std::string out, line;
  std::getline(stream, out);
  out += "\n";
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    std::string text;
    for (int i = 0; std::getline(cells, text, ','); ++i) {
      out += (i > 0 ? "," : "") + (i >= first && i <= last ? cell : text);
    }
    out += "\n";
  }
  return out;
}

Run check(const std::string& log, const std::string& config = small_case().config) {
  const TempFolder folder;
  folder.write("arm.urdf", small_case().urdf);
  folder.write("arm.yaml", config);
  folder.write("run.csv", log);
  const Run out = run_program(folder.path(), {"check", "arm.yaml", "--json"});
  const auto left = std::distance(std::filesystem::directory_iterator(folder.path()), {});
  BOOST_TEST(left == 3, "check wrote something");
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(check_describes_model_logs_and_identifiability) {
  const Run run = check(small_case().log);
  BOOST_TEST(run.code == 0, run.err);
  const json document = json::parse(run.out);
  BOOST_TEST(document["problems"].empty());
  BOOST_TEST(document["model"]["moving_mass"] == 3.0);
  BOOST_TEST(document["model"]["parameters"].size() == 26U);
  BOOST_TEST(document["logs"][0]["samples"] == 201);
  BOOST_TEST(std::abs(document["logs"][0]["rate"].get<double>() - 200) < 1e-6);
  // Gravity determines the first moment; no motion about y determines the centre of mass along it.
  const json determined = document["identifiability"]["parameters"];
  BOOST_TEST(determined["inertia.arm.hx"].get<double>() > 0.9);
  BOOST_TEST(determined["inertia.arm.hy"].get<double>() < 0.1);
  BOOST_TEST(document["identifiability"]["rank"].get<int>() < 26);
  BOOST_TEST(run.err.find("com.arm.y") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(check_reports_structural_and_log_rank) {
  const auto identifiability_of = [](const std::string& log) {
    return json::parse(check(log).out)["identifiability"];
  };
  const auto is_hidden = [](const json& document, const std::string& name, const char* kind) {
    return std::ranges::any_of(document["undetermined"], [&](const json& one) {
      return one["kind"] == kind && one["terms"].contains(name);
    });
  };
  const json moving = identifiability_of(small_case().log),
             still = identifiability_of(with_columns(1, 1, "0"));
  BOOST_TEST(moving["structural_rank"] == still["structural_rank"]);
  BOOST_TEST(is_hidden(moving, "first_moment.arm.y", "structural"));
  BOOST_TEST(moving["base_parameters"].size() == moving["log_rank"].get<std::size_t>());
  BOOST_TEST(!moving["base_parameters"].empty());
  const Run run = check(small_case().log);
  BOOST_TEST(run.err.find("\n" + moving["structural_rank"].dump() + " of ") != std::string::npos,
             run.err);
  BOOST_TEST(run.err.find(" parameter combinations are identifiable; your logs determine " +
                          moving["log_rank"].dump() + ".\n") != std::string::npos,
             run.err);
  BOOST_TEST(run.err.find("0 warnings, 0 errors.") != std::string::npos, run.err);
}

BOOST_AUTO_TEST_CASE(check_describes_the_channels_of_the_log) {
  const Run run = check(small_case().log);
  const json log = json::parse(run.out)["logs"][0];
  for (const char* group : {"position", "velocity", "effort"}) {
    BOOST_TEST(log["groups"][group]["channels"] == 2);
    BOOST_TEST(log["groups"][group]["samples"] == 201);
    BOOST_TEST(std::abs(log["groups"][group]["rate"].get<double>() - 200) < 1e-6);
  }
  // Noise as simulated, to what 200 samples and the motion in them allow.
  const json& channels = log["channels"];
  for (const auto& [name, std] :
       {std::pair{"q.elbow", 1e-4}, std::pair{"v.elbow", 1e-2}, std::pair{"tau.elbow", 1e-2}}) {
    BOOST_TEST(channels[name]["configured_noise"] == std);
    BOOST_TEST(std::abs(channels[name]["noise"].get<double>() / std - 1) < 0.4, name);
  }
  for (const json& joint : log["joints"]) {
    BOOST_TEST(std::abs(joint["velocity"]["slope"].get<double>() - 1) < 0.1);
    BOOST_TEST(std::abs(joint["effort"]["slope"].get<double>() - 1) < 0.1);
    BOOST_TEST(joint["effort"]["correlation"].get<double>() > 0.99);
  }
  BOOST_TEST(std::abs(log["effort_delay"]["delay"].get<double>()) < 0.005);
  BOOST_TEST(log["diagnostics"].empty());
}

BOOST_AUTO_TEST_CASE(check_finds_joints_that_stand_still_and_efforts_that_are_zero) {
  const Run still = check(with_columns(1, 1, "0"));
  BOOST_TEST(still.code == 1);
  BOOST_TEST(still.err.find("error: joint shoulder does not move") != std::string::npos);
  const Run zero = check(with_columns(6, 6, "0"));
  BOOST_TEST(zero.code == 1);
  BOOST_TEST(zero.err.find("error: tau.elbow is zero in every sample") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(check_counts_what_was_not_measured) {
  const json document = json::parse(check(with_columns(4, 4, "")).out);
  BOOST_TEST(document["excitation"]["elbow"]["velocity_missing"] == 1.0);
  BOOST_TEST(document["excitation"]["shoulder"]["velocity_missing"] == 0.0);
}

BOOST_AUTO_TEST_CASE(validate_needs_a_result_of_the_same_parameters) {
  const TempFolder folder;
  folder.write("arm.urdf", small_case().urdf);
  folder.write("arm.yaml", small_case().config);
  folder.write("run.csv", small_case().log);
  const std::string names = R"("inertia.arm.log_mas": {"value": 1})";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"hello", "result.json: is not JSON"},
      {"{}", "result.json: has no parameters"},
      {R"({"parameters": {"a": 1}})", "parameters.a has no value"},
      {R"({"parameters": {)" + names + "}}",
       "has no parameter inertia.arm.log_mass, which arm.yaml has, did you mean "
       "inertia.arm.log_mas?"},
  };
  for (const auto& [text, part] : cases) {
    folder.write("result.json", text);
    const Run run = run_program(folder.path(), {"validate", "arm.yaml", "--model", "result.json"});
    BOOST_TEST(run.code == 2);
    BOOST_TEST(run.err.find(part) != std::string::npos, run.err);
  }
  const Run none = run_program(folder.path(), {"validate", "arm.yaml", "--model", "none"});
  BOOST_TEST(none.err == "bayesid: none: cannot be read\n");
}

BOOST_AUTO_TEST_CASE(demo_recovers_the_panda, *boost::unit_test::label("slow")) {
  const TempFolder folder;
  const Run run = run_program(folder.path(), {"demo", "--out", "demo", "--json"});
  BOOST_TEST(run.code == 0, run.err);
  const json document = json::parse(run.out);
  for (std::size_t j = 0; j < 7; ++j) {
    const double before = document["held_out_motion"]["nominal"]["rmse"][j];
    const double after = document["held_out_motion"]["identified"]["rmse"][j];
    BOOST_TEST(after < 0.5 * before);
  }
  // The files it wrote make the same result.
  const Run again = run_program(folder.path(), {"identify", "demo/config.yaml", "--out", "again"});
  BOOST_TEST(again.code == 0, again.err);
  const json result = json::parse(text_of(folder.path() / "again" / "result.json"));
  BOOST_TEST(result["parameters"] == document["parameters"]);
}
