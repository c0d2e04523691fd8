// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "pipeline/checkpoint.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <sstream>

#include "bayesid/identify.hpp"
#include "pipeline/arm_case.hpp"
#include "support/input_error.hpp"

using namespace bayesid;
using bayesid::test::ArmCase;

namespace {

struct Case {
  const char* name;
  std::function<void(Config&)> change;
};

std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The log with another number where a channel was first measured.
std::string with_other_sample(const std::string& log, const std::string& channel) {
  std::istringstream lines(log);
  std::string header, row, out;
  std::getline(lines, header);
  const std::string before = header.substr(0, header.find(channel));
  const auto column = std::count(before.begin(), before.end(), ',');
  out = header + "\n";
  for (bool changed = false; std::getline(lines, row); out += row + "\n") {
    std::size_t at = 0;
    for (int i = 0; i < column; ++i) at = row.find(',', at) + 1;
    if (changed || row[at] == ',') continue;
    row.replace(at, std::min(row.find(',', at), row.size()) - at, "0.0123");
    changed = true;
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_checkpoint_is_refused_by_every_other_problem) {
  const ArmCase arm;
  RunOptions at_once;
  at_once.stop = [] { return true; };
  const Config config = arm.config();
  const Run run = identify(config, at_once);
  const std::string file = arm.folder().write(
      "checkpoint.bin", bytes_of(files_of(run, arm.path("part")), "checkpoint.bin"));
  const auto error_of = [&](const Config& other) {
    return test::input_error([&] { resume(other, file, at_once); });
  };
  BOOST_TEST(error_of(config) == "no error");

  const std::string log = text_of(config.logs[0].file);
  const std::string other_log =
      arm.folder().write("other.csv", with_other_sample(log, "pose.hand.px"));
  BOOST_TEST_REQUIRE(text_of(other_log) != log);
  const std::vector<Case> cases{
      {"integrator", [](Config& c) { c.solver.integrator = Integrator::constant_acceleration; }},
      {"formulation", [](Config& c) { c.solver.dynamics = Formulation::forward; }},
      {"contact", [](Config& c) { c.model.contacts.push_back({.name = "tip", .frame = "hand"}); }},
      {"pose of the log", [&](Config& c) { c.logs[0].file = other_log; }},
      {"noise of the pose", [](Config& c) { c.measurements.poses.at("hand").position = 2e-3; }},
      {"noise of the IMU", [](Config& c) { c.measurements.imus.at("hand").rate = 0.02; }},
      {"place of the IMU", [](Config& c) { c.measurements.imus.at("hand").place.xyz[0] = 0.01; }},
      {"energy", [](Config& c) { c.measurements.energy = 0.1; }},
      {"disturbance", [](Config& c) { c.disturbance.velocity.all = 2e-3; }},
      {"projection", [](Config& c) { c.disturbance.projection = Projection::none; }},
      {"first state", [](Config& c) { c.initial_state.mean["q.shoulder"] = 0.1; }},
      {"bound", [](Config& c) { c.constraints.bounds["mass.arm"] = {1.0, 4.0}; }},
      {"limit", [](Config& c) { c.constraints.stage.velocity.by_joint["shoulder"] = {-90, 90}; }},
      {"prior", [](Config& c) { c.parameters.set["inertia.arm.log_mass"].std = 0.5; }},
  };
  for (const Case& one : cases) {
    Config other = config;
    one.change(other);
    const std::string sentence = error_of(other);
    BOOST_TEST(
        sentence.find("checkpoint.bin: was written for other logs or another configuration") !=
            std::string::npos,
        one.name << ": " << sentence);
  }
}

BOOST_AUTO_TEST_CASE(a_checkpoint_that_is_damaged_or_missing_is_refused) {
  const ArmCase arm;
  RunOptions at_once;
  at_once.stop = [] { return true; };
  const Config config = arm.config();
  const Run run = identify(config, at_once);
  const std::string bytes =
      pipeline::checkpoint_bytes(config, *run.loaded.problem, run.solution.point);
  const auto error_of = [&](const std::string& text) {
    const std::string file = arm.folder().write("checkpoint.bin", text);
    return test::input_error([&] { pipeline::read_checkpoint(file, config, *run.loaded.problem); });
  };
  BOOST_TEST(error_of(bytes) == "no error");
  for (const std::string& text : {std::string(), std::string("hello, I am text"),
                                  bytes.substr(0, bytes.size() / 2), bytes + "x"})
    BOOST_TEST(error_of(text).find("is damaged") != std::string::npos);
  std::string other = bytes;
  other[8] = 99;
  BOOST_TEST(error_of(other).find("another version") != std::string::npos);
  BOOST_TEST(test::input_error([&] {
               resume(config, arm.path("none.bin"));
             }).find("none.bin: no such file") != std::string::npos);
}
