// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/result.hpp"
#include "bayesid/robot.hpp"
#include "bayesid/run.hpp"

namespace bayesid {

ModelFacts make_model_facts(const Robot& robot);

/// What the program itself and the files of a configuration tell; command, config and seed are the
/// caller's.
Provenance make_provenance(const Config& config);

}  // namespace bayesid
