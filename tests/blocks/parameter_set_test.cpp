// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "bayesid/parameters.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

#include "scene.hpp"
#include "support/numeric_jacobian.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

VectorXd random_vector(int size, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  VectorXd out(size);
  for (double& value : out) value = normal(random);
  return out;
}

/// A point away from the prior, where no derivative vanishes.
VectorXd some_theta(const ParameterSet& set, unsigned seed = 1) {
  return set.prior() + 0.5 * random_vector(set.ntheta(), seed);
}

/// All families, some parameters fixed, a tool on the last body, one passive joint.
std::vector<ParameterSet> scenes() {
  Config some_fixed = test::everything();
  some_fixed.parameters.inertia->links = test::only({"tool", "link2"});  // two links of one body
  for (const char* name : {"inertia.tool.hx", "friction.joint1.mu1", "gear_ratio.joint1"}) {
    some_fixed.parameters.set[name].fixed = true;
  }
  some_fixed.parameters.effort_gain->joints = test::only({"joint2"});
  Config passive = test::everything();
  passive.model.actuated = test::only({"joint2"});
  return {ParameterSet(test::double_pendulum(), test::everything()),
          ParameterSet(test::pendulum_with_tool(), some_fixed),
          ParameterSet(test::pendulum_with_tool(), passive)};
}

PhysicalValue find_value(const std::vector<PhysicalValue>& values, const std::string& name) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const PhysicalValue& value) { return value.name == name; });
  BOOST_REQUIRE_MESSAGE(found != values.end(), name);
  return *found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(physical_jacobian_agrees_with_central_differences) {
  for (const ParameterSet& set : scenes()) {
    const VectorXd theta = some_theta(set);
    const auto eta = [&](const VectorXd& x) { return stack(set.physical(x)); };
    const DerivativeCheck check =
        check_derivatives(set.physical_jacobian(theta), numeric_jacobian(eta, theta));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(physical_curvature_agrees_with_central_differences) {
  for (const ParameterSet& set : scenes()) {
    const VectorXd theta = some_theta(set);
    const VectorXd s = random_vector(set.layout().size(), 7);
    const auto gradient = [&](const VectorXd& x) -> VectorXd {
      return set.physical_jacobian(x).transpose() * s;
    };
    const MatrixXd curvature = set.physical_curvature(theta, s);
    const DerivativeCheck check = check_derivatives(curvature, numeric_jacobian(gradient, theta));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
    BOOST_TEST((curvature - curvature.transpose()).norm() == 0);
  }
}

BOOST_AUTO_TEST_CASE(gradients_of_values_agree_with_central_differences) {
  for (const ParameterSet& set : scenes()) {
    const VectorXd theta = some_theta(set);
    const std::vector<PhysicalValue> values = set.values(theta);
    const auto numbers = [&](const VectorXd& x) {
      VectorXd out(values.size());
      const std::vector<PhysicalValue> at = set.values(x);
      for (std::size_t i = 0; i < at.size(); ++i) out[i] = at[i].value;
      return out;
    };
    MatrixXd analytic(values.size(), set.ntheta());
    for (std::size_t i = 0; i < values.size(); ++i) analytic.row(i) = values[i].dvalue_dtheta;
    const DerivativeCheck check = check_derivatives(analytic, numeric_jacobian(numbers, theta));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(a_flipped_sign_in_the_jacobian_is_caught_in_every_column) {
  const ParameterSet set(test::double_pendulum(), test::everything());
  const VectorXd theta = some_theta(set);
  const auto eta = [&](const VectorXd& x) { return stack(set.physical(x)); };
  const MatrixXd numeric = numeric_jacobian(eta, theta);
  for (int j = 0; j < set.ntheta(); ++j) {
    MatrixXd wrong = set.physical_jacobian(theta);
    wrong.col(j) *= -1;
    BOOST_TEST(check_derivatives(wrong, numeric).max_error > 1e-3, set.names()[j]);
  }
}

BOOST_AUTO_TEST_CASE(at_the_prior_the_bodies_are_the_nominal_ones) {
  const Robot robot = test::pendulum_with_tool();
  const Link& tool = robot.links[2];
  const InertialParameters last =
      robot.links[1].pi + inertia_transform(tool.rotation, tool.translation) * tool.pi;
  for (const bool estimated : {true, false}) {
    Config config = test::everything();
    if (!estimated) config.parameters.inertia.reset();
    const ParameterSet set(robot, config);
    const PhysicalParameters at = set.physical(set.prior());
    BOOST_TEST(at.pi.cols() == 2);
    BOOST_TEST((at.pi.col(0) - robot.links[0].pi).norm() < 1e-12);
    BOOST_TEST((at.pi.col(1) - last).norm() < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(ratio_scales_gain_and_offset) {
  Config config = test::everything();
  config.parameters.effort_gain->prior.all = 3;
  config.parameters.effort_offset->prior.by_name = {{"joint2", 0.5}};
  config.parameters.gear_ratio->prior.list = {1, 10};
  const ParameterSet set(test::double_pendulum(), config);
  const PhysicalParameters at = set.physical(set.prior());
  BOOST_TEST(at.gain[0] == 3, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(at.gain[1] == 30, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(at.offset[0] == 0);
  BOOST_TEST(at.offset[1] == 5, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(find_value(set.values(set.prior()), "gear_ratio.joint2").value == 10,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(passive_joints_take_no_effort_but_have_friction) {
  Config config = test::everything();
  config.model.actuated = test::only({"joint1"});
  const ParameterSet set(test::double_pendulum(), config);
  const PhysicalParameters at = set.physical(set.prior());
  BOOST_TEST(at.gain[1] == 0);
  BOOST_TEST(at.offset[1] == 0);
  BOOST_TEST(at.gamma(5, 1) > 0);
  for (const std::string& name : set.names()) BOOST_TEST(name != "effort_gain.joint2");
}

BOOST_AUTO_TEST_CASE(values_of_a_link_are_mass_centre_and_inertia_about_it) {
  const Robot robot = test::double_pendulum();
  const ParameterSet set(robot, test::everything());
  const std::vector<PhysicalValue> values = set.values(set.prior());
  const InertialParameters& pi = robot.links[1].pi;
  const Eigen::Vector3d c = pi.segment<3>(1) / pi[0];
  const Eigen::Matrix3d I_c = symmetric_matrix(pi.tail<6>()) + pi[0] * skew(c) * skew(c);
  BOOST_TEST(find_value(values, "mass.link2").value == pi[0], boost::test_tools::tolerance(1e-12));
  BOOST_TEST(std::abs(find_value(values, "com.link2.y").value - c.y()) < 1e-12);
  BOOST_TEST(std::abs(find_value(values, "inertia.link2.ixx").value - I_c(0, 0)) < 1e-12);
  BOOST_TEST(std::abs(find_value(values, "inertia.link2.ixy").value - I_c(0, 1)) < 1e-12);
  BOOST_TEST(std::abs(find_value(values, "inertia.link2.ixz").value - I_c(0, 2)) < 1e-12);
  BOOST_TEST(std::abs(find_value(values, "inertia.link2.iyy").value - I_c(1, 1)) < 1e-12);
  BOOST_TEST(std::abs(find_value(values, "inertia.link2.iyz").value - I_c(1, 2)) < 1e-12);
  BOOST_TEST(std::abs(find_value(values, "inertia.link2.izz").value - I_c(2, 2)) < 1e-12);
  const auto inertias = set.link_inertias(set.prior());
  BOOST_TEST(inertias[1].first == "link2");
  BOOST_TEST((inertias[1].second - pi).norm() < 1e-12);
}

BOOST_AUTO_TEST_CASE(active_entries_are_those_that_move) {
  for (const ParameterSet& set : scenes()) {
    const MatrixXd jacobian = set.physical_jacobian(some_theta(set));
    std::vector<int> moving;
    for (int i = 0; i < jacobian.rows(); ++i) {
      if (!jacobian.row(i).isZero(0)) moving.push_back(i);
    }
    const std::vector<int> active = set.active_entries();
    BOOST_TEST(active == moving, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(active_entries_leave_out_what_is_fixed) {
  Config config;
  config.parameters.inertia.emplace();
  config.parameters.inertia->links = test::only({"link2"});
  config.parameters.set["inertia.link2.log_mass"].fixed = true;
  config.parameters.set["inertia.link2.hy"].fixed = true;
  const ParameterSet set(test::double_pendulum(), config);
  const std::vector<int> expected{11, 13, 14, 15, 16, 17, 18, 19};
  const std::vector<int> active = set.active_entries();
  BOOST_TEST(active == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nothing_to_estimate_is_a_set_without_unknowns) {
  const ParameterSet set(test::double_pendulum(), Config{});
  BOOST_TEST(set.ntheta() == 0);
  BOOST_TEST(set.physical_jacobian(set.prior()).cols() == 0);
  BOOST_TEST(set.physical_curvature(set.prior(), VectorXd::Zero(set.layout().size())).size() == 0);
  BOOST_TEST(set.values(set.prior()).empty());
  BOOST_TEST(set.active_entries().empty());
  BOOST_TEST(set.physical(set.prior()).gain == VectorXd::Ones(2));
}
