// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace bayesid::test {

/// What one run of the program left.
struct Run {
  int code = -1;
  std::string out, err;
};

/// Runs the built program in `folder`. With `signal`, it is sent once standard error holds `after`.
/// With `largest_file`, writes fail beyond so many bytes of a file, as on a disk that is full.
Run run_program(const std::string& folder, const std::vector<std::string>& words, int signal = 0,
                const std::string& after = "", unsigned largest_file = 0);

/// The whole file; "" when there is none.
std::string text_of(const std::string& file);

/// An arm of two joints, a configuration and a log of one second that identify in a moment.
struct SmallCase {
  std::string urdf, config, log;
};
const SmallCase& small_case();

/// A slide that stands on the ground, with an arm that hangs from it: 3 kg.
inline constexpr const char* slide_urdf = R"(<?xml version="1.0"?>
<robot name="slide">
  <link name="ground"/>
  <joint name="lift" type="prismatic">
    <parent link="ground"/><child link="carriage"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="100" velocity="2"/>
  </joint>
  <link name="carriage">
    <inertial><mass value="2"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>
  </link>
  <joint name="arm" type="revolute">
    <parent link="carriage"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="5"/>
  </joint>
  <link name="arm">
    <inertial><origin xyz="0 0 -0.2"/><mass value="1"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
  </link>
</robot>
)";

}  // namespace bayesid::test
