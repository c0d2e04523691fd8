// SPDX-License-Identifier: BSD-3-Clause
// Sensors of contact forces from the log to the result.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "app/program.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid::test;
using nlohmann::json;

namespace {

/// A slide of 3 kg in all that stands on the ground, half of its weight carried by its motor.
class Slide {
 public:
  static constexpr double weight = 3 * 9.81, effort = 0.5 * weight, offset = 2;

  Slide() {
    folder_.write("robot.urdf", slide_urdf);
    folder_.write("robot.yaml",
                  "schema: 1\n"
                  "model:\n"
                  "  urdf: robot.urdf\n"
                  "  contacts:\n"
                  "    - {name: foot, frame: carriage, kd: 40, keep: [z]}\n"
                  "logs: [{file: run.csv}]\n"
                  "measurements: {effort: 0.1, wrench.load: {contact: foot, force: 0.2}}\n"
                  "parameters:\n"
                  "  wrench_offset: {force: 10}\n"
                  "  friction: {joints: [arm], terms: [viscous]}\n"
                  "simulation: {duration: 0.2, rate: 100, rates: {wrench.load: 50}}\n");
    std::mt19937 random(3);
    std::normal_distribution<double> normal(0, 0.2);
    std::ostringstream log;
    log << "time,q.lift,q.arm,tau.lift,tau.arm,contact.foot,wrench.load.fz\n";
    for (int i = 0; i < 100; ++i) {
      log << 0.01 * i << ",0.1,0," << effort << ",0,1,";
      if (i % 2 == 0) log << weight - effort + offset + normal(random);  // at half the rate
      log << "\n";
    }
    folder_.write("run.csv", log.str());
  }
  Run run(const std::vector<std::string>& words) const {
    return run_program(folder_.path(), words);
  }
  std::string text(const std::string& file) const { return text_of(folder_.path() / file); }

 private:
  TempFolder folder_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_offset_of_a_force_sensor_is_in_the_result) {
  const Slide slide;
  const Run run = slide.run({"identify", "robot.yaml", "--out", "result"});
  BOOST_REQUIRE_MESSAGE(run.code == 0, run.err);
  const json result = json::parse(slide.text("result/result.json"));
  const json& offset = result["parameters"]["wrench_offset.load.fz"];
  // 50 samples, each with the noise of the sensor and of the motor.
  BOOST_TEST(offset["prior_std"].get<double>() == 10.0);
  BOOST_TEST(offset["std"].get<double>() < 0.05);
  BOOST_TEST(offset["std"].get<double>() > 0.02);
  BOOST_TEST(std::abs(offset["value"].get<double>() - Slide::offset) <
             4 * offset["std"].get<double>());
  const double cost = result["cost"]["measurements"]["wrench.load"];
  BOOST_TEST(cost > 5);
  BOOST_TEST(cost < 60);
  const Run check = slide.run({"check", "robot.yaml", "--json"});
  BOOST_TEST(check.code != 2, check.err);
  BOOST_TEST(check.out.find("wrench.load") != std::string::npos, check.out);
}

BOOST_AUTO_TEST_CASE(unknown_force_sensors_are_named) {
  const Slide slide;
  const std::string config = slide.text("robot.yaml");
  TempFolder folder;
  folder.write("robot.urdf", slide.text("robot.urdf"));
  folder.write("run.csv", slide.text("run.csv"));
  folder.write("robot.yaml", replaced(replaced(config, ", wrench.load: {contact: foot, force: 0.2}",
                                               ", wrench.other: {contact: foot, force: 0.2}"),
                                      ", rates: {wrench.load: 50}", ""));
  const Run run = run_program(folder.path(), {"check", "robot.yaml"});
  BOOST_TEST(run.code != 2, run.err);
  BOOST_TEST(run.err.find("wrench.load is not fitted: measurements has no wrench.load") !=
                 std::string::npos,
             run.err);
  BOOST_TEST(run.err.find("no channels wrench.other.*, which measurements configures") !=
                 std::string::npos,
             run.err);
}

BOOST_AUTO_TEST_CASE(simulated_logs_have_force_sensors) {
  const Slide slide;
  const Run run = slide.run({"simulate", "robot.yaml", "--out", "sim"});
  BOOST_REQUIRE_MESSAGE(run.code == 0, run.err);
  const Run identify = slide.run({"identify", "sim/config.yaml", "--out", "result"});
  BOOST_TEST(identify.code == 0, identify.err);
  const json result = json::parse(slide.text("result/result.json"));
  for (const char* axis : {"fx", "fy", "fz"}) {
    const json& offset = result["parameters"][std::string("wrench_offset.load.") + axis];
    BOOST_TEST(std::abs(offset["value"].get<double>()) < 4 * offset["std"].get<double>());
    BOOST_TEST(offset["std"].get<double>() < 0.2);
  }
}
