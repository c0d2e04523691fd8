// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A folder with the small robot and its log.
struct RobotFolder {
  TempFolder folder;
  RobotFolder() {
    folder.write("robot.urdf", small_case().urdf);
    folder.write("run.csv", small_case().log);
  }
  Run call(const std::vector<std::string>& words) const {
    return run_program(folder.path(), words);
  }
  std::string text(const std::string& name) const { return text_of(folder.path() / name); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(init_writes_what_check_and_identify_accept) {
  const RobotFolder robot;
  const Run run = robot.call({"init", "robot.urdf", "run.csv"});
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(run.err == "");
  BOOST_TEST(run.out ==
             "robot.yaml: 2 joints, 1 log, 6 columns matched, 0 open questions\n"
             "next: bayesid check robot.yaml\n");
  const Run check = robot.call({"check", "robot.yaml"});
  BOOST_TEST(check.code == 0, check.err);
  const Run identify = robot.call({"identify", "robot.yaml", "--out", "result"});
  BOOST_TEST(identify.code == 0, identify.err);
}

BOOST_AUTO_TEST_CASE(init_refuses_to_replace_a_file) {
  const RobotFolder robot;
  robot.folder.write("robot.yaml", "mine");
  const Run run = robot.call({"init", "robot.urdf", "run.csv"});
  BOOST_TEST(run.code == 2);
  BOOST_TEST(run.err ==
             "bayesid: robot.yaml exists; choose another name with --out, or move it away\n");
  BOOST_TEST(robot.text("robot.yaml") == "mine");
  const Run other = robot.call({"init", "robot.urdf", "run.csv", "--out", "other.yaml"});
  BOOST_TEST(other.code == 0, other.err);
  BOOST_TEST(robot.text("other.yaml").find("urdf: robot.urdf\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(init_writes_paths_relative_to_the_configuration) {
  const RobotFolder robot;
  fs::create_directory(robot.folder.path() / "config");
  const Run run = robot.call({"init", "robot.urdf", "run.csv", "--out", "config/arm.yaml"});
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(robot.text("config/arm.yaml").find("file: ../run.csv\n") != std::string::npos);
  BOOST_TEST(robot.call({"check", "config/arm.yaml"}).code == 0);
}

BOOST_AUTO_TEST_CASE(init_gives_one_document_and_is_quiet_on_request) {
  const RobotFolder robot;
  const std::string log =
      replaced(small_case().log, "q.shoulder,q.elbow", "shoulder_pos,elbow_pos");
  robot.folder.write("run.csv", log);
  const Run run = robot.call({"init", "robot.urdf", "run.csv", "--json"});
  BOOST_TEST(run.code == 0, run.err);
  const json document = json::parse(run.out);
  BOOST_TEST(document["file"] == "robot.yaml");
  BOOST_TEST(document["matches"][1]["column"] == "shoulder_pos");
  BOOST_TEST(document["questions"].empty());
  const Run quiet = robot.call({"init", "robot.urdf", "run.csv", "--quiet", "--out", "b.yaml"});
  BOOST_TEST(quiet.code == 0);
  BOOST_TEST(quiet.out + quiet.err == "");
  BOOST_TEST(robot.call({"check", "b.yaml"}).code == 0);
}

BOOST_AUTO_TEST_CASE(init_without_logs_and_with_wrong_words) {
  const RobotFolder robot;
  const Run run = robot.call({"init", "robot.urdf"});
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(run.out.ends_with("next: name the logs in robot.yaml\n"), run.out);
  BOOST_TEST(robot.text("robot.yaml").find("# logs:\n#   - file: run.csv") != std::string::npos);
  BOOST_TEST(robot.call({"init"}).err.starts_with("bayesid: init needs an argument"));
  BOOST_TEST(robot.call({"init", "none.urdf"}).code == 2);
  const Run cut = robot.call({"init", "robot.urdf", "none.csv", "--out", "c.yaml"});
  BOOST_TEST(cut.err == "bayesid: none.csv: no such file\n");
  BOOST_TEST(!fs::exists(robot.folder.path() / "c.yaml"));
}

BOOST_AUTO_TEST_CASE(init_leaves_nothing_behind_on_a_full_disk) {
  const RobotFolder robot;
  const Run run = run_program(robot.folder.path(), {"init", "robot.urdf", "run.csv"}, 0, "", 100);
  BOOST_TEST(run.code == 2);
  BOOST_TEST(run.err.starts_with("bayesid: cannot write robot.yaml"), run.err);
  BOOST_TEST(std::distance(fs::directory_iterator(robot.folder.path()), {}) == 2);
}
