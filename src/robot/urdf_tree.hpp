// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace bayesid {

/// <inertial> as written: mass, centre of mass in the link, inertia about it in the inertial axes.
struct UrdfInertial {
  double mass = 0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  int line = 0;
};

struct UrdfLink {
  std::string name;
  std::optional<UrdfInertial> inertial;
  int line = 0;
};

/// <mimic>: q = multiplier · q of the other joint + offset.
struct UrdfMimic {
  std::string joint;
  double multiplier = 1;
  double offset = 0;
  int line = 0;
};

enum class UrdfJointType { revolute, continuous, prismatic, fixed };

struct UrdfJoint {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  std::string name;
  UrdfJointType type = UrdfJointType::fixed;
  std::string parent, child;
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  // of length one
  double lower = -infinity, upper = infinity;
  double velocity = infinity, effort = infinity;
  double damping = 0, friction = 0;
  std::optional<UrdfMimic> mimic;
  int line = 0, parent_line = 0, child_line = 0;
};

/// The part of a URDF that moves and weighs: no geometry.
struct UrdfTree {
  std::string file;
  std::string name;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<std::string> warnings;
  int line = 0;

  const UrdfJoint* find_joint(const std::string& joint_name) const;
  const UrdfLink* find_link(const std::string& link_name) const;
};

/// Rotation of roll, pitch, yaw: R = R_z(yaw) R_y(pitch) R_x(roll).
Eigen::Matrix3d rotation_from_rpy(const Eigen::Vector3d& rpy);

/// Reads and checks the text of a URDF. Throws InputError with file, line and element.
UrdfTree parse_urdf(const std::string& file, const std::string& text);

/// A tree with one root, each name once, each mimic of a joint that moves; throws InputError.
void check_urdf(const UrdfTree& tree);

/// The same tree as a plain URDF without geometry: all that Pinocchio gets to see.
std::string print_urdf(const UrdfTree& tree);

}  // namespace bayesid
