// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tinyxml2.h>

#include <string>

#include "robot/xml_reader.hpp"

namespace bayesid {

/// Parses the XML and gives its <robot>. Throws InputError that names what the file is instead:
/// truncated, xacro that was not expanded, MJCF, SDF, something else.
const tinyxml2::XMLElement& parse_robot_element(const XmlReader& reader, const std::string& text,
                                                tinyxml2::XMLDocument& document);

}  // namespace bayesid
