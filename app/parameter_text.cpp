// SPDX-License-Identifier: BSD-3-Clause
#include "parameter_text.hpp"

#include <algorithm>

#include "table.hpp"

namespace bayesid::app {
namespace {

constexpr std::size_t most_rows = 60, most_undetermined = 24;  // of parameters
constexpr std::size_t most_lines = 6;                          // of anything else

std::string more_text(std::size_t count, const std::string& rest_in) {
  if (count <= most_lines) return "";
  return "  … and " + std::to_string(count - most_lines) + " more in " + rest_in + "\n";
}

/// Sums of several parameters; single ones stand in the table of parameters.
std::string sums_text(const Identifiability& from, const std::string& rest_in) {
  std::string lines;
  std::size_t count = 0;
  for (const BaseParameter& one : from.base_parameters) {
    if (one.text == one.terms[0].name || ++count > most_lines) continue;
    lines += "  " + one.text + " = " + with_std(one.value, one.std) + " (without prior ± " +
             number(one.data_std) + ")\n";
  }
  if (count == 0) return "";
  return "Only these sums are identifiable:\n" + lines + more_text(count, rest_in);
}

std::string undetermined_here_text(const Identifiability& from, const std::string& rest_in) {
  std::string lines;
  std::size_t count = 0;
  for (const UndeterminedDirection& one : from.undetermined) {
    if (one.is_structural || ++count > most_lines) continue;
    lines += "  " + one.text + "\n    " + one.motion + "\n";
  }
  if (count == 0) return "";
  return "Not determined by these logs, and the motion that determines them:\n" + lines +
         more_text(count, rest_in);
}

std::string correlations_text(const Identifiability& from) {
  std::string out;
  const std::size_t count = std::min(most_lines / 2, from.correlations.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Correlation& one = from.correlations[i];
    out += "  " + one.a + ", " + one.b + ": " + number(one.value) +
           (one.of_data ? " (without prior " + number(*one.of_data) + ")" : "") + "\n";
  }
  return out.empty() ? "" : "Largest correlations:\n" + out;
}

}  // namespace

std::string parameter_summary(const Robot& robot, const Posterior& posterior) {
  std::vector<Row> rows;
  std::size_t num_determined = 0;
  for (const Estimate& one : posterior.physical) {
    if (one.prior_std <= 0 || one.determined < least_determined) continue;
    if (++num_determined > most_rows) continue;
    rows.push_back({one.name, number(one.prior), with_std(one.value, one.std),
                    unit_of(robot, one.name), percent(one.determined)});
  }
  std::string out = table_text({"parameter", "prior", "estimate", "unit", "determined"}, rows);
  if (num_determined > most_rows) {
    out += "  … and " + std::to_string(num_determined - most_rows) + " more in result.json\n";
  }
  std::vector<std::string> undetermined = names_not_determined(posterior.physical);
  if (undetermined.empty()) return out;
  out += "\n" + std::to_string(undetermined.size()) +
         " values are not determined (less than 10 % of the prior variance removed):\n";
  if (undetermined.size() > most_undetermined) {
    const std::size_t more = undetermined.size() - most_undetermined;
    undetermined.resize(most_undetermined);
    undetermined.push_back("… and " + std::to_string(more) + " more in result.json");
  }
  return out + wrapped(undetermined);
}

std::string identifiability_summary(const Identifiability& from, const std::string& rest_in) {
  if (from.structural_rank == 0) return "";
  return std::to_string(from.structural_rank) + " of " + std::to_string(from.num_parameters) +
         " parameter combinations are identifiable; your logs determine " +
         std::to_string(from.log_rank) + ".\n" + sums_text(from, rest_in) +
         undetermined_here_text(from, rest_in) + correlations_text(from);
}

}  // namespace bayesid::app
