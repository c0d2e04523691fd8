// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "bayesid/log.hpp"

namespace bayesid::report {

/// Groups of channels of a log, in documents that keep the order of keys and in those that do not.
template <typename Json>
Json groups_json(const LogFacts& facts) {
  Json out = Json::object();
  for (const auto& [name, group] : facts.groups) {
    out[name] = {{"channels", group.channels},
                 {"samples", group.samples},
                 {"rate", group.rate},
                 {"longest_gap", group.longest_gap},
                 {"longest_gap_at", group.longest_gap_at}};
  }
  return out;
}

}  // namespace bayesid::report
