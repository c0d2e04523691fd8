// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bayesid/excite.hpp"
#include "bayesid/result.hpp"

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
/// The same with a page of one's own, which contains the mark <!--BAYESID-DATA--> once.
std::string report_html(const ReportData& data, std::string_view page);

/// The page of this program.
std::string_view page_template();

/// The plots of a page as SVG files, by name.
std::map<std::string, std::string> make_figures(const ReportResult& result);

/// Contents of the folder of a run. Throws InputError naming the file: folders that are no result,
/// files of a newer program, files that are damaged or do not belong together.
ReportData read_report(const std::string& folder);

/// Several folders beside each other.
ReportData read_reports(const std::vector<std::string>& folders);

/// Draws the page of results, and each plot of the first one as an SVG file beside it on request;
/// gives the names of the files, the page first. Each appears whole or not at all. Throws
/// InputError.
std::vector<std::string> write_report(const ReportData& data, const std::string& file,
                                      bool with_figures = false);

/// excitation.json: achieved information, predicted std, undetermined values, margins, starts.
std::string excitation_json(const Excitation& excitation, const Config& config, unsigned seed);

/// excitation.svg: position, velocity and effort of each joint over time with their limits.
std::string excitation_svg(const Robot& robot, const Excitation& excitation);

/// Position, velocity, acceleration and effort of each joint over time, for series.bin.
TrajectoryTable motion_table(const Robot& robot, const Excitation& excitation);

/// Information over that of the median of random motions, for each base parameter that motions can
/// show: the geometric mean, with the prior and of the data alone. 1 without random motions.
struct GainOverRandom {
  double with_prior = 1, of_data = 1;
};
GainOverRandom gain_over_random(const Excitation& excitation,
                                const std::vector<ExcitationForecast>& random);

}  // namespace bayesid
