// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "bayesid/parameters.hpp"
#include "blocks/hull.hpp"
#include "blocks/inertia_chart.hpp"
#include "scene.hpp"
#include "support/input_error.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

using Points = std::vector<std::pair<double, Vector3d>>;  // mass, position

/// Inertia of points of mass.
InertialParameters inertia_of(const Points& points) {
  InertialParameters out = InertialParameters::Zero();
  for (const auto& [m, p] : points) {
    out[0] += m;
    out.segment<3>(1) += m * p;
    out.tail<6>() += vech(m * (p.squaredNorm() * Matrix3d::Identity() - p * p.transpose()));
  }
  return out;
}

/// Every kind of parameter constraint on two links, in any chart of their inertia.
Config constrained_config(const std::string& chart = "ee") {
  Config config = test::everything();
  config.parameters.inertia->parametrisation = chart;
  ConstraintsConfig& c = config.constraints;
  c.total_mass = RangeConfig{3, 3};
  c.mass.push_back({{"link2"}, {0.5, 2}});
  c.equal = {{"friction.joint1", "friction.joint2"}, {"armature.joint1", "armature.motor"}};
  c.linear.push_back(
      {{{"com.link1.x", 2}, {"inertia.link2.ixy", -1}, {"mass.link1", 0.5}}, {0, 1}});
  c.linear.push_back(
      {{{chart == "ee" ? "inertia.link1.hx" : "inertia.link1.t1", 1}, {"inertia.link1.izz", 3}},
       {0.1, 0.1}});
  c.com["link1"].box = {{{-0.1, 0.1}, {-0.2, 0.3}, {-1, 0}}};
  c.com["link2"].hull = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
  c.bounds["com.link2.z"] = {-0.5, 0.5};
  c.bounds["inertia.link1.ixx"] = {0.001, 0.1};
  return config;
}

VectorXd stacked(const ParameterSet& set, const VectorXd& theta) {
  std::vector<double> out;
  for (const ParameterConstraintAt& row : set.constraints().equalities(theta))
    out.push_back(row.value);
  for (const ParameterConstraintAt& row : set.constraints().inequalities(theta))
    out.push_back(row.value);
  return Eigen::Map<VectorXd>(out.data(), static_cast<Eigen::Index>(out.size()));
}

MatrixXd gradients(const ParameterSet& set, const VectorXd& theta) {
  MatrixXd out(stacked(set, theta).size(), set.ntheta());
  Eigen::Index row = 0;
  for (const ParameterConstraintAt& one : set.constraints().equalities(theta))
    out.row(row++) = one.dvalue_dtheta;
  for (const ParameterConstraintAt& one : set.constraints().inequalities(theta))
    out.row(row++) = one.dvalue_dtheta;
  return out;
}

std::string message_of(const Config& config) {
  return test::input_error([&] { const ParameterSet set(test::double_pendulum(), config); });
}

/// A base with two legs that mirror each other in xz; frames of the right leg are turned.
constexpr const char* mirrored_urdf = R"(<robot name="pair">
  <link name="base"><inertial><mass value="5"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <link name="left_hip"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.015"/></inertial></link>
  <link name="left_knee"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.015"/></inertial></link>
  <link name="right_hip"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.015"/></inertial></link>
  <link name="right_knee"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.015"/></inertial></link>
  <joint name="left_1" type="revolute"><parent link="base"/><child link="left_hip"/><origin xyz="0.3 0.2 0.1"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="left_2" type="revolute"><parent link="left_hip"/><child link="left_knee"/><origin xyz="0 0.1 -0.3" rpy="0.2 0.3 0.4"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="right_1" type="revolute"><parent link="base"/><child link="right_hip"/><origin xyz="0.3 -0.2 0.1" rpy="0 0 3.14159265358979"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="right_2" type="revolute"><parent link="right_hip"/><child link="right_knee"/><origin xyz="XYZ" rpy="RPY"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>)";

Vector3d rpy_of(const Matrix3d& R) {
  return {std::atan2(R(2, 1), R(2, 2)), -std::asin(R(2, 0)), std::atan2(R(1, 0), R(0, 0))};
}

/// The right knee's frame: the mirrored axis of the left one, any turn about it, and 5 cm along it.
Robot mirrored_robot(const test::TempFolder& folder, double turn, double wrong = 0) {
  const auto rotation = [](double r, double p, double y) -> Matrix3d {
    return so3_exp({0, 0, y}) * so3_exp({0, p, 0}) * so3_exp({r, 0, 0});
  };
  const Matrix3d reflect = Vector3d(1, -1, 1).asDiagonal(), flip = Vector3d(-1, -1, 1).asDiagonal();
  const Matrix3d left = rotation(0.2, 0.3, 0.4);
  // Base ← right hip is a half turn about z, so that axes in the right hip are flip · base.
  const Matrix3d right = flip * reflect * left * reflect * so3_exp({wrong, turn, 0});
  const Vector3d origin = Vector3d(0, 0.1, -0.3) + right * Vector3d(0, 0.05, 0);
  std::string text = mirrored_urdf;
  const auto fill = [&](const char* mark, const Vector3d& values) {
    std::ostringstream numbers;
    numbers.precision(17);
    numbers << values.transpose();
    text.replace(text.find(mark), 3, numbers.str());
  };
  fill("XYZ", origin);
  fill("RPY", rpy_of(right));
  ModelConfig model;
  model.urdf = folder.write("pair.urdf", text);
  model.floating_base = true;
  return read_robot(model);
}

Config mirrored_config() {
  Config config;
  config.file = "pair.yaml";
  config.model.floating_base = true;
  config.parameters.inertia.emplace();
  config.parameters.friction.emplace();
  config.constraints.symmetry.push_back({"left", "right", "xz"});
  return config;
}

/// Point masses in the left legs, and their mirror images in the right ones.
void check_symmetry(const blocks::NamedChart& chart) {
  const test::TempFolder folder;
  const Robot robot = mirrored_robot(folder, 0.7);
  Config config = mirrored_config();
  config.parameters.inertia->parametrisation = chart.name;
  const ParameterSet set(robot, config);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-0.2, 0.2);
  VectorXd theta = set.prior();
  const auto place = [&](const std::string& name, const InertialParameters& pi) {
    const std::vector<std::string> names = set.names();
    const std::string mass = "inertia." + name + "." + chart.chart().coordinates()[0].name;
    const auto first = std::find(names.begin(), names.end(), mass);
    theta.segment<10>(first - names.begin()) = chart.chart().inverse(pi).value();
  };
  const Matrix3d reflect = Vector3d(1, -1, 1).asDiagonal();
  for (const std::string part : {"hip", "knee"}) {
    Points left, right;
    const Link* links[2] = {};
    for (const Link& link : robot.links) {
      if (link.name == "left_" + part) links[0] = &link;
      if (link.name == "right_" + part) links[1] = &link;
    }
    const BodyAtZero a = body_at_zero(robot, links[0]->body),
                     b = body_at_zero(robot, links[1]->body);
    for (int i = 0; i < 8; ++i) {
      const Vector3d p(uniform(random), uniform(random), uniform(random));
      const double m = 0.3 + uniform(random);
      left.emplace_back(m, p);
      const Vector3d in_base = reflect * (a.rotation * p + a.translation);
      right.emplace_back(m, b.rotation.transpose() * (in_base - b.translation));
    }
    place("left_" + part, inertia_of(left));
    place("right_" + part, inertia_of(right));
  }
  const std::vector<ParameterConstraintAt> rows = set.constraints().equalities(theta);
  BOOST_TEST(rows.size() == 2 * 10 + 2 * 6);
  for (const ParameterConstraintAt& row : rows)
    BOOST_TEST(std::abs(row.value) < 1e-9, row.name << " " << row.value);
  theta[10] += 0.01;  // mass of one link only
  double worst = 0;
  for (const ParameterConstraintAt& row : set.constraints().equalities(theta))
    worst = std::max(worst, std::abs(row.value));
  BOOST_TEST(worst > 1e-3);
}

}  // namespace

BOOST_AUTO_TEST_CASE(parameter_constraints_agree_with_central_differences) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const std::string chart : {"ee", "ee", "log_cholesky", "log_cholesky"}) {
    const ParameterSet set(test::double_pendulum(), constrained_config(chart));
    const VectorXd theta =
        set.prior() + 0.3 * VectorXd::NullaryExpr(set.ntheta(), [&] { return normal(random); });
    const auto values = [&](const VectorXd& x) { return stacked(set, x); };
    const DerivativeCheck check =
        check_derivatives(gradients(set, theta), numeric_jacobian(values, theta));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(curvature_of_parameter_constraints_agrees_with_central_differences) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (const std::string chart : {"ee", "log_cholesky"}) {
    const ParameterSet set(test::double_pendulum(), constrained_config(chart));
    const VectorXd theta =
        set.prior() + 0.2 * VectorXd::NullaryExpr(set.ntheta(), [&] { return normal(random); });
    const auto ne = static_cast<Eigen::Index>(set.constraints().equalities(theta).size());
    const VectorXd weights =
        VectorXd::NullaryExpr(stacked(set, theta).size(), [&] { return normal(random); });
    const auto gradient = [&](const VectorXd& x) -> VectorXd {
      return gradients(set, x).transpose() * weights;
    };
    const MatrixXd analytic =
        set.constraints().curvature(theta, weights.head(ne), weights.tail(weights.size() - ne));
    const DerivativeCheck check = check_derivatives(analytic, numeric_jacobian(gradient, theta));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
    BOOST_TEST(analytic.norm() > 0.1);
  }
}

BOOST_AUTO_TEST_CASE(parameter_constraints_are_those_of_the_configuration) {
  const Config config = constrained_config();
  const ParameterSet set(test::double_pendulum(), config);
  const VectorXd theta = set.prior();
  std::map<std::string, double> values;
  for (const PhysicalValue& value : set.values(theta)) values[value.name] = value.value;
  std::map<std::string, double> rows;
  for (const ParameterConstraintAt& row : set.constraints().equalities(theta))
    rows[row.name] = row.value;
  for (const ParameterConstraintAt& row : set.constraints().inequalities(theta))
    rows[row.name] = row.value;
  const auto close = [](double a, double b) { BOOST_TEST(std::abs(a - b) < 1e-12, a << " " << b); };
  close(rows.at("total_mass = 3"), values["mass.link1"] + values["mass.link2"] - 3);
  close(rows.at("mass of link2 >= 0.5"), values["mass.link2"] - 0.5);
  close(rows.at("mass of link2 <= 2"), 2 - values["mass.link2"]);
  close(rows.at("com.link1.y <= 0.3"), values["mass.link1"] * (0.3 - values["com.link1.y"]));
  close(rows.at("com.link2.z >= -0.5"), values["com.link2.z"] + 0.5);
  close(rows.at("inertia.link1.ixx <= 0.1"), 0.1 - values["inertia.link1.ixx"]);
  BOOST_TEST(rows.contains("friction.joint1.mu3 = friction.joint2.mu3"));
  BOOST_TEST(rows.contains("armature.joint1 = armature.motor"));
  BOOST_TEST(set.constraints().equalities(theta).size() == 1 + 6 + 1 + 1);
}

BOOST_AUTO_TEST_CASE(the_hull_of_a_cube_has_six_sides) {
  std::vector<std::array<double, 3>> corners;
  for (const double x : {0.0, 1.0})
    for (const double y : {0.0, 2.0})
      for (const double z : {-1.0, 1.0}) corners.push_back({x, y, z});
  corners.push_back({0.5, 0.5, 0});  // inside
  corners.push_back({0.5, 0, 0});    // on a side
  const std::vector<blocks::HalfSpace> sides = blocks::convex_hull(corners);
  BOOST_TEST(sides.size() == 6);
  const auto is_inside = [&](const Vector3d& p) {
    return std::all_of(sides.begin(), sides.end(), [&](const blocks::HalfSpace& s) {
      return s.normal.dot(p) <= s.reach + 1e-12;
    });
  };
  BOOST_TEST(is_inside({0.9, 1.9, 0.9}));
  BOOST_TEST(!is_inside({1.01, 1, 0}));
  BOOST_TEST(!is_inside({0.5, -0.01, 0}));
  BOOST_TEST(blocks::convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).empty());
}

BOOST_AUTO_TEST_CASE(mirrored_matter_satisfies_the_symmetry_and_other_matter_does_not) {
  for (const blocks::NamedChart& chart : blocks::inertia_charts())
    BOOST_TEST_CONTEXT(chart.name) check_symmetry(chart);
}

BOOST_AUTO_TEST_CASE(impossible_parameter_constraints_are_errors) {
  const auto has = [](const Config& config, const std::string& part) {
    const std::string message = message_of(config);
    BOOST_TEST(message.find(part) != std::string::npos, message);
  };
  Config config = test::everything();
  config.constraints.equal = {{"friction.joint1", "friction.joint3"}};
  has(config, "unknown name \"friction.joint3\"");
  config.constraints.equal = {{"friction.joint1", "armature.joint1"}};
  has(config, "have different parameters");
  config.constraints.equal.clear();
  config.constraints.linear = {{{{"mass.lnk1", 1}}, {1, 1}}};
  has(config, "did you mean \"mass.link1\"?");
  config.constraints.linear.clear();
  config.constraints.com["link3"].box.emplace();
  has(config, "link3");
  config.constraints.com = {
      {"link1", {.box = {}, .hull = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}}};
  has(config, "lie in one plane");
  config.constraints.com.clear();
  config.constraints.mass = {{{"link1", "link9"}, {1, 2}}};
  has(config, "link9");
  config.constraints.mass.clear();
  config.constraints.symmetry = {{"left", "right", "xz"}};
  has(config, "has a counterpart");
  config.constraints.symmetry.clear();
  config.constraints.total_mass = RangeConfig{100, 100};
  config.parameters.inertia.reset();
  has(config, "total_mass = 100 is violated");
}

BOOST_AUTO_TEST_CASE(legs_that_are_no_mirror_images_are_refused) {
  const test::TempFolder folder;
  const Config config = mirrored_config();
  BOOST_CHECK_NO_THROW(ParameterSet(mirrored_robot(folder, -0.4), config));
  const std::string message =
      test::input_error([&] { const ParameterSet set(mirrored_robot(folder, 0, 0.1), config); });
  BOOST_TEST(message.find("left_knee and right_knee are not symmetric") != std::string::npos,
             message);
}
