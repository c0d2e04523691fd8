// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/report/result.hpp"
#include "bayesid/solver/solve.hpp"

namespace bayesid {

/// What every run takes beside its configuration. Callbacks may be empty; none of them changes a
/// number.
struct RunOptions {
  int num_threads = 1;
  unsigned seed = 0;                                        // noted in the result
  std::vector<std::string> command = {};                    // the same
  std::function<void(const Iteration&)> on_iteration = {};  // of each search
  std::function<void(const std::string&)> on_message = {};  // a sentence for people
  std::function<bool()> stop = {};                          // true: interrupted
  // Warnings about robot and logs, before the search begins; they are part of the result, too.
  std::function<void(const std::vector<std::string>&)> on_warnings = {};
};

/// One file of a result.
struct File {
  std::string name, bytes;
};
using Files = std::vector<File>;

/// The bytes of a file by its name; "" when there is none.
std::string bytes_of(const Files& files, const std::string& name);

/// Writes all files; the folder appears whole or not at all. Throws InputError.
void publish(const Files& files, OutputFolder& folder);

/// Files that a configuration names, and itself: an output folder must not replace them.
std::vector<std::string> input_files(const Config& config);

}  // namespace bayesid
