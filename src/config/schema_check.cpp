// SPDX-License-Identifier: BSD-3-Clause
#include "config/schema_check.hpp"

#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "bayesid/error.hpp"
#include "config/pattern.hpp"
#include "math/did_you_mean.hpp"

namespace bayesid {
namespace {

using Json = nlohmann::ordered_json;
using Kind = YamlTree::Kind;

struct Problem {
  // mismatch: the value at `path` is of another kind, so that another branch of anyOf may be the
  // one meant.
  enum class Kind { mismatch, fault, missing, unsupported };
  Kind kind = Kind::fault;
  int line = 0;
  std::string path;
  std::string text;
};
using Result = std::optional<Problem>;

/// "a", "a or b", "a, b or c"
std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string shown(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string named(const std::string& path) {
  return path.empty() ? "the file" : path;
}

/// The value of a keyword, or an empty one.
const Json& part(const Json& schema, const char* keyword) {
  static const Json none = Json::object();
  return schema.contains(keyword) ? schema[keyword] : none;
}

bool equals(const YamlTree& tree, const Json& value) {
  if (value.is_number()) return tree.number() == value.get<double>();
  if (value.is_boolean()) return tree.boolean() == value.get<bool>();
  return tree.kind == Kind::scalar && value.is_string() && tree.text == value.get<std::string>();
}

bool has_type(const YamlTree& tree, const std::string& type) {
  if (type == "object") return tree.kind == Kind::map || tree.kind == Kind::null;
  if (type == "array") return tree.kind == Kind::list;
  if (type == "string") return tree.kind == Kind::scalar;  // a joint may be called 1
  if (type == "boolean") return tree.boolean().has_value();
  const std::optional<double> number = tree.number();
  if (type == "integer") return number && std::floor(*number) == *number;
  return type == "number" && number.has_value();
}

class SchemaCheck {
 public:
  explicit SchemaCheck(const Json& root) : root_(root) {}

  Result check(const YamlTree& tree, const Json& schema, const std::string& path) const {
    if (Result found = check_choice(tree, schema, path)) return found;
    if (schema.value("x-unsupported", false) && !tree.is_empty()) {
      const bool is_choice = schema.contains("const");
      return Problem{Problem::Kind::unsupported, tree.line, path,
                     path + (is_choice ? " is " + tree.text + ", which" : "") +
                         " is not supported by this version"};
    }
    if (schema.contains("$ref")) {
      if (Result found = check(tree, referred(schema), path)) return found;
    }
    if (Result found = check_scalar(tree, schema, path)) return found;
    if (Result found = check_map(tree, schema, path)) return found;
    if (Result found = check_list(tree, schema, path)) return found;
    for (const char* keyword : {"anyOf", "oneOf"}) {
      if (!schema.contains(keyword)) continue;
      if (Result found = check_branches(tree, schema[keyword], path)) return found;
    }
    return {};
  }

 private:
  const Json& referred(const Json& schema) const {
    const auto reference = schema.at("$ref").get<std::string>();  // "#/$defs/name"
    return root_.at(Json::json_pointer(reference.substr(1)));
  }

  /// What a value must be, in words.
  std::string expected(const Json& schema) const {
    if (schema.contains("x-expected")) return schema["x-expected"];
    if (schema.contains("$ref")) return expected(referred(schema));
    if (schema.contains("const")) return shown(schema["const"]);
    std::vector<std::string> words;
    if (schema.contains("enum")) {
      for (const Json& value : schema["enum"]) words.push_back(shown(value));
      return alternatives(words);
    }
    if (schema.contains("anyOf") && !schema.contains("type")) {
      for (const Json& branch : schema["anyOf"]) words.push_back(expected(branch));
      return alternatives(words);
    }
    const std::string type = schema.value("type", "");
    if (type == "object") return "a map";
    if (type == "array") return "a list";
    if (type == "boolean") return "true or false";
    if (type == "string") return "a text";
    const std::string limits = expected_limits(schema);
    return (type == "integer" ? "a whole number" : "a number") +
           (limits.empty() ? "" : ' ' + limits);
  }

  static std::string expected_limits(const Json& schema) {
    std::string text;
    const auto append = [&](const char* keyword, const char* words) {
      if (schema.contains(keyword))
        text += (text.empty() ? "" : " and ") + (words + shown(schema[keyword]));
    };
    append("exclusiveMinimum", "> ");
    append("minimum", "at least ");
    append("maximum", "at most ");
    return text;
  }

  /// const and enum
  Result check_choice(const YamlTree& tree, const Json& schema, const std::string& path) const {
    std::vector<std::string> words;
    if (schema.contains("const")) {
      if (equals(tree, schema["const"])) return {};
      words.push_back(shown(schema["const"]));
    } else if (schema.contains("enum")) {
      for (const Json& value : schema["enum"]) {
        if (equals(tree, value)) return {};
        words.push_back(shown(value));
      }
    } else {
      return {};
    }
    const std::string suggestion = tree.kind == Kind::scalar ? did_you_mean(tree.text, words) : "";
    return mismatch(tree, path, expected(schema) + suggestion);
  }

  Result check_scalar(const YamlTree& tree, const Json& schema, const std::string& path) const {
    if (schema.contains("type") && !has_type(tree, schema["type"])) {
      return mismatch(tree, path, expected(schema));
    }
    if (const std::optional<double> number = tree.number()) {
      const bool in_range =
          !(schema.contains("exclusiveMinimum") && *number <= schema["exclusiveMinimum"]) &&
          !(schema.contains("minimum") && *number < schema["minimum"]) &&
          !(schema.contains("maximum") && *number > schema["maximum"]);
      if (!in_range)
        return fault(tree, path, " is " + tree.text + ", must be " + expected_limits(schema));
    }
    if (tree.text.size() < schema.value("minLength", std::size_t{0})) {
      return fault(tree, path, " is empty, must be " + expected(schema));
    }
    if (schema.contains("pattern") && !matches(tree.text, schema["pattern"])) {
      return mismatch(tree, path, expected(schema));
    }
    return {};
  }

  Result check_map(const YamlTree& tree, const Json& schema, const std::string& path) const {
    if (tree.kind == Kind::map && schema.value("type", "") == "object") {
      for (std::size_t i = 0; i < tree.children.size(); ++i) {
        if (Result found = check_member(tree, i, schema, path)) return found;
      }
    }
    if (!schema.contains("required")) return {};
    for (const Json& key : schema["required"]) {
      if (tree.find(key)) continue;
      const std::string name = path.empty() ? shown(key) : path + '.' + shown(key);
      return Problem{Problem::Kind::missing, tree.line, path, name + " is missing"};
    }
    return {};
  }

  Result check_member(const YamlTree& tree, std::size_t i, const Json& schema,
                      const std::string& path) const {
    const YamlTree& child = tree.children[i];
    const std::string name = child_path(path, tree, i);
    const Json& properties = part(schema, "properties");
    if (properties.contains(child.key)) return check(child, properties[child.key], name);
    for (const auto& [expression, value] : part(schema, "patternProperties").items()) {
      if (matches(child.key, expression)) return check(child, value, name);
    }
    if (const Json& renamed = part(schema, "x-renamed"); renamed.contains(child.key)) {
      const std::string now = (path.empty() ? "" : path + '.') + shown(renamed[child.key]);
      return Problem{Problem::Kind::fault, child.line, name, name + " is now called " + now};
    }
    const Json& others = part(schema, "additionalProperties");
    if (others != Json(false)) return check(child, others, name);

    std::vector<std::string> keys;
    for (const auto& [key, value] : properties.items()) keys.push_back(key);
    std::string remedy = did_you_mean(child.key, keys);
    if (remedy.empty())
      remedy = ", expected " + (keys.empty() ? shown(part(schema, "x-keys")) : alternatives(keys));
    return Problem{Problem::Kind::fault, child.line, name, "unknown key " + name + remedy};
  }

  Result check_list(const YamlTree& tree, const Json& schema, const std::string& path) const {
    if (tree.kind != Kind::list) return {};
    const std::size_t size = tree.children.size();
    const std::size_t least = schema.value("minItems", std::size_t{0});
    const std::size_t most = schema.value("maxItems", size);
    if (size < least || size > most) {
      const std::string range = least == most  ? std::to_string(least)
                                : size < least ? "at least " + std::to_string(least)
                                               : "at most " + std::to_string(most);
      return fault(tree, path,
                   " has " + std::to_string(size) + (size == 1 ? " value" : " values") +
                       ", must have " + range);
    }
    if (!schema.contains("items")) return {};
    for (std::size_t i = 0; i < size; ++i) {
      if (Result found = check(tree.children[i], schema["items"], child_path(path, tree, i))) {
        return found;
      }
    }
    return {};
  }

  /// One branch must hold. When none does, tell the fault of the branch that was meant: the one of
  /// the right kind.
  Result check_branches(const YamlTree& tree, const Json& branches, const std::string& path) const {
    std::vector<Problem> meant;
    std::vector<std::string> words, missing, choices;
    for (const Json& branch : branches) {
      Result found = check(tree, branch, path);
      // No value at all passes for an empty map only where nothing else could be meant.
      if (!found && tree.kind == Kind::null) found = mismatch(tree, path, "");
      if (!found || found->kind == Problem::Kind::unsupported) return found;
      const bool is_other_kind = found->kind == Problem::Kind::mismatch && found->path == path;
      if (!is_other_kind) meant.push_back(*found);
      if (found->kind == Problem::Kind::missing) missing.push_back(shown(branch["required"][0]));
      if (branch.contains("const")) choices.push_back(shown(branch["const"]));
      words.push_back(expected(branch));
    }
    if (missing.size() == branches.size()) {
      return Problem{Problem::Kind::missing, tree.line, path,
                     named(path) + " needs " + alternatives(missing)};
    }
    if (meant.size() == 1) return meant[0];
    const std::string suggestion =
        tree.kind == Kind::scalar ? did_you_mean(tree.text, choices) : "";
    return mismatch(tree, path, alternatives(words) + suggestion);
  }

  static Result mismatch(const YamlTree& tree, const std::string& path, const std::string& words) {
    return Problem{Problem::Kind::mismatch, tree.line, path,
                   named(path) + " is " + tree.shown() + ", must be " + words};
  }

  static Result fault(const YamlTree& tree, const std::string& path, const std::string& words) {
    return Problem{Problem::Kind::fault, tree.line, path, named(path) + words};
  }

  const Json& root_;
};

}  // namespace

void check_schema(const YamlTree& tree, std::string_view schema, const std::string& file) {
  const Json root = Json::parse(schema);
  const Result problem = SchemaCheck(root).check(tree, root, "");
  if (!problem) return;
  throw InputError(file + ':' + std::to_string(problem->line) + ": " + problem->text);
}

}  // namespace bayesid
