// SPDX-License-Identifier: BSD-3-Clause
// Contacts, loops and impacts that do not fit the robot or its logs: each is answered.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/program.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid::test;
using nlohmann::json;

namespace {

/// Three files, in which a case changes one place.
struct Files {
  std::string urdf, config, log;
};

struct Case {
  std::string from, to;  // in the configuration
  std::vector<std::string> parts;
};

class Scene {
 public:
  explicit Scene(const Files& files) {
    folder_.write("robot.urdf", files.urdf);
    folder_.write("robot.yaml", files.config);
    folder_.write("run.csv", files.log);
  }
  Run run(const std::vector<std::string>& words) const {
    return run_program(folder_.path(), words);
  }
  Run check() const { return run({"check", "robot.yaml"}); }
  Run identify() const { return run({"identify", "robot.yaml", "--out", "result"}); }
  std::string result(const std::string& name) const {
    return text_of(folder_.path() / "result" / name);
  }
  bool wrote() const { return std::filesystem::exists(folder_.path() / "result"); }

 private:
  TempFolder folder_;
};

void check_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    BOOST_TEST(text.find(part) != std::string::npos, "'" << text << "' without '" << part << "'");
}

Files changed(Files files, const Case& one) {
  files.config = replaced(files.config, one.from, one.to);
  return files;
}

/// Exit code 2, one sentence, nothing left behind.
void check_errors(const Files& files, const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const Scene scene(changed(files, one));
    const Run run = scene.identify();
    BOOST_TEST(run.code == 2, run.code << " " << run.err);
    BOOST_TEST(run.err.starts_with("bayesid: "), run.err);
    BOOST_TEST(std::count(run.err.begin(), run.err.end(), '\n') == 1, run.err);
    BOOST_TEST(!scene.wrote());
    check_parts(run.err, one.parts);
  }
}

/// Read without an error, with a warning.
void check_warnings(const Files& files, const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const Run run = Scene(changed(files, one)).check();
    BOOST_TEST(run.code != 2, run.err);
    check_parts(run.err, one.parts);
    check_parts(run.err, {"warning: "});
  }
}

// ---- A leg with a four-bar: its motion closes the loop at every sample.

/// A point (x, z) turned about y.
struct Planar {
  double x, z;
  Planar turned(double angle) const {
    return {x * std::cos(angle) + z * std::sin(angle), -x * std::sin(angle) + z * std::cos(angle)};
  }
  Planar operator+(const Planar& o) const { return {x + o.x, z + o.z}; }
  Planar operator-(const Planar& o) const { return {x - o.x, z - o.z}; }
};

/// Coupler and knee that close the loop of data/models/four_bar_leg.urdf, by Newton's steps.
void close_loop(double crank, double& coupler, double& knee) {
  const auto gap = [&](double c, double k) {
    return Planar{-0.11, 0}.turned(crank) + Planar{0.015, -0.3}.turned(crank + c) -
           Planar{0, -0.28} - Planar{-0.095, -0.02}.turned(k);
  };
  constexpr double step = 1e-7;
  for (int i = 0; i < 20; ++i) {
    const Planar g = gap(coupler, knee), c = gap(coupler + step, knee) - g,
                 k = gap(coupler, knee + step) - g;
    const double det = (c.x * k.z - k.x * c.z) / step;
    coupler -= (g.x * k.z - k.x * g.z) / det;
    knee -= (c.x * g.z - g.x * c.z) / det;
  }
}

Files four_bar() {
  std::ostringstream log;
  log.precision(12);
  log << "time,q.crank,q.coupler,q.knee,tau.crank\n";
  double coupler = 0, knee = 0;
  for (int i = 0; i < 60; ++i) {
    const double time = 0.01 * i, crank = 0.4 * std::sin(6 * time + 0.3);
    close_loop(crank, coupler, knee);
    log << time << "," << crank << "," << coupler << "," << knee << "," << 0.5 * crank << "\n";
  }
  return {text_of(std::string(BAYESID_SOURCE) + "/data/models/four_bar_leg.urdf"),
          "schema: 1\n"
          "model:\n"
          "  urdf: robot.urdf\n"
          "  actuation: {joints: [crank]}\n"
          "  loops:\n"
          "    - name: bar\n"
          "      body1: {link: coupler, xyz: [0.015, 0, -0.3]}\n"
          "      body2: {link: shank, xyz: [-0.095, 0.03, -0.02]}\n"
          "      keep: [x, z]\n"
          "      kp: 1600\n"
          "      kd: 80\n"
          "logs: [{file: run.csv}]\n"
          "initial_state: {on_constraints: true}\n"
          "parameters: {friction: {joints: [crank], terms: [viscous]}}\n",
          log.str()};
}

// ---- A slide that stands on the ground, with an arm that hangs from it: 3 kg at rest.

constexpr double weight = 3 * 9.81;

Files slide(double effort) {
  std::ostringstream log;
  log << "time,q.lift,q.arm,tau.lift,tau.arm,contact.foot\n";
  for (int i = 0; i < 60; ++i) log << 0.01 * i << ",0.1,0," << effort << ",0,1\n";
  return {slide_urdf,
          "schema: 1\n"
          "model:\n"
          "  urdf: robot.urdf\n"
          "  contacts:\n"
          "    - {name: foot, frame: carriage, kd: 40, keep: [z]}\n"
          "logs:\n"
          "  - file: run.csv\n"
          "measurements: {effort: 0.1}\n"
          "parameters: {friction: {joints: [arm], terms: [viscous]}}\n",
          log.str()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(bad_constraints_that_name_no_link_are_errors) {
  check_errors(four_bar(),
               {{"link: shank",
                 "link: shnk",
                 {"robot.yaml:8: model.loops[0].body2.link is \"shnk\", which is no link of ",
                  "did you mean shank?"}}});
  check_errors(
      slide(10),
      {{"frame: carriage",
        "frame: carriag",
        {"robot.yaml:5: model.contacts[0].frame is \"carriag\"", "did you mean carriage?"}}});
}

BOOST_AUTO_TEST_CASE(bad_constraints_of_stages_are_errors) {
  const std::string effort = "measurements: {effort: 0.1}\n";
  const auto with = [&](const std::string& stage) {
    return effort + "constraints:\n  stage: " + stage + "\n";
  };
  check_errors(
      slide(10),
      {{effort,
        with("{friction_cone: {mu: {fot: 0.5}}}"),
        {"robot.yaml:10: constraints.stage.friction_cone.mu.fot: the contact fot is not in "
         "model.contacts",
         "did you mean foot?"}},
       {effort,
        with("{unilateral: [fot]}"),
        {"robot.yaml:10: constraints.stage.unilateral", "did you mean foot?"}},
       {effort,
        with("{friction_cone: {mu: -0.5}}"),
        {"robot.yaml:10: constraints.stage.friction_cone.mu"}},
       {effort,
        with("{position_limits: {lft: [0, 1]}}"),
        {"robot.yaml:10: constraints.stage.position_limits.lft: there is no joint lft",
         "did you mean lift?"}},
       {effort,
        with("{position_limits: {lift: [1, 0]}}"),
        {"robot.yaml:10: constraints.stage.position_limits.lift is [1, 0]"}},
       {effort,
        "measurements: {effort: exact}\nconstraints:\n  stage: {effort_limits: {lift: 5}}\n",
        {"robot.yaml:10: constraints.stage.effort_limits: efforts are exact"}},
       {effort, with("{friction_cones: {mu: 0.5}}"), {"did you mean friction_cone?"}}});
  Files sideways = slide(10);
  sideways.config = replaced(sideways.config, "keep: [z]", "keep: [x]");
  check_errors(sideways, {{effort,
                           with("{unilateral: true}"),
                           {"constraints.stage.unilateral: contact foot does not constrain z"}}});
  check_errors(four_bar(), {{"initial_state:",
                             "constraints: {stage: {friction_cone: {mu: 0.5}}}\ninitial_state:",
                             {"constraints.stage.friction_cone: there are no contacts"}}});
}

BOOST_AUTO_TEST_CASE(bad_constraints_with_dependent_rows_are_errors) {
  check_errors(
      four_bar(),
      {{"      keep: [x, z]\n",
        "",
        {"robot.yaml:6: model.loops[0]: loop bar: row y depends on the others; list the "
         "independent ones with keep: [x, z]"}},
       {"      keep: [x, z]\n",
        "      type: frame\n",
        {"loop bar: rows y, rx, rz depend on the others; list the independent ones with keep: [x, "
         "z, ry]"}},
       {"logs:",
        "    - name: twin\n"
        "      body1: {link: coupler, xyz: [0.015, 0, -0.3]}\n"
        "      body2: {link: shank, xyz: [-0.095, 0.03, -0.02]}\n"
        "      keep: [x, z]\n"
        "logs:",
        {"model.loops[", "is redundant: remove it"}}});
  check_errors(slide(10), {{", keep: [z]",
                            "",
                            {"robot.yaml:5: model.contacts[0]: contact foot: rows x, y depend on "
                             "the others; list the independent ones with keep: [z]"}}});
}

BOOST_AUTO_TEST_CASE(bad_constraints_that_depend_in_one_pose_only_are_warnings) {
  // A pin straight ahead of the arm: to first order the arm cannot move it along x.
  check_warnings(slide(10),
                 {{"  contacts:\n    - {name: foot, frame: carriage, kd: 40, keep: [z]}\n",
                   "  loops:\n"
                   "    - name: pin\n"
                   "      body1: {link: arm, xyz: [0.4, 0, 0]}\n"
                   "      body2: {link: ground, xyz: [0.4, 0, 0.1]}\n"
                   "      axes: world_aligned\n"
                   "      keep: [x, z]\n",
                   {"run.csv: loop pin: row x depends on the others where the robot "
                    "stands at 0 s"}}});
}

BOOST_AUTO_TEST_CASE(bad_constraints_that_are_open_at_first_are_errors) {
  check_errors(four_bar(), {{"-0.095, 0.03, -0.02",
                             "-0.035, 0.03, -0.02",
                             {"run.csv: loop bar is open by 60 mm at 0 s, the first sample: check "
                              "the attachment of robot.yaml:6: model.loops[0]"}},
                            {"on_constraints: true",
                             "mean: {q.knee: -0.9}",
                             {"run.csv: loop bar is open by ", " mm at 0 s"}}});
  check_warnings(four_bar(), {{"on_constraints: true",
                               "on_constraints: false, mean: {q.knee: -0.9}",
                               {"run.csv: loop bar is open by "}}});
  // What the prior of the first state explains is no error.
  const Run run =
      Scene(changed(four_bar(), {"on_constraints: true", "mean: {q.knee: -0.9}, position: 1", {}}))
          .check();
  BOOST_TEST(run.code != 2, run.err);
  BOOST_TEST(run.err.find("is open by") == std::string::npos, run.err);
}

BOOST_AUTO_TEST_CASE(bad_constraints_with_unstable_gains_are_errors) {
  // dt = 0.01 s, semi-implicit Euler: kd < 200, and kp < 4e4 − 200 kd.
  Files euler = four_bar();
  euler.config += "solver: {integrator: semi_implicit_euler}\n";
  check_errors(
      euler,
      {{"kd: 80",
        "kd: 200",
        {"robot.yaml:11: model.loops[0].kd is 200, which makes drift unstable, must be below 200 "
         "with the time step of 0.01 s of run.csv; use gains up to kp: 1.6e+03, kd: 80"}},
       {"kp: 1600",
        "kp: 25000",
        {"robot.yaml:10: model.loops[0].kp is 2.5e+04, which makes drift unstable, must be below "
         "2.4e+04"}},
       {"      kd: 80\n",
        "",
        {"robot.yaml:10: model.loops[0].kp is 1.6e+03 without kd", "set kd to about 2√kp = 80"}}});
  // Constant acceleration: kp < 2 kd/dt.
  Files files = four_bar();
  files.config += "solver: {integrator: constant_acceleration}\n";
  check_errors(files, {{"kp: 1600", "kp: 17000", {"kp is 1.7e+04", "must be below 1.6e+04"}}});
  check_errors(
      slide(10),
      {{"kd: 40", "kd: 300", {"model.contacts[0].kd is 300"}},
       {"kd: 40",
        "kp: 100, kd: 20",
        {"model.contacts[0].kp is 100, but the position of a contact is where it closed"}}});
}

BOOST_AUTO_TEST_CASE(bad_constraints_without_gains_are_warnings) {
  check_warnings(four_bar(),
                 {{"      kp: 1600\n      kd: 80\n",
                   "",
                   {"robot.yaml:6: model.loops[0] (bar) has no gains",
                    "use gains up to kp: 1.6e+03, kd: 80 with the time step of 0.01 s"}}});
  check_warnings(
      slide(10),
      {{"kd: 40", "kd: 0", {"model.contacts[0] (foot) has no gains", "up to kd: 80 with"}}});
}

BOOST_AUTO_TEST_CASE(bad_impacts_are_errors_or_left_out) {
  const std::string log = "  - file: run.csv\n";
  const auto impact = [&](const std::string& text) {
    return log + "    impacts: [" + text + "]\n";
  };
  check_errors(slide(10),
               {{log,
                 impact("{time: 1.5, contacts: [foot]}"),
                 {"robot.yaml:8: logs[0].impacts[0].time is 1.5, outside of run.csv (0 s to 0.59 "
                  "s)"}},
                {log,
                 impact("{time: 0, contacts: [foot]}"),
                 {"logs[0].impacts[0].time is 0, the first sample of run.csv"}},
                {log,
                 impact("{time: 0.2, contacts: [foot], restitution: 1.5}"),
                 {"logs[0].impacts[0].restitution is 1.5, must be at least 0 and at most 1"}},
                {log,
                 log + "    phases: [{from: 0, to: 0.3, contacts: [foot]}, {from: 0.2, to: 1, "
                       "contacts: []}]\n",
                 {"logs[0].phases[1] (0.2 s to 1 s) overlaps logs[0].phases[0] (0 s to 0.3 s)"}}});
  Files gap = slide(10);
  for (int i = 20; i < 40; ++i) {  // samples in the middle go missing
    std::ostringstream line;
    line << 0.01 * i << ",0.1,0,10,0,1\n";
    gap.log = replaced(gap.log, line.str(), "");
  }
  check_warnings(gap, {{log,
                        impact("{time: 0.3, contacts: [foot]}"),
                        {"run.csv: the impact of foot at 0.3 s is left out"}}});
}

BOOST_AUTO_TEST_CASE(bad_contact_channels_are_warnings) {
  Files misspelt = slide(10);
  misspelt.log = replaced(misspelt.log, "contact.foot", "contact.food");
  check_warnings(misspelt, {{"schema: 1",
                             "schema: 1",
                             {"run.csv: contact.food is not used: model.contacts has no food, did "
                              "you mean foot?",
                              "run.csv: no contact phases of foot, taken as open"}}});
}

BOOST_AUTO_TEST_CASE(contact_that_pulls_is_a_warning_of_the_result) {
  // The motor lifts with more than the weight, but the foot stays: the contact force must be
  // negative.
  const Scene pulled(slide(weight + 5));
  const Run run = pulled.identify();
  BOOST_TEST(run.code == 0, run.err);
  const json result = json::parse(pulled.result("result.json"));
  check_parts(result["warnings"].dump(),
              {"contact foot: the normal force is negative in 100 % of the time it is closed, with "
               "up to 5 N"});
  BOOST_TEST(result["violation"].contains("position"));

  const Scene pressed(slide(weight - 5));
  BOOST_TEST(pressed.identify().code == 0);
  BOOST_TEST(json::parse(pressed.result("result.json"))["warnings"].empty());
}

BOOST_AUTO_TEST_CASE(contact_forces_are_columns_of_the_trajectory) {
  Files files = slide(weight - 5);
  // The foot is closed until 0.3 s; then the motor carries all of the weight.
  std::istringstream lines(files.log);
  std::string line, log;
  for (int i = -1; std::getline(lines, line); ++i) {
    std::ostringstream late;
    late << 0.01 * i << ",0.1,0," << weight << ",0,0";
    log += (i < 30 ? line : late.str()) + "\n";
  }
  files.log = log;
  const Scene scene(files);
  const Run run = scene.identify();
  BOOST_TEST(run.code == 0, run.err);
  std::istringstream csv(scene.result("trajectory.csv"));
  std::getline(csv, line);
  BOOST_TEST(line.ends_with(",w.v.arm,lambda.foot.z"), line);
  const auto columns = std::count(line.begin(), line.end(), ',');
  for (int i = 0; std::getline(csv, line); ++i) {
    BOOST_TEST(std::count(line.begin(), line.end(), ',') == columns);
    const std::string last = line.substr(line.rfind(',') + 1);
    BOOST_TEST(last.empty() == (i >= 30), line);
    if (!last.empty()) BOOST_TEST(std::abs(std::stod(last) - 5) < 0.1, line);
  }
}
