// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace bayesid::pipeline {

/// One file, whole or not at all: written beside, then renamed. Throws InputError.
void write_whole(const std::filesystem::path& file, const std::string& text);

}  // namespace bayesid::pipeline
