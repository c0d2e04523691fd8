// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "config/config_kind.hpp"

namespace bayesid {

std::string_view config_schema() {
  static const std::string text = [] {
    nlohmann::ordered_json schema{
        {"$schema", "https://json-schema.org/draft/2020-12/schema"},
        {"title", "Configuration of bayesid"},
        {"$comment",
         "x-unsupported marks what the format defines and this version refuses, x-renamed maps "
         "earlier names of keys to theirs, x-expected and x-keys are words for messages."}};
    const auto fields = nlohmann::ordered_json::parse(config::config_kind().schemas.at(0));
    schema.update(fields);
    return schema.dump(1) + '\n';
  }();
  return text;
}

}  // namespace bayesid
