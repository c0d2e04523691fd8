// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tinyxml2.h>

#include <string>
#include <vector>

namespace bayesid {

/// The file of a <mesh filename>: beside the URDF, or in a package of the folders above it or of
/// ROS; empty when it cannot be found.
std::string find_mesh(const std::string& urdf_file, const std::string& name);

/// Meshes are drawn, never identified: those that cannot be found give one warning with their
/// number.
void check_meshes(const std::string& urdf_file, const tinyxml2::XMLElement& robot,
                  std::vector<std::string>& warnings);

}  // namespace bayesid
