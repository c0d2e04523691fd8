// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

#include "bayesid/config.hpp"

namespace bayesid {

// The words that stand for the values of an enum in the file, in the order of the enum.
constexpr std::array<const char*, 2> words(ConstraintType) {
  return {"point", "frame"};
}
constexpr std::array<const char*, 2> words(Axes) {
  return {"local", "world_aligned"};
}
constexpr std::array<const char*, 3> words(Projection) {
  return {"dynamic", "kinematic", "none"};
}
constexpr std::array<const char*, 2> words(Formulation) {
  return {"inverse", "forward"};
}
constexpr std::array<const char*, 3> words(Integrator) {
  return {"semi_implicit_euler", "constant_acceleration", "midpoint"};
}
constexpr std::array<const char*, 2> words(Criterion) {
  return {"information", "condition"};
}

template <typename Enum>
const char* word_of(Enum value) {
  return words(value)[static_cast<std::size_t>(value)];
}

}  // namespace bayesid
