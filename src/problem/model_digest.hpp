// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace bayesid {

/// SHA-256 of a file's bytes in hexadecimal digits; "" when it cannot be read.
std::string file_digest(const std::string& file);

/// The same of bytes.
std::string digest(const std::string& bytes);

}  // namespace bayesid
