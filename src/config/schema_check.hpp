// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "config/yaml_tree.hpp"

namespace bayesid {

/// Checks a tree against a JSON Schema; throws InputError with file, line and key at the first
/// fault. Knows the keywords type, properties, patternProperties, additionalProperties, required,
/// items, minItems, maxItems, enum, const, anyOf, oneOf (taken as anyOf), $ref into $defs, minimum,
/// exclusiveMinimum, maximum, minLength, pattern. `x-unsupported: true` refuses a value that is not
/// empty.
void check_schema(const YamlTree& tree, std::string_view schema, const std::string& file);

}  // namespace bayesid
