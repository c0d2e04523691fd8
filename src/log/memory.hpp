// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace bayesid {

/// Bytes that a process may still take.
double free_memory();

/// What reading a log will take.
struct MemoryNeed {
  double rows = 0;
  double columns = 0;
  double bytes = 0;
};

/// Throws InputError with the estimate when it is more than what is free.
void check_memory(const std::string& file, const MemoryNeed& need);

}  // namespace bayesid
