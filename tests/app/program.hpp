// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace bayesid::test {

/// What one run of the program left.
struct Run {
  int code = -1;
  std::string out, err;
};

/// Runs the built program in `folder`. With `signal`, it is sent once standard error holds `after`.
/// With `largest_file`, writes fail beyond so many bytes of a file, as on a disk that is full.
Run run_program(const std::string& folder, const std::vector<std::string>& words, int signal = 0,
                const std::string& after = "", unsigned largest_file = 0);

/// The whole file; "" when there is none.
std::string text_of(const std::string& file);

/// An arm of two joints, a configuration and a log of one second that identify in a moment.
struct SmallCase {
  std::string urdf, config, log;
};
const SmallCase& small_case();

}  // namespace bayesid::test
