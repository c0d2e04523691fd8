// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "bayesid/error.hpp"
#include "bayesid/report/result.hpp"

namespace bayesid {

namespace fs = std::filesystem;

namespace {

/// The folder itself: no link to it, no "..", no slash at the end.
fs::path resolved(const std::string& path) {
  if (path.empty()) throw InputError("--out is empty, expected the name of a folder");
  std::error_code error;
  const fs::path out = fs::weakly_canonical(fs::absolute(path), error);
  if (error) throw InputError("cannot write " + path + ": " + error.message());
  return out.has_filename() ? out : out.parent_path();
}

/// Results are flat folders with files of these kinds.
bool is_result_file(const fs::directory_entry& entry) {
  static const std::array<const char*, 11> kinds{".json", ".yaml", ".urdf", ".mjcf", ".xml", ".svg",
                                                 ".csv",  ".gz",   ".html", ".txt",  ".bin"};
  const std::string kind = entry.path().extension().string();
  return entry.is_regular_file() && std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool is_earlier_result(const fs::path& folder) {
  std::error_code error;
  bool is_marked = false;
  for (const char* mark :
       {"result.json", "truth.json", "validation.json", "excitation.json", "comparison.json"}) {
    is_marked = is_marked || fs::exists(folder / mark, error);
  }
  bool is_empty = true, is_pure = true;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    is_empty = false;
    is_pure = is_pure && is_result_file(entry);
  }
  return !error && (is_empty || (is_marked && is_pure));
}

void check_replaceable(const fs::path& path, const std::vector<std::string>& inputs) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return;
  if (!fs::is_directory(path, error) || !is_earlier_result(path)) {
    throw InputError(path.string() + " exists and is not an earlier result; choose another --out");
  }
  for (const std::string& input : inputs) {
    const fs::path file = fs::weakly_canonical(fs::absolute(input), error);
    const bool is_inside =
        std::mismatch(path.begin(), path.end(), file.begin(), file.end()).first == path.end();
    if (is_inside) {
      throw InputError(path.string() + " holds " + file.filename().string() +
                       ", which this run reads; choose another --out");
    }
  }
}

[[noreturn]] void fail(const fs::path& path, int error) {
  throw InputError("cannot write " + path.string() + ": " + std::strerror(error));
}

void write_all(int file, const std::string& text, const fs::path& shown) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int error = count < 0 ? errno : ENOSPC;
      ::close(file);
      fail(shown, error);
    }
    done += static_cast<size_t>(count);
  }
  if (::close(file) != 0)
    fail(shown, errno);  // some file systems tell only now that the disk is full
}

}  // namespace

OutputFolder::OutputFolder(const std::string& path, const std::vector<std::string>& inputs)
    : path_(resolved(path)) {
  check_replaceable(path_, inputs);
  make_parents();
  temporary_ = path_;
  temporary_ += ".tmp-" + std::to_string(::getpid());
  std::error_code error;
  fs::remove_all(temporary_, error);  // of a process of the same number that was killed
  if (!fs::create_directory(temporary_, error)) {
    const int code = error ? error.value() : EEXIST;
    temporary_.clear();
    for (auto parent = made_.rbegin(); parent != made_.rend(); ++parent) fs::remove(*parent, error);
    fail(path_, code);
  }
}

void OutputFolder::make_parents() {
  std::error_code error;
  for (fs::path parent = path_.parent_path(); !parent.empty() && !fs::exists(parent, error);
       parent = parent.parent_path()) {
    if (error) fail(path_, error.value());
    made_.insert(made_.begin(), parent);
  }
  for (size_t i = 0; i < made_.size(); ++i) {
    if (fs::create_directory(made_[i], error)) continue;
    const int code = error ? error.value() : EEXIST;
    while (i-- > 0) fs::remove(made_[i], error);
    fail(path_, code);
  }
}

OutputFolder::~OutputFolder() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
  // Parents that hold something by now stay.
  for (auto parent = made_.rbegin(); parent != made_.rend(); ++parent) fs::remove(*parent, ignored);
}

void OutputFolder::write(const std::string& name, const std::string& text) {
  const fs::path target = temporary_ / name, shown = path_ / name;
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  if (error) fail(shown, error.value());
  const int file = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(shown, errno);
  write_all(file, text, shown);
}

void OutputFolder::publish() {
  // What stands there may have changed since the run began.
  check_replaceable(path_, {});
  std::error_code error;
  fs::path aside;
  if (fs::exists(path_, error)) {
    aside = path_;
    aside += ".old-" + std::to_string(::getpid());
    fs::rename(path_, aside, error);
    if (error) fail(path_, error.value());
  }
  fs::rename(temporary_, path_, error);
  if (error) {
    std::error_code ignored;
    if (!aside.empty()) fs::rename(aside, path_, ignored);
    fail(path_, error.value());
  }
  temporary_.clear();
  if (!aside.empty()) fs::remove_all(aside, error);
}

}  // namespace bayesid
