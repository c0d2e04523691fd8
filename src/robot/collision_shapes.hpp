// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bayesid/robot.hpp"

namespace bayesid {

/// A <collision> of the URDF, where it is on its body.
struct CollisionShape {
  enum class Kind { box, sphere, cylinder, capsule, mesh };
  Kind kind = Kind::box;
  std::string link;
  FramePlacement place;
  int parent_body = 0;   // that the joint of its body moves on; −1: its body is the world
  Eigen::Vector3d size;  // box: edges; else radius and length along z; mesh: scale
  std::string mesh_file;
  int line = 0;  // in the URDF
};

struct CollisionShapes {
  std::vector<std::string> links;  // of the URDF, with and without shapes
  std::vector<CollisionShape> shapes;
};

/// Reads the shapes of the robot's URDF. Throws InputError naming file and line, also for a mesh
/// that cannot be found.
CollisionShapes read_collision_shapes(const Robot& robot);

}  // namespace bayesid
