// SPDX-License-Identifier: BSD-3-Clause
#include "log/read_bytes.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

#include "bayesid/error.hpp"
#include "log/memory.hpp"

namespace bayesid {
namespace {

constexpr std::size_t max_inflated = 4'294'967'296;  // bytes; a corrupt archive can claim any size

/// Before a large text is read: its rows, from the length of the first ones.
void check_fits(const std::string& path, std::ifstream& stream, double size) {
  constexpr double small = 1e8;  // bytes
  if (size < small || path.ends_with(".gz")) return;
  std::string start(65'536, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  stream.seekg(0);
  const auto lines = static_cast<double>(std::count(start.begin(), start.end(), '\n'));
  const auto commas = std::count(
      start.begin(), start.begin() + static_cast<std::ptrdiff_t>(start.find('\n') + 1), ',');
  const double rows = size / static_cast<double>(start.size()) * std::max(lines, 1.0);
  const auto columns = static_cast<double>(commas + 1);
  check_memory(path, {.rows = rows, .columns = columns, .bytes = size + rows * columns * 8});
}

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(path + ": is a folder, expected a log file or a ROS 2 bag");
  }
  if (!std::filesystem::exists(path, ignored)) throw InputError(path + ": no such file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path + ": cannot be read");

  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  std::string bytes;
  if (!ignored) {
    check_fits(path, stream, static_cast<double>(size));
    bytes.resize(size);
    stream.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
  } else {  // a pipe
    bytes.assign(std::istreambuf_iterator<char>(stream), {});
  }
  return bytes;
}

/// Inflates all members of a gzip file: archives put one behind the other are one archive.
class Inflater {
 public:
  Inflater(const std::string& packed, const std::string& path) : packed_(packed), path_(path) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw InputError(path + ": no memory to inflate");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::string inflate_all() {
    std::string text;
    bool ended = false;
    while (position_ < packed_.size() || !ended) {
      if (ended) inflateReset(&stream_);
      ended = step(text);
    }
    return text;
  }

 private:
  /// Goes on until the output block is full or the member ends.
  bool step(std::string& text) {
    constexpr std::size_t block = 1'048'576;
    const std::size_t filled = text.size();
    text.resize(filled + block);
    const std::size_t left =
        std::min<std::size_t>(packed_.size() - position_, std::numeric_limits<uInt>::max());
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data())) + position_;
    stream_.avail_in = static_cast<uInt>(left);
    stream_.next_out = reinterpret_cast<Bytef*>(text.data()) + filled;
    stream_.avail_out = static_cast<uInt>(block);

    const int code = inflate(&stream_, Z_NO_FLUSH);
    position_ += left - stream_.avail_in;
    text.resize(filled + block - stream_.avail_out);
    if (code == Z_STREAM_END) return true;
    if (code != Z_OK) {
      const char* reason = stream_.msg ? stream_.msg : "it ends too early";
      throw InputError(path_ + ": is a corrupt gzip file: " + reason);
    }
    if (text.size() > max_inflated) throw InputError(path_ + ": inflates to more than 4 GB");
    return false;
  }

  const std::string& packed_;
  const std::string& path_;
  z_stream stream_{};
  std::size_t position_ = 0;
};

void check_is_text(const std::string& text, const std::string& path) {
  const std::string_view start = std::string_view(text).substr(0, 4096);
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff")) {
    throw InputError(path + ": is UTF-16 text, save it as UTF-8");
  }
  if (path.ends_with(".npy")) {
    throw InputError(path + ": is an array without names, save them together with numpy.savez");
  }
  if (path.ends_with(".bag")) {
    throw InputError(path + ": is a bag of ROS 1, convert it with rosbags-convert");
  }
  const bool is_binary = std::any_of(start.begin(), start.end(), [](char c) {
    return c >= 0 && c < ' ' && c != '\t' && c != '\r' && c != '\n';
  });
  if (is_binary) throw InputError(path + ": is a binary file, expected CSV text");
}

}  // namespace

std::string read_bytes(const std::string& path) {
  std::string text = read_file(path);
  const bool is_gzip = text.starts_with("\x1f\x8b");
  if (path.ends_with(".gz") && !is_gzip && !text.empty()) {
    throw InputError(path + ": is named .gz but is not a gzip file");
  }
  if (is_gzip) text = Inflater(text, path).inflate_all();
  check_is_text(text, path);
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  return text;
}

}  // namespace bayesid
