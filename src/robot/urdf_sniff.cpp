// SPDX-License-Identifier: BSD-3-Clause
#include "robot/urdf_sniff.hpp"

#include <algorithm>
#include <string_view>

namespace bayesid {
namespace {

int count_lines(const std::string& text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + last, '\n'));
}

[[noreturn]] void fail_xml(const XmlReader& reader, const std::string& text,
                           const tinyxml2::XMLDocument& document) {
  const std::size_t begin = text.find("<robot");
  if (begin != std::string::npos && text.find("</robot", begin) == std::string::npos)
    reader.fail(count_lines(text),
                "the file ends before </robot>: it is truncated; copy or export it again");
  if (text.find('<') == std::string::npos)
    reader.fail(1, "the file is not XML, expected a URDF with a <robot> element");
  reader.fail(std::max(1, document.ErrorLineNum()),
              std::string("the XML is broken here (") + document.ErrorName() +
                  "); check that every element is closed and every value quoted");
}

[[noreturn]] void fail_root(const XmlReader& reader, const tinyxml2::XMLElement* root) {
  if (!root) reader.fail(1, "there is no <robot> element; expected a URDF");
  const std::string_view name = root->Name();
  if (name == "mujoco" || name == "mujocoinclude")
    reader.fail(root->GetLineNum(),
                "this is an MJCF file (<" + std::string(name) + ">), expected a URDF with <robot>");
  if (name == "sdf")
    reader.fail(root->GetLineNum(), "this is an SDF file (<sdf>), expected a URDF with <robot>");
  reader.fail(root->GetLineNum(),
              "the first element is <" + std::string(name) + ">, expected <robot> as in a URDF");
}

/// xacro leaves its namespace in expanded files, so only its elements and ${…} count.
void check_xacro(const XmlReader& reader, const tinyxml2::XMLElement& element) {
  const std::string remedy = ": xacro that was not expanded; run `xacro in.xacro > out.urdf`";
  const std::string_view name = element.Name();
  if (name.starts_with("xacro:"))
    reader.fail(element.GetLineNum(), "<" + std::string(name) + ">" + remedy);
  if (name == "gazebo" || name == "transmission" || name == "ros2_control") return;
  for (const tinyxml2::XMLAttribute* a = element.FirstAttribute(); a; a = a->Next()) {
    const std::string_view value = a->Value();
    if (value.find("${") == std::string_view::npos && value.find("$(") == std::string_view::npos)
      continue;
    reader.fail(a->GetLineNum(), "<" + std::string(name) + " " + a->Name() + "=\"" +
                                     std::string(value) + "\">" + remedy);
  }
  for (const tinyxml2::XMLElement* child = element.FirstChildElement(); child;
       child = child->NextSiblingElement())
    check_xacro(reader, *child);
}

}  // namespace

const tinyxml2::XMLElement& parse_robot_element(const XmlReader& reader, const std::string& text,
                                                tinyxml2::XMLDocument& document) {
  const tinyxml2::XMLError error = document.Parse(text.data(), text.size());
  if (error == tinyxml2::XML_ERROR_EMPTY_DOCUMENT) fail_root(reader, nullptr);
  if (error != tinyxml2::XML_SUCCESS) fail_xml(reader, text, document);
  const tinyxml2::XMLElement* root = document.RootElement();
  if (!root || std::string_view(root->Name()) != "robot") fail_root(reader, root);
  check_xacro(reader, *root);
  return *root;
}

}  // namespace bayesid
