// SPDX-License-Identifier: BSD-3-Clause
#include "console.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>

#include "bayesid/solve.hpp"
#include "interrupt.hpp"

namespace bayesid::app {

Console::Console(const Arguments& arguments)
    : json_(arguments.json), quiet_(arguments.quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

void Console::print(const std::string& text) {
  if (quiet_) return;
  end_progress();
  std::FILE* to = json_ ? stderr : stdout;
  std::fputs(text.c_str(), to);
  std::fflush(to);
}

void Console::document(const std::string& json) const {
  if (!json_) return;
  std::fputs(json.c_str(), stdout);
  if (!json.ends_with('\n')) std::fputc('\n', stdout);
  std::fflush(stdout);
}

void Console::warn(const std::vector<std::string>& warnings) {
  if (!warnings.empty()) end_progress();
  for (const std::string& warning : warnings) {
    std::fprintf(stderr, "warning: %s\n", warning.c_str());
  }
}

void Console::progress(const Iteration& row) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "iteration %3d  cost %.6e  infeasibility %.1e  step %.1e  length %.2f  %.1f s",
                row.number, row.cost, row.violation, row.step, row.length, row.seconds);
  progress(std::string(text.data()));
}

void Console::progress(const std::string& row) {
  if (quiet_) return;
  std::fprintf(stderr, "%s%s%s", terminal_ ? "\r\x1b[K" : "", row.c_str(), terminal_ ? "" : "\n");
  std::fflush(stderr);
  line_is_open_ = terminal_;
}

void Console::end_progress() {
  if (line_is_open_) std::fputc('\n', stderr);
  line_is_open_ = false;
}

RunOptions run_options(const Arguments& arguments, Console& console) {
  return {.num_threads = arguments.threads,
          .seed = arguments.seed,
          .command = arguments.command,
          .on_iteration = [&](const Iteration& row) { console.progress(row); },
          .on_message = [&](const std::string& text) { console.print(text + "\n"); },
          .stop = [] { return interrupt() != 0; },
          .on_warnings = [&](const std::vector<std::string>& warnings) { console.warn(warnings); }};
}

}  // namespace bayesid::app
