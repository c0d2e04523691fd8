// SPDX-License-Identifier: BSD-3-Clause
#include "log/column_words.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace bayesid {
namespace {

using Words = std::vector<std::string>;
using WordSet = std::set<std::string, std::less<>>;
using WordMap = std::map<std::string, std::string, std::less<>>;

enum class Letter { lower, upper, digit, other };

Letter kind_of(char c) {
  const auto letter = static_cast<unsigned char>(c);
  if (std::isdigit(letter)) return Letter::digit;
  if (std::isupper(letter)) return Letter::upper;
  return std::isalpha(letter) || letter > 127 ? Letter::lower : Letter::other;
}

/// Words beside those of prefix_of_word that drivers use for the same.
std::string prefix_of_any(const std::string& word) {
  static const WordMap more{
      {"theta", "q"}, {"angle", "q"},    {"angles", "q"},  {"enc", "q"},     {"omega", "v"},
      {"speed", "v"}, {"speeds", "v"},   {"encoder", "q"}, {"qdot", "v"},    {"torq", "tau"},
      {"trq", "tau"}, {"moment", "tau"}, {"force", "tau"}, {"current", "A"}, {"currents", "A"},
      {"curr", "A"},  {"amps", "A"}};
  const auto found = more.find(word);
  return found == more.end() ? prefix_of_word(word) : found->second;
}

/// Of other sensors, or derived: never a position, velocity or effort of a joint.
bool is_other_quantity(const Words& words) {
  static const WordSet others{
      "acc",         "accel",       "acceleration", "qdd",       "ddq",     "tcp",    "ee",
      "eef",         "pose",        "cartesian",    "temp",      "volt",    "error",  "err",
      "std",         "var",         "cov",          "imu",       "gyro",    "wrench", "twist",
      "voltage",     "temperature", "jerk",         "setting",   "limit",   "quat",   "quaternion",
      "orientation", "rpy",         "euler",        "stiffness", "damping", "mass"};
  return std::ranges::any_of(words, [](const std::string& word) { return others.contains(word); });
}

/// Units at the end of a name; tells whether they are degrees.
bool take_units(Words& words) {
  static const WordSet degrees{"deg", "degs", "degree", "degrees", "dps", "degps"};
  static const WordSet others{"rad", "rads", "radians", "nm", "ma", "amp", "mm", "newton"};
  if (words.size() > 2 && words.back() == "s" &&
      (degrees.contains(words.end()[-2]) || others.contains(words.end()[-2])))
    words.pop_back();
  if (words.size() < 2) return false;
  const bool is_degrees = degrees.contains(words.back());
  if (is_degrees || others.contains(words.back())) words.pop_back();
  return is_degrees;
}

bool take_commands(Words& words) {
  static const WordSet commands{"cmd",     "command", "commands",  "commanded", "target",  "goal",
                                "desired", "des",     "reference", "ref",       "setpoint"};
  return std::erase_if(words, [](const std::string& w) { return commands.contains(w); }) > 0;
}

/// The longest word that is one of a quantity, and takes it out: of a_current_position the
/// position, since the current one is meant.
std::string take_prefix(Words& words) {
  auto best = words.end();
  for (auto word = words.begin(); word != words.end(); ++word) {
    const std::string prefix = prefix_of_any(*word);
    if (prefix.empty()) continue;
    const bool is_better = best == words.end() || prefix_of_any(*best) == "A" ||
                           (prefix != "A" && word->size() > best->size());
    if (is_better) best = word;
  }
  if (best == words.end()) return "";
  std::string prefix = prefix_of_any(*best);
  const auto next = best + 1;
  if (prefix == "q" && next != words.end() && *next == "dot") {
    prefix = "v";
    words.erase(next);
  }
  words.erase(best);
  // current_position
  if (prefix != "A") std::erase(words, "current");
  return prefix;
}

}  // namespace

Words words_of(std::string_view name) {
  Words out;
  Letter before = Letter::other;
  for (const char c : name) {
    const Letter kind = kind_of(c);
    const bool is_same = kind == before || (before == Letter::upper && kind == Letter::lower);
    // Ends of words: aB, a1, 1a, a_b; LF_HAA and Left are one word each.
    if (kind != Letter::other && !is_same) out.emplace_back();
    if (kind != Letter::other)
      out.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    before = kind;
  }
  return out;
}

bool is_number_word(const std::string& word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0]));
}

std::string prefix_of_word(std::string_view word) {
  static const WordMap prefixes{{"q", "q"},          {"pos", "q"},      {"position", "q"},
                                {"positions", "q"},  {"v", "v"},        {"dq", "v"},
                                {"qd", "v"},         {"vel", "v"},      {"velocity", "v"},
                                {"velocities", "v"}, {"tau", "tau"},    {"torque", "tau"},
                                {"torques", "tau"},  {"effort", "tau"}, {"efforts", "tau"}};
  const auto found = prefixes.find(word);
  return found == prefixes.end() ? "" : found->second;
}

bool may_be_time(const std::string& name) {
  static const WordSet names{"t", "sec", "secs", "seconds", "clock", "ts"};
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return names.contains(lower) || lower.find("time") != lower.npos ||
         lower.find("stamp") != lower.npos;
}

Words telling_words(const Words& words) {
  static const WordSet silent{"joint",    "joints",      "state",  "states",   "actual",
                              "measured", "measurement", "meas",   "feedback", "fb",
                              "sensor",   "data",        "raw",    "filtered", "motor",
                              "axis",     "value",       "values", "j",        "present"};
  Words out;
  std::ranges::copy_if(words, std::back_inserter(out),
                       [](const std::string& word) { return !silent.contains(word); });
  return out;
}

ColumnName read_column_name(const std::string& name) {
  Words words = words_of(name);
  if (is_other_quantity(words)) return {};
  ColumnName out;
  out.is_degrees = take_units(words);
  out.is_command = take_commands(words);
  out.prefix = take_prefix(words);
  out.is_current = out.prefix == "A";
  if (out.is_current) out.prefix = "tau";
  out.joint = telling_words(words);
  return out;
}

}  // namespace bayesid
