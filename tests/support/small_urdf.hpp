// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace bayesid::test {

/// Two links on a base: the robot whose parts the tests break one by one.
inline const std::string small_urdf = R"(<?xml version="1.0"?>
<robot name="small">
  <link name="base"/>
  <link name="arm">
    <inertial>
      <origin xyz="0.1 0.02 -0.3" rpy="0.1 0.2 0.3"/>
      <mass value="2.5"/>
      <inertia ixx="0.03" ixy="0.001" ixz="0.002" iyy="0.04" iyz="-0.001" izz="0.02"/>
    </inertial>
  </link>
  <link name="hand">
    <inertial>
      <mass value="0.5"/>
      <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.002"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="arm"/>
    <origin xyz="0 0 0.5" rpy="0 0 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-2" upper="1.5" effort="50" velocity="3"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="arm"/>
    <child link="hand"/>
    <origin xyz="0 0 -0.6" rpy="0.3 0 0"/>
    <axis xyz="0 0 1"/>
    <limit lower="0" upper="0.2" effort="20" velocity="0.5"/>
  </joint>
</robot>
)";

/// The text with the one place that reads `from` changed to `to`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no '" + from + "' in the text");
  return text.replace(at, from.size(), to);
}

}  // namespace bayesid::test
