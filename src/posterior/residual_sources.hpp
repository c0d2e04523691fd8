// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/posterior.hpp"
#include "posterior/residual_samples.hpp"

namespace bayesid::posterior {

/// What the residual of one joint depends on, and the usual suspects behind it.
JointResidual locate_sources(const ResidualSamples& samples);

}  // namespace bayesid::posterior
