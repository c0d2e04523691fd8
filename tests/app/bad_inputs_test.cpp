// SPDX-License-Identifier: BSD-3-Clause
// Rows of the list of bad inputs that users meet: each is answered, by a sentence or by a warning.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "app/changed_case.hpp"

using namespace bayesid::test;
using namespace bayesid::test::changed;

namespace {

constexpr const char* hand_inertial = R"(    <inertial>
      <origin xyz="0.05 0 -0.1" rpy="0 0 0"/>
      <mass value="0.5"/>
      <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.002"/>
    </inertial>
)";

/// A third link that a joint moves, with something inside the joint.
std::string with_finger(const std::string& inside) {
  return R"(<link name="finger"><inertial><mass value="0.01"/>
<inertia ixx="1e-5" ixy="0" ixz="0" iyy="1e-5" iyz="0" izz="1e-5"/></inertial></link>
<joint name="finger_joint" type="revolute"><parent link="hand"/><child link="finger"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/>)" +
         inside + "</joint></robot>";
}

}  // namespace

BOOST_AUTO_TEST_CASE(impossible_models_are_errors) {
  const std::string elbow_axis = "<child link=\"hand\"/>";
  std::vector<Case> cases{
      {1, "arm.urdf", replace(hand_inertial, ""), {"arm.urdf:11", "'hand'", "'elbow'"}},
      {1, "arm.urdf", replace("\"0.5\"/>", "\"0\"/>"), {"arm.urdf:1", "'hand'", "'elbow'"}},
      {2, "arm.urdf", replace("\"2.5\"", "\"-2.5\""), {"arm.urdf:7", "'arm'", "negative"}},
      {6, "arm.urdf", replace("\"0 1 0\"", "\"0 0 0\""), {"arm.urdf:", "<axis", "'shoulder'"}},
      {8,
       "arm.urdf",
       replace(
           "</robot>",
           R"(<joint name="bar" type="fixed"><parent link="base"/><child link="hand"/></joint></robot>)"),
       {"arm.urdf:", "'hand'", "two parents", "`model.loops`"}},
      {9,
       "arm.urdf",
       replace("</robot>", "<link name=\"lost\"/></robot>"),
       {"'lost'", "second root"}},
      {9, "arm.urdf", replace("<parent link=\"base\"/>", "<parent link=\"hand\"/>"), {"cycle"}},
      {9,
       "arm.urdf",
       replace("<parent link=\"base\"/>", "<parent link=\"bass\"/>"),
       {"arm.urdf:19", "'shoulder'", "did you mean 'base'"}},
      {9,
       "arm.urdf",
       replace("</robot>", "<link name=\"arm\"/></robot>"),
       {"link 'arm'", "line 4"}},
      {9,
       "arm.urdf",
       replace("name=\"elbow\"", "name=\"shoulder\""),
       {"joint 'shoulder'", "line 18"}},
      {11,
       "arm.urdf",
       replace("</robot>", with_finger("<mimic joint=\"elbo\"/>")),
       {"arm.urdf:", "<mimic", "'finger_joint'", "did you mean 'elbow'"}},
      {12,
       "arm.urdf",
       replace("    <limit lower=\"-2\" upper=\"1.5\" effort=\"50\" velocity=\"3\"/>\n", ""),
       {"arm.urdf:18", "'shoulder'", "<limit>"}},
      {14, "arm.urdf", whole(""), {"arm.urdf:1", "empty"}},
      {14, "arm.urdf", whole("<mujoco model=\"a\"/>"), {"arm.urdf:1", "MJCF"}},
      {14, "arm.urdf", replace("\"2.5\"", "\"${mass}\""), {"arm.urdf:7", "xacro"}},
      {14, "arm.urdf", whole(small_case().urdf.substr(0, 600)), {"arm.urdf:", "truncated"}},
  };
  for (const std::string bad : {"nan", "abc", "1,5", "1e400"}) {
    cases.push_back({5,
                     "arm.urdf",
                     replace("\"2.5\"", "\"" + bad + "\""),
                     {"arm.urdf:7", "<mass", "'arm'", bad}});
  }
  check_errors(cases);
}

BOOST_AUTO_TEST_CASE(models_that_can_be_used_are_used_with_a_warning) {
  const std::string mesh =
      R"(<visual><geometry><mesh filename="package://none/hand.stl"/></geometry></visual>)";
  check_warnings({
      {3, "arm.urdf", replace("iyy=\"0.04\"", "iyy=\"0.4\""), {"arm.urdf:5", "'arm'", "0.4"}},
      {4, "arm.urdf", replace("ixx=\"0.03\"", "ixx=\"-0.03\""), {"arm.urdf:5", "'arm'", "-0.03"}},
      {7,
       "arm.urdf",
       replace("\"0 1 0\"", "\"0 2 0\""),
       {"arm.urdf:22", "'shoulder'", "normalised"}},
      {10,
       "arm.urdf",
       replace("</robot>", with_finger("<mimic joint=\"elbow\"/>")),
       {"arm.urdf:", "'finger_joint' follows joint 'elbow'"}},
      {12,
       "arm.urdf",
       replace("lower=\"-2\" upper=\"1.5\"", "lower=\"2\" upper=\"-1.5\""),
       {"arm.urdf:23", "'shoulder'", "lower above upper"}},
      {13, "arm.urdf", replace("type=\"revolute\"", "type=\"continuous\""), {}},
      {15,
       "arm.urdf",
       replace("<link name=\"hand\">", "<link name=\"hand\">" + mesh),
       {"arm.urdf:11", "1 of 1 meshes", "package://none/hand.stl"}},
  });
}

BOOST_AUTO_TEST_CASE(logs_that_do_not_fit_are_errors) {
  const auto rename = [](const std::string& from, const std::string& to) {
    return lines([=](Lines& all) { all[0] = replaced(all[0], from, to); });
  };
  check_errors({
      {32,
       "run.csv",
       lines([](Lines& all) { all[0] = "time,q[0],q[1],v[0],v[1],tau[0],tau[1]"; }),
       {"run.csv:1", "numbered, not named", "joint_order"}},
      {33,
       "run.csv",
       lines([](Lines& all) {
         all[0] = "time,q.shoulder,q.elbo,v.shoulder,v.elbo,tau.shoulder,tau.elbo";
       }),
       {"run.csv", "only in the log: elbo", "only in the model: elbow", "did you mean elbow"}},
      {33, "run.csv", rename("tau.elbow", "current"), {"run.csv", "tau.elbow"}},
      {38,
       "run.csv",
       column(1, [](double q) { return q * 57.29577951; }),
       {"run.csv", "q.shoulder", "degrees", "radians"}},
      {45,
       "run.csv",
       lines([](Lines& all) { std::swap(all[50], all[52]); }),
       {"run.csv:52", "time goes back", "0.25"}},
      {48, "run.csv", column(0, [](double) { return 0.0; }), {"run.csv", "clock"}},
      {49,
       "run.csv",
       column(0, [](double t) { return t * 1e9; }),
       {"run.csv", "nanoseconds", "seconds"}},
      {57,
       "run.csv",
       lines([](Lines& all) { all.resize(11); }),
       {"arm.yaml:", "run.csv", "10 samples", "26 unknown parameters"}},
      {60, "run.csv", lines([](Lines& all) { all[4] += ",1"; }), {"run.csv:5", "8 cells", "7"}},
      {60,
       "run.csv",
       lines([](Lines& all) { all.erase(all.begin()); }),
       {"run.csv:1", "column names"}},
      {60, "run.csv", rename("v.elbow", "v.shoulder"), {"run.csv:1", "both named v.shoulder"}},
      {60, "run.csv", whole("time;q.shoulder\n0,1;1,5\n"), {"run.csv:1", "';'", "decimal comma"}},
      {68,
       "run.csv",
       column(6, 100, 100, [](double) { return 1e200; }),
       {"run.csv", "time 0.49 s: ", "tau.elbow", "1e+200", "not a finite number"}},
      {68,
       "run.csv",
       column(3, 100, 100, [](double) { return 1e200; }),
       {"run.csv", "time 0.49 s: ", "v.shoulder", "1e+200", "not a finite number"}},
  });
}

BOOST_AUTO_TEST_CASE(logs_that_can_be_repaired_are_used_with_a_warning) {
  check_warnings({
      {46,
       "run.csv",
       lines([](Lines& all) { all.insert(all.begin() + 50, all[50]); }),
       {"run.csv", "1 sample repeats the time", "line 52"}},
      {47,
       "run.csv",
       lines([](Lines& all) { all.erase(all.begin() + 50, all.begin() + 70); }),
       {"run.csv", "gap of 0.105 s", "line 50", "split"}},
      {60, "run.csv", [](const std::string& text) { return "\xEF\xBB\xBF" + text; }, {}},
      {60, "run.csv", [](const std::string& text) { return joined(lines_of(text), "\r\n"); }, {}},
  });
}

BOOST_AUTO_TEST_CASE(impossible_configurations_are_errors) {
  check_errors({
      {63,
       "arm.yaml",
       append("solver: {max_iter: 5}\n"),
       {"arm.yaml:15", "solver.max_iter", "did you mean max_iterations?"}},
      {64, "arm.yaml", append("solver: " + std::string(5000, '[') + "\n"), {"arm.yaml:15"}},
      {64, "arm.yaml", append("solver: [[:\n"), {"arm.yaml:15"}},
      {64, "arm.yaml", append("# " + std::string(2 << 20, 'x') + "\n"), {"arm.yaml", "1 MB"}},
      {33, "arm.yaml", replace("logs:\n  - file: run.csv\n", ""), {"arm.yaml", "logs is missing"}},
      {63,
       "arm.yaml",
       replace("  effort: 0.01\n", "  effort: 0.01\n  energy: {std: 0.1, window: 300}\n"),
       {"arm.yaml:10: measurements.energy.window: ", "no log has 300 stages",
        "longest segment has "}},
  });
}

BOOST_AUTO_TEST_CASE(a_prior_outside_its_bound_stays_with_a_warning) {
  check_warnings({{65,
                   "arm.yaml",
                   append("constraints: {bounds: {friction.elbow.viscous: [0.2, 5]}}\n"),
                   {"friction.elbow.mu5", "outside of the bounds", "the prior is kept"}}});
}

BOOST_AUTO_TEST_CASE(folders_that_cannot_be_written_are_errors_before_the_work) {
  const Scene scene({69, "", {}, {}});
  for (const std::string out : {"run.csv", "run.csv/result", ".", "/proc/none/result"}) {
    const Run run = scene.identify(out);
    BOOST_TEST(run.code == 2, out << ": " << run.err);
    BOOST_TEST(run.err.find("iteration") == std::string::npos, "it worked before it looked");
    BOOST_TEST(run.err.starts_with("bayesid: "), run.err);
    BOOST_TEST(scene.num_entries() == 3U, out);
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_an_error_and_leaves_nothing) {
  const Scene scene({69, "", {}, {}});
  for (const unsigned largest_file : {1024U, 16384U}) {  // result.json, then trajectory.csv
    const Run run = scene.identify("result", largest_file);
    BOOST_TEST(run.code == 2, run.err);
    BOOST_TEST(run.err.find("cannot write ") != std::string::npos, run.err);
    BOOST_TEST(run.err.find("result/") != std::string::npos, run.err);
    BOOST_TEST(scene.num_entries() == 3U);
  }
  BOOST_TEST(scene.identify("result").code == 0);
  const std::string before = text_of(scene.path() + "/result/result.json");
  BOOST_TEST(scene.identify("result", 16384U).code == 2);
  BOOST_TEST(text_of(scene.path() + "/result/result.json") == before, "the old result is lost");
}
