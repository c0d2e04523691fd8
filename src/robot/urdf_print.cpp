// SPDX-License-Identifier: BSD-3-Clause
#include <tinyxml2.h>

#include <array>
#include <initializer_list>

#include "robot/urdf_tree.hpp"
#include "robot/xyz_text.hpp"

namespace bayesid {
namespace {

void push_origin(tinyxml2::XMLPrinter& out, const Eigen::Vector3d& xyz,
                 const Eigen::Vector3d& rpy) {
  out.OpenElement("origin");
  out.PushAttribute("xyz", xyz_text(xyz).c_str());
  out.PushAttribute("rpy", xyz_text(rpy).c_str());
  out.CloseElement();
}

void push_link(tinyxml2::XMLPrinter& out, const UrdfLink& link) {
  out.OpenElement("link");
  out.PushAttribute("name", link.name.c_str());
  if (link.inertial) {
    const UrdfInertial& inertial = *link.inertial;
    out.OpenElement("inertial");
    push_origin(out, inertial.com, inertial.rpy);
    out.OpenElement("mass");
    out.PushAttribute("value", shortest(inertial.mass).c_str());
    out.CloseElement();
    out.OpenElement("inertia");
    const Eigen::Matrix3d& moments = inertial.inertia;
    constexpr std::array<const char*, 3> axes{"x", "y", "z"};
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        out.PushAttribute((std::string("i") + axes[i] + axes[j]).c_str(),
                          shortest(moments(i, j)).c_str());
    out.CloseElement();
    out.CloseElement();
  }
  out.CloseElement();
}

void push_named(tinyxml2::XMLPrinter& out, const char* element, const char* attribute,
                const std::string& value) {
  out.OpenElement(element);
  out.PushAttribute(attribute, value.c_str());
  out.CloseElement();
}

/// Limits are kept in Joint; the reader of Pinocchio only wants to see some.
void push_limit(tinyxml2::XMLPrinter& out) {
  out.OpenElement("limit");
  out.PushAttribute("lower", "-1e10");
  for (const char* name : {"upper", "velocity", "effort"}) out.PushAttribute(name, "1e10");
  out.CloseElement();
}

void push_joint(tinyxml2::XMLPrinter& out, const UrdfJoint& joint) {
  constexpr std::array<const char*, 4> types{"revolute", "continuous", "prismatic", "fixed"};
  out.OpenElement("joint");
  out.PushAttribute("name", joint.name.c_str());
  out.PushAttribute("type", types[static_cast<std::size_t>(joint.type)]);
  push_origin(out, joint.xyz, joint.rpy);
  push_named(out, "parent", "link", joint.parent);
  push_named(out, "child", "link", joint.child);
  if (joint.type != UrdfJointType::fixed) {
    push_named(out, "axis", "xyz", xyz_text(joint.axis));
    push_limit(out);
  }
  out.CloseElement();
}

}  // namespace

std::string print_urdf(const UrdfTree& tree) {
  tinyxml2::XMLPrinter out;
  out.OpenElement("robot");
  out.PushAttribute("name", tree.name.c_str());
  for (const UrdfLink& link : tree.links) push_link(out, link);
  for (const UrdfJoint& joint : tree.joints) push_joint(out, joint);
  out.CloseElement();
  return out.CStr();
}

}  // namespace bayesid
