// SPDX-License-Identifier: BSD-3-Clause
// Diagnostics of logs: rows of the list of bad inputs that need robot and log together.
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>

#include "app/changed_case.hpp"

using namespace bayesid::test;
using namespace bayesid::test::changed;

namespace {

// Columns of the small log: time, positions, velocities, efforts of shoulder and elbow.
constexpr std::size_t q_shoulder = 1, v_shoulder = 3, v_elbow = 4, tau_shoulder = 5, tau_elbow = 6;

Change scaled(const std::vector<std::size_t>& columns, double factor) {
  return [=](const std::string& text) {
    std::string out = text;
    for (const std::size_t i : columns) out = column(i, [=](double x) { return factor * x; })(out);
    return out;
  };
}

/// Each sample has the cells of these columns that stood `samples` before; the first ones repeat.
Change delayed(const std::vector<std::size_t>& columns, std::size_t samples) {
  return lines([=](Lines& all) {
    const Lines before = all;
    for (std::size_t i = 1; i < all.size(); ++i) {
      Lines cells = cells_of(all[i]);
      const Lines source =
          cells_of(before[std::max<std::size_t>(1, i > samples ? i - samples : 1)]);
      for (const std::size_t c : columns) cells[c] = source[c];
      all[i] = joined(cells, ",");
      all[i].pop_back();
    }
  });
}

/// The last sample again and again, for some seconds.
Change with_pause(double duration) {
  return lines([=](Lines& all) {
    Lines cells = cells_of(all.back());
    const double end = std::stod(cells[0]);
    for (int i = 1; i <= duration * 200; ++i) {
      cells[0] = std::to_string(end + 0.005 * i);
      cells[v_shoulder] = cells[v_elbow] = "0";
      all.push_back(joined(cells, ","));
      all.back().pop_back();
    }
  });
}

/// Runs to its end with the warning; the estimate may not converge.
void check_diagnostics(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const Scene scene(one);
    const Run run = scene.identify();
    BOOST_TEST((run.code == 0 || run.code == 1), "row " << one.row << ": " << run.err);
    BOOST_TEST(run.err.find("warning: run.csv: ") != std::string::npos, run.err);
    const json result = json::parse(text_of(scene.path() + "/result/result.json"));
    std::string warnings;
    for (const json& warning : result["warnings"]) warnings += warning.get<std::string>() + "\n";
    check_parts(one, warnings);
  }
}

/// With speeds at which weights matter more than accelerations.
std::string slow_config() {
  return replaced(small_case().config, "duration: 1.0, rate: 200, base_frequency: 1.0",
                  "duration: 4.0, rate: 100, base_frequency: 0.25");
}

std::string clamped_log() {
  return column(tau_shoulder,
                [](double tau) { return std::clamp(tau, -30.0, 30.0); })(small_case().log);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_clean_log_has_no_diagnostics) {
  const Scene scene({0, "", {}, {}});
  const Run run = scene.identify();
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(run.err.find("warning") == std::string::npos, run.err);
}

BOOST_AUTO_TEST_CASE(impossible_logs_are_errors) {
  // A robot without gravity has the efforts of one whose driver compensates it.
  const TempFolder folder;
  folder.write("arm.urdf", small_case().urdf);
  folder.write("arm.yaml",
               replaced(slow_config(), "urdf: arm.urdf", "urdf: arm.urdf\n  gravity: [0, 0, 0]"));
  BOOST_REQUIRE(run_program(folder.path(), {"simulate", "arm.yaml", "--out", "sim"}).code == 0);
  const std::string weightless = text_of(folder.path() / "sim" / "log1.csv");
  check_errors({
      {28,
       "run.csv",
       scaled({tau_shoulder, tau_elbow}, 0),
       {"run.csv: every effort (tau.*) is zero in every sample"}},
      {35,
       "run.csv",
       whole(weightless),
       {"run.csv: tau.shoulder ", "lacks gravity", "model.gravity: [0, 0, 0]"}},
      {55,
       "run.csv",
       lines([](Lines& all) {
         const std::string first = all[1].substr(all[1].find(','));
         for (std::size_t i = 1; i < all.size(); ++i)
           all[i] = all[i].substr(0, all[i].find(',')) + first;
       }),
       {"run.csv: the robot stands still in every sample"}},
  });
  folder.write("run.csv", weightless);
  const Run weightless_run =
      run_program(folder.path(), {"identify", "arm.yaml", "--out", "result"});
  BOOST_TEST(weightless_run.code == 0, weightless_run.err);
}

BOOST_AUTO_TEST_CASE(efforts_of_another_kind_are_diagnosed) {
  check_diagnostics({
      {34,
       "run.csv",
       scaled({tau_shoulder, tau_elbow}, 0.02),
       {"run.csv: tau.shoulder is 0.0", "times the model's prediction", "scale in logs[].columns",
        "effort_gain"}},
      {36,
       "run.csv",
       lines([](Lines& all) {
         for (std::size_t i = 1; i < all.size(); ++i) {
           Lines cells = cells_of(all[i]);
           const Lines repeated = cells_of(all[i - (i - 1) % 5]);
           cells[tau_elbow] = repeated[tau_elbow];
           all[i] = joined(cells, ",");
           all[i].pop_back();
         }
       }),
       {"run.csv: tau.elbow repeats each value 5 times: it is a command"}},
      {37,
       "run.csv",
       scaled({tau_shoulder}, -1),
       {"run.csv: tau.shoulder has the opposite sign of the model's prediction", "sign: -1"}},
      {50,
       "run.csv",
       delayed({tau_shoulder, tau_elbow}, 4),
       {"run.csv: efforts are ", " behind the positions: set parameters.delay: {effort: 0.0"}},
      {52, "run.csv", whole(clamped_log()), {"run.csv: tau.shoulder is exactly ", "clipped"}},
  });
}

BOOST_AUTO_TEST_CASE(efforts_at_the_limit_of_the_urdf_are_diagnosed) {
  const Scene scene({52, "run.csv", whole(clamped_log()), {}});
  std::ofstream(scene.path() + "/arm.urdf")
      << replaced(small_case().urdf, "effort=\"50\"", "effort=\"30\"");
  const Run run = scene.identify();
  BOOST_TEST(run.err.find("run.csv: tau.shoulder is at the limit of the URDF, 30, in ") !=
                 std::string::npos,
             run.err);
}

BOOST_AUTO_TEST_CASE(velocities_of_another_kind_are_diagnosed) {
  check_diagnostics({
      {37,
       "run.csv",
       scaled({v_elbow}, -1),
       {"run.csv: v.elbow is -", "the derivative of the position: its sign is wrong"}},
      {38,
       "run.csv",
       scaled({v_elbow}, 57.29577951),
       {"run.csv: v.elbow is 5", "degrees per second"}},
      {53,
       "run.csv",
       scaled({v_elbow}, 0),
       {"run.csv: v.elbow is zero in every sample while the joint moves", "not measured"}},
      {53,
       "run.csv",
       delayed({v_shoulder}, 4),
       {"run.csv: v.shoulder is ", " ms behind the derivative of the position"}},
  });
}

BOOST_AUTO_TEST_CASE(positions_that_can_be_repaired_are) {
  const auto wrapped_angle = [](double q) { return q < 0 ? q + 2 * M_PI : q; };
  const auto spike = column(q_shoulder, 100, 100, [](double q) { return q + 0.3; });
  check_warnings({
      {43,
       "run.csv",
       column(q_shoulder, wrapped_angle),
       {"run.csv: q.shoulder jumps by a turn", "made continuous"}},
      {44,
       "run.csv",
       spike,
       {"run.csv: q.shoulder is an outlier in 1 sample (time 0.49 s, line 100)"}},
  });
  // A repaired log gives the result of the log without fault.
  const Scene clean({43, "", {}, {}}),
      turned({43, "run.csv", column(q_shoulder, wrapped_angle), {}});
  BOOST_TEST(clean.identify().code == 0);
  BOOST_TEST(turned.identify().code == 0);
  const json before = json::parse(text_of(clean.path() + "/result/result.json"))["parameters"];
  const json after = json::parse(text_of(turned.path() + "/result/result.json"))["parameters"];
  for (const auto& [name, entry] : before.items()) {
    const double change = after[name]["value"].get<double>() - entry["value"].get<double>();
    BOOST_TEST(std::abs(change) <= 1e-5 * entry["std"].get<double>(), name);
  }
}

BOOST_AUTO_TEST_CASE(samples_less_accurate_than_configured_are_diagnosed) {
  check_diagnostics({
      {51,
       "run.csv",
       lines([](Lines& all) {
         Lines kept{all[0]};
         for (std::size_t i = 1; i < all.size(); i += 5) kept.push_back(all[i]);
         all = kept;
       }),
       {"run.csv: positions are sampled at 40 Hz"}},
      {54,
       "run.csv",
       column(q_shoulder, [](double q) { return 0.01 * std::round(q / 0.01); }),
       {"run.csv: q.shoulder is quantised in steps of 0.01", "measurements.position is 0.0001"}},
      {55, "run.csv", with_pause(1.5), {"run.csv: the robot stands still for 1.", "from time 1"}},
  });
}

namespace {

/// The small case with the pose of its hand and an inertial sensor on it, moving slowly.
struct Sensors {
  std::string config, log;
  Lines names;
};

const Sensors& sensors() {
  static const Sensors made = [] {
    const TempFolder folder;
    Sensors out;
    out.config = replaced(slow_config(), "  effort: 0.01\n",
                          "  effort: 0.01\n"
                          "  pose.hand: {position: 1e-3, orientation: 2e-3}\n"
                          "  imu.hand: {link: hand, acceleration: 0.05, rate: 0.005, "
                          "orientation: 2e-3}\n");
    folder.write("arm.urdf", small_case().urdf);
    folder.write("arm.yaml", out.config);
    const Run run = run_program(folder.path(), {"simulate", "arm.yaml", "--out", "sim"});
    BOOST_REQUIRE(run.code == 0);
    out.log = text_of(folder.path() / "sim" / "log1.csv");
    out.names = cells_of(lines_of(out.log)[0]);
    return out;
  }();
  return made;
}

std::size_t column_of(const std::string& name) {
  const Lines& names = sensors().names;
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

std::vector<std::size_t> columns_of(const std::string& group, const Lines& axes) {
  std::vector<std::size_t> out;
  for (const std::string& axis : axes) out.push_back(column_of(group + "." + axis));
  return out;
}

/// Names of the columns exchanged: what is w, x, y, z is called x, y, z, w.
Change misnamed(const std::string& group) {
  return lines([=](Lines& all) {
    Lines names = cells_of(all[0]);
    const Lines axes{"qx", "qy", "qz", "qw"};
    for (int i = 0; i < 4; ++i)
      names[column_of(group + "." + axes[i])] = group + "." + axes[(i + 1) % 4];
    all[0] = joined(names, ",");
    all[0].pop_back();
  });
}

struct SensorRun {
  Run run;
  std::string result;
  bool wrote = false;
};

SensorRun identify(const Change& change) {
  const TempFolder folder;
  folder.write("arm.urdf", small_case().urdf);
  folder.write("arm.yaml", sensors().config);
  folder.write("run.csv", change ? change(sensors().log) : sensors().log);
  SensorRun out{run_program(folder.path(), {"identify", "arm.yaml", "--out", "result"})};
  out.wrote = std::filesystem::exists(folder.path() / "result");
  out.result = text_of(folder.path() / "result" / "result.json");
  return out;
}

const Lines orientation{"qx", "qy", "qz", "qw"}, force{"ax", "ay", "az"};

}  // namespace

BOOST_AUTO_TEST_CASE(orientations_that_contradict_the_robot_are_errors) {
  for (const Case& one : std::vector<Case>{
           {40, "", misnamed("pose.hand"), {"run.csv: the quaternion pose.hand.q*", "the joints"}},
           {40, "", misnamed("imu.hand"), {"imu.hand.q* contradicts its own specific force"}},
           {42,
            "",
            scaled(columns_of("pose.hand", orientation), 1.1),
            {"run.csv:2: the quaternion pose.hand.q* has length 1.1"}},
           {42,
            "",
            scaled(columns_of("imu.hand", orientation), 0.9),
            {"the quaternion imu.hand.q* has length 0.9"}},
       }) {
    const SensorRun found = identify(one.change);
    BOOST_TEST(found.run.code == 2, found.run.err);
    BOOST_TEST(lines_of(found.run.err).size() == 1U, found.run.err);
    BOOST_TEST(!found.wrote);
    check_parts(one, found.run.err);
  }
}

BOOST_AUTO_TEST_CASE(units_of_poses_and_inertial_sensors_are_diagnosed) {
  const std::vector<std::size_t> forces = columns_of("imu.hand", force);
  for (const Case& one : std::vector<Case>{
           {39,
            "",
            scaled(columns_of("pose.hand", {"px", "py", "pz"}), 1000),
            {"warning: run.csv: the position pose.hand.p* moves 1", "metres"}},
           {39,
            "",
            scaled(forces, 1 / 9.81),
            {"warning: run.csv: the specific force imu.hand.a* is usually ", "units of gravity"}},
           {39, "", scaled(forces, 0.01), {"imu.hand.a* is usually ", "gravity was removed"}},
       }) {
    check_parts(one, identify(one.change).run.err);
  }
}

BOOST_AUTO_TEST_CASE(the_sign_of_a_quaternion_does_not_matter) {
  const SensorRun clean = identify({});
  BOOST_TEST(clean.run.code == 0, clean.run.err);
  BOOST_TEST(clean.run.err.find("warning") == std::string::npos, clean.run.err);
  const SensorRun flipped = identify([](const std::string& text) {
    std::string out = text;
    for (const char* group : {"pose.hand", "imu.hand"}) {
      for (const std::size_t i : columns_of(group, orientation))
        out = column(i, 50, 120, [](double x) { return -x; })(out);
    }
    return out;
  });
  BOOST_TEST(flipped.run.code == 0, flipped.run.err);
  BOOST_TEST(flipped.run.err.find("warning") == std::string::npos, flipped.run.err);
  const json before = json::parse(clean.result)["parameters"];
  const json after = json::parse(flipped.result)["parameters"];
  for (const auto& [name, entry] : before.items()) {
    const double change = after[name]["value"].get<double>() - entry["value"].get<double>();
    BOOST_TEST(std::abs(change) <= 1e-5 * entry["std"].get<double>(), name);
  }
}

namespace {

/// Simulates from the prior, then checks the log with priors 70 % away: all warnings it gives.
std::string warnings_of_clean_log(const std::string& config, const std::string& seed) {
  const TempFolder folder;
  folder.write("robot.yaml", config);
  const Run made =
      run_program(folder.path(), {"simulate", "robot.yaml", "--out", "sim", "--seed", seed});
  BOOST_TEST(made.code == 0, made.err);
  const Run run = run_program(folder.path(), {"check", "sim/config.yaml", "--json"});
  BOOST_TEST((run.code == 0 || run.code == 1), run.err);
  std::string out;
  if (run.code > 1) return run.err;
  const json document = json::parse(run.out);
  for (const json& log : document["logs"]) {
    for (const json& one : log["diagnostics"]) out += one.get<std::string>() + "\n";
  }
  return out;
}

const std::string models = std::string(BAYESID_SOURCE) + "/data/models/";
const std::string robots = BAYESID_ROBOTS;

std::string panda_config() {
  return "schema: 1\nmodel: {urdf: " + robots +
         "/panda_description/urdf/panda.urdf, lock: [panda_finger_joint1, panda_finger_joint2]}\n"
         "measurements: {effort: 0.1}\n"
         "parameters:\n  inertia:\n"
         "  friction: {prior: {stiction: 0.1, coulomb: 0.4, viscous: 0.7}}\n"
         "simulation: {duration: 5, rate: 250, base_frequency: 0.2, amplitude: 1, "
         "prior_error: 0.7}\n";
}

std::string four_bar_config() {
  std::string out = text_of(models + "four_bar_leg.yaml");
  out = replaced(out, "urdf: four_bar_leg.urdf", "urdf: " + models + "four_bar_leg.urdf");
  return replaced(out, "duration: 10", "duration: 2\n  prior_error: 0.7");
}

std::string anymal_config() {
  std::string contacts, posture;
  for (const std::string leg : {"LF", "LH", "RF", "RH"}) {
    contacts += "    - {name: " + leg + ", frame: " + leg + "_FOOT, kd: 50}\n";
    const std::string sign = leg[1] == 'F' ? "" : "-", bend = leg[1] == 'F' ? "-" : "";
    posture += "    " + leg + "_HAA: " + (leg[0] == 'L' ? "0.1" : "-0.1") + "\n    " + leg +
               "_HFE: " + sign + "0.7\n    " + leg + "_KFE: " + bend + "1.0\n";
  }
  return "schema: 1\nmodel:\n  urdf: " + robots +
         "/anymal_b_simple_description/robots/anymal.urdf\n  base: floating\n  contacts:\n" +
         contacts +
         "measurements:\n  effort: 0.1\n  pose.base: {position: 1e-3, orientation: 1e-3}\n"
         "disturbance: {velocity: 1e-4}\n"
         "solver: {integrator: constant_acceleration}\n"
         "simulation:\n  duration: 1.2\n  rate: 500\n  harmonics: 3\n  base_frequency: 0.5\n"
         "  prior_error: 0.7\n"
         "  gait: {type: trot, body_motion: 0.01, step_height: 0.04}\n"
         "  posture:\n" +
         posture;
}

}  // namespace

BOOST_AUTO_TEST_CASE(clean_logs_of_an_arm_a_quadruped_and_a_mechanism_have_no_diagnostics) {
  for (const std::string seed : {"1", "2"}) {
    BOOST_TEST(warnings_of_clean_log(panda_config(), seed) == "");
    BOOST_TEST(warnings_of_clean_log(four_bar_config(), seed) == "");
  }
  BOOST_TEST(warnings_of_clean_log(anymal_config(), "1") == "");
}
