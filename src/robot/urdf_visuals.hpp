// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

namespace bayesid {

/// A <visual> of a URDF, as it is written.
struct UrdfVisual {
  std::string link;
  std::string shape;                               // box, sphere, cylinder, capsule or mesh
  Eigen::Vector3d size = Eigen::Vector3d::Ones();  // of a box; scale of a mesh
  double radius = 0, length = 0;
  std::string mesh;  // file name
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero(), rpy = Eigen::Vector3d::Zero();
  std::array<double, 4> color{0.7, 0.7, 0.7, 1};
};

/// All that can be drawn. What is not understood is left out: geometry is never identified.
std::vector<UrdfVisual> read_visuals(const std::string& urdf_file);

}  // namespace bayesid
