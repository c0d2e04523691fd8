// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "bayesid/log.hpp"
#include "support/input_error.hpp"
#include "support/temp_folder.hpp"

namespace {

using bayesid::LogConfig;
using bayesid::test::input_error;
using bayesid::test::TempFolder;

struct Case {
  std::string text;
  std::string message;  // after the folder
};

std::string message(const std::string& name, const std::string& text, LogConfig config = {}) {
  const TempFolder folder;
  config.file = folder.write(name, text);
  const std::string full = input_error([&] { bayesid::read_log(config); });
  return full.starts_with(folder.path().string()) ? full.substr(folder.path().string().size() + 1)
                                                  : full;
}

void check(const std::vector<Case>& cases, const LogConfig& config = {}) {
  for (const Case& one : cases) {
    BOOST_TEST(message("run.csv", one.text, config) == one.message);
  }
}

/// The first half of a good file.
std::string gzip_start() {
  return {"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\xc9\xcc\x4d\xd5\x29\xd4\xcb\xe2\x32\xd0",
          21};
}

}  // namespace

BOOST_AUTO_TEST_CASE(log_rows_of_the_wrong_length_are_errors) {
  check({
      {"time,q.j\n0,1\n1\n", "run.csv:3: has 1 cell, the header has 2"},
      {"time,q.j\n0,1\n1,2,3\n", "run.csv:3: has 3 cells, the header has 2"},
      {"time,q.j\n0,1\n\n1,2\n", "run.csv:3: the line is empty"},
      {"time,q.j\n0,1\n1;2\n",
       "run.csv:3: has 1 cell, the header has 2; columns are separated by ';', expected ','"},
      {"time,q.j\n0,0,1,5\n",
       "run.csv:2: has 4 cells, the header has 2; numbers may use a decimal comma, expected a "
       "point"},
  });
}

BOOST_AUTO_TEST_CASE(log_separators_other_than_commas_are_errors) {
  check({
      {"time;q.j\n0;1\n", "run.csv:1: columns are separated by ';', expected ','"},
      {"time;q.j\n0,1;1,5\n",
       "run.csv:1: columns are separated by ';', expected ','; numbers use a decimal comma, "
       "expected a point"},
      {"time\tq.j\n0\t1\n", "run.csv:1: columns are separated by tabs, expected ','"},
      {"time q.j\n0 1\n", "run.csv:1: columns are separated by spaces, expected ','"},
      {"0,1;1,5\n0,2;1,6\n", "run.csv:1: columns are separated by ';', expected ','"},
      {"time,q.j\n\"0,5\",1\n",
       "run.csv:2: column time is \"0,5\", expected a number with a decimal point"},
  });
}

BOOST_AUTO_TEST_CASE(log_headers_missing_or_doubled_are_errors) {
  check({
      {"0,1\n1,2\n",
       "run.csv:1: the first row holds numbers, expected column names such as time,q.joint1"},
      {"time,q.j,v.j,q.j\n0,1,2,3\n", "run.csv:1: columns 2 and 4 are both named q.j"},
      {"", "run.csv: is empty, expected a line of column names"},
      {"\n \r\n", "run.csv: is empty, expected a line of column names"},
      {"time,q.j\n", "run.csv: has 0 samples, expected at least 2"},
      {"time,q.j\n0,1\n", "run.csv: has 1 sample, expected at least 2"},
  });
}

BOOST_AUTO_TEST_CASE(log_without_time_suggests_the_column_that_looks_like_it) {
  for (const char* name :
       {"timestamp", "t", "stamp", "Time", "__time", "header.stamp", "seconds"}) {
    BOOST_TEST(message("run.csv", std::string("q.j,") + name + "\n0,1\n") ==
               std::string("run.csv:1: no column is named time, did you mean ") + name +
                   "? Map it with logs[].columns: {time: \"" + name + "\"}");
  }
  check({{"q.j,v.j\n0,1\n",
          "run.csv:1: no column is named time. Map it with logs[].columns: {time: \"<column>\"}"}});
}

BOOST_AUTO_TEST_CASE(log_cells_that_are_no_numbers_are_errors) {
  check({
      {"time,q.j\n0,1\n1,abc\n", "run.csv:3: column q.j is \"abc\", expected a number"},
      {"time,q.j\n0,1\n1,1.5x\n", "run.csv:3: column q.j is \"1.5x\", expected a number"},
      {"time,q.j\n0,0x10\n", "run.csv:2: column q.j is \"0x10\", expected a number"},
      {"time,q.j\n0,+-1\n", "run.csv:2: column q.j is \"+-1\", expected a number"},
      {"time,q.j\n0,1e400\n", "run.csv:2: column q.j is \"1e400\", expected a number"},
      {"time,q.j\n0,-\n", "run.csv:2: column q.j is \"-\", expected a number"},
      {"time,q.j\n0,inf\n",
       "run.csv:2: column q.j is infinite, leave the cell empty when nothing was measured"},
      {"time,q.j\n0,-Infinity\n",
       "run.csv:2: column q.j is infinite, leave the cell empty when nothing was measured"},
      {"time,q.j\nnow,1\n", "run.csv:2: column time is \"now\", expected a number"},
      {"time,q.j\n,1\n", "run.csv:2: column time is empty, every sample needs its time"},
      {"time,q.j\n2026-01-01T00:00:00.000,1\n",
       "run.csv:2: column time is \"2026-01-01T00:00:00.000\", expected a number"},
  });
}

BOOST_AUTO_TEST_CASE(log_groups_with_the_same_channel_are_an_error) {
  check({{"time,a/q.j,b/q.j\n0,1,2\n",
          "run.csv:1: columns a/q.j and b/q.j are both q.j: choose one with logs[].columns"}});
}

BOOST_AUTO_TEST_CASE(log_columns_that_do_not_exist_are_errors_with_suggestion) {
  LogConfig config;
  config.columns["q.j"] = {.source = "positon"};
  check({{"time,position\n0,1\n",
          "run.csv:1: no column is named positon, which logs[].columns.q.j asks for, did you mean "
          "position?"}},
        config);
}

BOOST_AUTO_TEST_CASE(log_arrays_without_names_need_joint_order) {
  check({
      {"time,q[0],q[1]\n0,1,2\n",
       "run.csv:1: columns are numbered, not named (q[0], q[1]): name the joints in that order "
       "with logs[].joint_order: [joint1, …]"},
      {"time,position_1,effort_1\n0,1,2\n",
       "run.csv:1: columns are numbered, not named (position_1, effort_1): name the joints in that "
       "order with logs[].joint_order: [joint1, …]"},
      {"time,a,b,c,d,e,f\n0,1,2,3,4,5,6\n",
       "run.csv:1: no column is a channel (a, b, c, d, e and 1 more): expected names such as "
       "q.<joint>, v.<joint>, tau.<joint>; map others with logs[].columns"},
  });
  LogConfig config;
  config.joint_order = {"a", "b"};
  check({{"time,q[0],q[1],q[2]\n0,1,2,3\n",
          "run.csv:1: column q[2] has no joint, logs[].joint_order names 2"}},
        config);
}

BOOST_AUTO_TEST_CASE(log_time_that_goes_back_or_stands_still_is_an_error) {
  check({
      {"time,q.j\n0,1\n0.5,1\n0.496,1\n",
       "run.csv:4: time goes back by 0.004 s, from 0.5 to 0.496; split the log there, or sort it"},
      {"time,q.j\n1700000000.5,1\n1700000000.25,1\n",
       "run.csv:3: time goes back by 0.25 s, from 1700000000.500000000 to 1700000000.250000000; "
       "split the log there, or sort it"},
      {"time,q.j\n0,1\n0,1\n0,1\n",
       "run.csv: every value of column time is 0: the clock did not run; map a column that "
       "increases with logs[].columns"},
      {"time,q.j\n3.5,1\n3.5,1\n",
       "run.csv: every value of column time is 3.5: the clock did not run; map a column that "
       "increases with logs[].columns"},
  });
}

BOOST_AUTO_TEST_CASE(log_time_not_in_seconds_is_an_error_that_gives_the_scale) {
  const auto remedy = [](const std::string& unit, const std::string& found,
                         const std::string& channel) {
    return "run.csv: column time looks like " + unit + " (" + found +
           "), expected seconds: map it with logs[].columns: {" + channel + ": \"time\"}";
  };
  check({
      {"time,q.j\n0,1\n20,1\n40,1\n",
       remedy("milliseconds", "it starts at 0, median step 20", "time_ms")},
      {"time,q.j\n0,1\n2000,1\n4000,1\n",
       remedy("microseconds", "it starts at 0, median step 2000", "time_us")},
      {"time,q.j\n0,1\n1000000,1\n2000000,1\n",
       remedy("nanoseconds", "it starts at 0, median step 1e+06", "time_ns")},
      {"time,q.j\n1700000000000000000,1\n1700000000001000000,1\n",
       remedy("nanoseconds", "it starts at 1.7e+18, median step 1e+06", "time_ns")},
      {"time,q.j\n1700000000000000,1\n1700000000001000,1\n",
       remedy("microseconds", "it starts at 1.7e+15, median step 1000", "time_us")},
      {"time,q.j\n1700000000000,1\n1700000000001,1\n",
       remedy("milliseconds", "it starts at 1.7e+12, median step 1", "time_ms")},
      {"time,q.j\n0,1\n1e-9,1\n2e-9,1\n",
       "run.csv: column time has a median step of 1e-09 s, too short for seconds: check the scale "
       "of logs[].columns.time"},
      {"time_ms,q.j\n0,1\n1000000,1\n2000000,1\n",
       "run.csv: column time_ms looks like nanoseconds (it starts at 0, median step 1e+06), "
       "expected milliseconds: map it with logs[].columns: {time_ns: \"time_ms\"}"},
      {"time_ns,q.j\n0,1\n5,1\n10,1\n",
       "run.csv: column time_ns has a median step of 5e-09 s, too short for nanoseconds: check the "
       "scale of logs[].columns.time_ns"},
  });
}

BOOST_AUTO_TEST_CASE(log_with_two_times_is_an_error_that_names_them) {
  check({
      {"time,time_ns,q.j\n0,0,1\n1,1000000000,1\n",
       "run.csv:1: columns time, time_ns all hold the time: choose one with logs[].columns: "
       "{time_ns: \"time_ns\"}"},
  });
  LogConfig config;
  config.columns["time"] = {.source = "a"};
  config.columns["time_us"] = {.source = "b"};
  BOOST_TEST(
      message("run.csv", "a,b,q.j\n0,0,1\n1,1000000,1\n", config) ==
      "run.csv:1: logs[].columns maps time, time_us, which all are the time: choose one with "
      "logs[].columns: {time_us: \"b\"}");
}

BOOST_AUTO_TEST_CASE(log_files_that_are_no_text_are_errors) {
  const std::string utf16("\xff\xfet\0i\0", 6);
  BOOST_TEST(message("run.csv", utf16) == "run.csv: is UTF-16 text, save it as UTF-8");
  BOOST_TEST(message("run.csv", std::string("PAR1\0\x01\x02", 7)) ==
             "run.csv: is a binary file, expected CSV text");
  BOOST_TEST(message("run.bag", "#ROSBAG V2.0\n") ==
             "run.bag: is a bag of ROS 1, convert it with rosbags-convert");
  BOOST_TEST(message("run.npy", "\x93NUMPY") ==
             "run.npy: is an array without names, save them together with numpy.savez");
  BOOST_TEST(message("run.csv.gz", "time,q.j\n") ==
             "run.csv.gz: is named .gz but is not a gzip file");
  BOOST_TEST(message("run.csv.gz", gzip_start()) ==
             "run.csv.gz: is a corrupt gzip file: it ends too early");
  BOOST_TEST(message("run.csv.gz", gzip_start().substr(0, 12) + "abcdefghijk")
                 .starts_with("run.csv.gz: is a corrupt gzip file: "));
  BOOST_TEST(message("run.csv.gz", "") == "run.csv.gz: is empty, expected a line of column names");

  const TempFolder folder;
  LogConfig config;
  config.file = folder.path();
  BOOST_TEST(input_error([&] { bayesid::read_log(config); }) ==
             folder.path().string() + ": is a folder, expected a log file or a ROS 2 bag");
  config.file = folder.path().string() + "/none.csv";
  BOOST_TEST(input_error([&] { bayesid::read_log(config); }) ==
             folder.path().string() + "/none.csv: no such file");
}
