// SPDX-License-Identifier: BSD-3-Clause
// A quadrotor through the whole program, and errors of impossible rotors.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid::test;
using nlohmann::json;

namespace {

/// A body with four arms, a frame at the end of each.
std::string quadrotor_urdf() {
  std::string out =
      "<robot name=\"quadrotor\">\n"
      "  <link name=\"body\">\n"
      "    <inertial>\n"
      "      <origin xyz=\"0.005 -0.003 0.01\"/>\n"
      "      <mass value=\"1.2\"/>\n"
      "      <inertia ixx=\"0.011\" ixy=\"0\" ixz=\"0\" iyy=\"0.012\" iyz=\"0\" izz=\"0.02\"/>\n"
      "    </inertial>\n"
      "  </link>\n";
  constexpr const char* places[] = {"0.2 0 0.02", "0 0.2 0.02", "-0.2 0 0.02", "0 -0.2 0.02"};
  for (int i = 0; i < 4; ++i) {
    const std::string name = "arm" + std::to_string(i);
    out += "  <link name=\"" + name + "\"/>\n  <joint name=\"to_" + name +
           "\" type=\"fixed\">\n    <parent link=\"body\"/>\n    <child link=\"" + name +
           "\"/>\n    <origin xyz=\"" + places[i] + "\"/>\n  </joint>\n";
  }
  return out + "</robot>\n";
}

const std::string& quadrotor_yaml() {
  static const std::string text =
      "schema: 1\n"
      "model:\n"
      "  urdf: quadrotor.urdf\n"
      "  base: floating\n"
      "  actuation:\n"
      "    rotors:\n"
      "      - {name: front, frame: arm0, thrust: 2, moment: 0.03}\n"
      "      - {name: left, frame: arm1, thrust: 2, moment: -0.03}\n"
      "      - {name: back, frame: arm2, thrust: 2, moment: 0.03}\n"
      "      - {name: right, frame: arm3, thrust: 2, moment: -0.03}\n"
      "measurements:\n"
      "  thrust: 0.01\n"
      "  pose.body: {position: 1.0e-3, orientation: 1.0e-3}\n"
      "parameters:\n"
      "  inertia:\n"
      "  rotor: {thrust: 0.05, moment: 0.3}\n"
      "simulation: {duration: 2, rate: 100, base_frequency: 0.5, harmonics: 3, "
      "prior_error: 0.2}\n";
  return text;
}

/// A folder with the quadrotor, flown once.
class Scene {
 public:
  Scene() {
    folder_.write("quadrotor.urdf", quadrotor_urdf());
    folder_.write("quadrotor.yaml", quadrotor_yaml());
  }
  Run run(const std::vector<std::string>& words) const {
    return run_program(folder_.path(), words);
  }
  std::string text(const std::string& file) const { return text_of(path() + "/" + file); }
  void write(const std::string& file, const std::string& text) { folder_.write(file, text); }
  std::string path() const { return folder_.path(); }

 private:
  TempFolder folder_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_quadrotor_goes_through_the_whole_program) {
  const Scene scene;
  const Run simulated = scene.run({"simulate", "quadrotor.yaml", "--out", "flight"});
  BOOST_TEST(simulated.code == 0, simulated.err);
  const std::string log = scene.text("flight/log1.csv");
  BOOST_TEST(
      log.starts_with("time,thrust.front,thrust.left,thrust.back,thrust.right,pose.body.px"));
  const Run checked = scene.run({"check", "flight/config.yaml"});
  BOOST_TEST(checked.code == 0, checked.out + checked.err);
  const Run identified = scene.run({"identify", "flight/config.yaml", "--out", "result"});
  BOOST_TEST(identified.code == 0, identified.out + identified.err);
  const json result = json::parse(scene.text("result/result.json"));
  BOOST_TEST(result["status"] == "converged");
  BOOST_TEST(result["physical"].contains("rotor.front.thrust"));
  BOOST_TEST(result["physical"]["rotor.left.moment"]["value"].get<double>() < 0);
  BOOST_TEST(result["cost"]["measurements"].contains("effort"));
  BOOST_TEST(result["prediction"].empty());
  const std::string actuation = scene.text("result/actuation.yaml");
  BOOST_TEST(actuation.find("\nrotors:\n  front:\n    thrust: {value: ") != std::string::npos);
  BOOST_TEST(actuation.find("\n    moment: {value: -0.0") != std::string::npos);
  BOOST_TEST(scene.text("result/trajectory.csv").find("thrust.front,thrust.left") !=
             std::string::npos);
  const Run validated = scene.run({"validate", "flight/config.yaml", "--model", "result"});
  BOOST_TEST(validated.code == 0, validated.out + validated.err);
}

BOOST_AUTO_TEST_CASE(impossible_rotors_are_errors_of_one_sentence) {
  Scene scene;
  BOOST_TEST(scene.run({"simulate", "quadrotor.yaml", "--out", "flight"}).code == 0);
  const std::string config =
      replaced(quadrotor_yaml(), "measurements:", "logs: [{file: flight/log1.csv}]\nmeasurements:");
  struct Case {
    std::string from, to, says;
  };
  for (const Case& one : {
           Case{"frame: arm1", "frame: arm9",
                "quadrotor.yaml:8: model.actuation.rotors[1].frame: the robot has no frame "
                "\"arm9\", did you mean \"arm"},
           Case{"frame: arm1", "frame: arm1, axis: [0, 0, 0]",
                "quadrotor.yaml:8: model.actuation.rotors[1].axis is [0, 0, 0]"},
           Case{"name: left", "name: front",
                "quadrotor.yaml:8: model.actuation.rotors[1].name is front, which is the name of"},
           Case{"name: left", "name: lefty",
                "flight/log1.csv: no channel thrust.lefty; every rotor needs its command, did you "
                "mean thrust.left?"},
           Case{"thrust: 0.01", "thrust: [1, 2]",
                "quadrotor.yaml:13: measurements.thrust has 2 numbers, expected one for each of "
                "the 4 rotors"},
           Case{"base: floating", "base: fixed", "has no joint that moves"},
       }) {
    scene.write("bad.yaml", replaced(config, one.from, one.to));
    const std::string says =
        one.says.starts_with("quadrotor") ? "bad" + one.says.substr(9) : one.says;
    const Run run = scene.run({"identify", "bad.yaml", "--out", "nothing"});
    BOOST_TEST(run.code == 2, one.to);
    BOOST_TEST(run.err.find(says) != std::string::npos, run.err + " without " + says);
    BOOST_TEST(scene.text("nothing/result.json").empty());
  }
}
