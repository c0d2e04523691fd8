// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bayesid/config.hpp"
#include "config/json_text.hpp"
#include "config/kind.hpp"
#include "config/words.hpp"

namespace bayesid::config {

Kind<double> number();
Kind<double> positive();
/// A standard deviation, or `auto`, which is NaN.
Kind<double> positive_or_auto();
Kind<double> at_least(double least);
Kind<double> between(double least, double most);
/// Above zero, at most one.
Kind<double> share();
/// A number that may be infinite.
Kind<double> bound();
/// 1 or -1.
Kind<double> sign();
Kind<int> whole(int least, int most);
Kind<bool> boolean();
/// A word for each of false and true.
Kind<bool> either(const std::string& no, const std::string& yes);
Kind<std::string> name();
/// A file, relative to the configuration; resolved in memory. Not written when empty.
Kind<std::string> path();
Kind<std::string> one_of(const std::vector<std::string>& words);

/// One number for all, a list in joint order, or a map by name.
Kind<PerJoint> per_joint(const Kind<double>& one);
/// `all`, or names.
Kind<Selection> selection();
/// A number, or {min, max}.
Kind<RangeConfig> range();
/// [lower, upper].
Kind<RangeConfig> interval(const Kind<double>& end);
/// The largest size.
Kind<RangeConfig> size();

/// What stands before the name in a key such as "imu.<name>".
std::string prefix_of(const std::string& key);
/// The regular expression of keys such as "imu.<name>".
std::string pattern_of(const std::string& key);

// Trees of one kind, for `Kind::accepts`.
bool is_list(const YamlTree& node);
bool is_map(const YamlTree& node);
bool is_scalar(const YamlTree& node);

YamlTree scalar(const std::string& yaml);
/// For `vary`.
std::string some_name(int salt);

/// A word that says something by itself.
template <typename S>
Kind<S> constant(const std::string& word, const std::function<void(S&)>& say,
                 const std::function<bool(const S&)>& says) {
  return {.schemas = {R"({"const": )" + json_text(word) + "}"},
          .accepts = [word](const YamlTree& node) { return is_scalar(node) && node.text == word; },
          .read = [say](const YamlTree&, const Location&, S& value) { say(value); },
          .write = [word, says](const S& value, const std::string&) -> std::optional<YamlTree> {
            if (!says(value)) return {};
            return scalar(word);
          },
          .vary = [say](S& value, int) { say(value); }};
}

/// One of the words of an enum.
template <typename Enum>
  requires std::is_enum_v<Enum>
Kind<Enum> word() {
  const auto known = words(Enum{});
  const std::vector<std::string> names(known.begin(), known.end());
  return {.schemas = one_of(names).schemas,
          .accepts = is_scalar,
          .read =
              [names](const YamlTree& node, const Location&, Enum& value) {
                for (std::size_t i = 0; i < names.size(); ++i)
                  if (names[i] == node.text) value = static_cast<Enum>(i);
              },
          .write = [names](const Enum& value, const std::string&) -> std::optional<YamlTree> {
            return scalar(names[static_cast<std::size_t>(value)]);
          },
          .vary =
              [size = names.size()](Enum& value, int salt) {
                value = static_cast<Enum>(static_cast<std::size_t>(salt) % size);
              }};
}

/// A list of the words whose members are true.
template <typename S>
Kind<S> flags(const std::vector<std::pair<std::string, bool S::*>>& members) {
  std::vector<std::string> names;
  for (const auto& [word, member] : members) names.push_back(word);
  return {
      .schemas = {R"({"type": "array", "minItems": 1, "items": )" + one_of(names).schemas[0] + "}"},
      .accepts = is_list,
      .read =
          [members](const YamlTree& node, const Location&, S& value) {
            for (const auto& [word, member] : members) {
              value.*member = false;
              for (const YamlTree& child : node.children)
                value.*member = value.*member || child.text == word;
            }
          },
      .write = [members](const S& value, const std::string&) -> std::optional<YamlTree> {
        YamlTree tree{.kind = YamlTree::Kind::list};
        for (const auto& [word, member] : members)
          if (value.*member) tree.children.push_back(scalar(word));
        return tree;
      },
      .vary =
          [members](S& value, int salt) {
            for (std::size_t i = 0; i < members.size(); ++i)
              value.*members[i].second = i == static_cast<std::size_t>(salt) % members.size();
          }};
}

template <typename T>
Kind<std::vector<T>> list_of(const Kind<T>& one, std::size_t least = 0) {
  const std::string fewest = least > 0 ? R"("minItems": )" + std::to_string(least) + ", " : "";
  return {
      .schemas = {R"({"type": "array", )" + fewest + R"("items": )" + schema_of(one.schemas) + "}"},
      .accepts = is_list,
      .read =
          [one](const YamlTree& node, const Location& at, std::vector<T>& list) {
            list.clear();
            for (std::size_t i = 0; i < node.children.size(); ++i)
              one.read(node.children[i], at.item(i), list.emplace_back());
          },
      .write = [one](const std::vector<T>& list,
                     const std::string& folder) -> std::optional<YamlTree> {
        YamlTree tree{.kind = YamlTree::Kind::list};
        for (const T& value : list)
          if (std::optional<YamlTree> item = one.write(value, folder))
            tree.children.push_back(*std::move(item));
        return tree;
      },
      .vary =
          [one, least](std::vector<T>& list, int salt) {
            list.assign(std::max<std::size_t>(least, 2), T{});
            for (T& value : list) one.vary(value, salt++);
          },
      .rows = rows_behind("[]", one.rows)};
}

/// A list of so many values.
template <std::size_t N, typename T>
Kind<std::array<T, N>> array_of(const Kind<T>& one) {
  const std::string size = std::to_string(N);
  return {.schemas = {R"({"type": "array", "minItems": )" + size + R"(, "maxItems": )" + size +
                      R"(, "items": )" + schema_of(one.schemas) + "}"},
          .accepts = is_list,
          .read =
              [one](const YamlTree& node, const Location& at, std::array<T, N>& array) {
                for (std::size_t i = 0; i < N; ++i)
                  one.read(node.children[i], at.item(i), array[i]);
              },
          .write = [one](const std::array<T, N>& array,
                         const std::string& folder) -> std::optional<YamlTree> {
            YamlTree tree{.kind = YamlTree::Kind::list};
            for (const T& value : array) tree.children.push_back(one.write(value, folder).value());
            return tree;
          },
          .vary =
              [one](std::array<T, N>& array, int salt) {
                for (T& value : array) one.vary(value, salt++);
              }};
}

/// A map whose values are of the kind that `kind_of(key)` gives.
template <typename T, typename KindOf, typename Vary>
Kind<std::map<std::string, T>> map_kind(const std::string& schema, const KindOf& kind_of,
                                        const Vary& vary, const std::vector<Row>& rows = {}) {
  using Map = std::map<std::string, T>;
  return {.schemas = {schema},
          .accepts = is_map,
          .read =
              [kind_of](const YamlTree& node, const Location& at, Map& map) {
                for (const YamlTree& child : node.children)
                  kind_of(child.key).read(child, at.inside(child.key), map[child.key]);
              },
          .write = [kind_of](const Map& map, const std::string& folder) -> std::optional<YamlTree> {
            YamlTree tree{.kind = YamlTree::Kind::map};
            for (const auto& [key, value] : map)
              if (std::optional<YamlTree> found = kind_of(key).write(value, folder))
                tree.add(key, *std::move(found));
            return tree;
          },
          .vary = vary,
          .rows = rows};
}

/// Keys that fit a regular expression.
struct Keys {
  std::string pattern, words;
  std::string example;  // the start of some that fit
};

/// A map to values of one kind, from any name or from certain keys.
template <typename T>
Kind<std::map<std::string, T>> map_of(const std::string& placeholder, const Kind<T>& one,
                                      const Keys& keys = {}) {
  const std::string value = schema_of(one.schemas);
  const std::string schema =
      keys.pattern.empty() ? R"({"type": "object", "additionalProperties": )" + value + "}"
                           : R"({"type": "object", "x-keys": )" + json_text(keys.words) +
                                 R"(, "additionalProperties": false, "patternProperties": {)" +
                                 json_text(keys.pattern) + ": " + value + "}}";
  return map_kind<T>(
      schema, [one](const std::string&) -> const Kind<T>& { return one; },
      [one, start = keys.example](std::map<std::string, T>& map, int salt) {
        one.vary(map[start + some_name(salt)], salt);
      },
      rows_behind('.' + placeholder, one.rows));
}

/// A map whose keys have kinds of their own; some end in <…>, which stands for any name.
template <typename T>
Kind<std::map<std::string, T>> keyed(const std::vector<std::pair<std::string, Kind<T>>>& kinds) {
  std::string properties, patterns, names;
  for (const auto& [key, kind] : kinds) {
    const bool is_pattern = key.ends_with('>');
    std::string& where = is_pattern ? patterns : properties;
    where += (where.empty() ? "" : ", ") + json_text(is_pattern ? pattern_of(key) : key) + ": " +
             schema_of(kind.schemas);
    names += (names.empty() ? "" : " or ") + key;
  }
  const auto kind_of = [kinds](const std::string& key) -> const Kind<T>& {
    return std::ranges::find_if(
               kinds,
               [&](const auto& one) {
                 return one.first == key ||
                        (one.first.ends_with('>') && key.starts_with(prefix_of(one.first)));
               })
        ->second;
  };
  return map_kind<T>(R"({"type": "object", "x-keys": )" + json_text(names) +
                         R"(, "additionalProperties": false, "properties": {)" + properties +
                         R"(}, "patternProperties": {)" + patterns + "}}",
                     kind_of, [kinds](std::map<std::string, T>& map, int salt) {
                       for (const auto& [key, kind] : kinds)
                         kind.vary(map[key.ends_with('>') ? prefix_of(key) + some_name(salt) : key],
                                   salt);
                     });
}

}  // namespace bayesid::config
