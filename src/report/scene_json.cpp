// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Geometry>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/base64.hpp"
#include "report/scene.hpp"
#include "robot/mesh.hpp"
#include "robot/mesh_files.hpp"
#include "robot/urdf_tree.hpp"
#include "robot/urdf_visuals.hpp"
#include "robot/xml_reader.hpp"

namespace bayesid {

using Eigen::Vector3d;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_triangles = 80'000;  // of the robot: about 2 MB as text

Json pose_json(const Vector3d& xyz, const Vector3d& rpy) {
  const Eigen::Quaterniond q(rotation_from_rpy(rpy));
  return {xyz[0], xyz[1], xyz[2], q.x(), q.y(), q.z(), q.w()};
}

template <typename Number>
void append(Number value, std::string& out) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &value, sizeof(Number));
  out.append(bytes, sizeof(Number));
}

Json mesh_json(const std::string& name, const Mesh& mesh, std::uintmax_t bytes_before) {
  std::string vertices, triangles;
  for (const Vector3d& vertex : mesh.vertices) {
    for (const double number : vertex) append(static_cast<float>(number), vertices);
  }
  for (const auto& triangle : mesh.triangles) {
    for (const int index : triangle) append(static_cast<std::uint32_t>(index), triangles);
  }
  return {{"name", name},
          {"vertices", base64(vertices)},
          {"triangles", base64(triangles)},
          {"bytes_before", bytes_before}};
}

/// Meshes of the scene.json beside a URDF, by the names that the URDF has for them: a run that
/// copied the robot's file left it there, because the copy may lie far from the meshes.
std::map<std::string, Json> meshes_beside(const std::string& urdf_file) {
  std::map<std::string, Json> out;
  std::ifstream stream(std::filesystem::path(urdf_file).replace_filename("scene.json"));
  if (!stream) return out;
  const Json scene = Json::parse(stream, nullptr, false);
  if (!scene.is_object() || !scene.contains("meshes") || !scene["meshes"].is_array()) return out;
  for (const Json& mesh : scene["meshes"]) {
    const auto is_text = [&](const char* key) {
      return mesh.is_object() && mesh.contains(key) && mesh[key].is_string();
    };
    if (is_text("name") && is_text("vertices") && is_text("triangles"))
      out.try_emplace(mesh["name"].get<std::string>(), mesh);
  }
  return out;
}

/// Files of meshes, each once.
class Meshes {
 public:
  Meshes(const std::string& urdf_file, const std::vector<UrdfVisual>& visuals)
      : folders_(package_folders(urdf_file)), beside_(meshes_beside(urdf_file)) {
    std::set<std::string> names;
    for (const UrdfVisual& one : visuals) {
      if (one.shape == "mesh") names.insert(one.mesh);
    }
    share_ = most_triangles / std::max<std::size_t>(1, names.size());
  }

  /// Index among the meshes; −1 when it cannot be read.
  int index(const std::string& name) {
    const auto [found, is_new] = places_.try_emplace(name, -1);
    if (is_new) found->second = add(name);
    return found->second;
  }
  Json meshes = Json::array(), missing = Json::array();

 private:
  int add(const std::string& name) {
    const std::optional<std::filesystem::path> file = find_mesh(name, folders_);
    const std::optional<Mesh> mesh = file ? read(*file) : std::nullopt;
    const auto kept = beside_.find(name);
    if (!mesh && kept == beside_.end()) {
      missing.push_back(name);
      return -1;
    }
    std::error_code ignored;
    meshes.push_back(mesh ? mesh_json(name, *mesh, std::filesystem::file_size(*file, ignored))
                          : kept->second);
    return static_cast<int>(meshes.size()) - 1;
  }

  /// What cannot be read is missing: the page says so.
  std::optional<Mesh> read(const std::filesystem::path& file) const {
    try {
      return simplify_mesh(read_mesh(file), share_);
    } catch (const std::exception&) {
      return std::nullopt;
    }
  }

  std::vector<std::filesystem::path> folders_;
  std::map<std::string, Json> beside_;
  std::map<std::string, int> places_;
  std::size_t share_;
};

/// Null for a mesh that is missing.
Json visual_json(const UrdfVisual& from, Meshes& meshes) {
  Json out{{"type", from.shape}};
  const Json size{from.size[0], from.size[1], from.size[2]};
  if (from.shape == "mesh") {
    const int index = meshes.index(from.mesh);
    if (index < 0) return nullptr;
    out["mesh"] = index;
    out["scale"] = size;
  } else if (from.shape == "box") {
    out["size"] = size;
  } else {
    out["radius"] = from.radius;
    if (from.shape != "sphere") out["length"] = from.length;
  }
  out["origin"] = pose_json(from.xyz, from.rpy);
  out["color"] = from.color;
  return out;
}

Json joint_json(const UrdfJoint& joint, const std::map<std::string, double>& lock) {
  constexpr std::array<const char*, 4> types{"revolute", "continuous", "prismatic", "fixed"};
  Json out{{"name", joint.name},
           {"type", types[static_cast<std::size_t>(joint.type)]},
           {"parent", joint.parent},
           {"child", joint.child},
           {"origin", pose_json(joint.xyz, joint.rpy)},
           {"axis", {joint.axis[0], joint.axis[1], joint.axis[2]}}};
  if (joint.mimic) {
    out["mimic"] = {{"joint", joint.mimic->joint},
                    {"multiplier", joint.mimic->multiplier},
                    {"offset", joint.mimic->offset}};
  }
  const auto locked = lock.find(joint.name);
  if (locked != lock.end()) out["locked"] = locked->second;
  return out;
}

std::string root_of(const UrdfTree& tree) {
  for (const UrdfLink& link : tree.links) {
    const bool is_child = std::ranges::any_of(
        tree.joints, [&](const UrdfJoint& joint) { return joint.child == link.name; });
    if (!is_child) return link.name;
  }
  return "";
}

}  // namespace

std::string scene_json(const ModelConfig& model) {
  const UrdfTree tree = parse_urdf(model.urdf, read_text(model.urdf));
  const std::vector<UrdfVisual> visuals = read_visuals(model.urdf);
  Meshes meshes(model.urdf, visuals);
  Json out{{"schema", 1}, {"root", root_of(tree)}, {"floating", model.floating_base}};
  out["joints"] = Json::array();
  for (const UrdfJoint& joint : tree.joints) out["joints"].push_back(joint_json(joint, model.lock));
  out["links"] = Json::array();
  for (const UrdfLink& link : tree.links) {
    Json shapes = Json::array();
    for (const UrdfVisual& visual : visuals) {
      if (visual.link != link.name) continue;
      Json shape = visual_json(visual, meshes);
      if (!shape.is_null()) shapes.push_back(std::move(shape));
    }
    out["links"].push_back({{"name", link.name}, {"visuals", shapes}});
  }
  out["meshes"] = std::move(meshes.meshes);
  out["contacts"] = Json::array();
  for (const ContactConfig& contact : model.contacts) {
    out["contacts"].push_back({{"name", contact.name},
                               {"frame", contact.frame},
                               {"origin", pose_json(Vector3d::Zero(), Vector3d::Zero())}});
  }
  out["missing"] = std::move(meshes.missing);
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bayesid
