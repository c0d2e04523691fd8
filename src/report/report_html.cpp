// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bayesid/report.hpp"
#include "report/base64.hpp"

namespace bayesid {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view mark = "<!--BAYESID-DATA-->";

/// JSON in which nothing can end a script element or begin markup: such letters stand in strings
/// only, where \uXXXX means the same.
std::string harmless(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest(json.data() + i, json.size() - i);
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (json[i] == '>') {
      out += "\\u003e";
    } else if (json[i] == '&') {
      out += "\\u0026";
    } else if (rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9")) {
      out += rest[2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += json[i];
    }
  }
  return out;
}

Json parsed(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json::parse(text);
}

std::string data_elements(const ReportData& data) {
  Json out{{"page", 1}, {"kind", data.kind}, {"title", data.title}, {"version", BAYESID_VERSION}};
  out["results"] = Json::array();
  std::string series;
  for (const ReportResult& one : data.results) {
    const std::string id = "series-" + std::to_string(out["results"].size());
    Json& entry = out["results"].emplace_back();
    entry["name"] = one.name;
    entry["document"] = parsed(one.document);
    entry["scene"] = parsed(one.scene);
    entry["series"] = one.series.empty() ? Json(nullptr) : Json(id);
    if (one.series.empty()) continue;
    series += "<script type=\"application/octet-stream\" id=\"" + id + "\">" + base64(one.series) +
              "</script>\n";
  }
  out["comparison"] = parsed(data.comparison);
  return "<script type=\"application/json\" id=\"bayesid-data\">" +
         harmless(out.dump(-1, ' ', false, Json::error_handler_t::replace)) + "</script>\n" +
         series;
}

}  // namespace

std::string report_html(const ReportData& data, std::string_view page) {
  const size_t place = page.find(mark);
  if (place == std::string_view::npos)
    throw std::runtime_error("the page has no mark " + std::string(mark));
  std::string out(page.substr(0, place));
  out += data_elements(data);
  out += page.substr(place + mark.size());
  return out;
}

std::string report_html(const ReportData& data) {
  return report_html(data, page_template());
}

}  // namespace bayesid
