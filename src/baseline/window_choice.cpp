// SPDX-License-Identifier: BSD-3-Clause
#include "baseline/window_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "baseline/linear_fit.hpp"
#include "bayesid/error.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int num_folds = 5;
constexpr int most_samples = 2000;  // beyond, samples are thinned
constexpr double ladder = 1.4;
constexpr double hopeless = 2;  // times the least error: longer windows are not tried
constexpr int orders[] = {4, 6};

/// Odd numbers of samples, up to a third of the longest segment.
std::vector<SmoothingWindow> candidates(const RobotProblem& problem) {
  const int longest = num_smoothable(problem) / 3;
  std::vector<SmoothingWindow> out;
  for (const int order : orders) {
    for (double size = order + 3; size <= longest; size *= ladder) {
      out.push_back({order, 2 * static_cast<int>(size / 2) + 1});
    }
  }
  if (out.empty()) {
    throw InputError(
        problem.recordings()[0].file + ": has " +
        std::to_string(problem.recordings()[0].num_samples()) +
        " samples, too few to choose the window of the Savitzky-Golay filter; set --window");
  }
  return out;
}

/// Squares of the held-out rows after a fit to the others, relative to those at ζ = 0.
double held_out_error(const RobotProblem& problem, const RegressionRows& rows,
                      const VectorXd& std) {
  const Dynamics& dynamics = problem.dynamics();
  const ParameterSet& parameters = dynamics.parameters();
  const ReadableCoordinates r = readable_coordinates(parameters, parameters.prior());
  const MatrixXd T = scaled_columns(dynamics, r);
  double left = 0, whole = 0;
  for (int f = 0; f < num_folds; ++f) {
    const CondensedRows train = rows.joined(std, f), test = rows.fold(std, f);
    MatrixXd all(train.A().rows(), T.cols() + 1);
    all << train.A() * T, train.b();
    left += test.squared_norm(T * smallest_solution(all));
    whole += test.count();
  }
  return std::sqrt(left / std::max(1.0, whole));
}

int thinning(const RobotProblem& problem) {
  Eigen::Index total = 0;
  for (const Recording& recording : problem.recordings()) total += recording.time.size();
  return std::max(1, static_cast<int>(total / most_samples));
}

/// Root mean square of the work of motors over an interval, as measured: the unit of its errors.
VectorXd work_scale(const RegressionData& data, int interval) {
  const Dynamics& dynamics = data.problem.dynamics();
  double squares = 0, count = 0;
  for (size_t t = 0; t < data.motions.size(); ++t) {
    const Recording& recording = data.problem.recordings()[t];
    const MatrixXd& v = data.motions[t].mid_speed;
    double work = 0;
    for (int k = 1; k < recording.num_samples(); ++k) {
      work += (recording.time[k] - recording.time[k - 1]) * v.col(k).dot(recording.effort.col(k));
      if (k % interval != 0) continue;
      squares += work * work;
      count += 1;
      work = 0;
    }
  }
  const double scale = std::sqrt(squares / std::max(1.0, count));
  return VectorXd::Constant(1, dynamics.num_rotors() > 0 || !(scale > 0) ? 1.0 : scale);
}

}  // namespace

int energy_interval(const RobotProblem& problem, SmoothingWindow window) {
  const int given = problem.noise().energy ? problem.noise().energy_window : 1;
  return std::max({1, given, window.samples / 2});
}

std::vector<WindowScore> cross_validate(const RobotProblem& problem, RowKind kind,
                                        int num_threads) {
  const Dynamics& dynamics = problem.dynamics();
  const auto prior = dynamics.at(dynamics.parameters().prior());
  std::vector<WindowScore> out;
  double least = std::numeric_limits<double>::infinity();
  int order = 0, given_up = 0;  // the order whose longer windows smooth too much
  for (const SmoothingWindow window : candidates(problem)) {
    if (window.order == given_up) continue;
    if (window.order != order) least = std::numeric_limits<double>::infinity();
    order = window.order;
    const std::vector<SampledMotion> motions =
        local_polynomial_motion(problem, window, num_threads);
    const RegressionData data{.problem = problem,
                              .motions = motions,
                              .num_folds = num_folds,
                              .stride = thinning(problem),
                              .num_threads = num_threads};
    const int interval = energy_interval(problem, window);
    const RegressionRows rows =
        kind == RowKind::effort ? effort_rows(data, *prior) : energy_rows(data, *prior, interval);
    const VectorXd std =
        kind == RowKind::effort ? claimed_effort_std(data, *prior) : work_scale(data, interval);
    out.push_back({window, held_out_error(problem, rows, std)});
    least = std::min(least, out.back().error);
    if (out.back().error > hopeless * least) given_up = window.order;
  }
  return out;
}

SmoothingWindow best_window(const std::vector<WindowScore>& scores) {
  return std::ranges::min_element(scores, {}, &WindowScore::error)->window;
}

}  // namespace bayesid
