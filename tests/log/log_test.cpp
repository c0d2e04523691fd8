// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "bayesid/log.hpp"
#include "support/temp_folder.hpp"

namespace {

using bayesid::Log;
using bayesid::LogConfig;
using bayesid::test::TempFolder;
using Values = std::vector<double>;

Log read(const std::string& text, LogConfig config = {}) {
  const TempFolder folder;
  config.file = folder.write("run.csv", text);
  Log log = bayesid::read_log(config);
  for (std::string& warning : log.warnings) warning.erase(0, folder.path().string().size() + 1);
  return log;
}

}  // namespace

BOOST_AUTO_TEST_CASE(log_is_read_whatever_tool_wrote_it) {
  const std::vector<std::string> texts{
      "time,q.j\n0,1\n0.5,-2e-1\n",                          // plain
      "time,q.j\n0,1\n0.5,-2e-1",                            // no last line end
      "time,q.j\n0,1\n0.5,-2e-1\n\n  \n\r\n",                // blank lines at the end
      "\xef\xbb\xbftime,q.j\n0,1\n0.5,-2e-1\n",              // byte order mark
      "time,q.j\r\n0,1\r\n0.5,-2e-1\r\n",                    // Windows
      "time,q.j\r\n0,1\n0.5,-2e-1\r\n",                      // mixed
      "\"time\",\"q.j\"\n0,1\n0.5,-2e-1\n",                  // quoted names
      "\"time\",\"q.j\"\n\"0\",\"1\"\n\"0.5\",\"-2e-1\"\n",  // quoted numbers
      " time , q.j \n 0 ,\t+1 \n .5, -.2\n",                 // spaces
      "# time,q.j\n0,1\n0.5,-2e-1\n",                        // names as a comment
      "\ntime,q.j\n0,1\n0.5,-0.200\n",                       // blank first line
      ",time,q.j\n0,0,1\n1,0.5,-0.2\n",                      // index column without a name
      "time,q.j,\n0,1,\n0.5,-0.2,\n",                        // comma at the end of each line
  };
  for (const std::string& text : texts) {
    const Log log = read(text);
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(log.time == (Values{0, 0.5}), boost::test_tools::per_element());
      BOOST_TEST(log.channels.at("q.j") == (Values{1, -0.2}), boost::test_tools::per_element());
      BOOST_TEST(log.channels.size() == 1);
      BOOST_TEST(log.dropped == 0);
      BOOST_TEST(log.warnings.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(log_remembers_the_line_of_each_sample) {
  const Log log = read("\ntime,q.j\n0,1\n1,2\n");
  BOOST_TEST(log.lines == (std::vector<int>{3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(log_may_be_gzip_even_in_several_parts) {
  const std::string packed(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\xc9\xcc\x4d\xd5\x29\xd4\xcb\xe2\x32\xd0\x31"
      "\xe4\x32\xd0\x33\xd4\x31\xe2\x02\x00\xaf\xbb\xe8\x4a\x13\x00\x00\x00",
      39);  // time,q.j / 0,1 / 0.1,2
  const std::string more(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\xd0\x33\xd2\x31\xe6\x02\x00\xeb\x34\x82\xb4"
      "\x06\x00\x00\x00",
      26);  // 0.2,3
  const TempFolder folder;
  LogConfig config;
  config.file = folder.write("run.csv.gz", packed);
  BOOST_TEST(bayesid::read_log(config).channels.at("q.j") == (Values{1, 2}),
             boost::test_tools::per_element());
  config.file = folder.write("run.csv.gz", packed + more);
  BOOST_TEST(bayesid::read_log(config).channels.at("q.j") == (Values{1, 2, 3}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(log_cells_without_a_value_are_nan) {
  const Log log = read("time,q.j,v.j\n0,,1\n1,nan,2\n2,NaN,\n3,-nan,4\n4,5,\"\"\n");
  const Values& q = log.channels.at("q.j");
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(std::isnan(q[i]));
  BOOST_TEST(q[4] == 5);
  BOOST_TEST(std::isnan(log.channels.at("v.j")[2]));
  BOOST_TEST(std::isnan(log.channels.at("v.j")[4]));
  BOOST_TEST(log.warnings.empty());
}

BOOST_AUTO_TEST_CASE(log_channel_without_any_value_is_not_a_channel) {
  const Log log = read("time,q.j,tau.j\n0,1,nan\n1,2,\n");
  BOOST_TEST(!log.channels.contains("tau.j"));
  BOOST_TEST(log.warnings.at(0) ==
             "run.csv: tau.j has no value in any sample, taken as not measured");
}

BOOST_AUTO_TEST_CASE(log_columns_map_foreign_names_with_scale_offset_and_sign) {
  LogConfig config;
  config.columns["time"] = {.source = "stamp", .scale = 1e-3};
  config.columns["q.j"] = {.source = "/joint_states/position[0]", .scale = 2, .offset = 1};
  config.columns["tau.j"] = {.source = "current", .scale = 10, .sign = -1};
  config.columns["v.j"] = {.source = "v.k"};
  const Log log =
      read("stamp,/joint_states/position[0],current,v.k\n500,1,3,7\n1500,2,4,8\n", config);
  BOOST_TEST(log.time == (Values{0.5, 1.5}), boost::test_tools::per_element());
  BOOST_TEST(log.channels.at("q.j") == (Values{3, 5}), boost::test_tools::per_element());
  BOOST_TEST(log.channels.at("tau.j") == (Values{-30, -40}), boost::test_tools::per_element());
  BOOST_TEST(log.channels.at("v.j") == (Values{7, 8}), boost::test_tools::per_element());
  BOOST_TEST(!log.channels.contains("v.k"));
  BOOST_TEST(log.warnings.empty());
}

BOOST_AUTO_TEST_CASE(log_time_may_be_in_other_units) {
  const Values truth{1.005, 1.0100000000000001, 2.123456789};
  for (const std::string& text :
       {std::string("time,q.j\n1.005,1\n1.01,2\n2.123456789,3\n"),
        std::string("time_ms,q.j\n1005,1\n1010,2\n2123.456789,3\n"),
        std::string("arm/time_us,arm/q.j\n1005000,1\n1010000,2\n2123456.789,3\n"),
        std::string("time_ns,q.j\n1005000000,1\n1010000000,2\n2123456789,3\n")}) {
    BOOST_TEST_CONTEXT(text) {
      const Log log = read(text);
      BOOST_TEST(log.time == truth, boost::test_tools::per_element());
      BOOST_TEST(log.time_origin == 0);
      BOOST_TEST(log.warnings.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(log_stamps_since_1970_keep_their_nanoseconds_in_every_unit) {
  for (const std::string& text :
       {std::string("time_ns,q.j\n1700000000000000001,1\n1700000000005000003,2\n"),
        std::string("time_us,q.j\n1700000000000000.001,1\n1700000000005000.003,2\n"),
        std::string("time_ms,q.j\n1700000000000.000001,1\n1700000000005.000003,2\n"),
        std::string("time,q.j\n1700000000.000000001,1\n1700000000.005000003,2\n")}) {
    BOOST_TEST_CONTEXT(text) {
      const Log log = read(text);
      BOOST_TEST(log.time == (Values{0, 0.005000002}), boost::test_tools::per_element());
      BOOST_TEST(log.time_origin == 1700000000.0);
    }
  }
}

BOOST_AUTO_TEST_CASE(log_columns_choose_among_times) {
  LogConfig config;
  config.columns["time_ns"] = {.source = "stamp"};
  const Log log = read("time,time_ms,stamp,q.j\n7,8,0,1\n9,9,1000000000,2\n", config);
  BOOST_TEST(log.time == (Values{0, 1}), boost::test_tools::per_element());
  BOOST_TEST(log.warnings.at(0) ==
             "run.csv: 2 columns are not a channel and not used: time, time_ms");
}

BOOST_AUTO_TEST_CASE(log_columns_go_before_columns_that_bear_the_name) {
  LogConfig config;
  config.columns["q.j"] = {.source = "better"};
  const Log log = read("time,q.j,better\n0,1,3\n1,2,4\n", config);
  BOOST_TEST(log.channels.at("q.j") == (Values{3, 4}), boost::test_tools::per_element());
  BOOST_TEST(log.warnings.at(0) == "run.csv: 1 column is not a channel and not used: q.j");
}

BOOST_AUTO_TEST_CASE(log_all_canonical_channels_are_kept_and_others_listed_once) {
  const Log log = read(
      "time,q.a,v.a,tau.a,imu.base.ax,imu.base.wz,imu.base.qw,pose.tool0.px,pose.tool0.qz,thrust.r,"
      "contact.LF,imu.base.bx,mode,c1,c2,c3,c4\n"
      "0,1,1,1,1,1,1,1,1,1,1,x,idle,,,,\n1,1,1,1,1,1,1,1,1,1,1,x,run,,,,\n");
  BOOST_TEST(log.channels.size() == 10);
  BOOST_TEST(log.warnings.at(0) ==
             "run.csv: 6 columns are not a channel and not used: imu.base.bx, mode, c1, c2, c3, …");
}

BOOST_AUTO_TEST_CASE(log_joint_order_names_the_elements_of_arrays) {
  LogConfig config;
  config.joint_order = {"a", "b"};
  for (const char* names :
       {"q[0],q[1],v[0],v[1],tau[0],tau[1]", "q0,q1,v0,v1,tau0,tau1", "q_0,q_1,v_0,v_1,tau_0,tau_1",
        "position[0],position[1],velocity[0],velocity[1],effort[0],effort[1]",
        "/p/pos[0],/p/pos[1],/p/vel[0],/p/vel[1],/p/effort[0],/p/effort[1]",
        "position_1,position_2,velocity_1,velocity_2,effort_1,effort_2"}) {
    const Log log = read(std::string("time,") + names + "\n0,1,2,3,4,5,6\n1,1,2,3,4,5,6\n", config);
    BOOST_TEST_CONTEXT(names) {
      BOOST_TEST(log.channels.at("q.a")[0] == 1);
      BOOST_TEST(log.channels.at("q.b")[0] == 2);
      BOOST_TEST(log.channels.at("v.a")[0] == 3);
      BOOST_TEST(log.channels.at("tau.b")[0] == 6);
      BOOST_TEST(log.warnings.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(log_repeated_times_keep_the_first_sample) {
  const Log log = read("time,q.j\n0,1\n1,2\n1,3\n1,4\n2,5\n2,6\n");
  BOOST_TEST(log.time == (Values{0, 1, 2}), boost::test_tools::per_element());
  BOOST_TEST(log.channels.at("q.j") == (Values{1, 2, 5}), boost::test_tools::per_element());
  BOOST_TEST(log.lines == (std::vector<int>{2, 3, 6}), boost::test_tools::per_element());
  BOOST_TEST(log.dropped == 3);
  BOOST_TEST(log.warnings.at(0) ==
             "run.csv: 3 samples repeat the time of the one before (line 4 and others); the first "
             "was kept");
}

BOOST_AUTO_TEST_CASE(log_nanoseconds_since_1970_keep_their_last_digit) {
  LogConfig config;
  config.columns["time"] = {.source = "stamp", .scale = 1e-9};
  const Log log = read(
      "stamp,q.j\n1700000000000000001,1\n1700000000001000002,2\n1700000000002000004,3\n", config);
  // A double of 1.7e18 moves in steps of 256 ns.
  BOOST_TEST(std::abs(log.time[1] - 0.001000001) < 1e-15);
  BOOST_TEST(std::abs(log.time[2] - 0.002000003) < 1e-15);
  BOOST_TEST(log.time[0] == 0);
  BOOST_TEST(log.time_origin == 1.7e9);
}

BOOST_AUTO_TEST_CASE(log_seconds_since_1970_keep_their_nanoseconds) {
  const Log log = read("time,q.j\n1700000000.000000001,1\n1700000000.001000002,2\n");
  BOOST_TEST(std::abs(log.time[1] - 0.001000001) < 1e-9);
  const Log recent = read("time,q.j\n12.5,1\n12.6,2\n");
  BOOST_TEST(recent.time[0] == 12.5);
  BOOST_TEST(recent.time_origin == 0);
}

BOOST_AUTO_TEST_CASE(log_single_infinite_and_nan_values_are_left_out_and_counted) {
  std::string text = "time,q.j,v.j\n";
  for (int k = 0; k < 40; ++k) {
    const std::string time = std::to_string(k) + "e-2,";
    text += time + (k == 3 ? "-inf," : "1,") + (k == 4 ? "nan\n" : k == 5 ? "\n" : "2\n");
  }
  const Log log = read(text);
  BOOST_TEST(std::isnan(log.channels.at("q.j")[3]));
  BOOST_TEST(std::isnan(log.channels.at("v.j")[4]));
  BOOST_TEST(log.warnings ==
                 (std::vector<std::string>{"run.csv:5: 1 of 40 values of q.j are infinite, this "
                                           "one first; they are taken as not measured",
                                           "run.csv: 1 of 40 values of v.j are nan, taken as not "
                                           "measured"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(log_names_with_folders_count_by_their_last_part) {
  const Log log = read("robot/time,robot/q.j,/ft/wrench.tool.fx\n0,1,2\n1,1,2\n");
  BOOST_TEST(log.channels.contains("q.j"));
  BOOST_TEST(log.channels.contains("wrench.tool.fx"));
  BOOST_TEST(log.warnings.empty());
}

BOOST_AUTO_TEST_CASE(log_stamps_since_1970_give_the_same_time_in_any_unit) {
  LogConfig config;
  config.columns["time"] = {.source = "time", .scale = 1e-9};
  const Log nanoseconds = read("time,q.j\n1700000000123000001,1\n1700000000127000004,1\n", config);
  const Log seconds = read("time,q.j\n1700000000.123000001,1\n1700000000.127000004,1\n");
  BOOST_TEST(nanoseconds.time == (Values{0, 0.004000003}), boost::test_tools::per_element());
  BOOST_TEST(seconds.time == nanoseconds.time, boost::test_tools::per_element());
}
