// SPDX-License-Identifier: BSD-3-Clause
#include "robot/urdf_visuals.hpp"

#include <tinyxml2.h>

#include <map>
#include <optional>
#include <sstream>

#include "robot/xml_reader.hpp"

namespace bayesid {

using Eigen::Vector3d;
using tinyxml2::XMLElement;

namespace {

using Colors = std::map<std::string, std::array<double, 4>>;

/// As many numbers as the attribute should have; nothing when it has others.
std::vector<double> numbers(const XMLElement& element, const char* attribute, std::size_t count) {
  const char* text = element.Attribute(attribute);
  std::istringstream words(text ? text : "");
  std::vector<double> out;
  for (std::string word; words >> word;) {
    double value = 0;
    if (!parse_number(word, value)) return {};
    out.push_back(value);
  }
  return out.size() == count ? out : std::vector<double>();
}

Vector3d vector_or(const XMLElement& element, const char* attribute, const Vector3d& otherwise) {
  const std::vector<double> found = numbers(element, attribute, 3);
  return found.empty() ? otherwise : Vector3d(found[0], found[1], found[2]);
}

std::optional<std::array<double, 4>> color_of(const XMLElement& material, const Colors& known) {
  if (const XMLElement* color = material.FirstChildElement("color")) {
    const std::vector<double> rgba = numbers(*color, "rgba", 4);
    if (!rgba.empty()) return std::array<double, 4>{rgba[0], rgba[1], rgba[2], rgba[3]};
  }
  const char* name = material.Attribute("name");
  const auto found = known.find(name ? name : "");
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

bool read_shape(const XMLElement& geometry, UrdfVisual& out) {
  const XMLElement* shape = geometry.FirstChildElement();
  if (!shape) return false;
  out.shape = shape->Name();
  const std::vector<double> radius = numbers(*shape, "radius", 1);
  const std::vector<double> length = numbers(*shape, "length", 1);
  if (!radius.empty()) out.radius = radius[0];
  if (!length.empty()) out.length = length[0];
  if (out.shape == "box") {
    out.size = vector_or(*shape, "size", Vector3d::Zero());
    return !out.size.isZero(0);
  }
  if (out.shape == "mesh") {
    out.size = vector_or(*shape, "scale", Vector3d::Ones());
    out.mesh = shape->Attribute("filename") ? shape->Attribute("filename") : "";
    return !out.mesh.empty();
  }
  if (out.shape == "sphere") return out.radius > 0;
  return (out.shape == "cylinder" || out.shape == "capsule") && out.radius > 0;
}

void read_link(const XMLElement& link, const Colors& colors, std::vector<UrdfVisual>& out) {
  for (const XMLElement* visual = link.FirstChildElement("visual"); visual;
       visual = visual->NextSiblingElement("visual")) {
    UrdfVisual one;
    one.link = link.Attribute("name") ? link.Attribute("name") : "";
    const XMLElement* geometry = visual->FirstChildElement("geometry");
    if (!geometry || !read_shape(*geometry, one)) continue;
    if (const XMLElement* origin = visual->FirstChildElement("origin")) {
      one.xyz = vector_or(*origin, "xyz", one.xyz);
      one.rpy = vector_or(*origin, "rpy", one.rpy);
    }
    if (const XMLElement* material = visual->FirstChildElement("material"))
      one.color = color_of(*material, colors).value_or(one.color);
    out.push_back(one);
  }
}

}  // namespace

std::vector<UrdfVisual> read_visuals(const std::string& urdf_file) {
  tinyxml2::XMLDocument document;
  std::vector<UrdfVisual> out;
  const std::string text = read_text(urdf_file);
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) return out;
  const XMLElement* robot = document.FirstChildElement("robot");
  if (!robot) return out;
  Colors colors;
  for (const XMLElement* material = robot->FirstChildElement("material"); material;
       material = material->NextSiblingElement("material")) {
    const char* name = material->Attribute("name");
    if (const auto color = color_of(*material, {}); color && name) colors[name] = *color;
  }
  for (const XMLElement* link = robot->FirstChildElement("link"); link;
       link = link->NextSiblingElement("link"))
    read_link(*link, colors, out);
  return out;
}

}  // namespace bayesid
