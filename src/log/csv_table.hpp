// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "log/column_map.hpp"
#include "log/csv.hpp"
#include "log/table.hpp"

namespace bayesid {

/// The rows of a CSV text after its header; throws InputError naming file, line and column.
Table read_csv_table(CsvReader& csv, const ColumnMap& map, const std::string& file);

}  // namespace bayesid
