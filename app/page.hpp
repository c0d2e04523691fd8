// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "bayesid/config.hpp"
#include "bayesid/report/page.hpp"
#include "bayesid/report/provenance.hpp"
#include "bayesid/report/result.hpp"

namespace bayesid::app {

/// The first page of a document as lines of text; "" when it has none.
std::string verdict_text(const std::string& document);

/// The same of what is not printed already: warnings, and the line of status.
std::string verdict_text(const std::vector<Verdict>& verdict,
                         const std::vector<std::string>& printed);

/// Versions, files, command line and seed of this run; `config`: text of config.yaml.
Provenance provenance_of(const Arguments& arguments, const Config& config,
                         const std::string& config_text);

/// scene.json of a robot; "" when it cannot be made.
std::string scene_of(const Config& config);

/// A page with one result; `folder` names it.
ReportData page_of(const std::string& kind, const std::string& folder, ReportResult result);

/// Writes report.html, and scene.json when there is a scene.
void write_page(const ReportData& data, OutputFolder& folder);

}  // namespace bayesid::app
