// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bayesid/problem/robot_problem.hpp"
#include "bayesid/solver/solve.hpp"

namespace bayesid {

/// A parameter with its factor in a sum or in a direction.
struct ParameterTerm {
  std::string name;  // mass.<link>, first_moment.<link>.x, frame_inertia.<link>.ixx, friction. …
  double coefficient = 0;
};

/// A sum of parameters that the data know better than the prior.
struct Combination {
  std::vector<ParameterTerm> terms;  // the first one has the coefficient 1
  double value = 0, std = 0;         // at the estimate, prior and data
  double data_std = 0;               // of the data alone
  std::string text;                  // without terms that matter less than that
};

/// A change of parameters that leaves no trace in the data.
struct UnseenDirection {
  std::vector<ParameterTerm> terms;  // what changes together, the first one by 1
  bool is_structural = false;        // no motion of this robot shows it; false: this log does not
  std::string motion;                // what would show it; "" when structural
  std::string text;
};

/// Two estimation coordinates that the data cannot tell apart well.
struct Correlation {
  std::string a, b;
  double value = 0;               // posterior
  std::optional<double> of_data;  // without the prior; absent: the data alone determine not both
};

/// What a log can show about a robot, with and without the prior.     docs/math/identifiability.md
struct Identifiability {
  int num_parameters = 0;
  int structural_rank = 0;  // combinations that some motion shows
  int numerical_rank = 0;   // of them, those this log shows at all, however badly: no prior
  int log_rank = 0;         // of them, those the log alone knows better than the prior alone
  std::vector<Combination> combinations;  // log_rank of them
  std::vector<UnseenDirection> unseen;    // of this log first, then structural ones
  std::vector<Correlation> correlations;  // |ρ| > 0.9, at most ten, the worst first
  std::vector<std::string> coordinates;   // whose sums the combinations are …
  Eigen::MatrixXd cov;                    // … and their posterior covariance
};

/// Empty when the solution holds no information matrix.
Identifiability make_identifiability(const RobotProblem& problem, const Solution& solution);

}  // namespace bayesid
