// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/report.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "verbs.hpp"
#include "verdict_text.hpp"

namespace bayesid::app {

Signature report_signature() {
  return {.name = "report",
          .positional = "DIR",
          .summary = "rebuild report.html from the folder of a result",
          .options = {{"--out", "FILE", "the page (default: DIR/report.html)"},
                      {"--with", "LIST", "folders of other results beside it, with commas"},
                      {"--figures", "", "write each plot as an SVG file, too"}}};
}

int report(const Arguments& arguments) {
  namespace fs = std::filesystem;
  using nlohmann::json;
  Console console(arguments);
  std::vector<std::string> folders = arguments.list("--with");
  folders.insert(folders.begin(), arguments.positional);
  const ReportData data = read_reports(folders);
  const std::string file =
      arguments.value("--out", (fs::path(arguments.positional) / "report.html").string());
  const std::vector<std::string> written = write_report(data, file, arguments.has("--figures"));
  for (std::size_t i = 1; i < written.size(); ++i) console.print(written[i] + "\n");
  for (const ReportResult& one : data.results) {
    if (data.results.size() > 1) console.print(one.name + "\n");
    console.print(verdict_text(one.document));
  }
  if (!data.comparison.empty()) console.print(verdict_text(data.comparison));
  const auto bytes = fs::file_size(file);
  char size[32];
  std::snprintf(size, sizeof(size), "%.1f MB", static_cast<double>(bytes) / 1e6);
  console.print("page in " + file + ", " + size + "\n");
  console.document(json{{"schema", 1}, {"file", file}, {"kind", data.kind}, {"bytes", bytes}}.dump(
      1, ' ', false, json::error_handler_t::replace));
  return exit_done;
}

}  // namespace bayesid::app
