// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "bayesid/posterior.hpp"
#include "bayesid/run.hpp"

namespace bayesid {

/// `model_error` of result.json.
nlohmann::ordered_json model_error_json(const std::vector<JointResidual>& joints);

/// At most the three largest findings, where they matter: more than a tenth of a residual that the
/// noise does not explain.
std::vector<Verdict> model_error_verdict(const std::vector<JointResidual>& joints);

}  // namespace bayesid
