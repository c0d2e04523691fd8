// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bayesid/config.hpp"

namespace bayesid {

struct Iteration;

/// What every run takes beside its configuration. Callbacks may be empty; none of them changes a
/// number.
struct RunOptions {
  int num_threads = 1;
  unsigned seed = 0;                                        // noted in the result
  std::vector<std::string> command = {};                    // the same
  std::function<void(const Iteration&)> on_iteration = {};  // of each search
  std::function<void(const std::string&)> on_message = {};  // a sentence for people
  std::function<bool()> stop = {};                          // true: interrupted
  bool retry = true;  // a search that stalls is tried once more, from another start
  // Warnings about robot and logs, before the search begins; they are part of the result, too.
  std::function<void(const std::vector<std::string>&)> on_warnings = {};
};

enum class Severity { error, warning, ok };
const char* to_string(Severity severity);

/// One sentence of the first page.
struct Verdict {
  Severity severity = Severity::ok;
  std::string topic;  // convergence, prediction, undetermined, model_error, diagnostics
  std::string text;
  std::map<std::string, double> numbers = {};
};

/// A file that a run has read.
struct ReadFile {
  std::string file, sha256;
  std::uintmax_t bytes = 0;
};

/// Where a result comes from.
struct Provenance {
  std::string program, compiler, pinocchio;  // versions
  std::vector<std::string> command;
  std::string config;  // text of config.yaml as it was in force
  ReadFile model;
  std::vector<ReadFile> logs;
  unsigned seed = 0;
  std::string time;  // ISO 8601, UTC
  unsigned host_threads = 0;
};

/// One file of a result.
struct File {
  std::string name, bytes;
};
using Files = std::vector<File>;

/// The bytes of a file by its name; "" when there is none.
std::string bytes_of(const Files& files, const std::string& name);

/// Files of an output folder that appears whole or not at all: written beside, then renamed.
/// An existing folder is replaced only if its files.json lists all its files.
class OutputFolder {
 public:
  /// Throws InputError when the folder cannot be written, contains other files, or a file that
  /// this run reads.
  explicit OutputFolder(const std::string& path, const std::vector<std::string>& inputs = {});
  ~OutputFolder();  // removes what was not published
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  /// One file of the folder; `name` may begin with subfolders.
  void write(const std::string& name, const std::string& text);
  /// Puts the folder in its place; nothing can be written after that.
  void publish();

 private:
  void make_parents();

  std::filesystem::path path_, temporary_;
  std::set<std::string> files_;              // written so far
  std::vector<std::filesystem::path> made_;  // parents that did not exist before, outermost first
};

/// Writes all files; the folder appears whole or not at all. Throws InputError.
void publish(const Files& files, OutputFolder& folder);

/// Files that a configuration names, and itself: an output folder must not replace them.
std::vector<std::string> input_files(const Config& config);

}  // namespace bayesid
