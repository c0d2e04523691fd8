// SPDX-License-Identifier: BSD-3-Clause
// The stream of a reader, played by a script that writes bytes of ours.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "bayesid/log.hpp"
#include "support/input_error.hpp"
#include "support/temp_folder.hpp"

namespace {

using bayesid::Log;
using bayesid::LogConfig;
using bayesid::test::input_error;
using bayesid::test::TempFolder;
using Values = std::vector<double>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The bytes of numbers, one behind the other.
template <typename Number>
std::string bytes(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

template <typename Number>
std::string bytes(Number number) {
  return bytes(std::vector<Number>{number});
}

std::string text(const std::string& words) {
  return bytes(static_cast<std::uint32_t>(words.size())) + words;
}

const std::string start = "BAYESIDL" + bytes<std::uint32_t>(1);

std::string name(const std::string& words, std::uint64_t rows = 2, bool on_request = false) {
  return text(words) + bytes(static_cast<std::uint8_t>(on_request)) + bytes(rows);
}

std::string header(const std::vector<std::string>& names, const std::string& warnings) {
  std::string out = start + "H" + warnings + bytes(static_cast<std::uint32_t>(names.size()));
  for (const std::string& one : names) out += one;
  return out;
}

const std::string no_warnings = bytes<std::uint32_t>(0);

template <typename Number>
std::string column(int kind, const std::vector<Number>& numbers, std::uint64_t num_nan = 0) {
  return bytes(static_cast<std::uint8_t>(kind)) + bytes(num_nan) + bytes(numbers);
}

std::string data(std::uint64_t rows) {
  return "D" + no_warnings + bytes<std::uint64_t>(0) + bytes(rows);
}

/// A file run.npz whose reader is a script.
class Scene {
 public:
  explicit Scene(const std::string& stream,
                 const std::string& script = "cat \"$(dirname $0)/stream\"") {
    folder_.write("stream", stream);
    const std::string python = folder_.write("python", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(python, std::filesystem::perms::owner_all);
    config.file = folder_.write("run.npz", "x");
    setenv("BAYESID_PYTHON", python.c_str(), 1);
  }
  ~Scene() { unsetenv("BAYESID_PYTHON"); }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  std::string folder() const { return folder_.path().string() + "/"; }
  std::string error() const {
    return input_error([&] { bayesid::read_log(config); }).substr(folder().size());
  }

  LogConfig config;

 private:
  TempFolder folder_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(foreign_log_stamps_of_every_kind_are_exact) {
  const std::vector<std::int64_t> now{1'700'000'000'123'000'001, 1'700'000'000'127'000'004};
  const std::vector<std::string> stamps{
      column<std::int64_t>(2, now),
      column<double>(0, {0.005, 0.01}),
      column<std::int64_t>(2, {5'000'000, 10'000'000}),
      column<double>(0, {1700000000.123, 1700000000.128}),
  };
  const std::vector<Values> times{{0, 0.004000003}, {0.005, 0.01}, {0.005, 0.01}, {0, 0.005}};
  for (std::size_t i = 0; i < stamps.size(); ++i) {
    const Scene scene(header({name("time"), name("q.j")}, no_warnings) + data(2) + stamps[i] +
                      column<double>(0, {1.5, not_a_number}, 1));
    const Log log = bayesid::read_log(scene.config);
    BOOST_TEST(log.time == times[i], boost::test_tools::per_element());
    BOOST_TEST(log.channels.at("q.j")[0] == 1.5);
    BOOST_TEST(std::isnan(log.channels.at("q.j")[1]));
    BOOST_TEST(log.lines == (std::vector<int>{1, 2}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(foreign_log_columns_on_request_are_used_only_when_named) {
  const std::string stream =
      header({name("time"), name("a/q.k", 2, true), name("q.j")}, no_warnings) + data(2) +
      column<std::int64_t>(2, {0, 10'000'000}) + column<std::int64_t>(1, {3, 4});
  Scene scene(stream);
  const Log log = bayesid::read_log(scene.config);
  BOOST_TEST(log.channels.size() == 1);
  BOOST_TEST(log.channels.at("q.j") == (Values{3, 4}), boost::test_tools::per_element());
  BOOST_TEST(log.warnings.empty());
}

BOOST_AUTO_TEST_CASE(foreign_log_errors_of_the_reader_are_sentences_about_the_file) {
  BOOST_TEST(Scene(start + "E" + text("is no good")).error() == "run.npz: is no good");
  const std::string warning = bytes<std::uint32_t>(1) + text("/a has no messages");
  BOOST_TEST(Scene(header({name("time"), name("x")}, warning)).error() ==
             "run.npz: no column is a channel (x): expected names such as q.<joint>, v.<joint>, "
             "tau.<joint>; map others with logs[].columns; /a has no messages");
  BOOST_TEST(Scene(header({name("time"), name("time")}, no_warnings)).error() ==
             "run.npz: two columns are named time");
  BOOST_TEST(
      Scene(header({name("time", std::uint64_t{1} << 60U), name("q.j", std::uint64_t{1} << 60U)},
                   no_warnings))
          .error()
          .starts_with("run.npz: about 1.2e+18 rows of 2 columns need 5.53e+10 GB"));
  BOOST_TEST(Scene(header({name("time"), name("q.j")}, no_warnings) + data(2) +
                   column<double>(0, {0, not_a_number}))
                 .error() ==
             "run.npz:2: column time is empty or infinite, every sample needs its time");
}

BOOST_AUTO_TEST_CASE(foreign_log_readers_that_fail_are_named) {
  const auto failed = [](const Scene& scene, const std::string& how) {
    return "run.npz: its reader, " + scene.folder() + "python -m bayesid_logs, failed (" + how +
           ")";
  };
  const Scene silent("", "exit 0");
  BOOST_TEST(silent.error() == failed(silent, "exit code 0"));
  const Scene loud("", "echo first >&2; echo last >&2; exit 3");
  BOOST_TEST(loud.error() == failed(loud, "exit code 3: last"));
  const Scene killed("", "kill -9 $$");
  BOOST_TEST(killed.error() == failed(killed, "signal 9"));
  const Scene babble("Python 2.7 says hello to everyone");
  BOOST_TEST(babble.error().starts_with("run.npz: its reader, "));
  const std::string whole = header({name("time"), name("q.j")}, no_warnings) + data(2) +
                            column<std::int64_t>(2, {0, 10'000'000}) + column<double>(0, {1, 2});
  for (std::size_t size = 0; size < whole.size(); size += 7) {  // cut anywhere
    const Scene cut(whole.substr(0, size));
    BOOST_TEST(cut.error() == failed(cut, "exit code 0"));
  }
  const Scene none("");
  setenv("BAYESID_PYTHON", "/none", 1);
  BOOST_TEST(none.error() ==
             "run.npz: cannot start /none to read it (No such file or directory): set "
             "BAYESID_PYTHON to a Python with the packages of requirements.txt");
}
