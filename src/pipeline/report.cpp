// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/report.hpp"

#include <filesystem>

#include "pipeline/write_whole.hpp"
#include "report/file_list.hpp"

namespace bayesid {

namespace fs = std::filesystem;
using pipeline::write_whole;

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
