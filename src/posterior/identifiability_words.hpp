// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/posterior/identifiability.hpp"

namespace bayesid {

/// "frame_inertia.link1.izz + armature.joint1 - 0.25 first_moment.link2.x"
std::string combination_text(const std::vector<ParameterTerm>& terms);

/// "mass.link2, told apart by no motion from 0.25 first_moment.link1.x" and the like.
std::string unseen_text(const UnseenDirection& direction);

}  // namespace bayesid
