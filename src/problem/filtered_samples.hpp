// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/config.hpp"
#include "bayesid/log.hpp"

namespace bayesid {

/// Logs that were low-pass filtered before they were stored, with a warning that has the cutoff: of
/// positions and velocities whose noise nobody has stated, one sample in each correlation time of
/// the filter counts as measured, the others become NaN.                     docs/math/noise.md
void thin_filtered_samples(const MeasurementConfig& given, Log& log);

}  // namespace bayesid
