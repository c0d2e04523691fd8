// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "bayesid/result.hpp"
#include "report/csv_cell.hpp"
#include "report/number.hpp"

namespace bayesid {

std::string trajectory_csv(const std::vector<TrajectoryTable>& tables) {
  constexpr int value_digits = 10;
  const bool several = tables.size() > 1;
  std::string out = several ? "log,time" : "time";
  if (tables.empty()) return out + "\n";
  for (const Column& column : tables[0].columns) out += "," + csv_cell(column.name);
  out += '\n';
  for (size_t t = 0; t < tables.size(); ++t) {
    for (Eigen::Index k = 0; k < tables[t].time.size(); ++k) {
      if (several) out += std::to_string(t) + ",";
      out += shortest(tables[t].time[k]);
      for (const Column& column : tables[t].columns) {
        out += ',';
        if (!std::isnan(column.values[k])) append_number(out, column.values[k], value_digits);
      }
      out += '\n';
    }
  }
  return out;
}

}  // namespace bayesid
