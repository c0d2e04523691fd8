// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/report/page.hpp"

namespace bayesid {

/// Draws the page of results, and each plot of the first one as an SVG file beside it when asked;
/// gives the names of the files, the page first. Each appears whole or not at all. Throws
/// InputError.
std::vector<std::string> write_report(const ReportData& data, const std::string& file,
                                      bool with_figures = false);

}  // namespace bayesid
