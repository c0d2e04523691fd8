// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/run.hpp"

#include <algorithm>

namespace bayesid {

std::string bytes_of(const Files& files, const std::string& name) {
  const auto found = std::ranges::find(files, name, &File::name);
  return found == files.end() ? "" : found->bytes;
}

void publish(const Files& files, OutputFolder& folder) {
  for (const File& file : files) folder.write(file.name, file.bytes);
  folder.publish();
}

std::vector<std::string> input_files(const Config& config) {
  std::vector<std::string> out{config.file, config.model.urdf, config.simulation.trajectory,
                               config.parameters.prior_from};
  for (const LogConfig& log : config.logs) {
    out.push_back(log.file);
    out.push_back(log.model);
  }
  // A configuration that was made in code has no file.
  std::erase(out, "");
  return out;
}

}  // namespace bayesid
