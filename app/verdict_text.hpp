// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/result.hpp"

namespace bayesid::app {

/// The verdict of a document as lines of text; "" when it has none.
std::string verdict_text(const std::string& document);

/// The same of what is not printed already: warnings, and the line of status.
std::string verdict_text(const std::vector<Verdict>& verdict,
                         const std::vector<std::string>& printed);

/// "converged after 12 iterations, 3.4 s, 5000 stages, 2 threads"
std::string status_line(const Result& result);

}  // namespace bayesid::app
