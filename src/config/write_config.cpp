// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/config.hpp"
#include "config/config_kind.hpp"
#include "config/yaml_writer.hpp"

namespace bayesid {

std::string config_yaml(const Config& config, const std::string& folder) {
  return config::yaml_file(config::config_kind().write(config, folder).value());
}

}  // namespace bayesid
