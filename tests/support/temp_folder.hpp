// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace bayesid::test {

/// A folder of its own, gone with the object.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "bayesid_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make the folder " + name);
    path_ = name;
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file byte for byte and gives its path.
  std::string write(const std::string& name, const std::string& text) const {
    const std::string file = path_ / name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  /// The same under a name of its own, file<n><suffix>.
  std::string temp_file(const std::string& text, const std::string& suffix) {
    return write("file" + std::to_string(num_files_++) + suffix, text);
  }

 private:
  std::filesystem::path path_;
  int num_files_ = 0;
};

}  // namespace bayesid::test
