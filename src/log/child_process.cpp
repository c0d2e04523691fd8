// SPDX-License-Identifier: BSD-3-Clause
#include "log/child_process.hpp"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

namespace bayesid {
namespace {

/// As the C interface wants them; `words` must outlive the pointers.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// Ours with some variables replaced.
std::vector<std::string> merged_environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> out;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) out.push_back(text);
  }
  for (const auto& [name, value] : changes) {
    std::string entry = name;
    entry += '=';
    entry += value;
    out.push_back(entry);
  }
  return out;
}

/// Gives the error number, 0 when the child runs.
int spawn(pid_t& pid, std::vector<std::string> words, std::vector<std::string> environment,
          int socket, int errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  const int code = posix_spawnp(&pid, words[0].c_str(), &actions, nullptr, pointers(words).data(),
                                pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words,
                           const std::map<std::string, std::string>& environment)
    : errors_(std::tmpfile()) {
  std::array<int, 2> ends{};
  if (!errors_ || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category());
  }
  const int code =
      spawn(pid_, words, merged_environment(environment), ends[1], fileno(errors_.get()));
  close(ends[1]);
  socket_ = ends[0];
  if (code == 0) return;
  close(socket_);
  throw std::system_error(code, std::generic_category());
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) kill(pid_, SIGTERM);
  wait();
}

bool ChildProcess::read(void* bytes, std::size_t size) {
  char* next = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t count = ::read(socket_, next, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

void ChildProcess::write(const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    // Without a signal when nobody reads.
    const ssize_t count = send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;
    sent += static_cast<std::size_t>(count);
  }
}

std::string ChildProcess::wait() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (pid_ <= 0) return "";
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  const std::string line = last_error_line();
  const std::string how = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                              : "exit code " + std::to_string(WEXITSTATUS(status));
  return line.empty() ? how : how + ": " + line;
}

std::string ChildProcess::last_error_line() {
  constexpr off_t longest = 4096;
  const off_t size = lseek(fileno(errors_.get()), 0, SEEK_END);
  std::string text(static_cast<std::size_t>(std::clamp<off_t>(size, 0, longest)), '\0');
  const ssize_t count = pread(fileno(errors_.get()), text.data(), text.size(),
                              size - static_cast<off_t>(text.size()));
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace bayesid
