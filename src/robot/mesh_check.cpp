// SPDX-License-Identifier: BSD-3-Clause
#include "robot/mesh_check.hpp"

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

namespace bayesid {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// Folders that may hold packages: those above the URDF, then those ROS knows.
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

/// Where a mesh is; empty when it is nowhere.
fs::path mesh_path(const std::string& name, const std::vector<fs::path>& folders) {
  for (const std::string scheme : {"package://", "model://"}) {
    if (!name.starts_with(scheme)) continue;
    // Some write a third slash; it must not make the path absolute.
    const fs::path path = fs::path("/" + name.substr(scheme.size())).relative_path();
    for (const fs::path& folder : folders)
      if (is_there(folder / path)) return folder / path;
    return {};
  }
  const fs::path path = name.starts_with("file://") ? name.substr(7) : name;
  const fs::path whole = folders.empty() ? path : folders.front() / path;
  return is_there(whole) ? whole : fs::path();
}

/// All <mesh filename> below an element, with the line of the first one of each name.
void collect_meshes(const tinyxml2::XMLElement& element, std::vector<std::string>& names,
                    std::vector<int>& lines, std::set<std::string>& seen) {
  const char* name = element.Attribute("filename");
  if (std::string(element.Name()) == "mesh" && name && seen.insert(name).second) {
    names.emplace_back(name);
    lines.push_back(element.GetLineNum());
  }
  for (const tinyxml2::XMLElement* child = element.FirstChildElement(); child;
       child = child->NextSiblingElement())
    collect_meshes(*child, names, lines, seen);
}

}  // namespace

std::string find_mesh(const std::string& urdf_file, const std::string& name) {
  return mesh_path(name, package_folders(urdf_file)).string();
}

void check_meshes(const std::string& urdf_file, const tinyxml2::XMLElement& robot,
                  std::vector<std::string>& warnings) {
  std::vector<std::string> names;
  std::vector<int> lines;
  std::set<std::string> seen;
  for (const tinyxml2::XMLElement* link = robot.FirstChildElement("link"); link;
       link = link->NextSiblingElement("link"))
    collect_meshes(*link, names, lines, seen);

  const std::vector<fs::path> folders = package_folders(urdf_file);
  int num_missing = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!mesh_path(names[i], folders).empty()) continue;
    if (num_missing++ == 0) first = i;
  }
  if (num_missing == 0) return;
  warnings.push_back(urdf_file + ":" + std::to_string(lines[first]) + ": " +
                     std::to_string(num_missing) + " of " + std::to_string(names.size()) +
                     " meshes cannot be found, the first is <mesh filename=\"" + names[first] +
                     "\">; identification does not need them");
}

}  // namespace bayesid
