// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/result.hpp"

namespace bayesid {

/// What documents of all commands have in common, for the page.
struct DocumentFacts {
  const ModelFacts* model = nullptr;
  const std::vector<Verdict>* verdict = nullptr;
  const Provenance* provenance = nullptr;
  const std::vector<LogUse>* logs = nullptr;
  const PackedSeries* series = nullptr;
};

/// The text of a JSON document with `model`, `verdict`, `provenance`, `log_quality` and `series`
/// added where they are given.
std::string with_facts(const std::string& document, const DocumentFacts& facts);

}  // namespace bayesid
