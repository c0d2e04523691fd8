// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "bayesid/solver/solve.hpp"

namespace bayesid::app {

/// Where words go: people read standard output, unless a program does (--json) and they read
/// standard error.
class Console {
 public:
  explicit Console(const Arguments& arguments);

  /// Text for people; nothing with --quiet.
  void print(const std::string& text) const;
  /// The one document for programs; nothing without --json.
  void document(const std::string& json) const;
  /// Never left out.
  void warn(const std::vector<std::string>& warnings) const;
  /// One row of the iterations: rewritten in place on a terminal, a line of its own elsewhere.
  void progress(const Iteration& row);
  /// The same for any other search.
  void progress(const std::string& row);
  /// After the last row.
  void end_progress();

 private:
  bool json_, quiet_, terminal_;
  bool line_is_open_ = false;  // of the iterations, on a terminal
};

}  // namespace bayesid::app
