// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bayesid/sensor.hpp"

namespace bayesid {

/// Three numbers of a sample from `first` on that share a standard deviation, <group>.<what> below
/// `measurements`; none where the vector is not used.
void add_vector_number(const std::string& group, const std::string& what,
                       const std::vector<std::string>& channels, int first,
                       std::optional<double>& std, std::vector<NoiseNumber>& out);

/// The same of a quaternion, whose residual is an angle.
void add_rotation_number(const std::string& group, int first, std::optional<double>& std,
                         std::vector<NoiseNumber>& out);

}  // namespace bayesid
