// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/log.hpp"

namespace bayesid {

/// A log that is written faster than a sensor speaks repeats the sensor's last sample. Of each run
/// of equal samples of a group the first one stays, the others become NaN, with a warning, where
/// the evidence is clear: the whole group repeats exactly while one of its channels changes by more
/// than its steps. Efforts that repeat in the same rows hold as before.
void drop_held_samples(Log& log);

}  // namespace bayesid
