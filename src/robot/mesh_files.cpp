// SPDX-License-Identifier: BSD-3-Clause
#include "robot/mesh_files.hpp"

#include <cstdlib>
#include <sstream>

namespace bayesid {

namespace fs = std::filesystem;

namespace {

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

std::vector<fs::path> package_folders(const std::string& urdf_file) {
  std::error_code ignored;
  std::vector<fs::path> folders;
  fs::path folder = fs::absolute(urdf_file, ignored).parent_path();
  for (; folder != folder.parent_path(); folder = folder.parent_path()) folders.push_back(folder);
  for (const char* variable : {"ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"}) {
    const char* value = std::getenv(variable);
    std::istringstream list(value ? value : "");
    for (std::string entry; std::getline(list, entry, ':');) {
      folders.emplace_back(entry);
      folders.push_back(fs::path(entry) / "share");
    }
  }
  return folders;
}

std::optional<fs::path> find_mesh(const std::string& name, const std::vector<fs::path>& folders) {
  for (const std::string scheme : {"package://", "model://"}) {
    if (!name.starts_with(scheme)) continue;
    // Some write a third slash; it must not make the path absolute.
    const fs::path path = fs::path("/" + name.substr(scheme.size())).relative_path();
    for (const fs::path& folder : folders)
      if (is_there(folder / path)) return folder / path;
    return std::nullopt;
  }
  const std::string path = name.starts_with("file://") ? name.substr(7) : name;
  const fs::path file = folders.empty() ? fs::path(path) : folders.front() / path;
  return is_there(file) ? std::optional(file) : std::nullopt;
}

}  // namespace bayesid
