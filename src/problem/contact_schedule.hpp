// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/log.hpp"
#include "bayesid/problem.hpp"

namespace bayesid {

/// Fills phases and impacts of the segments of log `index`: from the configuration, or else phases
/// from the channels contact.<name>. Throws InputError for an impact outside of the log; what is
/// left out is added to `warnings`.
void add_contact_schedule(const Config& config, std::size_t index, const Log& log,
                          std::vector<Recording>& segments, std::vector<std::string>& warnings);

}  // namespace bayesid
