// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// The robot of a result, as far as the page names it.
struct ModelFacts {
  struct NamedJoint {
    std::string name, type, unit;
  };
  std::string name, urdf;
  bool floating = false;
  std::vector<NamedJoint> joints;
  std::vector<std::string> links;
};
ModelFacts make_model_facts(const Robot& robot);

/// A file that a run has read.
struct ReadFile {
  std::string file, sha256;
  std::uintmax_t bytes = 0;
};

/// Where a result comes from.
struct Provenance {
  std::string program, compiler, pinocchio;  // versions
  std::vector<std::string> command;
  std::string config;  // text of config.yaml as it was in force
  ReadFile model;
  std::vector<ReadFile> logs;
  unsigned seed = 0;
  std::string time;  // ISO 8601, UTC
  unsigned host_threads = 0;
};

/// What the program itself and the files of a configuration tell; command, config and seed are the
/// caller's.
Provenance make_provenance(const Config& config);

}  // namespace bayesid
