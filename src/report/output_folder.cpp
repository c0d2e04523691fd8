// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>

#include "bayesid/error.hpp"
#include "bayesid/result.hpp"
#include "report/file_list.hpp"

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

/// Throws unless everything in a folder is on its own list, or there is nothing.
void check_listed(const fs::path& folder) {
  if (fs::is_empty(folder)) return;
  const std::optional<std::set<std::string>> names = report::read_file_list(folder);
  if (!names) {
    throw InputError(folder.string() + " exists and is not an earlier result: it has no " +
                     report::file_list_name +
                     ", the list of what a run wrote; move it away or choose another --out");
  }
  const std::string other = report::first_unlisted(folder, *names);
  if (other.empty()) return;
  throw InputError(folder.string() + " holds " + other +
                   ", which no run of bayesid wrote there; move it away or choose another --out");
}

/// Removes listed files and the folders that are empty then; what else has come meanwhile stays.
void remove_listed(const fs::path& folder) {
  const std::set<std::string> names =
      report::read_file_list(folder).value_or(std::set<std::string>{});
  std::error_code ignored;
  std::vector<fs::path> all;
  for (fs::recursive_directory_iterator entry(folder, ignored), end; entry != end;
       entry.increment(ignored))
    all.push_back(entry->path());
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    const bool is_folder = fs::is_directory(fs::symlink_status(*one, ignored));
    if (is_folder || report::is_listed(folder, *one, names)) fs::remove(*one, ignored);
  }
  fs::remove(folder, ignored);
}

void check_replaceable(const fs::path& path, const std::vector<std::string>& inputs) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return;
  if (!fs::is_directory(path, error)) {
    throw InputError(path.string() + " exists and is no folder; choose another --out");
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
  try {
    check_listed(path);
  } catch (const fs::filesystem_error& failure) {
    throw InputError("cannot read " + path.string() + ": " + failure.code().message());
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
  files_.insert(fs::path(name).lexically_normal().generic_string());
}

void OutputFolder::publish() {
  // What stands there may have changed since the run began.
  check_replaceable(path_, {});
  write(report::file_list_name, report::file_list_json(files_));
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
  if (!aside.empty()) remove_listed(aside);
}

}  // namespace bayesid
