// SPDX-License-Identifier: BSD-3-Clause
#include "log/python.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace bayesid {

namespace {

std::string variable(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

/// Where our modules are: beside the program that runs, when it is an installed one, else in the
/// source tree of the build, else where the library was to be installed.
std::string module_folder() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path beside = program.parent_path().parent_path() / BAYESID_PYTHON_FOLDER;
  for (const fs::path& folder : {beside, fs::path(BAYESID_SOURCE_PYTHONPATH)}) {
    if (fs::exists(folder / "bayesid_logs", ignored)) return folder.string();
  }
  return BAYESID_INSTALL_PREFIX "/" BAYESID_PYTHON_FOLDER;
}

}  // namespace

std::string python() {
  return variable("BAYESID_PYTHON", BAYESID_DEFAULT_PYTHON);
}

std::map<std::string, std::string> python_environment() {
  std::string path = variable("BAYESID_PYTHONPATH", module_folder());
  if (const std::string theirs = variable("PYTHONPATH", ""); !theirs.empty()) path += ':' + theirs;
  return {{"PYTHONPATH", path}, {"PYTHONSAFEPATH", "1"}};
}

}  // namespace bayesid
