// SPDX-License-Identifier: BSD-3-Clause
#include "verdict_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "table.hpp"

namespace bayesid::app {
namespace {

using nlohmann::json;

std::string line(const std::string& severity, const std::string& text) {
  constexpr std::size_t column = 8;
  std::string out = severity;
  out.resize(std::max(column, out.size() + 1), ' ');
  return out + text + "\n";
}

}  // namespace

std::string verdict_text(const std::string& document) {
  const json doc = json::parse(document, nullptr, false);
  if (!doc.is_object() || !doc.contains("verdict") || !doc["verdict"].is_array()) return "";
  std::string out;
  for (const json& one : doc["verdict"]) {
    if (one.is_object()) out += line(one.value("severity", ""), one.value("text", ""));
  }
  return out;
}

std::string verdict_text(const std::vector<Verdict>& verdict,
                         const std::vector<std::string>& printed) {
  std::string out;
  for (const Verdict& one : verdict) {
    const bool is_status = one.topic == "convergence" && one.severity == Severity::ok;
    if (is_status || std::ranges::find(printed, one.text) != printed.end()) continue;
    out += line(to_string(one.severity), one.text);
  }
  return out;
}

std::string status_line(const Result& result) {
  std::string name = to_string(result.status);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name + " after " + std::to_string(result.history.size()) + " iterations, " +
         number(result.timing.total) + " s, " + std::to_string(result.num_stages) + " stages, " +
         std::to_string(result.posterior.rank) + " of " +
         std::to_string(result.posterior.names.size()) + " parameter combinations determined\n";
}

}  // namespace bayesid::app
