// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/program.hpp"
#include "bayesid/config.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A folder with the small case, its prior 30 % away from the truth.
class CaseFolder {
 public:
  /// Longer logs take longer to identify.
  explicit CaseFolder(const std::string& duration = "1.0") {
    folder_.write("arm.urdf", small_case().urdf);
    folder_.write("arm.yaml", replaced(small_case().config, "simulation: {",
                                       "simulation: {prior_error: 0.3, logs: 2, "));
    const std::string text = text_of(path() + "/arm.yaml");
    folder_.write("arm.yaml", replaced(text, "duration: 1.0", "duration: " + duration));
    const Run run = call({"simulate", "arm.yaml", "--out", "sim", "--seed", "7"});
    BOOST_REQUIRE_MESSAGE(run.code == 0, run.err);
  }
  Run call(const std::vector<std::string>& words) const { return run_program(path(), words); }
  std::string path() const { return folder_.path(); }
  json result(const std::string& folder) const {
    return json::parse(text_of(path() + "/" + folder + "/result.json"));
  }

 private:
  TempFolder folder_;
};

/// Nor the time and the command line of the run.
json without_timing(json result) {
  result.erase("timing");
  result.erase("provenance");
  for (json& row : result["history"]) row.erase("seconds");
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(simulate_identify_validate_recovers_the_robot) {
  const CaseFolder folder;
  const Run run = folder.call({"identify", "sim/config.yaml", "--out", "result"});
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(run.out.find("converged after") != std::string::npos, run.out);
  for (const char* file : {"result.json", "identified.urdf", "actuation.yaml", "trajectory.csv",
                           "config.yaml", "series.bin", "scene.json", "report.html"}) {
    BOOST_TEST(fs::file_size(folder.path() + "/result/" + file) > 0, file);
  }
  // The estimate lies within five standard deviations of the truth: chance of less is 1e-5 for 24
  // values.
  const json truth = json::parse(text_of(folder.path() + "/sim/truth.json"));
  for (const auto& [name, entry] : folder.result("result")["parameters"].items()) {
    const double error = entry["value"].get<double>() - truth["parameters"][name].get<double>();
    BOOST_TEST(std::abs(error) < 5 * entry["std"].get<double>(), name);
  }
  const Run check = folder.call({"validate", "sim/config.yaml", "--model", "result", "--json"});
  BOOST_TEST(check.code == 0, check.err);
  const json document = json::parse(check.out);
  for (int j = 0; j < 2; ++j) {
    const double before = document["nominal"]["rmse"][j], after = document["identified"]["rmse"][j];
    BOOST_TEST(after < 0.3 * before);
  }
}

BOOST_AUTO_TEST_CASE(validate_writes_the_efforts_that_its_errors_are_made_of) {
  const CaseFolder folder;
  BOOST_TEST(folder.call({"identify", "sim/config.yaml", "--out", "result"}).code == 0);
  const std::vector<std::string> words{"validate", "sim/config.yaml", "--model", "result",
                                       "--out",    "prediction",      "--json"};
  BOOST_TEST(folder.call(words).code == 0);
  const Run run = folder.call(words);  // replaces its own earlier folder
  BOOST_TEST(run.code == 0, run.err);
  const json document = json::parse(text_of(folder.path() + "/prediction/validation.json"));
  BOOST_TEST(document == json::parse(run.out));
  std::istringstream lines(text_of(folder.path() + "/prediction/prediction.csv"));
  std::string line;
  std::getline(lines, line);
  BOOST_TEST(line.starts_with("log,time,tau."), line);
  double squares = 0;
  int samples = 0;
  for (; std::getline(lines, line); ++samples) {
    double log, time, measured, nominal, identified;
    char comma;
    std::istringstream(line) >> log >> comma >> time >> comma >> measured >> comma >> nominal >>
        comma >> identified;
    squares += std::pow(measured - identified, 2);
  }
  BOOST_TEST(samples == document["samples"].get<int>());
  BOOST_TEST(std::sqrt(squares / samples) == document["identified"]["rmse"][0].get<double>(),
             boost::test_tools::tolerance(1e-6));  // ten digits were written
  BOOST_TEST(
      folder.call({"validate", "sim/config.yaml", "--model", "result", "--out", "result"}).code ==
      2);  // would replace what it reads
}

BOOST_AUTO_TEST_CASE(identify_writes_the_configuration_that_makes_the_same_result) {
  const CaseFolder folder;
  BOOST_TEST(folder.call({"identify", "sim/config.yaml", "--out", "one"}).code == 0);
  BOOST_TEST(folder.call({"identify", "one/config.yaml", "--out", "two"}).code == 0);
  BOOST_TEST(folder.result("one")["parameters"] == folder.result("two")["parameters"]);
  const std::string text = text_of(folder.path() + "/one/config.yaml");
  BOOST_TEST(text.starts_with("# bayesid 0."));
  // Writing what was read changes nothing more.
  const bayesid::Config config = bayesid::read_config(folder.path() + "/one/config.yaml");
  BOOST_TEST(text.ends_with("\n" + bayesid::config_yaml(config, folder.path() + "/one")));
}

BOOST_AUTO_TEST_CASE(json_is_one_document_and_quiet_is_silent) {
  const CaseFolder folder;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"identify", "sim/config.yaml", "--out", "result"},
                                             {"check", "sim/config.yaml"},
                                             {"validate", "sim/config.yaml", "--model", "result"},
                                             {"simulate", "arm.yaml", "--out", "other"}}) {
    std::vector<std::string> with = words;
    with.emplace_back("--json");
    const Run run = folder.call(with);
    BOOST_TEST(run.code == 0, run.err);
    BOOST_TEST(json::accept(run.out), run.out);  // one document and nothing else
    BOOST_TEST(!run.err.empty());
    with.back() = "--quiet";
    const Run quiet = folder.call(with);
    BOOST_TEST(quiet.code == 0);
    BOOST_TEST(quiet.out + quiet.err == "");
  }
}

BOOST_AUTO_TEST_CASE(results_have_the_same_bits_for_any_number_of_threads) {
  const CaseFolder folder;
  for (const std::string threads : {"1", "2"}) {
    BOOST_TEST(
        folder.call({"identify", "sim/config.yaml", "--out", "r" + threads, "--threads", threads})
            .code == 0);
  }
  BOOST_TEST(without_timing(folder.result("r1")) == without_timing(folder.result("r2")));
  BOOST_TEST(text_of(folder.path() + "/r1/trajectory.csv") ==
             text_of(folder.path() + "/r2/trajectory.csv"));
}

BOOST_AUTO_TEST_CASE(a_log_of_ones_own_in_the_folder_of_a_result_is_never_deleted) {
  const CaseFolder folder;
  const std::vector<std::string> identify{"identify", "sim/config.yaml", "--out", "result"};
  BOOST_TEST(folder.call(identify).code == 0);
  BOOST_TEST(folder.call({"report", "result", "--figures"}).code == 0);
  BOOST_TEST(fs::exists(folder.path() + "/result/figure_effort_0.svg"));
  BOOST_TEST(folder.call(identify).code == 0);  // figures are on the list too
  BOOST_TEST(!fs::exists(folder.path() + "/result/figure_effort_0.svg"));
  const std::string log = folder.path() + "/result/my_only_log.csv";
  fs::copy_file(folder.path() + "/sim/log1.csv", log);
  const std::string before = text_of(log);
  const Run refused = folder.call(identify);
  BOOST_TEST(refused.code == 2);
  BOOST_TEST(refused.err.find("result holds my_only_log.csv, which no run of bayesid wrote there; "
                              "move it away or choose another --out") != std::string::npos,
             refused.err);
  BOOST_TEST(text_of(log) == before);
}

BOOST_AUTO_TEST_CASE(an_interrupted_run_goes_on_to_the_same_result) {
  const CaseFolder folder("20.0");
  BOOST_TEST(folder.call({"identify", "sim/config.yaml", "--out", "whole"}).code == 0);
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    const std::string out = "part" + std::to_string(code);
    const Run run = run_program(folder.path(), {"identify", "sim/config.yaml", "--out", out},
                                signal, "iteration   1");
    BOOST_TEST(run.code == code, run.err);
    BOOST_TEST(folder.result(out)["status"] == "interrupted");
    const Run resumed = folder.call({"identify", "sim/config.yaml", "--out", out, "--resume"});
    BOOST_TEST(resumed.code == 0, resumed.err);
    BOOST_TEST(!fs::exists(folder.path() + "/" + out + "/checkpoint.bin"));
    const json whole = folder.result("whole")["parameters"];
    for (const auto& [name, entry] : folder.result(out)["parameters"].items()) {
      // The solver stops within 1e-6 standard deviations of the optimum.
      const double error = entry["value"].get<double>() - whole[name]["value"].get<double>();
      BOOST_TEST(std::abs(error) <= 1e-5 * entry["std"].get<double>(), name);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_checkpoint_of_something_else_is_refused) {
  const CaseFolder folder("20.0");
  const std::vector<std::string> resume{"identify", "sim/config.yaml", "--out", "part", "--resume"};
  BOOST_TEST(folder.call(resume).err.find("part/checkpoint.bin: no such file") !=
             std::string::npos);
  const Run run = run_program(folder.path(), {"identify", "sim/config.yaml", "--out", "part"},
                              SIGINT, "iteration   1");
  BOOST_TEST(run.code == 130);
  const std::string file = folder.path() + "/part/checkpoint.bin";
  const std::string bytes = text_of(file);
  std::vector<std::pair<std::string, std::string>> cases{
      {"", "damaged"},
      {"hello, I am text", "damaged"},
      {bytes.substr(0, bytes.size() / 2), "damaged"},
      {bytes + "x", "damaged"}};
  std::string other = bytes;
  other[8] = 9;
  cases.emplace_back(other, "another version");
  other = bytes;
  other[17] ^= 1;
  cases.emplace_back(other, "another configuration");
  for (const auto& [text, part] : cases) {
    std::ofstream(file, std::ios::binary) << text;
    const Run refused = folder.call(resume);
    BOOST_TEST(refused.code == 2);
    BOOST_TEST(refused.err.find(part) != std::string::npos, refused.err);
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_does_not_converge_reports_it_and_keeps_its_numbers) {
  const CaseFolder folder;
  const std::string file = folder.path() + "/sim/config.yaml";
  std::ofstream(folder.path() + "/sim/short.yaml")
      << replaced(text_of(file), "max_iterations: 100", "max_iterations: 1");
  const Run run = folder.call({"identify", "sim/short.yaml", "--out", "result"});
  BOOST_TEST(run.code == 1, run.err);
  BOOST_TEST(run.out.find("iteration limit") != std::string::npos, run.out);
  BOOST_TEST(folder.result("result")["status"] == "iteration_limit");
}
