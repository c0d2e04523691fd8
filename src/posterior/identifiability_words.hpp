// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/posterior.hpp"

namespace bayesid {

/// "frame_inertia.link1.izz + armature.joint1 - 0.25 first_moment.link2.x"
std::string base_parameter_text(const std::vector<ParameterTerm>& terms);

/// "mass.link2, not identifiable apart from 0.25 first_moment.link1.x" and the like.
std::string undetermined_text(const UndeterminedDirection& direction);

}  // namespace bayesid
