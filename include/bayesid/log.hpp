// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bayesid/config.hpp"

namespace bayesid {

/// A recording: one clock, and channels in SI units under their canonical names (`q.<joint>` …).
/// A value that was not measured at a sample is NaN.
struct Log {
  std::string file;
  std::vector<double> time;  // s, strictly increasing
  double time_origin =
      0;  // s, the first stamp when the clock started long ago (1970); time counts from there
  std::map<std::string, std::vector<double>> channels;
  std::vector<int>
      lines;        // line of the file each sample came from; row, from 1, when it is no text
  int dropped = 0;  // samples left out …
  std::vector<std::string> warnings;  // … and why, one sentence each
};

/// Reads a log of any format (docs/guide/logs.md) and maps its columns to canonical channels.
/// Throws InputError naming file, line and column.
Log read_log(const LogConfig& config);

/// What the numbers of one channel show by themselves.
struct ChannelFacts {
  int samples = 0;  // measured
  double lowest = 0, highest = 0;
  // Std of white noise, from the third or the fifth differences, whichever tell less: what is left
  // of the motion in them makes it an upper bound. 0 with fewer than 20 samples.
  double noise = 0;
  bool is_white = false;  // the two agree: it is noise, not motion
  double step = 0;        // all values are multiples of it apart; 0: no step was found
  double repeats = 1;     // median number of samples that a value is repeated
  int at_extreme = 0;     // samples exactly at `extreme`, the lowest or the highest value
  double extreme = 0;     // the one that is repeated more often
  double sharpness = 0;   // rms of second / first differences of a quick motion, else 0
  bool is_constant() const { return lowest == highest; }
};

/// How often a group of channels was measured.
struct GroupFacts {
  int channels = 0, samples = 0;
  double rate = 0;                             // Hz, from the median step
  double longest_gap = 0, longest_gap_at = 0;  // s; its length and where it begins
};

/// Contents of a log, before anything is placed on the samples of the estimation.
struct LogFacts {
  std::map<std::string, ChannelFacts> channels;
  // position, velocity, effort, pose.<frame>, imu.<name>, wrench.<name>
  std::map<std::string, GroupFacts> groups;
};

ChannelFacts describe_channel(const std::vector<double>& values);
LogFacts describe_log(const Log& log);

}  // namespace bayesid
