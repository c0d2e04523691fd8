// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/init.hpp"

#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bayesid/check.hpp"
#include "bayesid/identify.hpp"
#include "bayesid/log.hpp"
#include "pipeline/arm_case.hpp"
#include "support/input_error.hpp"

using namespace bayesid;
using bayesid::test::ArmCase;
using bayesid::test::replaced;
using bayesid::test::TempFolder;

namespace {

constexpr double degrees = 180 / M_PI;

/// An elbow instead of the slide, so that both joints turn.
std::string turning_urdf() {
  std::string out =
      replaced(test::small_urdf, R"("slide" type="prismatic")", R"("elbow" type="revolute")");
  out = replaced(out, R"(<mass value="0.5"/>)",
                 R"(<origin xyz="0.05 0 -0.1" rpy="0 0 0"/><mass value="0.5"/>)");
  out = replaced(out, R"("0 0 1")", R"("0 1 0")");
  return replaced(out, R"(lower="0" upper="0.2" effort="20" velocity="0.5")",
                  R"(lower="-2" upper="2" effort="20" velocity="5")");
}

constexpr const char* arm_only = R"(schema: 1
model: {urdf: arm.urdf}
measurements: {position: 1.0e-4, velocity: 1.0e-2, effort: 0.01}
disturbance: {position: 1.0e-6, velocity: 1.0e-3}
parameters:
  inertia:
  friction: {terms: [coulomb, viscous]}
simulation: {duration: 2.0, rate: 200, base_frequency: 1.0, harmonics: 3}
)";

/// The log of two turning joints, as the tests write it under other names.
const Log& arm_log() {
  static const Log log = [] {
    const ArmCase arm(arm_only, turning_urdf());
    return read_log({.file = arm.path("logs/log1.csv")});
  }();
  return log;
}

/// A column of a test's log: a channel, or the time, times a number.
struct LogColumn {
  std::string name, channel;
  double gain = 1;
};

std::string csv_of(const std::vector<LogColumn>& columns) {
  const Log& log = arm_log();
  std::ostringstream out;
  out.precision(12);
  for (std::size_t i = 0; i < columns.size(); ++i) out << (i > 0 ? "," : "") << columns[i].name;
  out << '\n';
  for (std::size_t k = 0; k < log.time.size(); ++k) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const LogColumn& one = columns[i];
      const double value = one.channel == "time" ? log.time[k] : log.channels.at(one.channel)[k];
      out << (i > 0 ? "," : "") << one.gain * value;
    }
    out << '\n';
  }
  return out.str();
}

/// A folder with arm.urdf and run.csv, and the draft of them, which is written.
struct Drafted {
  TempFolder folder;
  ConfigDraft draft;

  explicit Drafted(const std::string& csv, const std::string& urdf = turning_urdf()) {
    const std::string model = folder.write("arm.urdf", urdf);
    const std::vector<std::string> logs{folder.write("run.csv", csv)};
    draft = init(model, logs, file());
    write_draft(draft);
  }
  std::string file() const { return folder.path() / "arm.yaml"; }
  Config config() const { return read_config(file()); }
  ColumnConfig column(const std::string& channel) const {
    return config().logs.at(0).columns.at(channel);
  }
  /// The question about something; fails when there is none.
  DraftQuestion question(const std::string& about) const {
    const auto found = std::ranges::find(draft.questions, about, &DraftQuestion::about);
    BOOST_REQUIRE_MESSAGE(found != draft.questions.end(), draft.text);
    return *found;
  }
  bool has(const std::string& text) const { return draft.text.find(text) != std::string::npos; }
};

const std::vector<LogColumn> canonical{{"time", "time"},          {"q.shoulder", "q.shoulder"},
                                       {"q.elbow", "q.elbow"},    {"v.shoulder", "v.shoulder"},
                                       {"v.elbow", "v.elbow"},    {"tau.shoulder", "tau.shoulder"},
                                       {"tau.elbow", "tau.elbow"}};

/// Canonical but for some columns.
std::vector<LogColumn> changed(const std::vector<std::pair<std::string, LogColumn>>& changes) {
  std::vector<LogColumn> out = canonical;
  for (const auto& [name, column] : changes)
    *std::ranges::find(out, name, &LogColumn::name) = column;
  return out;
}

}  // namespace

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

BOOST_AUTO_TEST_CASE(init_asks_about_currents_and_efforts_that_the_model_contradicts) {
  const Drafted current(csv_of(changed({{"tau.elbow", {"current_2", "tau.elbow", 0.1}},
                                        {"tau.shoulder", {"current_1", "tau.shoulder", 0.1}}})));
  const DraftQuestion question = current.question("current");
  BOOST_TEST(question.lines.size() == 2U);
  // The model is right: ten to two digits, less what friction adds.
  BOOST_TEST(question.lines[0].starts_with("tau.shoulder: {source: current_1, scale: "));
  BOOST_TEST(current.has("times the model's prediction (correlation "), current.draft.text);
  BOOST_TEST(!current.config().logs.at(0).columns.contains("tau.elbow"));

  const Drafted raw(csv_of(changed({{"tau.shoulder", {"tau.shoulder", "tau.shoulder", 100}}})));
  BOOST_TEST(raw.question("tau").candidates == std::vector<std::string>{"tau.shoulder"});
  const Drafted sign(csv_of(changed({{"tau.shoulder", {"tau.shoulder", "tau.shoulder", -1}}})));
  BOOST_TEST(sign.question("tau").lines.at(0).starts_with(
      "tau.shoulder: {source: tau.shoulder, sign: -1}"));
}

BOOST_AUTO_TEST_CASE(init_asks_about_joints_that_no_column_names) {
  const Drafted arm(csv_of({{"time", "time"},
                            {"q.shoulder", "q.shoulder"},
                            {"tau.shoulder", "tau.shoulder"},
                            {"wrist_pos", "q.elbow"}}));
  BOOST_TEST(arm.question("model.lock").lines.at(0) == "lock: {elbow: 0}");
  BOOST_TEST(arm.question("q").lines.at(0) == "q.elbow: wrist_pos");
  BOOST_TEST(arm.config().model.lock.empty());
  // The answer, without its mark, is a configuration that works.
  const std::string answered = replaced(arm.draft.text, "  # lock:", "  lock:");
  const Config config = read_config(arm.folder.write("answered.yaml", answered));
  BOOST_TEST(check(config).problems.empty());
}

BOOST_AUTO_TEST_CASE(init_locks_fingers_that_the_log_lacks) {
  std::string urdf = turning_urdf();
  for (std::size_t at = 0; (at = urdf.find("elbow", at)) != std::string::npos;)
    urdf.replace(at, 5, "finger_joint");
  const Drafted arm(
      csv_of({{"time", "time"}, {"q.shoulder", "q.shoulder"}, {"tau.shoulder", "tau.shoulder"}}),
      urdf);
  BOOST_TEST(arm.draft.questions.empty(), arm.draft.text);
  BOOST_TEST(arm.config().model.lock.at("finger_joint") == 0);
  BOOST_TEST(check(arm.config()).problems.empty());
}

BOOST_AUTO_TEST_CASE(init_asks_about_the_base_and_its_sensors) {
  const std::string urdf = replaced(turning_urdf(), R"(<link name="base"/>)",
                                    R"(<link name="base"><inertial><mass value="7"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>)");
  std::vector<LogColumn> columns = canonical;
  for (const char* name : {"pose.base.px", "pose.base.py", "pose.base.pz", "imu.head.ax",
                           "imu.head.ay", "imu.head.az", "contact.hand", "contact.foot"})
    columns.push_back({name, "time", 0});
  const Drafted arm(csv_of(columns), urdf);
  BOOST_TEST(arm.question("model.base").lines.at(0) == "base: floating");
  BOOST_TEST(arm.question("model.base").text.find("7 kg") != std::string::npos);
  BOOST_TEST(arm.question("measurements.pose.base").lines.at(0) == "pose.base: {position: auto}");
  BOOST_TEST(arm.question("measurements.imu.head").lines.at(0).find("link: <link>") !=
             std::string::npos);
  BOOST_TEST(arm.question("model.contacts").candidates == std::vector<std::string>{"contact.foot"});
  const Config config = arm.config();
  BOOST_TEST(!config.model.floating_base);
  BOOST_TEST(config.model.contacts.at(0).frame == "hand");
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
