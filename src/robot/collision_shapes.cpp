// SPDX-License-Identifier: BSD-3-Clause
#include "robot/collision_shapes.hpp"

#include <pinocchio/multibody.hpp>

#include "robot/mesh_files.hpp"
#include "robot/urdf_sniff.hpp"
#include "robot/urdf_tree.hpp"
#include "robot/xml_reader.hpp"

namespace bayesid {
namespace {

using Eigen::Vector3d;
using tinyxml2::XMLElement;
using Kind = CollisionShape::Kind;

void check_size(const XmlReader& reader, const XMLElement& element, const std::string& owner,
                const Vector3d& size) {
  if (size.minCoeff() > 0) return;
  reader.fail(element.GetLineNum(), "<" + std::string(element.Name()) + "> in <collision> of " +
                                        owner + " has no size; write numbers above 0, in m");
}

/// Radius and length, as URDF and coal have them: the length of a capsule is that without its ends.
Vector3d round_size(const XmlReader& reader, const XMLElement& element, const std::string& owner,
                    bool has_length) {
  const double radius = reader.number(element, "radius", owner);
  const double length = has_length ? reader.number(element, "length", owner) : radius;
  return {radius, length, radius};
}

void parse_mesh(const XmlReader& reader, const XMLElement& element, const std::string& owner,
                const std::string& urdf_file, CollisionShape& out) {
  out.kind = Kind::mesh;
  out.size = reader.vector_or(element, "scale", owner, Vector3d::Ones());
  const std::string name = reader.word(element, "filename", owner);
  const auto file = find_mesh(name, package_folders(urdf_file));
  if (file) out.mesh_file = file->string();
  if (out.mesh_file.empty()) {
    reader.fail(element.GetLineNum(), "<mesh filename=\"" + name + "\"> of " + owner +
                                          " cannot be found; excitation.limits.self_collision "
                                          "needs the shapes of <collision>");
  }
}

void parse_geometry(const XmlReader& reader, const XMLElement& geometry, const std::string& owner,
                    const std::string& urdf_file, CollisionShape& out) {
  out.line = geometry.GetLineNum();
  const std::string unknown = "<geometry> in <collision> of " + owner +
                              " is none of box, sphere, cylinder, capsule and mesh";
  const XMLElement* first = geometry.FirstChildElement();
  if (!first) reader.fail(out.line, unknown);
  const XMLElement& element = *first;
  const std::string kind = element.Name();
  if (kind == "mesh") return parse_mesh(reader, element, owner, urdf_file, out);
  if (kind == "box") {
    out.kind = Kind::box;
    out.size = reader.vector_or(element, "size", owner, Vector3d::Zero());
  } else if (kind == "sphere" || kind == "cylinder" || kind == "capsule") {
    out.kind = kind == "sphere" ? Kind::sphere : kind == "capsule" ? Kind::capsule : Kind::cylinder;
    out.size = round_size(reader, element, owner, out.kind != Kind::sphere);
  } else {
    reader.fail(out.line, unknown);
  }
  check_size(reader, element, owner, out.size);
}

CollisionShape parse_shape(const XmlReader& reader, const XMLElement& element,
                           const std::string& link, const Robot& robot) {
  const std::string owner = "link '" + link + "'";
  CollisionShape out;
  out.link = link;
  parse_geometry(reader, reader.child(element, "geometry", owner), owner, robot.urdf_file, out);
  Vector3d xyz = Vector3d::Zero(), rpy = xyz;
  if (const XMLElement* origin = element.FirstChildElement("origin")) {
    xyz = reader.vector_or(*origin, "xyz", owner, xyz);
    rpy = reader.vector_or(*origin, "rpy", owner, rpy);
  }
  out.place = *find_frame(robot, link);
  out.place.translation += out.place.rotation * xyz;
  out.place.rotation *= rotation_from_rpy(rpy);
  const pinocchio::Model& model = *robot.model;
  out.parent_body = out.place.body == 0 ? -1 : static_cast<int>(model.parents[out.place.body]);
  return out;
}

}  // namespace

CollisionShapes read_collision_shapes(const Robot& robot) {
  const XmlReader reader(robot.urdf_file);
  tinyxml2::XMLDocument document;
  const XMLElement& root = parse_robot_element(reader, read_text(robot.urdf_file), document);
  CollisionShapes out;
  for (const XMLElement* link = root.FirstChildElement("link"); link;
       link = link->NextSiblingElement("link")) {
    out.links.push_back(reader.word(*link, "name", "the robot"));
    for (const XMLElement* shape = link->FirstChildElement("collision"); shape;
         shape = shape->NextSiblingElement("collision"))
      out.shapes.push_back(parse_shape(reader, *shape, out.links.back(), robot));
  }
  return out;
}

}  // namespace bayesid
