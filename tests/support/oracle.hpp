// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace bayesid::test {

/// Folder with reference problems or measurements that stand beside the project; "" where they are
/// absent.
inline std::string shared_folder(const std::string& name) {
  const std::filesystem::path folder =
      std::filesystem::path(BAYESID_SOURCE).parent_path() / "shared" / name;
  return std::filesystem::exists(folder) ? folder.string() : "";
}

}  // namespace bayesid::test
