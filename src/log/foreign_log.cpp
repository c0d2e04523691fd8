// SPDX-License-Identifier: BSD-3-Clause
#include "log/foreign_log.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <set>
#include <string_view>
#include <system_error>

#include "bayesid/error.hpp"
#include "log/memory.hpp"
#include "log/python.hpp"
#include "math/parse_number.hpp"

namespace bayesid {
namespace {

constexpr std::string_view magic = "BAYESIDL";
constexpr std::uint32_t version = 1;
constexpr std::uint32_t longest_text = 1'000'000;
constexpr std::uint64_t most_rows = std::numeric_limits<int>::max();           // Log::lines are int
constexpr std::int64_t not_a_time = std::numeric_limits<std::int64_t>::min();  // of NumPy

enum class Kind : std::uint8_t { doubles, integers, nanoseconds };

std::string lower_case_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

bool is_bag_folder(const std::string& path) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(path, ignored)) {
    const std::string extension = entry.path().extension();
    if (entry.path().filename() == "metadata.yaml" || extension == ".db3" || extension == ".mcap")
      return true;
  }
  return false;
}

void check_exists(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) throw InputError(file + ": no such file");
  if (std::filesystem::is_regular_file(file, ignored) &&
      std::filesystem::file_size(file, ignored) == 0) {
    throw InputError(file + ": is empty");
  }
}

std::vector<std::string> command(const std::string& file) {
  check_exists(file);
  return {python(), "-m", "bayesid_logs", file};
}

/// Seconds, as the same digits in a text would be read.
long double seconds(std::int64_t nanoseconds) {
  constexpr std::int64_t exact = 9'007'199'254'740'992;  // 2⁵³
  if (-exact < nanoseconds && nanoseconds < exact) return static_cast<double>(nanoseconds) / 1e9;
  return static_cast<long double>(nanoseconds) / 1e9L;
}

/// Of doubles since 1970 the shortest decimal is what was meant: 1700000000.005, not
/// 1700000000.0050001.
long double meant(double stamp) {
  constexpr double large = 1e8;
  if (std::fabs(stamp) < large) return stamp;
  std::array<char, 32> text{};
  const char* end = std::to_chars(text.data(), text.data() + text.size(), stamp).ptr;
  const auto value = parse_number<long double>(
      std::string_view(text.data(), static_cast<std::size_t>(end - text.data())));
  return value.value_or(stamp);
}

}  // namespace

bool is_foreign_log(const std::string& path) {
  static const std::set<std::string> extensions{".npz", ".h5",   ".hdf5", ".parquet", ".pq",
                                                ".mat", ".mcap", ".db3",  ".ulg"};
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return is_bag_folder(path);
  return extensions.contains(lower_case_extension(path));
}

ForeignLog::ForeignLog(const std::string& file) try
    : file_(file), child_(command(file), python_environment()) {
  std::string start(magic.size(), '\0');
  if (!child_.read(start.data(), start.size()) || start != magic ||
      number<std::uint32_t>() != version)
    fail_early();
  expect('H');
  read_warnings();
  const auto count = number<std::uint32_t>();
  std::set<std::string> known;
  for (std::uint32_t i = 0; i < count; ++i) {
    names_.push_back(text());
    on_request_.push_back(number<std::uint8_t>() != 0);
    rows_.push_back(number<std::uint64_t>());
    if (!known.insert(names_.back()).second) {
      throw InputError(file_ + ": two columns are named " + names_.back());
    }
  }
} catch (const std::system_error& error) {
  throw InputError(file + ": cannot start " + python() + " to read it (" + error.code().message() +
                   "): set BAYESID_PYTHON to a Python with the packages of requirements.txt");
}

void ForeignLog::fail_early() {
  throw InputError(file_ + ": its reader, " + python() + " -m bayesid_logs, failed (" +
                   child_.wait() + ")");
}

template <typename Number>
Number ForeignLog::number() {
  Number value{};
  if (!child_.read(&value, sizeof value)) fail_early();
  return value;
}

std::string ForeignLog::text() {
  const auto size = number<std::uint32_t>();
  if (size > longest_text) fail_early();
  std::string out(size, '\0');
  if (!child_.read(out.data(), size)) fail_early();
  return out;
}

void ForeignLog::read_warnings() {
  const auto count = number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count; ++i) warnings_.push_back(file_ + ": " + text());
}

void ForeignLog::expect(char tag) {
  const char found = number<char>();
  if (found == 'E') throw InputError(file_ + ": " + text());
  if (found != tag) fail_early();
}

/// The number of each column, the time first.
std::vector<std::uint32_t> ForeignLog::request(const ColumnMap& map) const {
  std::vector<std::uint32_t> out{static_cast<std::uint32_t>(map.time.column)};
  double rows = 0;
  for (const ColumnSource& source : map.channels) {
    out.push_back(static_cast<std::uint32_t>(source.column));
    rows += static_cast<double>(rows_[source.column]);
  }
  rows = std::min(rows, static_cast<double>(rows_[map.time.column]));
  constexpr double bytes = 3 * sizeof(double);  // the reader's array, its copy, ours
  const auto columns = static_cast<double>(out.size());
  check_memory(file_, {.rows = rows, .columns = columns, .bytes = rows * columns * bytes});
  return out;
}

Table ForeignLog::read(const ColumnMap& map) {
  const std::vector<std::uint32_t> columns = request(map);
  const auto count = static_cast<std::uint32_t>(columns.size());
  std::string bytes(reinterpret_cast<const char*>(&count), sizeof count);
  bytes.append(reinterpret_cast<const char*>(columns.data()), count * sizeof(std::uint32_t));
  child_.write(bytes);

  expect('D');
  read_warnings();
  Table table;
  table.dropped = static_cast<int>(number<std::uint64_t>());
  const auto rows = number<std::uint64_t>();
  if (rows > most_rows) throw InputError(file_ + ": has more than 2147483647 rows");
  table.stamps = read_stamps(rows, names_[map.time.column], map.time.per_second);
  table.num_nan.resize(map.channels.size());
  for (std::size_t& num_nan : table.num_nan) table.columns.push_back(read_column(rows, num_nan));
  for (std::size_t k = 0; k < rows; ++k) table.lines.push_back(static_cast<int>(k) + 1);
  table.warnings = warnings_;
  return table;
}

template <typename Number>
std::vector<Number> ForeignLog::numbers(std::size_t count) {
  std::vector<Number> values(count);
  if (!child_.read(values.data(), count * sizeof(Number))) fail_early();
  return values;
}

std::vector<double> ForeignLog::read_column(std::size_t rows, std::size_t& num_nan) {
  const auto kind = static_cast<Kind>(number<std::uint8_t>());
  num_nan = number<std::uint64_t>();
  if (kind == Kind::doubles) return numbers<double>(rows);
  std::vector<double> values;
  values.reserve(rows);
  for (const std::int64_t integer : numbers<std::int64_t>(rows)) {
    if (kind == Kind::integers) {
      values.push_back(static_cast<double>(integer));
    } else {
      values.push_back(integer == not_a_time ? std::numeric_limits<double>::quiet_NaN()
                                             : static_cast<double>(seconds(integer)));
    }
  }
  return values;
}

/// Dates have their unit in the file, whatever their name.
std::vector<long double> ForeignLog::read_stamps(std::size_t rows, const std::string& column,
                                                 long double per_second) {
  const auto kind = static_cast<Kind>(number<std::uint8_t>());
  number<std::uint64_t>();
  std::vector<long double> stamps;
  stamps.reserve(rows);
  const auto add = [&](bool is_good, long double stamp) {
    stamps.push_back(stamp);
    if (is_good) return;
    throw InputError(file_ + ':' + std::to_string(stamps.size()) + ": column " + column +
                     " is empty or infinite, every sample needs its time");
  };
  if (kind == Kind::doubles) {
    for (const double stamp : numbers<double>(rows)) add(std::isfinite(stamp), meant(stamp));
  } else {
    for (const std::int64_t stamp : numbers<std::int64_t>(rows)) {
      add(stamp != not_a_time,
          kind == Kind::integers ? static_cast<long double>(stamp) : per_second * seconds(stamp));
    }
  }
  return stamps;
}

}  // namespace bayesid
