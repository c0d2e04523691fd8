// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bayesid/result.hpp"
#include "report/number.hpp"

namespace bayesid {

namespace {

/// Plain where every YAML reader takes it for text, else in quotes.
std::string yaml_key(const std::string& name) {
  static const std::array<const char*, 9> words{"y",   "n",    "yes",   "no",  "on",
                                                "off", "true", "false", "null"};
  std::string lower = name;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool is_word = std::find(words.begin(), words.end(), lower) != words.end();
  const bool is_plain = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                        std::all_of(name.begin(), name.end(), [](unsigned char c) {
                          return c < 128 && (std::isalnum(c) || c == '_');
                        });
  if (is_plain && !is_word) return name;
  return nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Old readers take a number without a point for text.
std::string yaml_number(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  std::string text = shortest(value);
  if (text.find('.') != std::string::npos) return text;
  return text.insert(std::min(text.find('e'), text.size()), ".0");
}

std::string yaml_estimate(const Estimate& estimate) {
  return "{value: " + yaml_number(estimate.value) + ", std: " + yaml_number(estimate.std) + "}\n";
}

/// What belongs to one joint, drive or rotor: friction values, then one line for each of the
/// others.
struct Actuator {
  std::string name;
  std::vector<std::pair<std::string, const Estimate*>> friction, others;

  std::string yaml(const std::map<std::string, double>& presliding_distance = {}) const {
    std::string out = "  " + yaml_key(name) + ":\n";
    if (!friction.empty()) out += "    friction:\n";
    for (const auto& [term, estimate] : friction)
      out += "      " + term + ": " + yaml_estimate(*estimate);
    const auto distance = presliding_distance.find(name);
    if (distance != presliding_distance.end())
      out += "      presliding_distance: " + yaml_number(distance->second) + "\n";
    for (const auto& [kind, estimate] : others)
      out += "    " + kind + ": " + yaml_estimate(*estimate);
    return out;
  }
};

/// The one of that name, made when it is not there yet.
Actuator& named(const std::string& name, std::vector<Actuator>& all) {
  const auto found = std::ranges::find(all, name, &Actuator::name);
  return found != all.end() ? *found : all.emplace_back(Actuator{name, {}, {}});
}

/// Physical names are <kind>.<joint>, or friction.<joint>.<term>; joints may have points in their
/// names.
std::vector<Actuator> collect(const std::vector<Estimate>& physical) {
  static const std::array<const char*, 4> kinds{"armature", "effort_gain", "effort_offset",
                                                "gear_ratio"};
  std::vector<Actuator> out;
  for (const Estimate& estimate : physical) {
    const size_t first = estimate.name.find('.'), last = estimate.name.rfind('.');
    if (first == std::string::npos) continue;
    const std::string kind = estimate.name.substr(0, first);
    if (kind == "friction" && last > first) {
      named(estimate.name.substr(first + 1, last - first - 1), out)
          .friction.emplace_back(estimate.name.substr(last + 1), &estimate);
    } else if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) {
      named(estimate.name.substr(first + 1), out).others.emplace_back(kind, &estimate);
    }
  }
  return out;
}

/// rotor.<name>.thrust and rotor.<name>.moment.
std::vector<Actuator> collect_rotors(const std::vector<Estimate>& physical) {
  constexpr size_t begin = std::string_view("rotor.").size();
  std::vector<Actuator> out;
  for (const Estimate& estimate : physical) {
    const size_t end = estimate.name.rfind('.');
    if (!estimate.name.starts_with("rotor.")) continue;
    named(estimate.name.substr(begin, end - begin), out)
        .others.emplace_back(estimate.name.substr(end + 1), &estimate);
  }
  return out;
}

}  // namespace

std::string actuation_yaml(const Result& result) {
  std::string joints, drives, rotors;
  for (const Actuator& rotor : collect_rotors(result.posterior.physical)) rotors += rotor.yaml();
  for (const Actuator& actuator : collect(result.posterior.physical)) {
    const bool is_joint =
        std::find(result.joints.begin(), result.joints.end(), actuator.name) != result.joints.end();
    (is_joint ? joints : drives) += actuator.yaml(result.presliding_distance);
  }
  std::string out =
      "# SI units; std: one standard deviation, 0 where the value was fixed.\n"
      "# gear_ratio * (effort_gain * measured + effort_offset) = RNEA + armature * a + "
      "friction(v)\n"
      "# friction(v) = stiction * (tanh(stribeck1 * v) - tanh(stribeck2 * v)) + coulomb * "
      "tanh(coulomb_slope * v)"
      " + viscous * v\n";
  if (!result.presliding_distance.empty())
    out +=
        "#   + presliding * z, and z moves by (1 - z * sign(ds)) * ds / presliding_distance with "
        "the position s\n";
  out += "schema: 1\n";
  out += joints.empty() ? "joints: {}\n" : "joints:\n" + joints;
  if (!drives.empty()) out += "drives:\n" + drives;
  if (!rotors.empty())
    out += "# force = thrust * command, moment about the same axis = moment * command\nrotors:\n" +
           rotors;
  return out;
}

}  // namespace bayesid
