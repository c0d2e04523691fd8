// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/report.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bayesid/error.hpp"
#include "report/file_list.hpp"

namespace bayesid {
namespace {

namespace fs = std::filesystem;

/// Written beside, then renamed.
void write_whole(const fs::path& file, const std::string& text) {
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

}  // namespace

std::vector<std::string> write_report(const ReportData& data, const std::string& file,
                                      bool with_figures) {
  std::vector<std::string> out{file};
  write_whole(file, report_html(data));
  if (!with_figures || data.results.empty()) return out;
  const fs::path folder = fs::path(file).parent_path();
  const std::map<std::string, std::string> figures = make_figures(data.results[0]);
  std::vector<std::string> names;
  for (const auto& [name, text] : figures) names.push_back(name);
  report::add_to_file_list(folder, names);
  for (const auto& [name, text] : figures) {
    out.push_back((folder / name).string());
    write_whole(out.back(), text);
  }
  return out;
}

}  // namespace bayesid
