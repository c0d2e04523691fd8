// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bayesid {

/// A result as it stands in its folder.
struct ReportResult {
  std::string name;
  std::string document;     // text of result.json, validation.json or excitation.json
  std::string scene = {};   // text of scene.json; "": none
  std::string series = {};  // bytes of series.bin; "": none
};

/// All that report.html is made from.
struct ReportData {
  std::string kind;  // identify, validate, compare or excite
  std::string title;
  std::vector<ReportResult> results;
  std::string comparison = {};  // text of comparison.json; "": none
};

/// The page with the data put in: one file that needs no other.
std::string report_html(const ReportData& data);
/// The same with a page of one's own, which holds the mark <!--BAYESID-DATA--> once.
std::string report_html(const ReportData& data, std::string_view page);

/// The page of this program.
std::string_view page_template();

/// The plots of a page as SVG files, by name.
std::map<std::string, std::string> make_figures(const ReportResult& result);

/// What the folder of a run holds. Throws InputError naming the file: folders that are no result,
/// files of a newer program, files that are damaged or do not belong together.
ReportData read_report(const std::string& folder);

/// Several folders beside each other.
ReportData read_reports(const std::vector<std::string>& folders);

}  // namespace bayesid
