// SPDX-License-Identifier: BSD-3-Clause
// Curves over time in few bytes: sixteen bits for each number, differences, zlib.
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "bayesid/error.hpp"
#include "bayesid/result.hpp"
#include "problem/model_digest.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

namespace {

constexpr double highest_code = 65534;
constexpr std::uint16_t missing_code = 65535;
constexpr size_t most_bytes = 6'500'000;  // a page of 15 MB holds them as text of base 64

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int failed = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()),
                               static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  if (failed != Z_OK) throw std::runtime_error("zlib cannot compress a series");
  out.resize(size);
  return out;
}

/// How much is given up to become small.
struct Coarseness {
  int quantum = 1;   // codes are multiples of it
  Index stride = 1;  // every such sample is kept
};

struct Range {
  double lowest = 0, highest = 0;
  bool is_empty = true;
};

Range range_of(const VectorXd& values, Index stride) {
  Range out;
  for (Index k = 0; k < values.size(); k += stride) {
    if (!std::isfinite(values[k])) continue;
    out.lowest = out.is_empty ? values[k] : std::min(out.lowest, values[k]);
    out.highest = out.is_empty ? values[k] : std::max(out.highest, values[k]);
    out.is_empty = false;
  }
  return out;
}

/// All low bytes, then all high bytes, of the differences of the codes.
std::string coded(const VectorXd& values, const Range& range, const Coarseness& coarse) {
  const double span = range.highest - range.lowest;
  std::string low, high;
  std::uint16_t before = 0;
  for (Index k = 0; k < values.size(); k += coarse.stride) {
    std::uint16_t code = missing_code;
    if (std::isfinite(values[k])) {
      const double place =
          span > 0 ? (values[k] - range.lowest) / span * highest_code / coarse.quantum : 0.0;
      code = static_cast<std::uint16_t>(std::min(highest_code, std::round(place) * coarse.quantum));
    }
    const auto difference = static_cast<std::uint16_t>(code - before);
    low += static_cast<char>(difference & 0xffU);
    high += static_cast<char>(difference >> 8U);
    before = code;
  }
  return low + high;
}

std::string raw_doubles(const VectorXd& values, Index stride) {
  static_assert(std::endian::native == std::endian::little);
  std::string out;
  for (Index k = 0; k < values.size(); k += stride) {
    char bytes[sizeof(double)];
    std::memcpy(bytes, &values[k], sizeof(double));
    out.append(bytes, sizeof(double));
  }
  return out;
}

Json entry(const Column& column, const std::string& packed, std::string& bytes) {
  Json out{{"name", column.name},
           {"unit", column.unit},
           {"offset", bytes.size()},
           {"bytes", packed.size()}};
  bytes += packed;
  return out;
}

/// Null when nothing was measured.
Json add_column(const Column& column, const Coarseness& coarse, std::string& bytes) {
  const Range range = range_of(column.values, coarse.stride);
  if (range.is_empty) return nullptr;
  Json out = entry(column, deflated(coded(column.values, range, coarse)), bytes);
  out["minimum"] = range.lowest;
  out["maximum"] = range.highest;
  if (coarse.quantum > 1) out["quantum"] = coarse.quantum;
  return out;
}

/// First and step when the samples are even to a hundredth of it, else a channel of its own.
Json add_time(const VectorXd& time, Index stride, Json& channels, std::string& bytes) {
  const Index n = time.size();
  const Index kept = (n + stride - 1) / stride;
  const double step =
      kept > 1 ? (time[(kept - 1) * stride] - time[0]) / static_cast<double>(kept - 1) : 0.0;
  bool is_even = true;
  for (Index i = 0; i < kept; ++i) {
    const double expected = time[0] + static_cast<double>(i) * step;
    is_even = is_even && std::abs(time[i * stride] - expected) <= 0.01 * step;
  }
  if (is_even && n > 0) return {{"first", time[0]}, {"step", step}};
  Json channel = entry({"time", "s", {}}, deflated(raw_doubles(time, stride)), bytes);
  channel["coding"] = "float64";
  channels.push_back(channel);
  return {{"channel", channels.size() - 1}};
}

PackedSeries packed(const std::vector<TrajectoryTable>& tables,
                    const std::vector<FrictionCloud>& clouds, const Coarseness& coarse) {
  PackedSeries out;
  Json index{{"bytes", 0}, {"sha256", ""}, {"trajectories", Json::array()}};
  for (const TrajectoryTable& table : tables) {
    Json channels = Json::array();
    const Json time = add_time(table.time, coarse.stride, channels, out.bytes);
    for (const Column& column : table.columns) {
      const Json channel = add_column(column, coarse, out.bytes);
      if (!channel.is_null()) channels.push_back(channel);
    }
    const Index samples = (table.time.size() + coarse.stride - 1) / coarse.stride;
    Json one{{"log", table.log}, {"segment", table.segment}, {"samples", samples}, {"time", time}};
    if (coarse.stride > 1) one["every"] = coarse.stride;
    one["channels"] = channels;
    index["trajectories"].push_back(one);
  }
  index["clouds"] = Json::array();
  for (const FrictionCloud& cloud : clouds) {
    const std::string name = "friction." + cloud.drive;
    const Json speed = add_column({name + ".speed", "", cloud.speed}, {}, out.bytes);
    const Json effort = add_column({name + ".effort", "", cloud.effort}, {}, out.bytes);
    if (speed.is_null() || effort.is_null()) continue;
    index["clouds"].push_back({{"drive", cloud.drive},
                               {"samples", cloud.speed.size()},
                               {"speed", speed},
                               {"effort", effort}});
  }
  index["bytes"] = out.bytes.size();
  index["sha256"] = digest(out.bytes);
  out.index = index.dump(-1, ' ', false, Json::error_handler_t::replace);
  return out;
}

}  // namespace

PackedSeries pack_series(const std::vector<TrajectoryTable>& tables,
                         const std::vector<FrictionCloud>& clouds) {
  constexpr int most_stride = 1048576;
  Coarseness coarse;
  PackedSeries out = packed(tables, clouds, coarse);
  // Rounding is not seen in a plot before samples are missed in it.
  for (const int quantum : {8, 64}) {
    if (out.bytes.size() <= most_bytes) return out;
    coarse.quantum = quantum;
    out = packed(tables, clouds, coarse);
  }
  while (out.bytes.size() > most_bytes && coarse.stride < most_stride) {
    coarse.stride *= 2;
    out = packed(tables, clouds, coarse);
  }
  return out;
}

}  // namespace bayesid
