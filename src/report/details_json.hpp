// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "bayesid/result.hpp"

namespace bayesid {

/// Keys that the page needs beside the others, into a document.
void add_details(const Result& result, nlohmann::ordered_json& out);

nlohmann::ordered_json verdict_json(const std::vector<Verdict>& verdict);
nlohmann::ordered_json model_json(const ModelFacts& model);
nlohmann::ordered_json provenance_json(const Provenance& provenance);
/// What is known of the logs as they were recorded.
nlohmann::ordered_json log_quality_json(const std::vector<LogUse>& logs,
                                        const Posterior* posterior);

}  // namespace bayesid
