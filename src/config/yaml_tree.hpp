// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bayesid {

/// A YAML value that knows its line. Unlike yaml-cpp's nodes it is a plain tree: no sharing, no
/// surprises on reading.
struct YamlTree {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::string text{};   // of a scalar
  bool quoted = false;  // a quoted scalar is text, whatever it looks like
  int line = 0;         // of its key when it is in a map; counted from 1
  std::string key{};    // when it is in a map
  std::vector<YamlTree> children{};

  /// The child under that key, or none.
  const YamlTree* find(const std::string& name) const;
  /// Puts a child under that key.
  void add(const std::string& name, YamlTree child);
  /// Nothing to read: no value, [] or {}.
  bool is_empty() const;
  std::optional<double> number() const;  // finite ones
  std::optional<bool> boolean() const;
  /// As a message shows it: the scalar, or what kind of value it is.
  std::string shown() const;
};

/// Dotted name of a child: solver.tolerance, logs[0].file.
std::string child_path(const std::string& path, const YamlTree& parent, std::size_t child);

/// Dotted name → line of everything in the tree.
void collect_lines(const YamlTree& tree, const std::string& path,
                   std::map<std::string, int>& lines);

}  // namespace bayesid
