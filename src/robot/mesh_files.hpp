// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bayesid {

/// Folders that may hold packages: those above the URDF, then those ROS knows.
std::vector<std::filesystem::path> package_folders(const std::string& urdf_file);

/// The file that a URDF names in <mesh filename>: package://, model://, file:// or a path from the
/// URDF's own folder. Nothing when it is not there.
std::optional<std::filesystem::path> find_mesh(const std::string& name,
                                               const std::vector<std::filesystem::path>& folders);

}  // namespace bayesid
