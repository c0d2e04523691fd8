// SPDX-License-Identifier: BSD-3-Clause
#include "support/random_robot.hpp"

#include <Eigen/Geometry>
#include <random>
#include <sstream>
#include <vector>

namespace bayesid::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

class Generator {
 public:
  explicit Generator(int seed) : engine_(static_cast<unsigned>(seed)) { out_.precision(17); }

  std::string make(const RandomRobotOptions& options);

 private:
  // Not <random>'s distributions: those differ between standard libraries.
  double uniform(double from, double to) { return from + (to - from) * (engine_() / 4294967296.0); }
  int pick(int size) { return static_cast<int>(uniform(0, size)); }
  Vector3d vector(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }
  std::string text(const Vector3d& v) const;
  void add_inertial();
  void add_link(const std::string& name, bool has_mass);
  void add_joint(int i, const std::string& parent, const RandomRobotOptions& options);
  void add_mimic(int i);

  std::mt19937 engine_;
  std::ostringstream out_;
  std::vector<std::string> types_;  // of joint1 …
};

std::string Generator::text(const Vector3d& v) const {
  std::ostringstream stream;
  stream.precision(17);
  stream << '"' << v[0] << ' ' << v[1] << ' ' << v[2] << '"';
  return stream.str();
}

/// I = tr(L) 1 − L with L positive definite.
void Generator::add_inertial() {
  const double mass = uniform(0.3, 5);
  Vector3d widths;
  for (double& width : widths) width = uniform(0.02, 0.15);
  widths = mass * widths.cwiseAbs2();
  const Vector3d direction = vector(1);
  const Matrix3d R = Eigen::AngleAxisd(direction.norm(), direction.normalized()).toRotationMatrix();
  const Matrix3d L = R * widths.asDiagonal() * R.transpose();
  const Matrix3d I = L.trace() * Matrix3d::Identity() - L;
  out_ << "    <inertial>\n      <origin xyz=" << text(vector(0.2)) << " rpy=" << text(vector(1.5))
       << "/>\n      <mass value=\"" << mass << "\"/>\n      <inertia ixx=\"" << I(0, 0)
       << "\" ixy=\"" << I(0, 1) << "\" ixz=\"" << I(0, 2) << "\" iyy=\"" << I(1, 1) << "\" iyz=\""
       << I(1, 2) << "\" izz=\"" << I(2, 2) << "\"/>\n    </inertial>\n";
}

void Generator::add_link(const std::string& name, bool has_mass) {
  out_ << "  <link name=\"" << name << "\">\n";
  if (has_mass) add_inertial();
  out_ << "  </link>\n";
}

void Generator::add_mimic(int i) {
  const int leader = 1 + pick(i - 1);
  // A continuous joint is an angle modulo 2π: only whole multiples follow it without ambiguity.
  const double multiplier = types_[leader - 1] == "continuous" ? 1 + pick(2) : uniform(0.3, 2);
  out_ << "    <mimic joint=\"joint" << leader << "\" multiplier=\""
       << (pick(2) ? multiplier : -multiplier) << "\" offset=\"" << uniform(-0.5, 0.5) << "\"/>\n";
}

void Generator::add_joint(int i, const std::string& parent, const RandomRobotOptions& options) {
  std::vector<std::string> types{"revolute", "revolute"};
  if (options.continuous) types.emplace_back("continuous");
  if (options.prismatic) types.emplace_back("prismatic");
  types_.push_back(types[pick(static_cast<int>(types.size()))]);
  const Vector3d aligned = Vector3d::Unit(pick(3)), tilted = vector(1).normalized();
  const double range = uniform(0.5, 3);
  out_ << "  <joint name=\"joint" << i << "\" type=\"" << types_.back()
       << "\">\n    <origin xyz=" << text(vector(0.4)) << " rpy=" << text(vector(3))
       << "/>\n    <parent link=\"" << parent << "\"/>\n    <child link=\"link" << i
       << "\"/>\n    <axis xyz=" << text(pick(2) ? aligned : tilted) << "/>\n    <limit lower=\""
       << -range << "\" upper=\"" << range << "\" effort=\"" << uniform(10, 100) << "\" velocity=\""
       << uniform(1, 5) << "\"/>\n    <dynamics damping=\"" << uniform(0, 1) << "\" friction=\""
       << uniform(0, 1) << "\"/>\n";
  if (options.mimic && i > 1 && pick(3) == 0) add_mimic(i);
  out_ << "  </joint>\n";
}

std::string Generator::make(const RandomRobotOptions& options) {
  out_ << "<?xml version=\"1.0\"?>\n<robot name=\"random\">\n";
  add_link("link0", true);
  std::vector<std::string> links{"link0"};
  for (int i = 1; i <= options.num_joints; ++i) {
    add_joint(i, links[pick(static_cast<int>(links.size()))], options);
    const std::string number = std::to_string(i);
    add_link("link" + number, true);
    links.push_back("link" + number);
    if (!options.fixed_links || pick(2)) continue;
    out_ << "  <joint name=\"fixed" << i
         << "\" type=\"fixed\">\n    <origin xyz=" << text(vector(0.2))
         << " rpy=" << text(vector(3)) << "/>\n    <parent link=\"" << links.back()
         << "\"/>\n    <child link=\"tool" << i << "\"/>\n  </joint>\n";
    add_link("tool" + number, pick(2));
    links.push_back("tool" + number);
  }
  out_ << "</robot>\n";
  return out_.str();
}

}  // namespace

std::string random_urdf(int seed, const RandomRobotOptions& options) {
  return Generator(seed).make(options);
}

std::string random_urdf(int seed, int num_joints) {
  return random_urdf(seed, RandomRobotOptions{.num_joints = num_joints});
}

}  // namespace bayesid::test
