// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/kind.hpp"
#include "config/kinds.hpp"

namespace bayesid::config {

// A struct of the configuration says its fields once, beside it or beside what reads it, in a
// function
//
//     void describe(Fields<GaitConfig>& f) {
//       f.add("period", &GaitConfig::period, positive(), {"s", "of one stride, both pairs"});
//
// From it come the schema, reading, writing, the tables of the guide and a test of them; the
// default is that of the member. `table<GaitConfig>()` is then the kind of a member of that type.

/// What the guide and editors say of a field.
struct Doc {
  std::string unit, meaning;
  std::string absent = {};  // what holds without it, where the struct has no default to show
};

/// A key of a section: all but how its value is read and written.
struct FieldInfo {
  std::string key;  // "imu.<name>" stands for as many as there are
  Doc doc = {};
  std::vector<std::string> schemas = {};
  std::vector<Row> rows = {};          // of the keys inside
  std::optional<YamlTree> value = {};  // default
  bool is_required = false, is_refused = false, is_folded = false;
  std::string old_key = {};
};

/// A key of a section and what stands behind it in the struct.
template <typename S>
struct Field {
  FieldInfo info;
  std::function<void(const YamlTree& section, const Location&, S&)> read;
  std::function<void(const S&, const std::string& folder, YamlTree& section)> write;
  std::function<void(S&, int salt)> vary;

  Field& required() {
    info.is_required = true;
    return *this;
  }
  /// The guide does not list what is inside.
  Field& folded() {
    info.is_folded = true;
    return *this;
  }
  /// Its earlier name: an error that tells the new one.
  Field& was(const std::string& earlier) {
    info.old_key = earlier;
    return *this;
  }
};

/// The fields of a section.
template <typename S>
class Fields {
 public:
  /// A key for a member.
  template <typename T>
  Field<S>& add(const std::string& key, T S::* pointer, const Kind<T>& kind, const Doc& doc) {
    return add(key, member(pointer, kind), doc);
  }
  template <typename T>
  Field<S>& add(const std::string& key, std::optional<T> S::* pointer, const Kind<T>& kind,
                const Doc& doc) {
    return add(key, member(pointer, optional(kind)), doc);
  }

  /// A key for several members.
  Field<S>& add(const std::string& key, const Kind<S>& kind, const Doc& doc) {
    return list_.emplace_back(Field<S>{
        .info = {.key = key, .doc = doc, .schemas = kind.schemas, .rows = kind.rows},
        .read =
            [key, read = kind.read](const YamlTree& section, const Location& at, S& value) {
              if (const YamlTree* found = section.find(key)) read(*found, at.inside(key), value);
            },
        .write =
            [key, write = kind.write](const S& value, const std::string& folder,
                                      YamlTree& section) {
              if (const std::optional<YamlTree> tree = write(value, folder))
                section.add(key, *tree);
            },
        .vary = kind.vary});
  }

  /// As many keys such as "imu.<name>" as there are, in a map by the name.
  template <typename T>
  Field<S>& named(const std::string& key, std::map<std::string, T> S::* pointer,
                  const Kind<T>& kind, const Doc& doc = {}) {
    const std::string prefix = prefix_of(key);
    return list_.emplace_back(Field<S>{
        .info = {.key = key, .doc = doc, .schemas = kind.schemas, .rows = kind.rows},
        .read =
            [=, read = kind.read](const YamlTree& section, const Location& at, S& value) {
              for (const YamlTree& child : section.children) {
                if (!child.key.starts_with(prefix)) continue;
                Location inside = at.inside(child.key);
                inside.name = child.key.substr(prefix.size());
                read(child, inside, (value.*pointer)[inside.name]);
              }
            },
        .write =
            [=, write = kind.write](const S& value, const std::string& folder, YamlTree& section) {
              for (const auto& [name, one] : value.*pointer) {
                if (const std::optional<YamlTree> tree = write(one, folder))
                  section.add(prefix + name, *tree);
              }
            },
        .vary = [=, vary = kind.vary](
                    S& value, int salt) { vary((value.*pointer)[some_name(salt)], salt); }});
  }

  /// The fields of a member stand beside the others.
  template <typename T>
  void include(T S::* pointer) {
    Fields<T> fields;
    describe(fields);
    needs(fields.needed());
    for (const Field<T>& one : fields.list()) {
      list_.push_back(
          {.info = one.info,
           .read = [read = one.read, pointer](const YamlTree& section, const Location& at,
                                              S& value) { read(section, at, value.*pointer); },
           .write = [write = one.write, pointer](
                        const S& value, const std::string& folder,
                        YamlTree& section) { write(value.*pointer, folder, section); },
           .vary = [vary = one.vary, pointer](S& value, int salt) { vary(value.*pointer, salt); }});
    }
  }

  /// A key that the format defines and this version refuses.
  void refuse(const std::string& key, const std::vector<std::string>& schemas) {
    list_.push_back({.info = {.key = key, .schemas = schemas, .is_refused = true},
                     .read = [](const YamlTree&, const Location&, S&) {},
                     .write = [](const S&, const std::string&, YamlTree&) {},
                     .vary = [](S&, int) {}});
  }

  /// At least one of these is given.
  void needs(const std::vector<std::string>& keys) {
    needs_.insert(needs_.end(), keys.begin(), keys.end());
  }

  const std::vector<Field<S>>& list() const { return list_; }
  const std::vector<std::string>& needed() const { return needs_; }

 private:
  std::vector<Field<S>> list_;
  std::vector<std::string> needs_;
};

/// The fields with their defaults.
template <typename S>
std::vector<FieldInfo> infos_of(const Fields<S>& fields) {
  std::vector<FieldInfo> infos;
  for (const Field<S>& one : fields.list()) {
    YamlTree section{.kind = YamlTree::Kind::map};
    if (!one.info.is_required) one.write(S{}, "", section);
    infos.push_back(one.info);
    if (const YamlTree* value = section.find(one.info.key)) infos.back().value = *value;
  }
  return infos;
}

/// The schema of a map with these fields, at least one of those needed among them.
std::string schema_of(const std::vector<FieldInfo>& fields, const std::vector<std::string>& needed);

std::vector<Row> rows_of(const std::vector<FieldInfo>& fields);

/// A map with these fields.
template <typename S>
Kind<S> table(const Fields<S>& given) {
  const auto fields = std::make_shared<const Fields<S>>(given);
  const std::vector<FieldInfo> infos = infos_of(given);
  return {.schemas = {schema_of(infos, given.needed())},
          .accepts = is_map,
          .read =
              [fields](const YamlTree& node, const Location& at, S& value) {
                for (const Field<S>& one : fields->list()) one.read(node, at, value);
              },
          .write = [fields](const S& value, const std::string& folder) -> std::optional<YamlTree> {
            YamlTree tree{.kind = YamlTree::Kind::map};
            for (const Field<S>& one : fields->list()) {
              one.write(value, folder, tree);
              if (one.info.is_required && !tree.find(one.info.key)) return {};
            }
            return tree;
          },
          .vary =
              [fields](S& value, int salt) {
                for (const Field<S>& one : fields->list()) one.vary(value, salt);
              },
          .rows = rows_of(infos)};
}

/// A map with the fields that `describe(Fields<S>&)`, found beside the struct, says.
template <typename S>
Kind<S> table() {
  Fields<S> fields;
  describe(fields);
  return table(fields);
}

/// A map that stands for some members of the struct around it.
template <typename S, typename Describe>
Kind<S> group(const Describe& describe_group) {
  Fields<S> fields;
  describe_group(fields);
  return table(fields).if_any();
}

}  // namespace bayesid::config
