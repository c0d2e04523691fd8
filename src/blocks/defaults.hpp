// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

namespace bayesid::blocks::defaults {

/// Prior mean as a physical value; prior std in estimation coordinates.
struct Prior {
  double mean, std;
};

/// γ0…γ5 when neither the configuration nor the URDF says more.   docs/math/parameters.md, table 1
inline constexpr std::array<Prior, 7> friction{{
    {0.1, 1.0},   // stiction, N·m
    {10.0, 0.1},  // stribeck1, s/rad
    {2.0, 0.2},   // stribeck2, s/rad; std of the value itself
    {0.1, 1.0},   // coulomb, N·m
    {10.0, 0.1},  // coulomb_slope, s/rad
    {0.1, 1.0},   // viscous, N·m·s/rad
    {0.1, 1.0},   // presliding, N·m
}};
/// stribeck1 over stribeck2, when only one of them is given.
inline constexpr double stribeck_ratio = friction[1].mean / friction[2].mean;

inline constexpr double presliding_distance = 3e-4;  // rad

inline constexpr Prior armature{0.01, 0.7};  // kg·m²
inline constexpr Prior effort_gain{1.0, 0.1};
inline constexpr Prior effort_offset{0.0, 1.0};  // N·m
inline constexpr Prior gear_ratio{1.0, 0.1};

}  // namespace bayesid::blocks::defaults
