// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/init.hpp"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bayesid/check.hpp"
#include "bayesid/identify.hpp"
#include "pipeline/init_case.hpp"
#include "support/input_error.hpp"

using namespace bayesid;
using bayesid::test::arm_log;
using bayesid::test::canonical;
using bayesid::test::changed;
using bayesid::test::csv_of;
using bayesid::test::degrees;
using bayesid::test::Drafted;
using bayesid::test::replaced;
using bayesid::test::TempFolder;
using bayesid::test::turning_urdf;

BOOST_AUTO_TEST_CASE(init_of_a_canonical_log_converges_as_it_is_written) {
  const Drafted arm(csv_of(canonical));
  BOOST_TEST(arm.draft.questions.empty(), arm.draft.text);
  const Config config = arm.config();
  BOOST_TEST(config.logs.at(0).columns.empty());
  BOOST_TEST(config.logs.at(0).joint_order.empty());
  BOOST_TEST(check(config).problems.empty());
  const Run run = identify(config);
  BOOST_TEST((run.solution.status == Status::converged));
  BOOST_TEST(arm.has("# position: 2 channels, 200 Hz, no gaps"), arm.draft.text);
  BOOST_TEST(arm.has("noise 0.01"), arm.draft.text);
}

BOOST_AUTO_TEST_CASE(init_of_foreign_names_in_foreign_units_gives_the_same_log) {
  const Drafted arm(csv_of({{"stamp_ms", "time", 1e3},
                            {"Shoulder.position", "q.shoulder", degrees},
                            {"elbow_pos", "q.elbow", degrees},
                            {"Shoulder.velocity", "v.shoulder", degrees},
                            {"elbow_vel", "v.elbow", -1},
                            {"tau_shoulder", "tau.shoulder"},
                            {"elbow_torque", "tau.elbow"},
                            {"temperature", "time"}}));
  BOOST_TEST(arm.draft.questions.empty(), arm.draft.text);
  BOOST_TEST(arm.column("time").scale == 1e-3);
  BOOST_TEST(arm.column("v.elbow").sign == -1);
  BOOST_TEST(arm.has("# not used: temperature"), arm.draft.text);
  const Log log = read_log(arm.config().logs.at(0));
  const Log& truth = arm_log();
  BOOST_TEST_REQUIRE(log.time.size() == truth.time.size());
  for (const auto& [channel, values] : truth.channels) {
    double largest = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
      largest = std::max(largest, std::abs(log.channels.at(channel)[k] - values[k]));
    BOOST_TEST(largest < 1e-9, channel);  // twelve digits were written
  }
}

BOOST_AUTO_TEST_CASE(init_names_the_joints_of_numbered_columns_in_their_order) {
  const Drafted arm(csv_of({{"time", "time"},
                            {"q[0]", "q.shoulder"},
                            {"q[1]", "q.elbow"},
                            {"effort[0]", "tau.shoulder"},
                            {"effort[1]", "tau.elbow"}}));
  BOOST_TEST(arm.draft.questions.empty(), arm.draft.text);
  const LogConfig log = arm.config().logs.at(0);
  BOOST_TEST(log.joint_order == (std::vector<std::string>{"shoulder", "elbow"}));
  BOOST_TEST(log.columns.empty());
  BOOST_TEST(check(arm.config()).problems.empty());

  const Drafted other(csv_of({{"t", "time"},
                              {"actual_q_1", "q.shoulder"},
                              {"actual_q_2", "q.elbow"},
                              {"joint1_torque", "tau.shoulder"},
                              {"joint2_torque", "tau.elbow"}}));
  BOOST_TEST(other.column("q.elbow").source == "actual_q_2");
  BOOST_TEST(other.column("tau.shoulder").source == "joint1_torque");
  BOOST_TEST(other.has("in the order of the joints of the model: check it"), other.draft.text);
}

BOOST_AUTO_TEST_CASE(init_finds_the_unit_of_the_clock) {
  // By velocities and positions; the name says nothing.
  const Drafted ms(csv_of(changed({{"time", {"time", "time", 1e3}}})));
  BOOST_TEST(ms.column("time").scale == 1e-3);
  // By size: 5e6 between two samples.
  const Drafted ns(csv_of({{"t", "time", 1e9},
                           {"q.shoulder", "q.shoulder"},
                           {"q.elbow", "q.elbow"},
                           {"tau.shoulder", "tau.shoulder"},
                           {"tau.elbow", "tau.elbow"}}));
  BOOST_TEST(ns.column("time").scale == 1e-9);
  // Steps of 5 may be seconds.
  const Drafted open(csv_of({{"t", "time", 1e3},
                             {"q.shoulder", "q.shoulder"},
                             {"q.elbow", "q.elbow"},
                             {"tau.shoulder", "tau.shoulder"},
                             {"tau.elbow", "tau.elbow"}}));
  BOOST_TEST(open.column("time").scale == 1);
  BOOST_TEST(open.question("time").lines.at(0) == "time: {source: t, scale: 0.001}");
}

BOOST_AUTO_TEST_CASE(init_tells_degrees_from_radians_by_the_velocity) {
  // Within the limits in either unit: only the velocity tells.
  const Drafted arm(csv_of(changed({{"v.elbow", {"v.elbow", "v.elbow", degrees}}})));
  BOOST_TEST(arm.column("v.elbow").scale == M_PI / 180);
  BOOST_TEST(!arm.config().logs.at(0).columns.contains("q.elbow"));
  BOOST_TEST(arm.has("degrees per second: it is 57."), arm.draft.text);
  const Drafted geared(csv_of(changed({{"v.elbow", {"v.elbow", "v.elbow", 100}}})));
  BOOST_TEST(geared.question("v.elbow").text.find("times dq/dt") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(init_tells_millimetres_from_the_limits_of_a_slide) {
  const std::string urdf = replaced(
      replaced(turning_urdf(), R"("elbow" type="revolute")", R"("elbow" type="prismatic")"),
      R"(lower="-2" upper="2")", R"(lower="-1" upper="1")");
  // The elbow's motion stays below one radian: below one metre.
  const Drafted arm(csv_of(changed({{"q.elbow", {"q.elbow", "q.elbow", 1e3}},
                                    {"v.elbow", {"v.elbow", "v.elbow", 1e3}}})),
                    urdf);
  BOOST_TEST(arm.column("q.elbow").scale == 1e-3, arm.draft.text);
  BOOST_TEST(arm.column("v.elbow").scale == 1e-3);
}

BOOST_AUTO_TEST_CASE(init_without_logs_leaves_their_place_open) {
  const TempFolder folder;
  const std::string model = folder.write("arm.urdf", turning_urdf());
  const std::string file = folder.path() / "arm.yaml";
  write_draft(init(model, {}, file));
  const Config config = read_config(file);
  BOOST_TEST(config.logs.empty());
  BOOST_TEST(config.model.urdf == model);
}

BOOST_AUTO_TEST_CASE(init_names_what_is_wrong_and_writes_nothing) {
  const TempFolder folder;
  const std::string model = folder.write("arm.urdf", turning_urdf());
  const auto error_of = [&](const std::string& csv, const std::string& file) {
    const std::string log = folder.write("run.csv", csv);
    return test::input_error([&] { init(model, {log}, folder.path() / file); });
  };
  const std::string good = csv_of(canonical);
  folder.write("there.yaml", "mine");
  BOOST_TEST(error_of(good, "there.yaml")
                 .ends_with("there.yaml exists; choose another name with --out, or move it away"));
  BOOST_TEST(error_of(good, "no/arm.yaml").find("there is no folder") != std::string::npos);
  BOOST_TEST(error_of("a,b\n1,2\n3,4\n", "arm.yaml").find("no column is named time") !=
             std::string::npos);
  BOOST_TEST(error_of("time,b\n1,2\n3,4\n", "arm.yaml")
                 .find("run.csv:1: no column looks like a position") != std::string::npos);
  BOOST_TEST(error_of("time,q.elbow\n1,2\n", "arm.yaml").find("has 1 sample") != std::string::npos);
  BOOST_TEST(error_of("time,q.elbow\n1,2\n3,x\n", "arm.yaml").find("run.csv:3: column q.elbow") !=
             std::string::npos);
  BOOST_TEST(error_of("sec,nanosec,q.elbow\n1,0,2\n1,5,2\n1,10,2\n", "arm.yaml")
                 .find("the time is in two columns, sec and nanosec") != std::string::npos);
  BOOST_TEST(!std::filesystem::exists(folder.path() / "arm.yaml"));
}

BOOST_AUTO_TEST_CASE(init_document_has_matches_and_questions) {
  const Drafted arm(csv_of({{"t", "time", 1e3},
                            {"q1", "q.shoulder"},
                            {"q2", "q.elbow"},
                            {"current_1", "tau.shoulder"}}));
  const nlohmann::json document = nlohmann::json::parse(document_of(arm.draft));
  BOOST_TEST(document["file"] == arm.file());
  BOOST_TEST(document["joints"].size() == 2U);
  BOOST_TEST(document["matches"][1]["channel"] == "q.shoulder");
  BOOST_TEST(document["matches"][1]["by"] == "order");
  BOOST_TEST(document["questions"].size() == arm.draft.questions.size());
  BOOST_TEST(document["questions"][0]["lines"].is_array());
}
