// SPDX-License-Identifier: BSD-3-Clause
#include "report/provenance.hpp"

#include <ctime>
#include <filesystem>
#include <pinocchio/config.hpp>
#include <set>
#include <thread>

#include "problem/model_digest.hpp"
#include "report/units.hpp"

namespace bayesid {

namespace {

/// A folder, as of a bag, counts as the names and digests of its files, in order of the names.
ReadFile describe_file(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  ReadFile out{.file = file};
  if (!fs::is_directory(file, error)) {
    out.sha256 = file_digest(file);
    const std::uintmax_t bytes = fs::file_size(file, error);
    if (!error) out.bytes = bytes;
    return out;
  }
  std::set<fs::path> files;
  for (const fs::directory_entry& one : fs::directory_iterator(file, error)) {
    if (one.is_regular_file(error)) files.insert(one.path());
  }
  std::string lines;
  for (const fs::path& one : files) {
    lines += one.filename().string() + " " + file_digest(one.string()) + "\n";
    const std::uintmax_t bytes = fs::file_size(one, error);
    if (!error) out.bytes += bytes;
  }
  out.sha256 = digest(lines);
  return out;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

ModelFacts make_model_facts(const Robot& robot) {
  ModelFacts out{.name = robot.name, .urdf = robot.urdf_file, .floating = robot.floating};
  for (const Joint& joint : robot.joints) {
    const char* type = joint.prismatic ? "prismatic" : joint.continuous ? "continuous" : "revolute";
    out.joints.push_back({joint.name, type, position_unit(joint)});
  }
  for (const Link& link : robot.links) out.links.push_back(link.name);
  return out;
}

Provenance make_provenance(const Config& config) {
  Provenance out;
  out.program = BAYESID_VERSION;
  out.compiler = __VERSION__;
#ifdef __clang__
  out.compiler = "clang " + out.compiler;
#else
  out.compiler = "gcc " + out.compiler;
#endif
  out.pinocchio = PINOCCHIO_VERSION;
  if (!config.model.urdf.empty()) out.model = describe_file(config.model.urdf);
  for (const LogConfig& log : config.logs) out.logs.push_back(describe_file(log.file));
  out.time = utc_now();
  out.host_threads = std::thread::hardware_concurrency();
  return out;
}

}  // namespace bayesid
