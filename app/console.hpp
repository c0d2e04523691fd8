// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "bayesid/run.hpp"

namespace bayesid::app {

/// Where words go: people read standard output, unless a program does (--json) and they read
/// standard error.
class Console {
 public:
  explicit Console(const Arguments& arguments);
  ~Console() { end_progress(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// Text for people; nothing with --quiet.
  void print(const std::string& text);
  /// The one document for programs; nothing without --json.
  void document(const std::string& json) const;
  /// Never left out.
  void warn(const std::vector<std::string>& warnings);
  /// One row of the iterations: rewritten in place on a terminal, a line of its own elsewhere.
  void progress(const Iteration& row);
  /// The same for any other search.
  void progress(const std::string& row);

 private:
  void end_progress();

  bool json_, quiet_, terminal_;
  bool line_is_open_ = false;  // of the iterations, on a terminal
};

/// Threads, seed and command of the arguments; progress, messages and warnings go to the console,
/// and signals interrupt.
RunOptions run_options(const Arguments& arguments, Console& console);

}  // namespace bayesid::app
