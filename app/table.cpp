// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace bayesid::app {
namespace {

/// Letters, not bytes: UTF-8 continuation bytes do not count.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

bool is_prismatic(const Robot& robot, const std::string& name) {
  return std::any_of(robot.joints.begin(), robot.joints.end(), [&](const Joint& joint) {
    return joint.prismatic && (name.ends_with("." + joint.name) ||
                               name.find("." + joint.name + ".") != std::string::npos);
  });
}

}  // namespace

std::string table_text(const Row& header, const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(header.size(), 0);
  const auto measure = [&](const Row& row) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  };
  measure(header);
  for (const Row& row : rows) measure(row);
  std::string out;
  const auto add = [&](const Row& row) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      if (i > 0) line += "  ";
      line += i == 0 ? row[i] + padding : padding + row[i];
    }
    out += line + "\n";
  };
  add(header);
  for (const Row& row : rows) add(row);
  return out;
}

std::string wrapped(const std::vector<std::string>& words) {
  constexpr std::size_t longest = 100;
  std::string out;
  std::string line = " ";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i] + (i + 1 < words.size() ? "," : "");
    if (width(line) + 1 + width(word) > longest && width(line) > 1) {
      out += line + "\n";
      line = " ";
    }
    line += " " + word;
  }
  return words.empty() ? "" : out + line + "\n";
}

std::string number(double value) {
  return formatted("%.4g", value);
}

std::string with_std(double value, double std) {
  if (!(std > 0) || !std::isfinite(std)) return number(value);
  if (std < 1e-6 || std >= 1e5) return number(value) + " ± " + formatted("%.2g", std);
  const int decimals = std::max(0, 1 - static_cast<int>(std::floor(std::log10(std))));
  return fixed(value, decimals) + " ± " + fixed(std, decimals);
}

std::string percent(double share) {
  return formatted(share < 0.1 ? "%.1f %%" : "%.0f %%", 100 * share);
}

std::string unit_of(const Robot& robot, const std::string& name) {
  const char* force = is_prismatic(robot, name) ? "N" : "N·m";
  const std::string length = is_prismatic(robot, name) ? "m" : "rad";
  if (name.starts_with("mass.")) return "kg";
  if (name.starts_with("com.")) return "m";
  if (name.starts_with("inertia.")) return "kg·m²";
  if (name.starts_with("armature.")) return length == "m" ? "kg" : "kg·m²";
  if (name.starts_with("effort_offset.")) return force;
  if (!name.starts_with("friction.")) return "";
  if (name.ends_with(".viscous")) return std::string(force) + "·s/" + length;
  return name.ends_with(".stiction") || name.ends_with(".coulomb") ? force : "s/" + length;
}

std::string effort_table(const std::vector<std::string>& joints, const EffortError& nominal,
                         const EffortError& identified) {
  if (joints.empty()) return "the robot has no joints, hence no effort to predict\n";
  std::vector<Row> rows;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    const auto share = [&](double rmse) {
      return nominal.range[i] > 0 ? percent(rmse / nominal.range[i]) : "-";
    };
    rows.push_back({joints[j], number(nominal.range[i]), number(nominal.rmse[i]),
                    share(nominal.rmse[i]), number(identified.rmse[i]), share(identified.rmse[i])});
  }
  return table_text({"joint", "range", "nominal", "of range", "identified", "of range"}, rows);
}

}  // namespace bayesid::app
