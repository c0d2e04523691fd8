// SPDX-License-Identifier: BSD-3-Clause
#include "config/fields.hpp"

#include "config/json_text.hpp"
#include "config/yaml_writer.hpp"

namespace bayesid::config {
namespace {

void append(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

/// The schema of a value, with what editors show beside it.
std::string annotated_schema(const FieldInfo& field) {
  std::string notes;
  if (!field.doc.meaning.empty()) {
    const std::string unit = field.doc.unit.empty() ? "" : " [" + field.doc.unit + "]";
    append(notes, R"("description": )" + json_text(field.doc.meaning + unit));
  }
  if (field.value) append(notes, R"("default": )" + json_text(*field.value));
  if (field.is_refused) append(notes, R"("x-unsupported": true)");
  const std::string schema = schema_of(field.schemas);
  return notes.empty() ? schema : '{' + notes + ", " + schema.substr(1);
}

/// The column `default` of the guide.
std::string shown_default(const FieldInfo& field) {
  if (field.value && field.rows.empty())
    return field.value->number() ? field.value->text : '`' + yaml_on_one_line(*field.value) + '`';
  return field.is_required && field.doc.absent.empty() ? "required" : field.doc.absent;
}

}  // namespace

std::string schema_of(const std::vector<FieldInfo>& fields,
                      const std::vector<std::string>& needed) {
  std::string properties, patterns, required, renamed, branches;
  for (const FieldInfo& one : fields) {
    const bool is_pattern = one.key.ends_with('>');
    append(is_pattern ? patterns : properties,
           json_text(is_pattern ? pattern_of(one.key) : one.key) + ": " + annotated_schema(one));
    if (one.is_required) append(required, json_text(one.key));
    if (!one.old_key.empty()) append(renamed, json_text(one.old_key) + ": " + json_text(one.key));
  }
  for (const std::string& key : needed)
    append(branches, R"({"required": [)" + json_text(key) + "]}");
  std::string out = R"({"type": "object", "additionalProperties": false)";
  if (!branches.empty()) out += R"(, "anyOf": [)" + branches + ']';
  if (!required.empty()) out += R"(, "required": [)" + required + ']';
  out += R"(, "properties": {)" + properties + '}';
  if (!patterns.empty()) out += R"(, "patternProperties": {)" + patterns + '}';
  if (!renamed.empty()) out += R"(, "x-renamed": {)" + renamed + '}';
  return out + '}';
}

std::vector<Row> rows_of(const std::vector<FieldInfo>& fields) {
  std::vector<Row> rows;
  for (const FieldInfo& one : fields) {
    rows.push_back({.key = '.' + one.key,
                    .value = shown_default(one),
                    .unit = one.doc.unit,
                    .meaning = one.doc.meaning});
    if (one.is_folded) continue;
    const std::vector<Row> inside = rows_behind('.' + one.key, one.rows);
    rows.insert(rows.end(), inside.begin(), inside.end());
  }
  return rows;
}

}  // namespace bayesid::config
