// SPDX-License-Identifier: BSD-3-Clause
#include "log/python.hpp"

#include <cstdlib>

namespace bayesid {

namespace {

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

}  // namespace

std::string python() {
  return variable("BAYESID_PYTHON", BAYESID_DEFAULT_PYTHON);
}

std::map<std::string, std::string> python_environment() {
  std::string path = variable("BAYESID_PYTHONPATH", BAYESID_DEFAULT_PYTHONPATH);
  if (const std::string theirs = variable("PYTHONPATH", ""); !theirs.empty()) path += ':' + theirs;
  return {{"PYTHONPATH", path}, {"PYTHONSAFEPATH", "1"}};
}

}  // namespace bayesid
