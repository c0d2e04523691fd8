// SPDX-License-Identifier: BSD-3-Clause
#include "config/kinds.hpp"

#include <cmath>
#include <filesystem>
#include <limits>

#include "config/fields.hpp"
#include "config/yaml_text.hpp"

namespace bayesid::config {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Limits {
  double least = -infinity, most = infinity;
  bool is_open = false;  // above the least, not equal to it
};

/// A limit of a schema; whole ones in full, since messages show them.
std::string limit_text(double limit) {
  return std::floor(limit) == limit ? std::to_string(static_cast<long>(limit)) : text_of(limit);
}

std::string schema_of(const std::string& type, const Limits& limits) {
  std::string out = R"({"type": ")" + type + '"';
  if (std::isfinite(limits.least))
    out += (limits.is_open ? R"(, "exclusiveMinimum": )" : R"(, "minimum": )") +
           limit_text(limits.least);
  if (std::isfinite(limits.most)) out += R"(, "maximum": )" + limit_text(limits.most);
  return out + '}';
}

bool is_number(const YamlTree& node) {
  return node.number().has_value();
}

double number_at(const YamlTree& node) {
  return node.number().value();  // the schema has seen it
}

Kind<double> number_within(const Limits& limits) {
  return {
      .schemas = {schema_of("number", limits)},
      .accepts = is_number,
      .read = [](const YamlTree& node, const Location&, double& value) { value = number_at(node); },
      .write = [](const double& value, const std::string&) -> std::optional<YamlTree> {
        return scalar(text_of(value));
      },
      .vary =
          [limits](double& value, int salt) {
            const bool is_bounded = std::isfinite(limits.most);
            value = is_bounded ? limits.least + (limits.most - limits.least) * (salt % 16 + 1) / 16
                               : (std::isfinite(value) ? value : 0) + 1 + 0.125 * salt;
          }};
}

/// Refuses a range without inside.
void check_range(const YamlTree& node, const Location& at, const RangeConfig& range,
                 const std::string& lower, const std::string& upper) {
  if (range.lower < range.upper) return;
  fail(node, at, " is [" + lower + ", " + upper + "], the first must be smaller than the second");
}

/// {min, max}; one that is missing is open.
Kind<RangeConfig> open_range() {
  Fields<RangeConfig> fields;
  const auto is_finite = [](double value) { return std::isfinite(value); };
  fields.add("min", &RangeConfig::lower, number().only_if(is_finite), {});
  fields.add("max", &RangeConfig::upper, number().only_if(is_finite), {});
  Kind<RangeConfig> kind =
      table(fields).checked([](const YamlTree& node, const Location& at, const RangeConfig& range) {
        if (range.lower < range.upper) return;
        check_range(node, at, range, node.find("min")->text, node.find("max")->text);
      });
  kind.vary = [](RangeConfig& value, int salt) { value = {salt - 1.5, salt + 2.5}; };
  kind.rows.clear();
  return kind;
}

}  // namespace

bool is_list(const YamlTree& node) {
  return node.kind == YamlTree::Kind::list;
}

bool is_map(const YamlTree& node) {
  return node.kind == YamlTree::Kind::map || node.kind == YamlTree::Kind::null;
}

bool is_scalar(const YamlTree& node) {
  return node.kind == YamlTree::Kind::scalar;
}

YamlTree scalar(const std::string& yaml) {
  return {.kind = YamlTree::Kind::scalar, .text = yaml};
}

std::string some_name(int salt) {
  return "a" + std::to_string(salt);
}

std::string prefix_of(const std::string& key) {
  return key.substr(0, key.find('<'));
}

std::string pattern_of(const std::string& key) {
  std::string out = "^";
  for (const char letter : prefix_of(key))
    out += letter == '.' ? std::string("\\.") : std::string(1, letter);
  return out + ".+$";
}

Kind<double> number() {
  return number_within({});
}

Kind<double> positive() {
  return number_within({.least = 0, .is_open = true});
}

Kind<double> positive_or_auto() {
  const Kind<double> is_auto = constant<double>(
      "auto", [](double& value) { value = std::nan(""); },
      [](const double& value) { return std::isnan(value); });
  return any_of<double>({is_auto, positive()});
}

Kind<double> at_least(double least) {
  return number_within({.least = least});
}

Kind<double> between(double least, double most) {
  return number_within({.least = least, .most = most});
}

Kind<double> share() {
  return number_within({.least = 0, .most = 1, .is_open = true});
}

Kind<double> bound() {
  const auto infinite = [](const std::string& word, double value) {
    return constant<double>(
        word, [value](double& out) { out = value; }, [value](double out) { return out == value; });
  };
  return any_of<double>({number().only_if([](double value) { return std::isfinite(value); }),
                         infinite(".inf", infinity), infinite("+.inf", infinity),
                         infinite("-.inf", -infinity)});
}

Kind<double> sign() {
  Kind<double> kind = number();
  kind.schemas = {R"({"enum": [1, -1]})"};
  kind.vary = [](double& value, int salt) { value = salt % 2 == 0 ? -1 : 1; };
  return kind;
}

Kind<int> whole(int least, int most) {
  return {.schemas = {schema_of(
              "integer", {.least = static_cast<double>(least), .most = static_cast<double>(most)})},
          .accepts = is_number,
          .read = [](const YamlTree& node, const Location&,
                     int& value) { value = static_cast<int>(number_at(node)); },
          .write = [](const int& value, const std::string&) -> std::optional<YamlTree> {
            return scalar(std::to_string(value));
          },
          .vary = [most](int& value, int salt) { value = std::min(value + 1 + salt, most); }};
}

Kind<bool> boolean() {
  return {.schemas = {R"({"type": "boolean"})"},
          .accepts = [](const YamlTree& node) { return node.boolean().has_value(); },
          .read = [](const YamlTree& node, const Location&,
                     bool& value) { value = node.boolean().value(); },
          .write = [](const bool& value, const std::string&) -> std::optional<YamlTree> {
            return scalar(value ? "true" : "false");
          },
          .vary = [](bool& value, int salt) { value = salt % 2 == 0; }};
}

Kind<bool> either(const std::string& no, const std::string& yes) {
  Kind<bool> kind = boolean();
  kind.schemas = one_of({no, yes}).schemas;
  kind.accepts = is_scalar;
  kind.read = [yes](const YamlTree& node, const Location&, bool& value) {
    value = node.text == yes;
  };
  kind.write = [no, yes](const bool& value, const std::string&) -> std::optional<YamlTree> {
    return scalar(value ? yes : no);
  };
  return kind;
}

Kind<std::string> name() {
  return {
      .schemas = {R"({"type": "string", "minLength": 1, "x-expected": "a name"})"},
      .accepts = is_scalar,
      .read = [](const YamlTree& node, const Location&, std::string& value) { value = node.text; },
      .write = [](const std::string& value, const std::string&) -> std::optional<YamlTree> {
        return scalar(text_of(value));
      },
      .vary = [](std::string& value, int salt) { value += some_name(salt); }};
}

Kind<std::string> path() {
  namespace fs = std::filesystem;
  Kind<std::string> kind = name();
  kind.read = [](const YamlTree& node, const Location& at, std::string& value) {
    value = (fs::path(at.file).parent_path() / node.text).lexically_normal().string();
  };
  kind.write = [](const std::string& value, const std::string& folder) -> std::optional<YamlTree> {
    if (value.empty()) return {};
    const auto whole_path = [](const std::string& one) {
      return fs::weakly_canonical(fs::absolute(one));
    };
    return scalar(text_of(whole_path(value).lexically_proximate(whole_path(folder)).string()));
  };
  return kind;
}

Kind<std::string> one_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + json_text(word);
  Kind<std::string> kind = name();
  kind.schemas = {R"({"enum": [)" + list + "]}"};
  kind.vary = [words](std::string& value, int salt) {
    value = words[static_cast<std::size_t>(salt) % words.size()];
  };
  return kind;
}

Kind<PerJoint> per_joint(const Kind<double>& one) {
  return any_of<PerJoint>({member(&PerJoint::all, optional(one)),
                           member(&PerJoint::list, list_of(one, 1).if_any()),
                           member(&PerJoint::by_name, map_of("<name>", one).if_any())});
}

Kind<Selection> selection() {
  const Kind<Selection> all = constant<Selection>(
      "all", [](Selection& value) { value = {}; },
      [](const Selection& value) { return value.all; });
  const Kind<Selection> some =
      member(&Selection::names, list_of(name())).prepared([](Selection& value, const Location&) {
        value.all = false;
      });
  Kind<Selection> kind = any_of<Selection>({all, some});
  kind.vary = some.vary;
  return kind;
}

Kind<RangeConfig> range() {
  Kind<RangeConfig> fixed =
      number()
          .within<RangeConfig>([](auto& value) -> auto& { return value.lower; })
          .only_if([](const RangeConfig& value) { return value.is_number(); });
  fixed.read = [](const YamlTree& node, const Location&, RangeConfig& value) {
    value = {number_at(node), number_at(node)};
  };
  fixed.vary = [](RangeConfig& value, int salt) { value = {salt + 0.5, salt + 0.5}; };
  return any_of<RangeConfig>({fixed, open_range()});
}

Kind<RangeConfig> interval(const Kind<double>& end) {
  const Kind<std::array<double, 2>> ends = array_of<2>(end);
  return {.schemas = ends.schemas,
          .accepts = ends.accepts,
          .read =
              [ends](const YamlTree& node, const Location& at, RangeConfig& value) {
                std::array<double, 2> both{};
                ends.read(node, at, both);
                value = {both[0], both[1]};
                check_range(node, at, value, node.children[0].text, node.children[1].text);
              },
          .write =
              [ends](const RangeConfig& value, const std::string& folder) {
                return ends.write({value.lower, value.upper}, folder);
              },
          .vary = [](RangeConfig& value, int salt) { value = {salt - 1.5, salt + 2.5}; }};
}

Kind<RangeConfig> size() {
  Kind<RangeConfig> kind =
      positive().within<RangeConfig>([](auto& value) -> auto& { return value.upper; });
  kind.read = [](const YamlTree& node, const Location&, RangeConfig& value) {
    value = {-number_at(node), number_at(node)};
  };
  kind.vary = [](RangeConfig& value, int salt) { value = {-1.5 - salt, 1.5 + salt}; };
  return kind;
}

}  // namespace bayesid::config
