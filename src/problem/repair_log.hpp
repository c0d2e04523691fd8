// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/log.hpp"
#include "bayesid/robot.hpp"

namespace bayesid {

/// Repairs what has one explanation only, and adds what it did to the warnings of the log: angles
/// that wrap, single encoder samples far off, velocities that are zero while the joint moves,
/// quaternions that rounding made too long. Throws InputError for quaternions of another length.
void repair_log(const Robot& robot, Log& log);

}  // namespace bayesid
