// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bayesid/error.hpp"
#include "bayesid/report/page.hpp"
#include "console.hpp"
#include "page.hpp"
#include "report/file_list.hpp"
#include "verbs.hpp"

namespace bayesid::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The first one, and those of --with.
std::vector<std::string> folders_of(const Arguments& arguments) {
  std::vector<std::string> out{arguments.positional};
  std::istringstream words(arguments.value("--with", ""));
  for (std::string word; std::getline(words, word, ',');) out.push_back(word);
  return out;
}

/// Appears whole or not at all: written beside, then renamed.
void write_file(const fs::path& file, const std::string& text) {
  const fs::path temporary = file.string() + ".tmp-" + std::to_string(::getpid());
  std::error_code error, ignored;
  {
    std::ofstream stream(temporary, std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (stream) fs::rename(temporary, file, error);
    if (stream && !error) return;
  }
  fs::remove(temporary, ignored);
  throw InputError("cannot write " + file.string() + (error ? ": " + error.message() : ""));
}

/// Of the first result: others stand beside it on the page only.
void write_figures(const ReportData& data, const fs::path& folder, const Console& console) {
  if (data.results.empty()) return;
  const std::map<std::string, std::string> figures = make_figures(data.results[0]);
  std::vector<std::string> names;
  for (const auto& [name, text] : figures) names.push_back(name);
  report::add_to_file_list(folder, names);
  for (const auto& [name, text] : figures) {
    write_file(folder / name, text);
    console.print((folder / name).string() + "\n");
  }
}

}  // namespace

Signature report_signature() {
  return {.name = "report",
          .positional = "DIR",
          .summary = "draw report.html from the folder of a result again",
          .options = {{"--out", "FILE", "the page (default: DIR/report.html)"},
                      {"--with", "LIST", "folders of other results beside it, with commas"},
                      {"--figures", "", "each plot as an SVG file beside the page, too"}}};
}

int report(const Arguments& arguments) {
  const Console console(arguments);
  const ReportData data = read_reports(folders_of(arguments));
  const fs::path file =
      arguments.value("--out", (fs::path(arguments.positional) / "report.html").string());
  const std::string page = report_html(data);
  write_file(file, page);
  if (arguments.has("--figures")) write_figures(data, file.parent_path(), console);
  for (const ReportResult& one : data.results) {
    if (data.results.size() > 1) console.print(one.name + "\n");
    console.print(verdict_text(one.document));
  }
  if (!data.comparison.empty()) console.print(verdict_text(data.comparison));
  char size[32];
  std::snprintf(size, sizeof(size), "%.1f MB", static_cast<double>(page.size()) / 1e6);
  console.print("page in " + file.string() + ", " + size + "\n");
  console.document(
      json{{"schema", 1}, {"file", file.string()}, {"kind", data.kind}, {"bytes", page.size()}}
          .dump(1, ' ', false, json::error_handler_t::replace));
  return exit_done;
}

}  // namespace bayesid::app
