// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bayesid/error.hpp"
#include "bayesid/parameters.hpp"
#include "scene.hpp"

using namespace bayesid;
using Eigen::VectorXd;

namespace {

const Parameter& find(const ParameterSet& set, const std::string& name) {
  for (const Parameter& parameter : set.all()) {
    if (parameter.name == name) return parameter;
  }
  throw std::runtime_error("no parameter " + name);
}

/// The message of the InputError that this configuration causes.
std::string message_of(const Robot& robot, const Config& config) {
  try {
    const ParameterSet set(robot, config);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> link_names(const ParameterSet& set) {
  std::vector<std::string> out;
  for (const auto& [name, pi] : set.link_inertias(set.prior())) out.push_back(name);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(names_of_the_double_pendulum_oracle) {
  Config config;
  config.model.actuated = test::only({"joint1", "joint2"});
  config.parameters.inertia.emplace();
  config.parameters.inertia->links = test::only({"link1", "link2"});
  config.parameters.friction.emplace();
  config.parameters.friction->joints = test::only({"joint1", "joint2"});
  config.parameters.set["inertia.link1.log_mass"] = {.prior = -0.0677, .std = 0.3};
  config.parameters.set["friction.joint2.mu2"] = {.prior = 2.4, .std = 0.1};
  const ParameterSet set(test::double_pendulum(), config);
  std::vector<std::string> expected;
  for (const char* link : {"link1", "link2"}) {
    for (const char* name :
         {"log_mass", "hx", "hy", "hz", "wx", "wy", "wz", "log_lx", "log_ly", "log_lz"}) {
      expected.push_back(std::string("inertia.") + link + "." + name);
    }
  }
  for (const char* joint : {"joint1", "joint2"}) {
    for (const char* name : {"mu0", "mu1", "mu2", "mu3", "mu4", "mu5"}) {
      expected.push_back(std::string("friction.") + joint + "." + name);
    }
  }
  BOOST_TEST(set.names() == expected, boost::test_tools::per_element());
  BOOST_TEST(set.prior()[0] == -0.0677);
  BOOST_TEST(set.prior_std()[0] == 0.3);
  BOOST_TEST(set.prior()[28] == 2.4);
  BOOST_TEST(set.physical(set.prior()).gamma(2, 1) == 2.4);
  BOOST_TEST(set.constraints().inequalities(set.prior()).size() == 2);
  BOOST_TEST(set.warnings().empty());
}

BOOST_AUTO_TEST_CASE(families_follow_each_other_in_order) {
  const ParameterSet set(test::double_pendulum(), test::everything());
  const std::vector<std::string> names = set.names();
  BOOST_TEST(set.drives().size() == 3);
  BOOST_TEST(names.size() == 20 + 18 + 3 + 6);
  const std::vector<std::string> tail{
      "friction.motor.mu5", "armature.joint1",    "armature.joint2",      "armature.motor",
      "effort_gain.joint1", "effort_gain.joint2", "effort_offset.joint1", "effort_offset.joint2",
      "gear_ratio.joint1",  "gear_ratio.joint2"};
  const std::vector<std::string> found(names.end() - 10, names.end());
  BOOST_TEST(found == tail, boost::test_tools::per_element());
  BOOST_TEST(set.drives()[2].row == Eigen::RowVector2d(1, -2));
}

BOOST_AUTO_TEST_CASE(prior_of_a_link_is_its_nominal_inertia) {
  const Robot robot = test::double_pendulum();
  Config config = test::everything();
  const ParameterSet set(robot, config);
  const InertialParameters& pi = robot.links[0].pi;
  const blocks::InertiaCoordinates theta = *blocks::coordinates_from_inertia(pi);
  BOOST_TEST((set.prior().head<10>() - theta).norm() == 0);
  const double m = pi[0];
  const double size =
      (pi.segment<3>(1) / m).squaredNorm() + theta.tail<3>().array().exp().sum() / m;
  BOOST_TEST(find(set, "inertia.link1.hy").std == 0.7 * m * std::sqrt(size),
             boost::test_tools::tolerance(1e-12));
  config.parameters.inertia->first_moment_is_relative = false;
  config.parameters.inertia->first_moment = 0.02;
  BOOST_TEST(find(ParameterSet(robot, config), "inertia.link1.hy").std == 0.02);
}

BOOST_AUTO_TEST_CASE(all_links_means_one_for_each_moving_body) {
  Robot robot = test::pendulum_with_tool();
  const Config config = test::everything();
  const std::vector<std::string> both{"link1", "link2"};
  BOOST_TEST(link_names(ParameterSet(robot, config)) == both, boost::test_tools::per_element());

  robot.links[1].name =
      "cover";  // the child of joint2 has no mass: the one in its place, then the heaviest
  BOOST_TEST(link_names(ParameterSet(robot, config))[1] == "cover");
  robot.links[1].translation = {0.1, 0, 0};
  BOOST_TEST(link_names(ParameterSet(robot, config))[1] == "tool");

  robot.links.push_back(test::make_link("finger", 3, 4));  // moved by a mimic joint
  robot.mimic = Eigen::MatrixXd::Ones(3, 2);
  const ParameterSet set(robot, config);
  BOOST_TEST(link_names(set).size() == 3);
  BOOST_TEST(set.physical(set.prior()).pi.cols() == 3);
  BOOST_TEST((set.physical(set.prior()).pi.col(2) - robot.links[3].pi).norm() < 1e-12);
}

BOOST_AUTO_TEST_CASE(friction_prior_comes_from_configuration_then_urdf_then_defaults) {
  Robot robot = test::double_pendulum();
  robot.joints[0].friction = 0.7;
  robot.joints[0].damping = 0.3;
  Config config = test::everything();
  const ParameterSet from_urdf(robot, config);
  const PhysicalParameters at = from_urdf.physical(from_urdf.prior());
  const auto close = boost::test_tools::tolerance(1e-12);
  BOOST_TEST(at.gamma(3, 0) == 0.7, close);
  BOOST_TEST(at.gamma(5, 0) == 0.3, close);
  BOOST_TEST(at.gamma(3, 1) == 0.1, close);
  BOOST_TEST(at.gamma(1, 1) == 10, close);
  BOOST_TEST(at.gamma(2, 1) == 2, close);

  config.parameters.friction->prior = {{"viscous", 0.9}, {"stribeck1", 1}};
  config.parameters.friction->std = {{"viscous", 0.4}};
  const ParameterSet given(robot, config);
  BOOST_TEST(given.physical(given.prior()).gamma(5, 0) == 0.9, close);
  BOOST_TEST(given.physical(given.prior()).gamma(2, 0) == 0.2, close);  // follows stribeck1
  BOOST_TEST(find(given, "friction.joint2.mu5").std == 0.4);
}

BOOST_AUTO_TEST_CASE(terms_switched_off_have_no_parameters) {
  FrictionPriorConfig friction;
  friction.stiction = false;
  friction.joints = test::only({"joint2"});
  Config config;
  config.parameters.friction = friction;
  const ParameterSet set(test::double_pendulum(), config);
  const std::vector<std::string> expected{"friction.joint2.mu3", "friction.joint2.mu4",
                                          "friction.joint2.mu5"};
  BOOST_TEST(set.names() == expected, boost::test_tools::per_element());
  const PhysicalParameters at = set.physical(set.prior());
  BOOST_TEST(at.gamma.col(0).isZero(0));
  BOOST_TEST(at.gamma.col(1).head<3>().isZero(0));
  BOOST_TEST(set.constraints().inequalities(set.prior()).empty());
}

BOOST_AUTO_TEST_CASE(fixed_parameters_keep_their_prior_and_leave_theta) {
  Config config = test::everything();
  config.parameters.set["inertia.link2.log_mass"].prior = 0.5;
  config.parameters.set["inertia.link2.log_mass"].fixed = true;
  config.parameters.set["armature.joint1"].fixed = true;
  const ParameterSet set(test::double_pendulum(), config);
  BOOST_TEST(set.ntheta() == 45);
  BOOST_TEST(set.all().size() == 47);
  BOOST_TEST(set.theta_index(10) == -1);
  BOOST_TEST(set.theta_index(11) == 10);
  const VectorXd theta = set.prior() + VectorXd::Ones(45);
  BOOST_TEST(set.all_values(theta)[10] == 0.5);
  BOOST_TEST(set.physical(theta).armature[0] == 0.01, boost::test_tools::tolerance(1e-12));
  for (const PhysicalValue& value : set.values(theta)) {
    if (value.name == "mass.link2") BOOST_TEST(value.dvalue_dtheta.isZero(0));
  }
}

BOOST_AUTO_TEST_CASE(unknown_names_are_errors_with_place_and_suggestion) {
  const Robot robot = test::double_pendulum();
  Config config = test::everything();
  config.lines["parameters.set.inertia.link2.logmass"] = 41;
  config.parameters.set["inertia.link2.logmass"].prior = 0.1;
  BOOST_TEST(message_of(robot, config) ==
             "arm.yaml:41: parameters.set.inertia.link2.logmass: unknown parameter "
             "\"inertia.link2.logmass\", did you mean \"inertia.link2.log_mass\"?");

  config = test::everything();
  config.parameters.set["friction.joint1.viscous"].prior = 0.1;
  BOOST_TEST(
      message_of(robot, config).ends_with("its estimation coordinate is \"friction.joint1.mu5\""));

  config = test::everything();
  config.parameters.inertia->links = test::only({"lnk2"});
  BOOST_TEST(message_of(robot, config) ==
             "arm.yaml: parameters.inertia.links: unknown name \"lnk2\", did you mean \"link2\"?");

  config = test::everything();
  config.parameters.friction->joints = test::only({"gripper"});
  BOOST_TEST(message_of(robot, config).ends_with("expected one of: joint1, joint2, motor"));

  config = test::everything();
  config.model.drives[0].joints = {{"joit1", 1}};
  BOOST_TEST(message_of(robot, config) ==
             "arm.yaml: model.actuation.drives.motor: unknown name \"joit1\", did you mean "
             "\"joint1\"?");
  config.model.drives[0] = {.name = "joint1", .joints = {{"joint1", 1}}};
  BOOST_TEST(message_of(robot, config).find("is taken") != std::string::npos);
  config.model.drives[0] = {.name = "motor", .joints = {}};
  BOOST_TEST(message_of(robot, config).find("turns with no joint") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(impossible_values_are_errors) {
  const Robot robot = test::double_pendulum();
  const auto has = [&](const Config& config, const std::string& part) {
    const std::string message = message_of(robot, config);
    BOOST_TEST(message.find(part) != std::string::npos, message);
  };
  Config config = test::everything();
  config.parameters.armature->prior.all = -1;
  has(config, "parameters.armature.prior: found -1, expected a positive number");

  config = test::everything();
  config.parameters.effort_gain->prior.list = {1, 2, 3, 4};
  has(config, "found 4 numbers, expected one for each joint: joint1, joint2");

  config = test::everything();
  config.parameters.set["inertia.link1.hx"].std = 0;
  has(config, "parameters.set.inertia.link1.hx.std: found 0, expected a positive number");

  config = test::everything();
  config.parameters.friction->prior = {{"stribeck1", 1}, {"stribeck2", 3}};
  has(config, "expected stribeck1 >= stribeck2");

  config = test::everything();
  config.model.actuated = test::only({"joint1"});
  config.parameters.effort_gain->joints = test::only({"joint2"});
  has(config, "joint \"joint2\" is passive");

  config = test::everything();
  config.parameters.inertia->links = test::only({"link1", "link1"});
  has(config, "\"link1\" is named twice");

  Robot broken = robot;
  broken.links[1].pi.tail<6>().setZero();
  BOOST_TEST(
      message_of(broken, test::everything())
          .starts_with("model.urdf:20: link \"link2\": its inertia is not physically consistent"));
}
