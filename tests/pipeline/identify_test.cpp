// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "bayesid/identify.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "bayesid/validate.hpp"
#include "pipeline/arm_case.hpp"

using namespace bayesid;
using bayesid::test::ArmCase;
using nlohmann::json;

namespace {

/// An arm with an impossible inertia: reading it is a warning.
std::string broken_urdf() {
  return test::replaced(test::small_urdf, R"(iyy="0.002" iyz="0" izz="0.002")",
                        R"(iyy="0.002" iyz="0" izz="0.02")");
}

/// Interrupts before the second iteration.
RunOptions interrupted_early() {
  auto count = std::make_shared<int>(0);
  RunOptions out;
  out.stop = [count] { return ++*count > 2; };
  return out;
}

/// What `call` writes to standard output and standard error.
template <typename Call>
std::string printed(const std::string& file, Call call) {
  std::fflush(nullptr);
  const int out = dup(1), err = dup(2), to = open(file.c_str(), O_WRONLY | O_CREAT, 0600);
  dup2(to, 1);
  dup2(to, 2);
  call();
  std::fflush(nullptr);
  dup2(out, 1);
  dup2(err, 2);
  for (const int one : {out, err, to}) close(one);
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(identify_recovers_what_simulate_has_made) {
  const ArmCase arm;
  int iterations = 0;
  RunOptions options{.num_threads = 2, .seed = 3};
  options.on_iteration = [&](const Iteration& row) { iterations = row.number; };
  const Run run = identify(arm.config(), options);
  BOOST_TEST(run.converged());
  BOOST_TEST(iterations == static_cast<int>(run.result.history.size()));
  BOOST_TEST(run.result.seed == 3U);
  const json truth = json::parse(std::ifstream(arm.path("logs/truth.json")));
  // Less than five standard deviations: chance of more is 1e-5 for 24 values.
  for (const Estimate& one : run.result.posterior.parameters) {
    const double error = one.value - truth["parameters"][one.name].get<double>();
    BOOST_TEST(std::abs(error) < 5 * one.std, one.name);
  }
  const Validation validation = validate(arm.config(), identified_parameters(run));
  for (Eigen::Index j = 0; j < 2; ++j) {
    BOOST_TEST(validation.efforts.identified.rmse[j] < 0.3 * validation.efforts.nominal.rmse[j]);
    // The same logs and the same model: the numbers of the run itself.
    BOOST_TEST(validation.efforts.identified.rmse[j] == run.result.identified.rmse[j]);
  }
}

BOOST_AUTO_TEST_CASE(write_run_leaves_a_folder_that_can_be_read_back) {
  const ArmCase arm;
  const Run run = identify(arm.config());
  write_run(run, arm.path("result"));
  for (const char* name : {"result.json", "identified.urdf", "actuation.yaml", "trajectory.csv",
                           "series.bin", "config.yaml", "report.html"}) {
    BOOST_TEST(std::filesystem::file_size(arm.path("result") + "/" + name) > 0U, name);
  }
  BOOST_TEST(!std::filesystem::exists(arm.path("result/checkpoint.bin")));
  const IdentifiedParameters own = identified_parameters(run),
                             read = read_identified(arm.path("result"));
  BOOST_TEST((own.values == read.values));
  // The configuration it wrote makes the same result again.
  const Run again = identify(read_config(arm.path("result/config.yaml")));
  BOOST_TEST(again.solution.cost == run.solution.cost);
  BOOST_TEST(again.solution.point.theta == run.solution.point.theta);
}

BOOST_AUTO_TEST_CASE(a_configuration_without_a_file_replaces_what_it_wrote_before) {
  const ArmCase arm;
  Config config = arm.config();
  config.file.clear();
  for (int i = 0; i < 2; ++i) {
    write_logs(simulate(config), arm.path("again"));
    write_run(identify(config), arm.path("result"));
  }
  BOOST_TEST(std::filesystem::exists(arm.path("again/log1.csv")));
  BOOST_TEST(std::filesystem::exists(arm.path("result/result.json")));
}

BOOST_AUTO_TEST_CASE(identify_gives_its_warnings_as_values) {
  const ArmCase arm(test::arm_config, broken_urdf());
  std::vector<std::string> told;
  RunOptions options;
  options.on_warnings = [&](const std::vector<std::string>& warnings) { told = warnings; };
  const Run run = identify(arm.config(), options);
  BOOST_TEST(!told.empty());
  BOOST_TEST(told == run.result.warnings, boost::test_tools::per_element());
  BOOST_TEST(told[0].find("hand") != std::string::npos, told[0]);
}

BOOST_AUTO_TEST_CASE(the_library_prints_nothing) {
  const ArmCase arm(test::arm_config, broken_urdf());
  BOOST_TEST(printed(arm.path("printed"),
                     [&] { write_run(identify(arm.config()), arm.path("result")); }) == "");
}

BOOST_AUTO_TEST_CASE(an_interrupted_run_is_resumed_to_the_same_optimum) {
  const ArmCase arm;
  const Run whole = identify(arm.config());
  BOOST_TEST_REQUIRE(whole.converged());
  const Run part = identify(arm.config(), interrupted_early());
  BOOST_TEST((part.solution.status == Status::interrupted));
  BOOST_TEST(part.result.history.size() == 2U);
  write_run(part, arm.path("part"));
  // Neither the place of the configuration nor how far to search is part of the problem.
  Config config = read_config(arm.path("part/config.yaml"));
  config.solver.max_iterations = 90;
  const Run run = resume(config, arm.path("part/checkpoint.bin"));
  BOOST_TEST(run.converged());
  BOOST_TEST(run.result.history.size() < whole.result.history.size());
  for (std::size_t i = 0; i < run.result.posterior.parameters.size(); ++i) {
    const Estimate& one = run.result.posterior.parameters[i];
    // The solver stops within 1e-6 standard deviations of the optimum.
    const double error = one.value - whole.result.posterior.parameters[i].value;
    BOOST_TEST(std::abs(error) <= 1e-5 * one.std, one.name);
  }
}
