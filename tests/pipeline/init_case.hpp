// SPDX-License-Identifier: BSD-3-Clause
// Logs of an arm under names and in units of a test's choice, and what init makes of them.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bayesid/init.hpp"
#include "bayesid/log.hpp"
#include "pipeline/arm_case.hpp"

namespace bayesid::test {

inline constexpr double degrees = 180 / M_PI;

/// An elbow instead of the slide, so that both joints turn.
inline std::string turning_urdf() {
  std::string out =
      replaced(small_urdf, R"("slide" type="prismatic")", R"("elbow" type="revolute")");
  out = replaced(out, R"(<mass value="0.5"/>)",
                 R"(<origin xyz="0.05 0 -0.1" rpy="0 0 0"/><mass value="0.5"/>)");
  out = replaced(out, R"("0 0 1")", R"("0 1 0")");
  return replaced(out, R"(lower="0" upper="0.2" effort="20" velocity="0.5")",
                  R"(lower="-2" upper="2" effort="20" velocity="5")");
}

inline constexpr const char* arm_only = R"(schema: 1
model: {urdf: arm.urdf}
measurements: {position: 1.0e-4, velocity: 1.0e-2, effort: 0.01}
disturbance: {position: 1.0e-6, velocity: 1.0e-3}
parameters:
  inertia:
  friction: {terms: [coulomb, viscous]}
simulation: {duration: 2.0, rate: 200, base_frequency: 1.0, harmonics: 3}
)";

/// The log of two turning joints, as the tests write it under other names.
inline const Log& arm_log() {
  static const Log log = [] {
    const ArmCase arm(arm_only, turning_urdf());
    return read_log({.file = arm.path("logs/log1.csv")});
  }();
  return log;
}

/// A column of a test's log: a channel, or the time, times a number.
struct LogColumn {
  std::string name, channel;
  double gain = 1;
};

inline std::string csv_of(const std::vector<LogColumn>& columns) {
  const Log& log = arm_log();
  std::ostringstream out;
  out.precision(12);
  for (std::size_t i = 0; i < columns.size(); ++i) out << (i > 0 ? "," : "") << columns[i].name;
  out << '\n';
  for (std::size_t k = 0; k < log.time.size(); ++k) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const LogColumn& one = columns[i];
      const double value = one.channel == "time" ? log.time[k] : log.channels.at(one.channel)[k];
      out << (i > 0 ? "," : "") << one.gain * value;
    }
    out << '\n';
  }
  return out.str();
}

/// A folder with arm.urdf and run.csv, and the draft of them, which is written.
struct Drafted {
  TempFolder folder;
  ConfigDraft draft;

  explicit Drafted(const std::string& csv, const std::string& urdf = turning_urdf()) {
    const std::string model = folder.write("arm.urdf", urdf);
    const std::vector<std::string> logs{folder.write("run.csv", csv)};
    draft = init(model, logs, file());
    write_draft(draft);
  }
  std::string file() const { return folder.path() / "arm.yaml"; }
  Config config() const { return read_config(file()); }
  ColumnConfig column(const std::string& channel) const {
    return config().logs.at(0).columns.at(channel);
  }
  /// The question about something; fails when there is none.
  DraftQuestion question(const std::string& about) const {
    const auto found = std::ranges::find(draft.questions, about, &DraftQuestion::about);
    BOOST_REQUIRE_MESSAGE(found != draft.questions.end(), draft.text);
    return *found;
  }
  bool has(const std::string& text) const { return draft.text.find(text) != std::string::npos; }
};

inline const std::vector<LogColumn> canonical{
    {"time", "time"},          {"q.shoulder", "q.shoulder"},
    {"q.elbow", "q.elbow"},    {"v.shoulder", "v.shoulder"},
    {"v.elbow", "v.elbow"},    {"tau.shoulder", "tau.shoulder"},
    {"tau.elbow", "tau.elbow"}};

/// Canonical but for some columns.
inline std::vector<LogColumn> changed(
    const std::vector<std::pair<std::string, LogColumn>>& changes) {
  std::vector<LogColumn> out = canonical;
  for (const auto& [name, column] : changes)
    *std::ranges::find(out, name, &LogColumn::name) = column;
  return out;
}

}  // namespace bayesid::test
