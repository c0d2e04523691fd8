// SPDX-License-Identifier: BSD-3-Clause
// Logs with the clocks that recorders have: written faster than measured, stamped irregularly,
// filtered.
#define BOOST_TEST_DYN_LINK
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <random>
#include <utility>

#include "app/changed_case.hpp"

using namespace bayesid::test;
using namespace bayesid::test::changed;

namespace {

json parameters_of(const Scene& scene) {
  return json::parse(text_of(scene.path() + "/result/result.json"))["parameters"];
}

/// Each line five times, a fifth of the time apart.
const Change written_five_times = lines([](Lines& all) {
  Lines out{all[0]};
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::size_t comma = all[i].find(',');
    const double time = std::stod(all[i]);
    for (int repeat = 0; repeat < 5; ++repeat) {
      std::ostringstream stamp;
      stamp.precision(17);
      stamp << time + 0.001 * repeat;
      out.push_back(stamp.str() + all[i].substr(comma));
    }
  }
  all = out;
});

}  // namespace

BOOST_AUTO_TEST_CASE(a_log_written_faster_than_measured_gives_what_the_measured_one_gives) {
  const Scene measured({0, "", {}, {}}), written({0, "run.csv", written_five_times, {}});
  BOOST_TEST(measured.identify().code == 0);
  const Run run = written.identify();
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(run.err.find("warning: run.csv: positions repeat the sample before in 80") !=
                 std::string::npos,
             run.err);
  BOOST_TEST(run.err.find("(1000 Hz) than they are measured (200 Hz)") != std::string::npos,
             run.err);
  BOOST_TEST((parameters_of(measured) == parameters_of(written)));
}

namespace {

/// Two kilohertz for four seconds.
const std::string& fine_log() {
  static const std::string made = [] {
    const TempFolder folder;
    folder.write("arm.urdf", small_case().urdf);
    folder.write("arm.yaml", replaced(small_case().config, "duration: 1.0, rate: 200",
                                      "duration: 4.0, rate: 2000"));
    BOOST_REQUIRE(run_program(folder.path(), {"simulate", "arm.yaml", "--out", "sim"}).code == 0);
    return text_of(folder.path() / "sim" / "log1.csv");
  }();
  return made;
}

/// One line in ten, give or take; the effort is the mean until the next one.
std::string picked(const std::function<std::size_t(std::size_t)>& line) {
  constexpr std::size_t first_effort = 5, last_effort = 6;
  const Lines all = lines_of(fine_log());
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; line(i) < all.size(); ++i) rows.push_back(line(i));
  std::string out = all[0] + "\n";
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    Lines cells = cells_of(all[rows[r]]);
    for (std::size_t c = first_effort; c <= last_effort; ++c) {
      double sum = 0;
      for (std::size_t i = rows[r]; i < rows[r + 1]; ++i) sum += std::stod(cells_of(all[i])[c]);
      std::ostringstream mean;
      mean.precision(17);
      mean << sum / static_cast<double>(rows[r + 1] - rows[r]);
      cells[c] = mean.str();
    }
    out += joined(cells, ",");
    out.back() = '\n';
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_log_with_jittered_stamps_is_identified_as_well_as_a_regular_one) {
  const std::string evenly = picked([](std::size_t i) { return 1 + 10 * i; });
  // Off by a tenth of the period, in standard deviation.
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 1000; ++i)
    rows.push_back(static_cast<std::size_t>(4 + 10 * static_cast<int>(i) +
                                            std::clamp<int>(std::lround(normal(random)), -3, 3)));
  const std::string jittered = picked([&](std::size_t i) { return rows[i]; });
  const Scene even({0, "run.csv", whole(evenly), {}}), uneven({0, "run.csv", whole(jittered), {}});
  const Run regular = even.identify(), irregular = uneven.identify();
  BOOST_TEST(regular.code == 0, regular.err);
  BOOST_TEST(regular.err.find("time steps") == std::string::npos, regular.err);
  BOOST_TEST(irregular.code == 0, irregular.err);
  BOOST_TEST(irregular.err.find("warning: run.csv: the time steps of positions vary by 1") !=
                 std::string::npos,
             irregular.err);
  const json before = parameters_of(even), after = parameters_of(uneven);
  for (const auto& [name, entry] : before.items()) {
    const double std = entry["std"].get<double>();
    const double change = after[name]["value"].get<double>() - entry["value"].get<double>();
    BOOST_TEST_CONTEXT(name << " " << change << " of " << std) {
      BOOST_TEST(std::abs(change) < 4 * std);  // other samples of the same noise
      BOOST_TEST(after[name]["std"].get<double>() < 1.3 * std);
    }
  }
}

namespace {

std::string automatic_config() {
  return replaced(small_case().config,
                  "measurements:\n  position: 1.0e-4\n  velocity: 1.0e-2\n  effort: 0.01\n"
                  "disturbance: {position: 1.0e-6, velocity: 1.0e-3}\n",
                  "");
}

/// Columns through a Butterworth filter of second order; all sensors, unless others are named.
std::string filtered(const std::string& log, double cutoff, double rate,
                     const std::vector<std::size_t>& columns = {1, 2, 3, 4, 5, 6}) {
  const double c = 1 / std::tan(M_PI * cutoff / rate), scale = 1 / (1 + std::sqrt(2.0) * c + c * c);
  std::string out = log;
  for (const std::size_t i : columns) {
    std::array<double, 4> before{};  // two inputs, two outputs
    bool is_first = true;
    out = column(i, [&](double x) {
      if (std::exchange(is_first, false)) before.fill(x);
      const auto [x1, x2, y1, y2] = before;
      const double y =
          scale * (x + 2 * x1 + x2 - (2 - 2 * c * c) * y1 - (1 - std::sqrt(2.0) * c + c * c) * y2);
      before = {x, x1, y, y1};
      return y;
    })(out);
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_log_that_was_filtered_is_identified_without_stated_noise) {
  const Scene raw({0, "arm.yaml", whole(automatic_config()), {}}),
      smooth({0, "arm.yaml", whole(automatic_config()), {}});
  std::ofstream(raw.path() + "/run.csv") << fine_log();
  std::ofstream(smooth.path() + "/run.csv") << filtered(fine_log(), 30, 2000);
  const Run before = raw.identify(), after = smooth.identify();
  BOOST_TEST(before.code == 0, before.err);
  BOOST_TEST(before.err.find("filtered") == std::string::npos, before.err);
  BOOST_TEST(after.code == 0, after.err);
  BOOST_TEST(after.err.find(" were low-pass filtered before they were stored: samples within ") !=
                 std::string::npos,
             after.err);
  const json truth = parameters_of(raw), estimate = parameters_of(smooth);
  for (const auto& [name, entry] : estimate.items()) {
    const double error = entry["value"].get<double>() - truth[name]["value"].get<double>();
    const double std = std::hypot(entry["std"].get<double>(), truth[name]["std"].get<double>());
    BOOST_TEST_CONTEXT(name << " " << error << " of " << std) BOOST_TEST(std::abs(error) < 5 * std);
  }
  const json found = json::parse(text_of(smooth.path() + "/result/result.json"))["noise"];
  for (const char* joint : {"shoulder", "elbow"}) {
    BOOST_TEST(found["position." + std::string(joint)]["found"].get<double>() > 3e-6);
    BOOST_TEST(found["velocity." + std::string(joint)]["found"].get<double>() > 3e-4);
  }
}

BOOST_AUTO_TEST_CASE(velocities_that_were_filtered_alone_are_late) {
  const Scene scene({0, "arm.yaml", whole(automatic_config()), {}});
  // Late by √2/(2π 60 Hz).
  std::ofstream(scene.path() + "/run.csv") << filtered(fine_log(), 60, 2000, {3, 4});
  const Run run = scene.identify();
  BOOST_TEST(run.err.find("warning: run.csv: velocities (") != std::string::npos, run.err);
  BOOST_TEST(run.err.find("warning: run.csv: v.shoulder is 3.7") != std::string::npos, run.err);
  BOOST_TEST(run.err.find(" ms behind the derivative of the position") != std::string::npos,
             run.err);
}
