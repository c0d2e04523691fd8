// SPDX-License-Identifier: BSD-3-Clause
#include "noise/find_noise.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "baseline/smoothed_start.hpp"
#include "bayesid/compare.hpp"
#include "bayesid/error.hpp"
#include "blocks/choice.hpp"
#include "noise/standstill.hpp"
#include "noise/step_noise.hpp"
#include "noise/variance_components.hpp"
#include "problem/noise_numbers.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

constexpr int max_rounds = 15;
constexpr int first_iterations = 4;     // of the search, in the first round …
constexpr int later_iterations = 2;     // … and in the others
constexpr int most_samples = 2000;      // of the regression
constexpr double same = 0.05;           // of every logarithm of a standard deviation
constexpr double largest_change = 1.6;  // of a logarithm in one round

/// The standard deviations of a Noise, and what is known of those that are automatic.
class NoiseSearch {
 public:
  NoiseSearch(std::shared_ptr<const RobotProblem> problem, const SolverConfig& solver,
              const RunOptions& options)
      : problem_(std::move(problem)),
        solver_(solver),
        options_(options),
        noise_(problem_->noise()),
        standstill_(*problem_) {
    numbers_ = noise_numbers(problem_->dynamics().robot(),
                             blocks::names_of(problem_->dynamics().parameters().rotors()), noise_);
  }

  TunedProblem run() {
    const bool is_any = std::ranges::any_of(
        numbers_, [&](const NoiseNumber& number) { return is_automatic(number); });
    if (is_any) {
      search();
    } else {
      use(problem_->space().prior_mean());
    }
    noise_.is_found = !stopped();
    use(start_ ? start_->theta : problem_->space().prior_mean());
    return {std::move(problem_), std::move(start_), std::move(history_)};
  }

 private:
  void search() {
    regress();
    for (const NoiseNumber& number : numbers_) priors_.push_back({.std = *number.std});
    updates_.assign(numbers_.size(), 0);
    for (int round = 0; round < max_rounds && !stopped() && improve(); ++round) {
    }
  }

  bool stopped() const { return options_.stop && options_.stop(); }
  bool is_automatic(const NoiseNumber& number) const {
    return noise_.automatic.contains(number.name());
  }

  void use(const VectorXd& theta) {
    set_step_noise(*problem_, theta, noise_);
    standstill_.set(*problem_, theta, noise_);
    problem_ = std::make_shared<const RobotProblem>(problem_->with_noise(noise_));
  }

  /// Efforts by what the regression on the smoothed motion leaves of them.
  void regress() {
    VectorXd theta = problem_->space().prior_mean();
    try {
      const BaselineResult found =
          run_baseline(*problem_, Baseline::decoupled,
                       {.num_threads = options_.num_threads, .most_samples = most_samples});
      for (const NoiseNumber& number : numbers_) {
        if (number.key != "effort" || !is_automatic(number)) continue;
        const double left = left_by(found, number);
        const double size = own_rms(problem_->recordings(), number);
        if (left > 0 && size > 0) *number.std = std::clamp(left, least_share * size, size);
      }
      theta = found.theta;
      use(theta);
      start_ = smoothed_start(*problem_, theta);
    } catch (const InputError&) {  // the sensors are too few for it
      use(theta);
    }
  }

  double left_by(const BaselineResult& found, const NoiseNumber& number) const {
    const Eigen::Index i = number.numbers[0];
    const double gain = std::abs(found.eta.gain[i]);
    if (gain == 0) return 0;
    const bool is_joined = found.row_std.size() == 1 && problem_->dynamics().nv() > 1;
    return is_joined ? found.row_std[0] * *number.std : found.row_std[i] / gain;
  }

  /// A few iterations, then the numbers that the solution asks for; false when they stay.
  bool improve() {
    const SolverOptions search{
        .max_iterations = history_.empty() ? first_iterations : later_iterations,
        .tolerance = solver_.tolerance,
        .num_threads = options_.num_threads,
        .on_iteration = continued(options_.on_iteration, history_),
        .stop = options_.stop,
        .on_accepted = {},
        .keep_sweeps = true};
    const Solution solution = solve(*problem_, search, start_ ? &*start_ : nullptr);
    if (solution.status == Status::interrupted) return false;
    if (solution.status == Status::not_finite) {
      start_.reset();  // the search itself says what is wrong
      return false;
    }
    start_ = solution.point;
    append_history(solution.history, history_);
    const std::vector<VarianceComponent> components = variance_components(
        *problem_, numbers_, path_statistics(*problem_, solution, options_.num_threads));
    double change = 0;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (!is_automatic(numbers_[i])) continue;
      double& own = *numbers_[i].std;
      const double before = own;
      own *= std::exp(step_of(i, std::log(updated_std(own, components[i], priors_[i]) / own)));
      // More would be motion that the efforts have to explain.
      if (numbers_[i].key == "effort") own = std::min(own, priors_[i].std);
      change = std::max(change, std::abs(std::log(own / before)));
    }
    if (change < same) return false;
    use(solution.point.theta);
    return true;
  }

  /// Updates shrink by a factor where the estimate follows most of a group: to where they lead.
  double step_of(std::size_t i, double update) {
    constexpr double slowest = 0.8;
    const double ratio = updates_[i] == 0 ? 0 : update / updates_[i];
    // The next update starts elsewhere.
    updates_[i] = ratio > 0 && ratio < slowest ? 0 : update;
    const double step = updates_[i] == 0 ? update / (1 - std::max(0.0, ratio)) : update;
    return std::clamp(step, -largest_change, largest_change);
  }

  static constexpr double least_share = 1e-4;  // of the root mean square of an effort

  std::shared_ptr<const RobotProblem> problem_;
  const SolverConfig& solver_;
  const RunOptions& options_;
  Noise noise_;
  Standstill standstill_;
  std::vector<NoiseNumber> numbers_;  // of noise_
  std::vector<StdPrior> priors_;
  std::vector<double> updates_;  // of logarithms, in the round before; 0: none
  std::optional<Point> start_;
  std::vector<Iteration> history_;
};

}  // namespace

TunedProblem find_noise(std::shared_ptr<const RobotProblem> problem, const SolverConfig& solver,
                        const RunOptions& options) {
  if (problem->noise().automatic.empty() || problem->noise().is_found)
    return {std::move(problem), std::nullopt};
  return NoiseSearch(std::move(problem), solver, options).run();
}

}  // namespace bayesid
