// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "bayesid/posterior/posterior.hpp"
#include "bayesid/posterior/prediction.hpp"
#include "bayesid/problem/robot_problem.hpp"
#include "bayesid/solver/path_statistics.hpp"
#include "bayesid/solver/solve.hpp"

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
  int piece = 0;  // of the log
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

/// Tables of the same log that follow each other are its pieces.
void number_pieces(std::vector<TrajectoryTable>& tables);

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

/// Innovations, what samples say before they are used, over what is expected of them: white, of
/// mean square 1, when noise and model are right.                       docs/math/riccati.md (31)
struct InnovationCheck {
  int samples = 0;
  double mean = 0, mean_square = 0;
  double lower = 0, upper = 0;  // where the mean square is in 95 % of logs when all is right
  std::vector<double> autocorrelation;  // at lags 1 … 20
  std::optional<bool> is_white;         // absent: too few samples to tell
};

/// How the residuals of one channel look beside the noise that was stated.
struct ResidualCheck {
  std::string sensor, channel, unit;
  int samples = 0;
  double mean = 0, rms = 0;        // in standard deviations of what is expected: 1 is right
  double stated = 0;               // rms in stated standard deviations
  std::optional<double> expected;  // of `stated`: below 1, as the estimate follows its data
  std::vector<int> counts;         // of residuals between −5 and 5, in bins of ¼
  int below = 0, above = 0;
  std::vector<double> autocorrelation;         // at lags 1 … 20
  std::optional<bool> is_white;                // absent: the estimate took too much up to tell
  std::optional<InnovationCheck> innovations;  // absent: of efforts, whose errors move the state
};

/// All channels of a sensor together.
struct SensorCheck {
  std::string sensor;
  InnovationCheck innovations;
};

/// How a contact force stands in its friction cone.
struct ConeUse {
  std::string contact;
  std::optional<double> friction;  // absent: none was given
  double worst = 0;                // largest tangential / normal force, where it presses
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
};
ResultDetails make_details(const RobotProblem& problem, const Solution& solution,
                           const Result& result, int num_threads);

}  // namespace bayesid
