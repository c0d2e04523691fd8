// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "problem/contact_schedule.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "bayesid/problem.hpp"
#include "support/input_error.hpp"

using namespace bayesid;

namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();
constexpr double forever = std::numeric_limits<double>::infinity();

/// Two contacts and a log of eight samples, 0.1 s apart, in two segments with a gap of 2 s.
struct Scene {
  Config config;
  Log log;
  std::vector<Recording> segments;
  std::vector<std::string> warnings;

  Scene() {
    config.file = "robot.yaml";
    config.logs.emplace_back().file = "run.csv";
    for (const std::string name : {"LF", "RF"}) {
      ContactConfig& contact = config.model.contacts.emplace_back();
      contact.name = contact.frame = name;
    }
    log.file = "run.csv";
    log.time = {0, 0.1, 0.2, 0.3, 2.3, 2.4, 2.5, 2.6};
    for (const int first : {0, 4}) {
      segments.emplace_back().time = Eigen::Map<const Eigen::VectorXd>(log.time.data() + first, 4);
    }
  }
  void schedule() { add_contact_schedule(config, 0, log, segments, warnings); }
  LogConfig& given() { return config.logs[0]; }
};

void check_phase(const PhaseConfig& phase, double from, double to, const std::string& contact) {
  BOOST_TEST(phase.from == from);
  BOOST_TEST(phase.to == to);
  BOOST_REQUIRE(phase.contacts.size() == 1u);
  BOOST_TEST(phase.contacts[0] == contact);
}

}  // namespace

BOOST_AUTO_TEST_CASE(contact_schedule_reads_channels) {
  Scene scene;
  const double n = not_measured;
  scene.log.channels["contact.LF"] = {n, 1, n, 0.4, n, 0.5, 1, 1};
  scene.log.channels["contact.RF"] = {1, 1, 1, 1, n, n, 0, 0};
  scene.schedule();
  BOOST_TEST(scene.warnings.empty());
  for (const Recording& segment : scene.segments) {
    BOOST_REQUIRE(segment.phases.size() == 3u);
    check_phase(segment.phases[0], 0.1, 0.3, "LF");
    check_phase(segment.phases[1], 2.4, forever, "LF");
    check_phase(segment.phases[2], 0, 2.5, "RF");
  }
}

BOOST_AUTO_TEST_CASE(contact_schedule_of_channels_gives_the_stages_of_the_samples) {
  Scene scene;
  scene.log.channels["contact.LF"] = {0, 1, 1, 0, 0, 0, 0, 1};
  scene.log.channels["contact.RF"] = {1, 1, 1, 1, 1, 1, 1, 1};
  scene.schedule();
  MotionConstraints constraints;
  for (const std::string name : {"LF", "RF"}) {
    MotionConstraint& contact = constraints.contacts.emplace_back();
    contact.name = name;
    contact.rows = {0, 1, 2};
    contact.is_contact = true;
  }
  // Closes at the second sample, with an impact, and opens at the fourth.
  const Timeline first = make_timeline(scene.segments[0], constraints);
  std::vector<int> rows;
  for (const StagePlan& stage : first.stages) rows.push_back(first.modes[stage.mode].num_rows());
  BOOST_TEST((rows == std::vector<int>{3, 6, 6, 6}));
  BOOST_TEST(first.stages[1].impact);
  // What closes at the last sample strikes there; what was closed before a gap did not strike.
  const Timeline second = make_timeline(scene.segments[1], constraints);
  rows.clear();
  for (const StagePlan& stage : second.stages) rows.push_back(second.modes[stage.mode].num_rows());
  BOOST_TEST((rows == std::vector<int>{3, 3, 3, 6}));
  BOOST_TEST(second.stages[3].impact);
}

BOOST_AUTO_TEST_CASE(contact_schedule_of_the_configuration_goes_before_channels) {
  Scene scene;
  scene.log.channels["contact.LF"] = std::vector<double>(8, 1.0);
  scene.given().phases = {{0, 0.2, {"RF"}}};
  scene.schedule();
  BOOST_TEST(scene.warnings.empty());
  BOOST_REQUIRE(scene.segments[0].phases.size() == 1u);
  check_phase(scene.segments[0].phases[0], 0, 0.2, "RF");
}

BOOST_AUTO_TEST_CASE(contact_schedule_warns_of_unknown_phases) {
  Scene scene;
  scene.schedule();
  BOOST_TEST(scene.segments[0].phases.empty());
  BOOST_REQUIRE(scene.warnings.size() == 1u);
  BOOST_TEST(scene.warnings[0] ==
             "run.csv: no contact phases of LF, RF, taken as open: add "
             "logs[].phases or the channel contact.LF");

  Scene misspelt;
  misspelt.log.channels["contact.LFF"] = std::vector<double>(8, 1.0);
  misspelt.log.channels["contact.RF"] = std::vector<double>(8, 1.0);
  misspelt.schedule();
  BOOST_REQUIRE(misspelt.warnings.size() == 2u);
  BOOST_TEST(misspelt.warnings[0] ==
             "run.csv: contact.LFF is not used: model.contacts has no LFF, did you mean LF?");
  BOOST_TEST(misspelt.warnings[1].find("no contact phases of LF") != std::string::npos);

  Scene late;
  late.given().phases = {{100, 110, {"LF"}}};
  late.schedule();
  BOOST_REQUIRE(late.warnings.size() == 1u);
  BOOST_TEST(late.warnings[0] ==
             "robot.yaml: logs[0].phases[0] is from 100 s to 110 s, outside of run.csv (0 s to "
             "2.6 s)");
}

BOOST_AUTO_TEST_CASE(contact_schedule_gives_impacts_to_their_segment) {
  Scene scene;
  scene.given().phases = {{0, 3, {"LF"}}};
  scene.given().impacts = {{0.15, {"RF"}, 0.5}, {2.4, {"RF"}, 0}};
  scene.schedule();
  BOOST_TEST(scene.warnings.empty());
  BOOST_REQUIRE(scene.segments[0].impacts.size() == 1u);
  BOOST_TEST(scene.segments[0].impacts[0].time == 0.15);
  BOOST_TEST(scene.segments[0].impacts[0].restitution == 0.5);
  BOOST_REQUIRE(scene.segments[1].impacts.size() == 1u);
  BOOST_TEST(scene.segments[1].impacts[0].time == 2.4);
}

BOOST_AUTO_TEST_CASE(contact_schedule_leaves_out_impacts_without_a_motion_before_them) {
  for (const double time : {1.0, 2.3}) {  // in the gap, right behind it
    Scene scene;
    scene.given().phases = {{0, 3, {"LF"}}};
    scene.given().impacts = {{time, {"RF"}, 0}};
    scene.schedule();
    BOOST_REQUIRE(scene.warnings.size() == 1u);
    BOOST_TEST(scene.warnings[0].find("run.csv: the impact of RF at ") == 0u);
    for (const Recording& segment : scene.segments) BOOST_TEST(segment.impacts.empty());
  }
}

BOOST_AUTO_TEST_CASE(contact_schedule_keeps_impacts_at_the_last_sample_of_a_segment) {
  for (const std::size_t segment : {0u, 1u}) {
    Scene scene;
    scene.given().phases = {{0, 3, {"LF"}}};
    scene.given().impacts = {{segment == 0 ? 0.3 : 2.6, {"RF"}, 0}};
    scene.schedule();
    BOOST_TEST(scene.warnings.empty());
    BOOST_TEST(scene.segments[segment].impacts.size() == 1u);
    BOOST_TEST(scene.segments[1 - segment].impacts.empty());
  }
}

BOOST_AUTO_TEST_CASE(contact_schedule_refuses_impacts_outside_of_the_log) {
  for (const double time : {-0.1, 2.7}) {
    Scene scene;
    scene.given().impacts = {{time, {"RF"}, 0}};
    const std::string message = test::input_error([&] { scene.schedule(); });
    BOOST_TEST(message.find("logs[0].impacts[0].time is ") != std::string::npos, message);
    BOOST_TEST(message.find("outside of run.csv (0 s to 2.6 s)") != std::string::npos, message);
  }
  Scene scene;
  scene.given().impacts = {{0, {"RF"}, 0}};
  BOOST_TEST(test::input_error([&] { scene.schedule(); }) ==
             "robot.yaml: logs[0].impacts[0].time is 0, the first sample of run.csv, which has no "
             "motion before it: remove the impact, or start the log earlier");
}
