// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "math/nearest_name.hpp"
#include "robot/mesh_check.hpp"
#include "robot/urdf_sniff.hpp"
#include "robot/urdf_tree.hpp"
#include "robot/xml_reader.hpp"

namespace bayesid {
namespace {

using tinyxml2::XMLElement;

UrdfInertial parse_inertial(const XmlReader& reader, const XMLElement& element,
                            const std::string& owner) {
  UrdfInertial out;
  out.line = element.GetLineNum();
  const XMLElement& mass = reader.child(element, "mass", owner);
  out.mass = reader.number(mass, "value", owner);
  if (out.mass < 0)
    reader.fail(mass.GetLineNum(), "<mass value=\"" + std::string(mass.Attribute("value")) +
                                       "\"> of " + owner + " is negative; write the mass in kg");
  if (const XMLElement* origin = element.FirstChildElement("origin")) {
    out.com = reader.vector_or(*origin, "xyz", owner, out.com);
    out.rpy = reader.vector_or(*origin, "rpy", owner, out.rpy);
  }
  const XMLElement& inertia = reader.child(element, "inertia", owner);
  const std::array<double, 6> moments{
      reader.number(inertia, "ixx", owner), reader.number(inertia, "ixy", owner),
      reader.number(inertia, "ixz", owner), reader.number(inertia, "iyy", owner),
      reader.number(inertia, "iyz", owner), reader.number(inertia, "izz", owner)};
  const auto& [xx, xy, xz, yy, yz, zz] = moments;
  out.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return out;
}

UrdfLink parse_link(const XmlReader& reader, const XMLElement& element) {
  UrdfLink link;
  link.line = element.GetLineNum();
  link.name = reader.word(element, "name", "the robot");
  if (const XMLElement* inertial = element.FirstChildElement("inertial"))
    link.inertial = parse_inertial(reader, *inertial, "link '" + link.name + "'");
  return link;
}

UrdfJointType parse_type(const XmlReader& reader, const XMLElement& element,
                         const std::string& owner) {
  const std::string type = reader.word(element, "type", owner);
  if (type == "revolute") return UrdfJointType::revolute;
  if (type == "continuous") return UrdfJointType::continuous;
  if (type == "prismatic") return UrdfJointType::prismatic;
  if (type == "fixed") return UrdfJointType::fixed;
  const std::string found = owner + " has type '" + type + "', ";
  if (type == "floating" || type == "planar")
    reader.fail(element.GetLineNum(),
                found + "which is not supported yet; write it as revolute and prismatic joints");
  const std::string near = nearest_name(type, {"revolute", "continuous", "prismatic", "fixed"});
  reader.fail(element.GetLineNum(),
              found + (near.empty() ? "expected revolute, continuous, prismatic or fixed"
                                    : "did you mean '" + near + "'?"));
}

void parse_axis(const XmlReader& reader, const XMLElement& element, const std::string& owner,
                UrdfJoint& joint, std::vector<std::string>& warnings) {
  const XMLElement* axis = element.FirstChildElement("axis");
  if (!axis) return;
  const Eigen::Vector3d written = reader.vector_or(*axis, "xyz", owner, joint.axis);
  const double length = written.norm();
  const std::string text = axis->Attribute("xyz") ? axis->Attribute("xyz") : "";
  const std::string found = "<axis xyz=\"" + text + "\"> of " + owner;
  if (length < 1e-9)
    reader.fail(axis->GetLineNum(), found + " is zero; write the direction the joint moves about");
  if (std::abs(length - 1) > 1e-3)  // more than a rounded unit vector
    warnings.push_back(reader.place(axis->GetLineNum()) + ": " + found +
                       " is not of length one; it was normalised");
  joint.axis = written / length;
}

void parse_limit(const XmlReader& reader, const XMLElement& element, const std::string& owner,
                 UrdfJoint& joint, std::vector<std::string>& warnings) {
  const XMLElement* limit = element.FirstChildElement("limit");
  const bool is_bounded = joint.type != UrdfJointType::continuous;
  if (!limit && is_bounded)
    reader.fail(joint.line, owner +
                                " has no <limit>; add <limit lower=\"\" upper=\"\" effort=\"\" "
                                "velocity=\"\"/>, or make a revolute joint continuous");
  if (!limit) return;
  const double lower = reader.number_or(*limit, "lower", owner, 0.0);
  const double upper = reader.number_or(*limit, "upper", owner, 0.0);
  const double velocity = reader.number_or(*limit, "velocity", owner, 0.0);
  const double effort = reader.number_or(*limit, "effort", owner, 0.0);
  // Exporters write 0 where they know nothing.
  if (velocity > 0) joint.velocity = velocity;
  if (effort > 0) joint.effort = effort;
  if (!is_bounded) return;
  if (lower < upper) {
    joint.lower = lower;
    joint.upper = upper;
    return;
  }
  warnings.push_back(reader.place(limit->GetLineNum()) + ": <limit> of " + owner + " has lower " +
                     (lower > upper ? "above" : "equal to") +
                     " upper; the position is taken as not limited");
}

void parse_mimic(const XmlReader& reader, const XMLElement& element, const std::string& owner,
                 UrdfJoint& joint) {
  const XMLElement* mimic = element.FirstChildElement("mimic");
  if (!mimic) return;
  joint.mimic = UrdfMimic{.joint = reader.word(*mimic, "joint", owner),
                          .multiplier = reader.number_or(*mimic, "multiplier", owner, 1.0),
                          .offset = reader.number_or(*mimic, "offset", owner, 0.0),
                          .line = mimic->GetLineNum()};
}

UrdfJoint parse_joint(const XmlReader& reader, const XMLElement& element,
                      std::vector<std::string>& warnings) {
  UrdfJoint joint;
  joint.line = element.GetLineNum();
  joint.name = reader.word(element, "name", "the robot");
  const std::string owner = "joint '" + joint.name + "'";
  joint.type = parse_type(reader, element, owner);
  const XMLElement& parent = reader.child(element, "parent", owner);
  const XMLElement& child = reader.child(element, "child", owner);
  joint.parent = reader.word(parent, "link", owner);
  joint.child = reader.word(child, "link", owner);
  joint.parent_line = parent.GetLineNum();
  joint.child_line = child.GetLineNum();
  if (const XMLElement* origin = element.FirstChildElement("origin")) {
    joint.xyz = reader.vector_or(*origin, "xyz", owner, joint.xyz);
    joint.rpy = reader.vector_or(*origin, "rpy", owner, joint.rpy);
  }
  if (joint.type == UrdfJointType::fixed) return joint;

  parse_axis(reader, element, owner, joint, warnings);
  parse_limit(reader, element, owner, joint, warnings);
  parse_mimic(reader, element, owner, joint);
  if (const XMLElement* dynamics = element.FirstChildElement("dynamics")) {
    joint.damping = reader.number_or(*dynamics, "damping", owner, 0.0);
    joint.friction = reader.number_or(*dynamics, "friction", owner, 0.0);
  }
  return joint;
}

}  // namespace

Eigen::Matrix3d rotation_from_rpy(const Eigen::Vector3d& rpy) {
  using Eigen::AngleAxisd;
  using Eigen::Vector3d;
  return (AngleAxisd(rpy[2], Vector3d::UnitZ()) * AngleAxisd(rpy[1], Vector3d::UnitY()) *
          AngleAxisd(rpy[0], Vector3d::UnitX()))
      .toRotationMatrix();
}

UrdfTree parse_urdf(const std::string& file, const std::string& text) {
  const XmlReader reader(file);
  tinyxml2::XMLDocument document;
  const XMLElement& robot = parse_robot_element(reader, text, document);

  UrdfTree tree;
  tree.file = file;
  tree.line = robot.GetLineNum();
  tree.name = robot.Attribute("name") ? robot.Attribute("name") : "robot";
  for (const XMLElement* element = robot.FirstChildElement(); element;
       element = element->NextSiblingElement()) {
    const std::string kind = element->Name();
    if (kind == "link") tree.links.push_back(parse_link(reader, *element));
    if (kind == "joint") tree.joints.push_back(parse_joint(reader, *element, tree.warnings));
  }
  if (tree.links.empty())
    reader.fail(robot.GetLineNum(), "<robot> has no <link>; the robot has nothing to identify");
  check_urdf(tree);
  check_meshes(file, robot, tree.warnings);
  return tree;
}

}  // namespace bayesid
