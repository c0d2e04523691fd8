// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "bayesid/result.hpp"

namespace bayesid {

/// The tables and clouds of series.bin again, as far as its codes tell. Throws InputError when the
/// index does not fit the bytes.
struct UnpackedSeries {
  std::vector<TrajectoryTable> tables;
  std::vector<FrictionCloud> clouds;
};
UnpackedSeries unpack_series(const nlohmann::ordered_json& index, const std::string& bytes);

}  // namespace bayesid
