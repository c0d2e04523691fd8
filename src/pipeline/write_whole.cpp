// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/write_whole.hpp"

#include <unistd.h>

#include <fstream>
#include <system_error>

#include "bayesid/error.hpp"

namespace bayesid::pipeline {

void write_whole(const std::filesystem::path& file, const std::string& text) {
  namespace fs = std::filesystem;
  const fs::path temporary = file.string() + ".tmp-" + std::to_string(::getpid());
  std::error_code error, ignored;
  {
    std::ofstream stream(temporary, std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (stream) fs::rename(temporary, file, error);
    if (stream && !error) return;
  }
  fs::remove(temporary, ignored);
  throw InputError("cannot write " + file.string() + (error ? ": " + error.message() : ""));
}

}  // namespace bayesid::pipeline
