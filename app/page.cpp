// SPDX-License-Identifier: BSD-3-Clause
#include "page.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bayesid/report/scene.hpp"

namespace bayesid::app {
namespace {

using nlohmann::json;

std::string line(const std::string& light, const std::string& text) {
  constexpr std::size_t column = 8;
  std::string out = light;
  out.resize(std::max(column, out.size() + 1), ' ');
  return out + text + "\n";
}

}  // namespace

std::string verdict_text(const std::string& document) {
  const json doc = json::parse(document, nullptr, false);
  if (!doc.is_object() || !doc.contains("verdict") || !doc["verdict"].is_array()) return "";
  std::string out;
  for (const json& one : doc["verdict"]) {
    if (one.is_object()) out += line(one.value("light", ""), one.value("text", ""));
  }
  return out;
}

std::string verdict_text(const std::vector<Verdict>& verdict,
                         const std::vector<std::string>& printed) {
  std::string out;
  for (const Verdict& one : verdict) {
    const bool is_status = one.topic == "convergence" && one.light == Light::green;
    if (is_status || std::ranges::find(printed, one.text) != printed.end()) continue;
    out += line(to_string(one.light), one.text);
  }
  return out;
}

Provenance provenance_of(const Arguments& arguments, const Config& config,
                         const std::string& config_text) {
  Provenance out = make_provenance(config);
  out.command = arguments.command;
  out.config = config_text;
  out.seed = arguments.seed;
  return out;
}

std::string scene_of(const Config& config) {
  try {
    return scene_json(config.model);
  } catch (const std::exception&) {
    return "";  // the page does without
  }
}

ReportData page_of(const std::string& kind, const std::string& folder, ReportResult result) {
  std::filesystem::path path = folder;
  if (!path.has_filename()) path = path.parent_path();
  ReportData out{.kind = kind, .title = path.filename().string(), .results = {}};
  result.name = out.title;
  out.results.push_back(std::move(result));
  return out;
}

void write_page(const ReportData& data, OutputFolder& folder) {
  for (const ReportResult& one : data.results) {
    if (!one.scene.empty()) folder.write("scene.json", one.scene);
  }
  folder.write("report.html", report_html(data));
}

}  // namespace bayesid::app
