// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/posterior.hpp"
#include "bayesid/robot.hpp"

namespace bayesid::app {

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell; the first is flush left, the others flush right.
std::string table_text(const Row& header, const std::vector<Row>& rows);

/// Words with commas, in lines of at most 100 letters, indented by two.
std::string wrapped(const std::vector<std::string>& words);

/// Four digits.
std::string number(double value);
/// "0.312 ± 0.021": as many digits as the standard deviation justifies.
std::string with_std(double value, double std);
/// "97 %"
std::string percent(double share);

/// Unit of a physical value by its name; "" for ratios.
std::string unit_of(const Robot& robot, const std::string& name);

/// Root mean square of the effort error of each joint, before and after, and as a share of the
/// range.
std::string effort_table(const std::vector<std::string>& joints, const EffortError& nominal,
                         const EffortError& identified);

}  // namespace bayesid::app
