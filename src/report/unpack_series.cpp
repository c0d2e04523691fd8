// SPDX-License-Identifier: BSD-3-Clause
#include "report/unpack_series.hpp"

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "bayesid/error.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

namespace {

std::string inflated(const Json& channel, std::size_t size, const std::string& bytes) {
  const std::size_t offset = channel.at("offset"), length = channel.at("bytes");
  std::string out(size, '\0');
  uLongf found = size;
  const bool fits = offset <= bytes.size() && length <= bytes.size() - offset;
  const bool is_good = fits && uncompress(reinterpret_cast<Bytef*>(out.data()), &found,
                                          reinterpret_cast<const Bytef*>(bytes.data()) + offset,
                                          static_cast<uLong>(length)) == Z_OK;
  if (!is_good || found != size) throw InputError("series.bin: does not match its index");
  return out;
}

VectorXd values_of(const Json& channel, Index samples, const std::string& bytes) {
  const auto n = static_cast<std::size_t>(samples);
  VectorXd out(samples);
  if (channel.value("coding", "") == "float64") {
    const std::string raw = inflated(channel, n * sizeof(double), bytes);
    std::memcpy(out.data(), raw.data(), raw.size());
    return out;
  }
  const std::string raw = inflated(channel, 2 * n, bytes);
  const double lowest = channel.at("minimum"), highest = channel.at("maximum");
  std::uint16_t code = 0;
  for (Index k = 0; k < samples; ++k) {
    code = static_cast<std::uint16_t>(code + static_cast<unsigned char>(raw[k]) +
                                      256U * static_cast<unsigned char>(raw[samples + k]));
    out[k] = code == 65535 ? std::numeric_limits<double>::quiet_NaN()
                           : lowest + code / 65534.0 * (highest - lowest);
  }
  return out;
}

VectorXd time_of(const Json& trajectory, Index samples, const std::string& bytes) {
  const Json& time = trajectory.at("time");
  if (time.contains("channel"))
    return values_of(trajectory.at("channels").at(time["channel"].get<std::size_t>()), samples,
                     bytes);
  const double first = time.at("first"), step = time.at("step");
  return VectorXd::LinSpaced(samples, first, first + step * static_cast<double>(samples - 1));
}

}  // namespace

UnpackedSeries unpack_series(const Json& index, const std::string& bytes) {
  UnpackedSeries out;
  try {
    for (const Json& one : index.at("trajectories")) {
      const Index samples = one.at("samples");
      TrajectoryTable& table = out.tables.emplace_back();
      table.log = one.value("log", "");
      table.segment = one.value("segment", 0);
      table.time = time_of(one, samples, bytes);
      for (const Json& channel : one.at("channels")) {
        table.columns.push_back({channel.value("name", ""), channel.value("unit", ""),
                                 values_of(channel, samples, bytes)});
      }
    }
    for (const Json& one : index.at("clouds")) {
      const Index samples = one.at("samples");
      out.clouds.push_back({one.value("drive", ""), values_of(one.at("speed"), samples, bytes),
                            values_of(one.at("effort"), samples, bytes)});
    }
  } catch (const Json::exception& error) {
    throw InputError(std::string("series of the result is damaged: ") + error.what());
  }
  return out;
}

}  // namespace bayesid
