// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <array>
#include <charconv>
#include <string>

namespace bayesid {

/// The shortest text that reads back as the same number, whatever the locale.
inline std::string number_text(double value) {
  std::array<char, 32> buffer;
  const std::to_chars_result end = std::to_chars(buffer.data(), buffer.data() + 32, value);
  return {buffer.data(), end.ptr};
}

inline std::string number_text(const Eigen::Vector3d& v) {
  return number_text(v[0]) + " " + number_text(v[1]) + " " + number_text(v[2]);
}

}  // namespace bayesid
