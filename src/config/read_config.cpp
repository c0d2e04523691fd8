// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/config.hpp"
#include "bayesid/error.hpp"
#include "config/check_config.hpp"
#include "config/config_kind.hpp"
#include "config/schema_check.hpp"
#include "config/sections.hpp"
#include "config/yaml_reader.hpp"

namespace bayesid {
namespace {

/// A better sentence than the schema's, since it is the first thing a new user forgets.
void check_version(const YamlTree& root, const std::string& file) {
  const YamlTree* version = root.find("schema");
  if (!version) throw InputError(file + ":1: schema is missing: add the line `schema: 1`");
  if (version->number() == 1.0) return;
  throw InputError(file + ':' + std::to_string(version->line) + ": schema is " + version->shown() +
                   ", this version reads `schema: 1`");
}

}  // namespace

Config config::read_fields(const std::string& path) {
  const YamlTree root = read_yaml(path);
  check_version(root, path);
  check_schema(root, config_schema(), path);
  Config out;
  out.file = path;
  out.parameters = default_parameters();
  config_kind().read(root, {.file = path, .key = ""}, out);
  // Inputs that are known are known in time.
  if (out.measurements.effort_exact && !root.find("parameters")) out.parameters.delay.clear();
  collect_lines(root, "", out.lines);
  return out;
}

Config read_config(const std::string& path) {
  Config config = config::read_fields(path);
  check_config(config);
  return config;
}

std::string location_of(const Config& config, const std::string& key) {
  // A key that was not written has the place of the section it would stand in.
  for (std::string written = key; !written.empty();) {
    const auto found = config.lines.find(written);
    if (found != config.lines.end()) {
      return config.file + ':' + std::to_string(found->second) + ": " + key;
    }
    const std::size_t end = written.find_last_of(".[");
    written.resize(end == written.npos ? 0 : end);
  }
  return config.file + ": " + key;
}

}  // namespace bayesid
