// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/config_stamp.hpp"
#include "report/provenance.hpp"

namespace bayesid::pipeline {

std::string stamped_config(const Config& config, const std::string& folder, unsigned seed) {
  return "# bayesid " BAYESID_VERSION ", seed " + std::to_string(seed) +
         "; every setting that was in force\n" + config_yaml(config, folder);
}

Provenance provenance_of(const Config& config, const RunOptions& options) {
  Provenance out = make_provenance(config);
  out.command = options.command;
  out.seed = options.seed;
  return out;
}

Provenance with_config(Provenance provenance, const std::string& config_text) {
  provenance.config = config_text;
  return provenance;
}

}  // namespace bayesid::pipeline
