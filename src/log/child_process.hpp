// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace bayesid {

/// A program that talks to us through its standard input and output; it ends with the object.
class ChildProcess {
 public:
  /// `words`: the program and its arguments; `environment` is added to ours. Throws
  /// std::system_error when it cannot be started.
  ChildProcess(const std::vector<std::string>& words,
               const std::map<std::string, std::string>& environment);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Fills `size` bytes; false when the child ended before.
  bool read(void* bytes, std::size_t size);
  /// A child that has ended gets nothing, which reading will show.
  void write(const std::string& bytes);
  /// How it ended: "exit code 1: last line of its standard error".
  std::string wait();

 private:
  std::string last_error_line();

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> errors_;
  int socket_ = -1;
  pid_t pid_ = -1;
};

}  // namespace bayesid
