// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "bayesid/parameters/relation.hpp"

namespace bayesid {

/// <family>.<link>.<entry> is the name of a trait; the mass has its own.
struct LinkTraitName {
  const char* family;
  const char* entry;
  int trait;
};

inline constexpr std::array<LinkTraitName, 9> link_trait_names{
    {{"com", "x", com_trait},
     {"com", "y", com_trait + 1},
     {"com", "z", com_trait + 2},
     {"inertia", "ixx", central_trait},
     {"inertia", "ixy", central_trait + 1},
     {"inertia", "ixz", central_trait + 3},
     {"inertia", "iyy", central_trait + 2},
     {"inertia", "iyz", central_trait + 4},
     {"inertia", "izz", central_trait + 5}}};

}  // namespace bayesid
