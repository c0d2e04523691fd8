// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "bayesid/check.hpp"
#include "bayesid/compare.hpp"
#include "bayesid/excite.hpp"
#include "bayesid/identify.hpp"
#include "bayesid/report.hpp"
#include "bayesid/validate.hpp"
#include "pipeline/arm_case.hpp"
#include "support/input_error.hpp"

using namespace bayesid;
using bayesid::test::ArmCase;
using nlohmann::json;

BOOST_AUTO_TEST_CASE(check_describes_logs_and_forecasts_identifiability) {
  const ArmCase arm;
  const Check found = check(arm.config());
  BOOST_TEST(found.problems.empty());
  BOOST_TEST_REQUIRE(found.logs.size() == 1U);
  BOOST_TEST(found.logs[0].use.samples == 201);
  BOOST_TEST(found.logs[0].rate == 200, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(found.logs[0].noise_std.at("tau.shoulder") == 0.01);
  BOOST_TEST(found.logs[0].noise_std.at("pose.hand.px") == 1e-3);
  BOOST_TEST_REQUIRE(found.joints.size() == 2U);
  BOOST_TEST(found.joints[0].highest > found.joints[0].lowest);
  BOOST_TEST(found.joints[0].position_missing() == 0);
  BOOST_TEST(found.forecast.rank > 0);
  const json document = json::parse(document_of(found));
  BOOST_TEST(document["identifiability"]["rank"] == found.forecast.rank);
}

BOOST_AUTO_TEST_CASE(groups_are_compared_by_the_evidence_of_models_with_and_without_them) {
  const ArmCase arm;
  std::vector<std::string> fitted;
  GroupOptions options{.groups = {"viscous"}};
  options.on_fit = [&](const ModelFit& one) { fitted.push_back(one.name); };
  const GroupComparison found = compare_groups(arm.config(), options);
  BOOST_TEST(fitted == (std::vector<std::string>{"as configured", "without viscous"}),
             boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(found.groups.size() == 1U);
  BOOST_TEST(found.groups[0].with.ntheta == found.groups[0].without.ntheta + 2);
  BOOST_TEST(found.groups[0].log_ratio() ==
             found.given.log_evidence - found.groups[0].without.log_evidence);
  const auto unknown = [&] { compare_groups(arm.config(), {.groups = {"viscos"}}); };
  BOOST_TEST(
      test::input_error(unknown).starts_with("unknown group \"viscos\", did you mean viscous?"));
}

BOOST_AUTO_TEST_CASE(methods_are_compared_on_the_same_motions) {
  const ArmCase arm;
  MethodOptions options{.methods = {"id_ee", "map"}, .truth = arm.path("logs/truth.json")};
  options.held_out = arm.config();
  const MethodComparison found = compare_methods(arm.config(), options);
  BOOST_TEST_REQUIRE(found.methods.size() == 2U);
  const Run run = identify(arm.config());
  for (const MethodFit& fit : found.methods) {
    BOOST_TEST(fit.error.has_value());
    // Held out are the logs used: efforts are predicted in one way only.
    BOOST_TEST(fit.held_out->rmse == fit.effort.rmse);
  }
  BOOST_TEST(found.methods[1].effort.rmse == run.result.identified.rmse);
  options.run.stop = [] { return true; };
  BOOST_TEST(compare_methods(arm.config(), options).interrupted);
}

BOOST_AUTO_TEST_CASE(an_exciting_motion_is_found_and_can_be_followed) {
  const ArmCase arm;
  Config config = arm.config();
  config.excitation.duration = 2;
  config.excitation.harmonics = 2;
  config.excitation.starts = 1;
  const PlannedMotion planned = excite(config, {.run = {.seed = 1}});
  BOOST_TEST_REQUIRE(planned.excitation.found);
  const std::string out = arm.path("motion");
  OutputFolder folder(out, input_files(config));
  publish(files_of(planned, out), folder);
  const SyntheticLogs logs = simulate(read_config(out + "/config.yaml"));
  BOOST_TEST(logs.logs.size() == 1U);
  BOOST_TEST(logs.logs[0].measured.num_samples() == planned.excitation.motion.num_samples());
}

BOOST_AUTO_TEST_CASE(a_report_is_drawn_again_with_its_figures) {
  const ArmCase arm;
  write_run(identify(arm.config()), arm.path("result"));
  const std::vector<std::string> files =
      write_report(read_report(arm.path("result")), arm.path("page.html"), true);
  BOOST_TEST(files.size() > 1U);
  for (const std::string& file : files) BOOST_TEST(std::filesystem::file_size(file) > 0U, file);
}
