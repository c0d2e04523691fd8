// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/posterior/identifiability.hpp"
#include "bayesid/posterior/posterior.hpp"
#include "bayesid/posterior/prediction.hpp"
#include "bayesid/problem/make_problem.hpp"
#include "bayesid/problem/robot_problem.hpp"
#include "bayesid/report/details.hpp"
#include "bayesid/report/provenance.hpp"
#include "bayesid/report/verdict.hpp"
#include "bayesid/solver/solve.hpp"

namespace bayesid {

/// Everything result.json holds.
struct Result {
  Status status = Status::stalled;
  std::string message;
  std::map<std::string, double> cost;          // total, arrival, prior, disturbance
  std::map<std::string, double> measurements;  // cost of each kind of sensor
  std::map<std::string, double>
      violation;  // gap, dynamics, constraint, position, parameter_equality, parameter_inequality
                  // and, where there are any, stage_inequality
  std::map<std::string, double> pressing;  // inequalities of stages: share of the samples
  Posterior posterior;
  Identifiability identifiability;
  std::vector<Iteration> history;
  std::vector<std::string> joints;
  std::map<std::string, double> presliding_distance;  // by drive
  double log_evidence = 0;                    // up to a number that depends on the sensors alone
  EffortError nominal, identified;            // on the logs used
  std::vector<EffortPrediction> predictions;  // the same sample by sample, for each trajectory
  Timing timing;
  int num_threads = 1, num_stages = 0;
  unsigned seed = 0;
  std::vector<LogUse> logs;
  std::vector<std::string> warnings;  // of what was read
  std::vector<std::string> findings;  // of the estimate: bounds, error bars, contacts that pull
  std::vector<std::string> bounds;    // that the estimate stands on
  ModelFacts model;
  // What only the page needs; absent unless it was asked for.
  std::shared_ptr<const ResultDetails> details;
  std::optional<Provenance> provenance;
  std::vector<Verdict> verdict;
};

Result make_result(const RobotProblem& problem, const Solution& solution,
                   const std::vector<LogUse>& logs);

/// result.json as text.
std::string result_json(const Result& result);
/// Its `identifiability`, as text.
std::string identifiability_json(const Posterior& posterior,
                                 const Identifiability& identifiability);
/// actuation.yaml: friction, armature, gains, ratios per joint with standard deviations.
std::string actuation_yaml(const Result& result);
/// trajectory.csv: time, estimated q, v, a, effort noise, disturbances, each with one std where
/// there is one, and the forces of contacts and loops.
std::string trajectory_csv(const RobotProblem& problem, const Solution& solution, int num_threads);
std::string trajectory_csv(const std::vector<TrajectoryTable>& tables);

/// Files of an output folder that appears whole or not at all: written beside, then renamed.
/// An existing folder is replaced only if its files.json lists everything that it holds.
class OutputFolder {
 public:
  /// Throws InputError when the folder cannot be written, holds other things, or holds a file that
  /// this run reads.
  explicit OutputFolder(const std::string& path, const std::vector<std::string>& inputs = {});
  ~OutputFolder();  // removes what was not published
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  /// One file of the folder; `name` may begin with subfolders.
  void write(const std::string& name, const std::string& text);
  /// Puts the folder in its place; nothing can be written after that.
  void publish();

 private:
  void make_parents();

  std::filesystem::path path_, temporary_;
  std::set<std::string> files_;              // written so far
  std::vector<std::filesystem::path> made_;  // parents that did not exist before, outermost first
};

}  // namespace bayesid
