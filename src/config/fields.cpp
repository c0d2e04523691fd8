// SPDX-License-Identifier: BSD-3-Clause
#include "config/fields.hpp"

#include "config/json_text.hpp"
#include "config/yaml_writer.hpp"

namespace bayesid::config {
namespace {

void append(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

}  // namespace

std::string field_schema(const std::vector<std::string>& schemas, const Doc& doc,
                         const YamlTree* value, bool is_refused) {
  std::string notes;
  if (!doc.meaning.empty()) {
    const std::string unit = doc.unit.empty() ? "" : " [" + doc.unit + "]";
    append(notes, R"("description": )" + json_text(doc.meaning + unit));
  }
  if (value) append(notes, R"("default": )" + json_text(*value));
  if (is_refused) append(notes, R"("x-unsupported": true)");
  const std::string schema = schema_of(schemas);
  return notes.empty() ? schema : '{' + notes + ", " + schema.substr(1);
}

std::string shown(const YamlTree& value) {
  return value.number() ? value.text : '`' + yaml_on_one_line(value) + '`';
}

void MapSchema::add(const std::string& key, const std::string& schema) {
  const bool is_pattern = key.ends_with('>');
  append(is_pattern ? patterns_ : properties_,
         json_text(is_pattern ? pattern_of(key) : key) + ": " + schema);
}

void MapSchema::require(const std::string& key) {
  append(required_, json_text(key));
}

void MapSchema::rename(const std::string& from, const std::string& to) {
  append(renamed_, json_text(from) + ": " + json_text(to));
}

std::string MapSchema::text(const std::vector<std::string>& needed) const {
  std::string out = R"({"type": "object", "additionalProperties": false)";
  std::string branches;
  for (const std::string& key : needed)
    append(branches, R"({"required": [)" + json_text(key) + "]}");
  if (!branches.empty()) out += R"(, "anyOf": [)" + branches + ']';
  if (!required_.empty()) out += R"(, "required": [)" + required_ + ']';
  out += R"(, "properties": {)" + properties_ + '}';
  if (!patterns_.empty()) out += R"(, "patternProperties": {)" + patterns_ + '}';
  if (!renamed_.empty()) out += R"(, "x-renamed": {)" + renamed_ + '}';
  return out + '}';
}

}  // namespace bayesid::config
