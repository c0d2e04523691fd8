// SPDX-License-Identifier: BSD-3-Clause
#include "robot/mesh_check.hpp"

#include <set>

#include "robot/mesh_files.hpp"

namespace bayesid {
namespace {

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

void check_meshes(const std::string& urdf_file, const tinyxml2::XMLElement& robot,
                  std::vector<std::string>& warnings) {
  std::vector<std::string> names;
  std::vector<int> lines;
  std::set<std::string> seen;
  for (const tinyxml2::XMLElement* link = robot.FirstChildElement("link"); link;
       link = link->NextSiblingElement("link"))
    collect_meshes(*link, names, lines, seen);

  const std::vector<std::filesystem::path> folders = package_folders(urdf_file);
  int num_missing = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (find_mesh(names[i], folders)) continue;
    if (num_missing++ == 0) first = i;
  }
  if (num_missing == 0) return;
  warnings.push_back(urdf_file + ":" + std::to_string(lines[first]) + ": " +
                     std::to_string(num_missing) + " of " + std::to_string(names.size()) +
                     " meshes cannot be found, the first is <mesh filename=\"" + names[first] +
                     "\">; identification does not need them");
}

}  // namespace bayesid
