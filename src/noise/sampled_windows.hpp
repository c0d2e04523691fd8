// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "bayesid/problem.hpp"

namespace bayesid {

/// Samples `first` to `first + count` of a recording without contacts.
Recording part_of(const Recording& recording, int first, int count);

/// Windows spread evenly over long recordings, about `most` samples together; the recordings
/// themselves where they are not much longer. A regression on them takes a part of the time.
/// docs/math/noise.md
std::vector<Recording> sampled_windows(const std::vector<Recording>& recordings, int most);

}  // namespace bayesid
