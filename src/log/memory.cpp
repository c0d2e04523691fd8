// SPDX-License-Identifier: BSD-3-Clause
#include "log/memory.hpp"

#include <fstream>
#include <limits>

#include "bayesid/error.hpp"
#include "math/text.hpp"

namespace bayesid {

double free_memory() {
  std::ifstream stream("/proc/meminfo");
  std::string name, unit;
  double kilobytes = 0;
  while (stream >> name >> kilobytes) {
    if (name == "MemAvailable:") return 1024 * kilobytes;
    std::getline(stream, unit);
  }
  return std::numeric_limits<double>::infinity();  // unknown
}

void check_memory(const std::string& file, const MemoryNeed& need) {
  constexpr double gigabyte = 1e9;
  const double free = free_memory();
  if (need.bytes <= free) return;
  throw InputError(file + ": about " + rounded(need.rows, 2) + " rows of " +
                   rounded(need.columns, 6) + " columns need " + rounded(need.bytes / gigabyte, 3) +
                   " GB of memory, " + rounded(free / gigabyte, 3) + " GB are free; split the log");
}

}  // namespace bayesid
