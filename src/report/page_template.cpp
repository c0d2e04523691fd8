// SPDX-License-Identifier: BSD-3-Clause
// The page of the program as bytes: CMake names its file.
#include "bayesid/report.hpp"

#include <cstdint>

__asm__(
    ".pushsection .rodata\n"
    ".global bayesid_page_begin\n"
    "bayesid_page_begin:\n"
    ".incbin \"" BAYESID_PAGE_FILE
    "\"\n"
    "bayesid_page_end:\n"
    ".byte 0\n"
    ".balign 8\n"
    ".global bayesid_page_size\n"
    "bayesid_page_size:\n"
    ".quad bayesid_page_end - bayesid_page_begin\n"
    ".popsection\n");

extern "C" {
extern const char bayesid_page_begin[];
extern const std::uint64_t bayesid_page_size;
}

namespace bayesid {

std::string_view page_template() {
  return {bayesid_page_begin, static_cast<std::size_t>(bayesid_page_size)};
}

}  // namespace bayesid
