// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/page_files.hpp"

#include <exception>
#include <filesystem>
#include <utility>

#include "report/scene.hpp"

namespace bayesid::pipeline {

std::string scene_of(const Config& config) {
  try {
    return scene_json(config.model);
  } catch (const std::exception&) {
    return "";
  }
}

std::string folder_name(const std::string& folder) {
  std::filesystem::path path = folder;
  if (!path.has_filename()) path = path.parent_path();
  return path.filename().string();
}

void add_page(const std::string& kind, const std::string& folder, ReportResult result, Files& out) {
  ReportData page{.kind = kind, .title = folder_name(folder), .results = {}};
  result.name = page.title;
  if (!result.scene.empty()) out.push_back({"scene.json", result.scene});
  page.results.push_back(std::move(result));
  out.push_back({"report.html", report_html(page)});
}

}  // namespace bayesid::pipeline
