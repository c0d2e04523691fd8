// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace bayesid {

/// The whole of a text file, inflated when it is gzip, without byte order mark.
/// Throws InputError on what is no text: folders, corrupt archives, UTF-16, binary formats.
std::string read_bytes(const std::string& path);

}  // namespace bayesid
