// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/posterior.hpp"
#include "bayesid/problem.hpp"
#include "bayesid/run.hpp"
#include "bayesid/solve.hpp"

namespace bayesid {

/// What people use today, on the same terms as the rest.            docs/math/baselines.md
enum class Baseline {
  id,         // inverse-dynamics regressor, linear, nothing consistent
  id_ee,      // the same rows in estimation coordinates, with the prior
  energy,     // energy regressor in estimation coordinates, with the prior
  wls,        // id, each joint weighted by what is left of it, in base parameters
  decoupled,  // states by the smoother first, then id_ee on them
};

/// A base parameter with its classical error bar.
struct BaseEstimate {
  std::vector<std::pair<std::string, double>> terms;  // the first one has the factor 1
  double value = 0, std = 0;
};

/// What a baseline found.
struct BaselineResult {
  Status status = Status::stalled;
  int iterations = 0;
  PhysicalParameters eta;
  Eigen::VectorXd theta;                               // empty: not in estimation coordinates
  std::vector<std::pair<std::string, double>> values;  // what people read
  std::vector<BaseEstimate> base;                      // wls alone
  // What is left of the balance of each velocity; of a robot in constraints one number, in
  // standard deviations of the efforts.
  Eigen::VectorXd row_std = {};
  int window = 0, order = 0;  // of the Savitzky–Golay filter, samples; 0: none
};

struct BaselineOptions {
  int num_threads = 1;
  int window = 0;        // samples, odd; 0: chosen by cross-validation
  int order = 4;         // with a window that is given
  int most_samples = 0;  // about as many are regressed, evenly spread; 0: all
};

/// Throws InputError where the motion of a joint or of the base is not measured.
BaselineResult run_baseline(const RobotProblem& problem, Baseline method,
                            const BaselineOptions& options);

/// Moving bodies that cannot be: a mass or a principal second moment that is not positive.
int num_impossible_bodies(const PhysicalParameters& eta);

/// The model of a result, for predictions.
std::shared_ptr<const DynamicsAt> model_of(const Dynamics& dynamics, const PhysicalParameters& eta);

/// How far parameters are from a known truth, relative.             docs/math/baselines.md
/// (14)-(16)
struct ParameterError {
  double base = 0;                 // of the inertial base parameters: what efforts can show
  double effort = 0;               // the same, each by what it does to efforts in random motions
  std::optional<double> friction;  // of the friction at speeds up to 2; absent without friction
  std::optional<double> mass;      // root mean square over links; absent when none is estimated
};

/// Judges any number of estimates against one truth.
class ParameterTruth {
 public:
  ParameterTruth(const RobotProblem& problem, const Eigen::VectorXd& theta);
  /// `values`: what people read, by name.
  ParameterError error(const PhysicalParameters& eta,
                       const std::map<std::string, double>& values) const;

 private:
  const Dynamics& dynamics_;
  PhysicalParameters eta_;
  std::map<std::string, double> values_;
  Eigen::MatrixXd to_base_;  // of ζ, inertial rows alone
  Eigen::VectorXd effect_;
};

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
