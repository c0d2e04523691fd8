// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bayesid/baseline/baseline.hpp"
#include "bayesid/baseline/parameter_error.hpp"
#include "bayesid/identify.hpp"
#include "bayesid/posterior/prediction.hpp"

namespace bayesid {

/// One model, fitted.
struct ModelFit {
  std::string name;  // "as configured", "without armature" …
  Status status = Status::stalled;
  int iterations = 0, ntheta = 0;
  double log_evidence = 0, cost = 0;
};

/// Is a group of parameters supported by the logs? Models with and without it, by their evidence.
struct GroupEvidence {
  std::string group;
  ModelFit with, without;
  double log_ratio() const { return with.log_evidence - without.log_evidence; }
  std::string verdict() const;  // in words
};

struct GroupComparison {
  ModelFit given;
  std::vector<GroupEvidence> groups;
  bool interrupted = false;
  bool all_converged() const;
};

struct GroupOptions {
  std::vector<std::string> groups = {};  // empty: those of the configuration, and stiction
  std::function<void(const ModelFit&)> on_fit = {};  // after each
  RunOptions run = {};
};

/// Throws InputError, also for groups that do not exist and for inequalities of states and stages.
GroupComparison compare_groups(const Config& config, const GroupOptions& options = {});
std::string document_of(const GroupComparison& comparison);

/// What one of the methods in use found, and how good it is.
struct MethodFit {
  std::string name;
  BaselineResult found;
  double seconds = 0;
  EffortError effort;                   // on the logs used
  std::optional<EffortError> held_out;  // on others
  std::optional<ParameterError> error;  // against a truth
};

struct MethodComparison {
  Config config;
  LoadedProblem loaded;
  std::vector<std::string> joints;
  std::vector<MethodFit> methods;
  bool interrupted = false;
  std::vector<Verdict> verdict;
  Provenance provenance;
  bool all_converged() const;
};

struct MethodOptions {
  std::vector<std::string> methods = {};  // of id, id_ee, energy, wls, decoupled, forward, map
  int window = 0;                         // of the Savitzky–Golay filter, samples; 0: chosen
  std::string truth = {};                 // truth.json of a simulation; "": none
  std::optional<Config> held_out = {};    // logs that no method is shown
  std::function<void(const MethodFit&)> on_fit = {};  // after each
  RunOptions run = {};
};

/// The names of all methods.
std::vector<std::string> method_names();

/// Methods on the same logs, with the same noises, priors and terms; all of them when none is
/// named. Throws InputError.
MethodComparison compare_methods(const Config& config, const MethodOptions& options = {});

/// comparison.json
std::string document_of(const MethodComparison& comparison, const std::string& folder = "");

/// What `bayesid compare --methods --out` leaves: comparison.json, report.html.
Files files_of(const MethodComparison& comparison, const std::string& folder);

}  // namespace bayesid
