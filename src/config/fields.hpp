// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
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

/// A key of a section and what stands behind it in the struct.
template <typename S>
struct Field {
  std::string key;  // "imu.<name>" stands for as many as there are
  Doc doc;
  std::vector<std::string> schemas;
  std::vector<Row> rows;
  std::function<void(const YamlTree& section, const Location&, S&)> read;
  std::function<void(const S&, const std::string& folder, YamlTree& section)> write;
  std::function<void(S&, int salt)> vary;
  bool is_required = false, is_refused = false, is_folded = false;
  std::string old_key = {};

  Field& required() {
    is_required = true;
    return *this;
  }
  /// The guide does not list what is inside.
  Field& folded() {
    is_folded = true;
    return *this;
  }
  /// Its earlier name: an error that tells the new one.
  Field& was(const std::string& earlier) {
    old_key = earlier;
    return *this;
  }
};

/// The text of a field in a section's schema, from its parts.
std::string field_schema(const std::vector<std::string>& schemas, const Doc& doc,
                         const YamlTree* value, bool is_refused);

/// A default as the guide shows it.
std::string shown(const YamlTree& value);

/// The fields of a section.
template <typename S>
class Fields {
 public:
  /// A key for a member.
  template <typename T>
  Field<S>& add(const std::string& key, T S::* pointer, const Kind<T>& kind, Doc doc) {
    return add(key, member(pointer, kind), std::move(doc));
  }
  template <typename T>
  Field<S>& add(const std::string& key, std::optional<T> S::* pointer, const Kind<T>& kind,
                Doc doc) {
    return add(key, member(pointer, optional(kind)), std::move(doc));
  }

  /// A key for several members.
  Field<S>& add(const std::string& key, const Kind<S>& kind, Doc doc) {
    return list_.emplace_back(Field<S>{
        .key = key,
        .doc = std::move(doc),
        .schemas = kind.schemas,
        .rows = kind.rows,
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
                  const Kind<T>& kind, Doc doc = {}) {
    const std::string prefix = key.substr(0, key.find('<'));
    return list_.emplace_back(Field<S>{
        .key = key,
        .doc = std::move(doc),
        .schemas = kind.schemas,
        .rows = kind.rows,
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
    for (const Field<T>& one : fields.list()) {
      Field<S>& own = list_.emplace_back();
      own.key = one.key;
      own.doc = one.doc;
      own.schemas = one.schemas;
      own.rows = one.rows;
      own.is_required = one.is_required;
      own.old_key = one.old_key;
      own.read = [read = one.read, pointer](const YamlTree& section, const Location& at, S& value) {
        read(section, at, value.*pointer);
      };
      own.write = [write = one.write, pointer](const S& value, const std::string& folder,
                                               YamlTree& section) {
        write(value.*pointer, folder, section);
      };
      own.vary = [vary = one.vary, pointer](S& value, int salt) { vary(value.*pointer, salt); };
    }
  }

  /// A key that the format defines and this version refuses.
  void refuse(const std::string& key, std::vector<std::string> schemas) {
    list_.emplace_back(Field<S>{.key = key,
                                .schemas = std::move(schemas),
                                .read = [](const YamlTree&, const Location&, S&) {},
                                .write = [](const S&, const std::string&, YamlTree&) {},
                                .vary = [](S&, int) {},
                                .is_refused = true});
  }

  /// At least one of these is given.
  void needs(std::vector<std::string> keys) { needs_ = std::move(keys); }

  const std::vector<Field<S>>& list() const { return list_; }
  const std::vector<std::string>& needed() const { return needs_; }

 private:
  std::vector<Field<S>> list_;
  std::vector<std::string> needs_;
};

/// The schema of a map, made key by key.
class MapSchema {
 public:
  void add(const std::string& key, const std::string& schema);
  void require(const std::string& key);
  void rename(const std::string& from, const std::string& to);
  std::string text(const std::vector<std::string>& needed) const;

 private:
  std::string properties_, patterns_, required_, renamed_;
};

template <typename S>
std::string schema_of(const Fields<S>& fields) {
  MapSchema schema;
  for (const Field<S>& one : fields.list()) {
    YamlTree defaults{.kind = YamlTree::Kind::map};
    if (!one.is_required) one.write(S{}, "", defaults);
    schema.add(one.key, field_schema(one.schemas, one.doc, defaults.find(one.key), one.is_refused));
    if (one.is_required) schema.require(one.key);
    if (!one.old_key.empty()) schema.rename(one.old_key, one.key);
  }
  return schema.text(fields.needed());
}

template <typename S>
std::vector<Row> rows_of(const Fields<S>& fields) {
  std::vector<Row> rows;
  for (const Field<S>& one : fields.list()) {
    YamlTree defaults{.kind = YamlTree::Kind::map};
    if (!one.is_required) one.write(S{}, "", defaults);
    const YamlTree* value = one.rows.empty() ? defaults.find(one.key) : nullptr;
    rows.push_back({.key = '.' + one.key,
                    .value = one.is_required ? "required"
                             : value         ? shown(*value)
                                             : one.doc.absent,
                    .unit = one.doc.unit,
                    .meaning = one.doc.meaning});
    if (one.is_folded) continue;
    const std::vector<Row> inside = rows_behind('.' + one.key, one.rows);
    rows.insert(rows.end(), inside.begin(), inside.end());
  }
  return rows;
}

/// A map with these fields.
template <typename S>
Kind<S> table(const Fields<S>& given) {
  const auto fields = std::make_shared<const Fields<S>>(given);
  return {.schemas = {schema_of(given)},
          .accepts = is_map,
          .read =
              [fields](const YamlTree& node, const Location& at, S& value) {
                for (const Field<S>& one : fields->list()) one.read(node, at, value);
              },
          .write = [fields](const S& value, const std::string& folder) -> std::optional<YamlTree> {
            YamlTree tree{.kind = YamlTree::Kind::map};
            for (const Field<S>& one : fields->list()) {
              one.write(value, folder, tree);
              if (one.is_required && !tree.find(one.key)) return {};
            }
            return tree;
          },
          .vary =
              [fields](S& value, int salt) {
                for (const Field<S>& one : fields->list()) one.vary(value, salt);
              },
          .rows = rows_of(given)};
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
