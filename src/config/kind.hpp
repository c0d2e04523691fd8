// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/yaml_tree.hpp"

namespace bayesid::config {

/// Where a value that is being read stands.
struct Location {
  std::string file, key;  // dotted
  std::string name = {};  // what stands for the last <…> of the key
  Location inside(const std::string& child) const;
  Location item(std::size_t index) const;
};

/// Throws InputError "file:line: key" + what.
[[noreturn]] void fail(const YamlTree& node, const Location& at, const std::string& what);

/// A line of the guide's tables.
struct Row {
  std::string key;    // from the table it stands in: ".gait.period", "[].name"
  std::string value;  // default
  std::string unit, meaning;
};

/// The rows of what stands behind a key or an index.
std::vector<Row> rows_behind(const std::string& prefix, const std::vector<Row>& rows);

/// How values of one type stand in a configuration file.
template <typename T>
struct Kind {
  /// JSON Schemas; one of them holds.
  std::vector<std::string> schemas;
  /// Whether a tree that fits one of several kinds is meant for this one.
  std::function<bool(const YamlTree&)> accepts;
  /// Fills a value from a tree that has passed the schema.
  std::function<void(const YamlTree&, const Location&, T&)> read;
  /// The value, with paths relative to a folder; none: it goes without saying.
  std::function<std::optional<YamlTree>(const T&, const std::string& folder)> write;
  /// Makes it some legal value that depends on the salt: for tests of all fields.
  std::function<void(T&, int salt)> vary;
  /// Of the keys inside.
  std::vector<Row> rows = {};

  /// Reading starts from what `prepare` makes of the value.
  Kind prepared(const std::function<void(T&, const Location&)>& prepare) const {
    Kind out = *this;
    out.read = [read = read, prepare](const YamlTree& node, const Location& at, T& value) {
      prepare(value, at);
      read(node, at, value);
    };
    out.vary = [vary = vary, prepare](T& value, int salt) {
      prepare(value, {});
      vary(value, salt);
    };
    return out;
  }

  /// What is read has to pass a check too.
  Kind checked(const std::function<void(const YamlTree&, const Location&, const T&)>& check) const {
    Kind out = *this;
    out.read = [read = read, check](const YamlTree& node, const Location& at, T& value) {
      read(node, at, value);
      check(node, at, value);
    };
    return out;
  }

  /// Is written only when a condition holds.
  Kind only_if(const std::function<bool(const T&)>& holds) const {
    Kind out = *this;
    out.write = [write = write, holds](const T& value, const std::string& folder) {
      return holds(value) ? write(value, folder) : std::optional<YamlTree>();
    };
    return out;
  }

  /// An empty list or map is not written.
  Kind if_any() const {
    Kind out = *this;
    out.write = [write = write](const T& value, const std::string& folder) {
      std::optional<YamlTree> tree = write(value, folder);
      if (tree && tree->is_empty()) tree.reset();
      return tree;
    };
    return out;
  }

  /// The kind of something that has such a value in it; `part` gives a reference to it.
  template <typename S, typename Part>
  Kind<S> within(const Part& part) const {
    return {.schemas = schemas,
            .accepts = accepts,
            .read = [read = read, part](const YamlTree& node, const Location& at,
                                        S& whole) { read(node, at, part(whole)); },
            .write = [write = write, part](
                         const S& whole,
                         const std::string& folder) { return write(part(whole), folder); },
            .vary = [vary = vary, part](S& whole, int salt) { vary(part(whole), salt); },
            .rows = rows};
  }
};

/// The kind of a struct with such a member.
template <typename S, typename T>
Kind<S> member(T S::* pointer, const Kind<T>& kind) {
  return kind.template within<S>([pointer](auto& whole) -> auto& { return whole.*pointer; });
}

/// The entry of a map by one key; nothing is written where it has none.
template <typename T>
Kind<std::map<std::string, T>> entry(const std::string& key, const Kind<T>& kind) {
  using Map = std::map<std::string, T>;
  return {.schemas = kind.schemas,
          .accepts = kind.accepts,
          .read = [key, read = kind.read](const YamlTree& node, const Location& at,
                                          Map& map) { read(node, at, map[key]); },
          .write = [key, write = kind.write](const Map& map,
                                             const std::string& folder) -> std::optional<YamlTree> {
            const auto found = map.find(key);
            if (found == map.end()) return {};
            return write(found->second, folder);
          },
          .vary = [key, vary = kind.vary](Map& map, int salt) { vary(map[key], salt); },
          .rows = kind.rows};
}

/// A value that may be absent.
template <typename T>
Kind<std::optional<T>> optional(const Kind<T>& kind) {
  return {.schemas = kind.schemas,
          .accepts = kind.accepts,
          .read = [read = kind.read](const YamlTree& node, const Location& at,
                                     std::optional<T>& value) { read(node, at, value.emplace()); },
          .write =
              [write = kind.write](const std::optional<T>& value, const std::string& folder) {
                return value ? write(*value, folder) : std::optional<YamlTree>();
              },
          .vary =
              [vary = kind.vary](std::optional<T>& value, int salt) {
                if (!value) value.emplace();
                vary(*value, salt);
              },
          .rows = kind.rows};
}

/// A value of the first kind that accepts it; written as the first kind that has something to
/// write.
template <typename T>
Kind<T> any_of(const std::vector<Kind<T>>& kinds) {
  Kind<T> out;
  for (const Kind<T>& one : kinds) {
    out.schemas.insert(out.schemas.end(), one.schemas.begin(), one.schemas.end());
    out.rows.insert(out.rows.end(), one.rows.begin(), one.rows.end());
  }
  out.accepts = [kinds](const YamlTree& node) {
    for (const Kind<T>& one : kinds) {
      if (one.accepts(node)) return true;
    }
    return false;
  };
  out.read = [kinds](const YamlTree& node, const Location& at, T& value) {
    for (const Kind<T>& one : kinds) {
      if (one.accepts(node)) return one.read(node, at, value);
    }
  };
  out.write = [kinds](const T& value, const std::string& folder) {
    std::optional<YamlTree> tree;
    for (std::size_t i = 0; i < kinds.size() && !tree; ++i) tree = kinds[i].write(value, folder);
    return tree;
  };
  out.vary = [kinds](T& value, int salt) {
    const int size = static_cast<int>(kinds.size());
    kinds[static_cast<std::size_t>(salt % size)].vary(value, salt / size);
  };
  return out;
}

/// One schema for a value that fits any of several.
std::string schema_of(const std::vector<std::string>& schemas);

}  // namespace bayesid::config
