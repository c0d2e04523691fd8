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
#include "bayesid/posterior.hpp"
#include "bayesid/problem.hpp"
#include "bayesid/run.hpp"
#include "bayesid/solve.hpp"

namespace bayesid {

struct Result;

/// Numbers over time; NaN where there is none.
struct Column {
  std::string name, unit;
  Eigen::VectorXd values;
};

/// Columns over the nodes of one trajectory.
struct TrajectoryTable {
  std::string log;
  int segment = 0;  // of the log
  Eigen::VectorXd time;
  std::vector<Column> columns;
};

/// The columns of trajectory.csv, and what they were made of.
struct EstimatedMotion {
  std::vector<TrajectoryTable> tables;     // one for each trajectory
  std::vector<PathStatistics> statistics;  // of the same
};
/// `paths`: what the solution implies, for each trajectory.
EstimatedMotion make_estimated_motion(const RobotProblem& problem, const Solution& solution,
                                      const std::vector<PathDetails>& paths, int num_threads);

/// The same as columns over the samples of a recording, with the motion.
TrajectoryTable prediction_table(const Robot& robot, const Recording& recording,
                                 const EffortPrediction& prediction);

/// Consecutive tables of the same log are its segments.
void number_segments(std::vector<TrajectoryTable>& tables);

/// Friction of one motor or joint over its speed.
struct FrictionCurve {
  std::string drive;
  Eigen::VectorXd speed, prior, value, std;
};

/// Speeds along the logs, and measured effort less what the identified model needs beside friction.
struct FrictionCloud {
  std::string drive;
  Eigen::VectorXd speed, effort;
};

/// Energy since the start of a trajectory, at its nodes, J.                docs/guide/results.md
struct EnergyFlow {
  Eigen::VectorXd supplied, stored, dissipated;
  Eigen::VectorXd balance() const { return supplied - stored - dissipated; }
};

/// Innovations, prediction errors of samples over their expected std: white, of mean square 1,
/// when noise and model are right.                                      docs/math/riccati.md (31)
struct InnovationCheck {
  int samples = 0;
  double mean = 0, mean_square = 0;
  double lower = 0, upper = 0;  // 95 % interval of the mean square when noise and model are right
  std::vector<double> autocorrelation;  // at lags 1 … 20
  std::optional<bool> is_white;         // absent: too few samples
};

/// Residuals of one channel against its configured noise.
struct ResidualCheck {
  std::string sensor, channel, unit;
  int samples = 0;
  double mean = 0, rms = 0;        // in standard deviations of what is expected: 1 is right
  double configured_rms = 0;       // the same in configured standard deviations
  std::optional<double> expected;  // of `configured_rms`: below 1, as the estimate follows its data
  std::vector<int> counts;         // of residuals between −5 and 5, in bins of ¼
  int below = 0, above = 0;
  std::vector<double> autocorrelation;         // at lags 1 … 20
  std::optional<bool> is_white;                // absent: too few degrees of freedom left
  std::optional<InnovationCheck> innovations;  // absent: of efforts, whose errors move the state
  std::string noise_key = {};      // of the configured noise, below `measurements`; "": unknown
  double configured_std = 0;       // in the unit of the channel; 0: unknown
  bool is_one_of_several = false;  // the key may have a number for each joint or rotor
  bool is_automatic = false;       // found, not stated
};

/// A standard deviation of the measurements: as configured, and as the data have it.
struct NoiseReport {
  std::string name;  // below `measurements`, and the joint: position.<joint>
  std::string unit;
  std::optional<double> configured;  // absent: `auto`
  double found = 0;
};

/// All channels of a sensor together.
struct SensorCheck {
  std::string sensor;
  InnovationCheck innovations;
};

/// A contact force against its friction cone.
struct ConeUse {
  std::string contact;
  std::optional<double> friction;  // absent: none was given
  double worst = 0;                // largest tangential / normal force, where that is positive
  double share_outside = 0;        // of the time it is closed
};

/// A link before and after the data, in its own frame.
struct LinkInertia {
  std::string link;
  InertialParameters prior, value;
};

/// series.bin and, as JSON, the index to it.                                docs/guide/results.md
struct PackedSeries {
  std::string bytes, index;
};
/// Long series are rounded and thinned out until they fit.
PackedSeries pack_series(const std::vector<TrajectoryTable>& tables,
                         const std::vector<FrictionCloud>& clouds);

/// What the page shows beside the numbers of Result.
struct ResultDetails {
  EstimatedMotion motion;
  std::vector<FrictionCurve> friction;
  PackedSeries series;
  std::vector<ResidualCheck> residuals;
  std::vector<SensorCheck> sensors;
  std::vector<ConeUse> cones;
  std::vector<LinkInertia> inertias;
  std::vector<JointResidual> model_error;
};
ResultDetails make_details(const RobotProblem& problem, const Solution& solution,
                           const Result& result, EstimatedMotion motion);
ResultDetails make_details(const RobotProblem& problem, const Solution& solution,
                           const Result& result, int num_threads);

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
/// Everything in result.json.
struct Result {
  Status status = Status::stalled;
  std::string message;
  std::map<std::string, double> cost;          // total, arrival, prior, disturbance
  std::map<std::string, double> measurements;  // cost of each kind of sensor
  std::map<std::string, double>
      violation;  // gap, dynamics, constraint, position, parameter_equality, parameter_inequality
                  // and, where there are any, stage_inequality
  std::map<std::string, double>
      active_limits;  // inequalities of stages: share of the samples where active
  Posterior posterior;
  Identifiability identifiability;
  std::vector<Iteration> history;
  std::vector<std::string> joints;
  std::map<std::string, double> presliding_distance;  // by drive
  double log_evidence = 0;                    // up to a number that depends on the sensors alone
  EffortError nominal, identified;            // on the logs used
  std::vector<EffortPrediction> predictions;  // the same sample by sample, for each trajectory
  std::vector<PathDetails> paths;             // what the solution implies, for each trajectory
  Timing timing;
  int num_threads = 1, num_stages = 0;
  unsigned seed = 0;
  std::vector<LogUse> logs;
  std::vector<std::string> warnings;  // of what was read
  std::vector<std::string> findings;  // of the estimate: bounds, error bars, contacts that pull
  std::vector<std::string> bounds;    // active at the estimate
  std::vector<NoiseReport> noise;     // empty unless requested
  ModelFacts model;
  // What only the page needs; absent unless requested.
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
std::string trajectory_csv(const std::vector<TrajectoryTable>& tables);

}  // namespace bayesid
