// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/report.hpp"
#include "bayesid/run.hpp"

namespace bayesid::pipeline {

/// scene.json of a robot; "" when it cannot be made: the page does without.
std::string scene_of(const Config& config);

/// The last name of a path: title of its page.
std::string folder_name(const std::string& folder);

/// Adds report.html, and scene.json when there is a scene, of one result in `folder`.
void add_page(const std::string& kind, const std::string& folder, ReportResult result, Files& out);

}  // namespace bayesid::pipeline
