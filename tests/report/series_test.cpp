// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <zlib.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "bayesid/report.hpp"
#include "bayesid/result.hpp"
#include "problem/model_digest.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

using Json = nlohmann::json;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The values of a channel, by the description in docs/guide/results.md.
VectorXd decoded(const Json& channel, Index samples, const std::string& bytes) {
  const std::string packed = bytes.substr(channel["offset"], channel["bytes"]);
  std::string raw(2 * samples, '\0');
  uLongf size = raw.size();
  BOOST_REQUIRE(uncompress(reinterpret_cast<Bytef*>(raw.data()), &size,
                           reinterpret_cast<const Bytef*>(packed.data()), packed.size()) == Z_OK);
  const double lowest = channel["minimum"], highest = channel["maximum"];
  VectorXd out(samples);
  std::uint16_t code = 0;
  for (Index k = 0; k < samples; ++k) {
    code = static_cast<std::uint16_t>(code + static_cast<unsigned char>(raw[k]) +
                                      256U * static_cast<unsigned char>(raw[samples + k]));
    out[k] = code == 65535 ? nan : lowest + code / 65534.0 * (highest - lowest);
  }
  return out;
}

TrajectoryTable noisy_table(Index samples, int num_columns) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  TrajectoryTable out{.log = "run1.csv",
                      .time = VectorXd::LinSpaced(samples, 0, 1e-3 * (samples - 1)),
                      .columns = {}};
  for (int i = 0; i < num_columns; ++i) {
    VectorXd values(samples);
    for (Index k = 0; k < samples; ++k)
      values[k] = std::sin(1e-3 * k * (i + 1)) + 0.02 * normal(random);
    out.columns.push_back({"column" + std::to_string(i), "N·m", values});
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(series_come_back_within_half_a_step) {
  TrajectoryTable table = noisy_table(1000, 3);
  table.columns[1].values[17] = nan;
  table.columns[1].values[18] = std::numeric_limits<double>::infinity();
  table.columns[2].values.setConstant(4.5);
  table.columns.push_back({"never", "", VectorXd::Constant(1000, nan)});
  const PackedSeries packed = pack_series({table}, {});
  const Json index = Json::parse(packed.index);
  BOOST_TEST(index["bytes"] == packed.bytes.size());
  BOOST_TEST(index["sha256"] == digest(packed.bytes));
  const Json& one = index["trajectories"][0];
  BOOST_TEST(one["samples"] == 1000);
  BOOST_TEST(std::abs(one["time"]["step"].get<double>() - 1e-3) < 1e-12);
  BOOST_REQUIRE(one["channels"].size() == 3u);  // what was never measured is left out
  for (int i = 0; i < 3; ++i) {
    const Json& channel = one["channels"][i];
    const double step =
        (channel["maximum"].get<double>() - channel["minimum"].get<double>()) / 65534;
    const VectorXd values = decoded(channel, 1000, packed.bytes);
    for (Index k = 0; k < 1000; ++k) {
      const double before = table.columns[i].values[k];
      if (!std::isfinite(before)) {
        BOOST_TEST(std::isnan(values[k]));
      } else {
        BOOST_TEST(std::abs(values[k] - before) <= 0.5 * step * (1 + 1e-9));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(series_of_uneven_samples_keep_their_times) {
  TrajectoryTable table = noisy_table(100, 1);
  table.time[50] += 4e-4;
  const PackedSeries packed = pack_series({table}, {});
  const Json one = Json::parse(packed.index)["trajectories"][0];
  const Json& channel = one["channels"][one["time"]["channel"].get<size_t>()];
  BOOST_TEST(channel["coding"] == "float64");
  std::string raw(800, '\0');
  uLongf size = raw.size();
  BOOST_REQUIRE(uncompress(reinterpret_cast<Bytef*>(raw.data()), &size,
                           reinterpret_cast<const Bytef*>(packed.bytes.data()) +
                               channel["offset"].get<size_t>(),
                           channel["bytes"].get<size_t>()) == Z_OK);
  BOOST_TEST(std::memcmp(raw.data(), table.time.data(), 800) == 0);
}

// 100 s at 1 kHz of an arm with 7 joints: 11 channels for each joint and four of energy. All noise,
// which is harder to pack than what robots do.
BOOST_AUTO_TEST_CASE(page_of_a_long_log_stays_below_15_megabytes) {
  const PackedSeries packed = pack_series({noisy_table(100000, 81)}, {});
  ReportData data{.kind = "identify", .title = "long", .results = {}};
  data.results.push_back({.name = "long", .document = "{}", .series = packed.bytes});
  // Beside the series: a page with its scripts, numbers and meshes, 4 MB together.
  const double megabytes =
      static_cast<double>(report_html(data, "<!--BAYESID-DATA-->").size()) / 1e6;
  BOOST_TEST_MESSAGE("series in the page: " << megabytes << " MB");
  BOOST_TEST(megabytes < 11);
  const Json one = Json::parse(packed.index)["trajectories"][0];
  const VectorXd values = decoded(one["channels"][0], one["samples"], packed.bytes);
  BOOST_TEST(values.size() > 400);
}

}  // namespace bayesid
