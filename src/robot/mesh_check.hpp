// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tinyxml2.h>

#include <string>
#include <vector>

namespace bayesid {

/// Meshes are drawn, never identified: those that cannot be found give one warning with their
/// number.
void check_meshes(const std::string& urdf_file, const tinyxml2::XMLElement& robot,
                  std::vector<std::string>& warnings);

}  // namespace bayesid
