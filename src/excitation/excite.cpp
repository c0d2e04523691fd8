// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/excite.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "excitation/excitation_program.hpp"
#include "excitation/feasible_sqp.hpp"
#include "excitation/margins.hpp"
#include "excitation/motion_start.hpp"
#include "excitation/tabulate.hpp"
#include "math/blas.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int points_per_wave = 10;  // of the highest harmonic
constexpr int finer = 10;            // the grid of the last check
constexpr int most_rounds = 6;
constexpr int most_collision_rounds = 4;  // for pairs of shapes that a solution brings together
constexpr double tolerance = 1e-7;        // of a limit, as a share of it
constexpr double one_less = 0.98;         // of a motion that does not exist everywhere: tried next
constexpr double start_share = 0.5;       // of the largest random motion

/// Search for one robot: what does not change from start to start.
class Search {
 public:
  Search(const Dynamics& dynamics, const Config& config, const ExciteOptions& options)
      : dynamics_(dynamics),
        config_(config),
        options_(options),
        start_(make_motion_start(dynamics, config)),
        motion_(dynamics, start_.mode, start_.q),
        self_collision_(make_self_collision(dynamics.robot(), start_.mode, config)),
        columns_(make_columns(dynamics, motion_, config.excitation.criterion)),
        model_(dynamics, motion_, dynamics.parameters().prior(), columns_.columns,
               balance_noise(dynamics, motion_, search_noise(), config.excitation),
               self_collision_),
        pool_(options.num_threads),
        random_(options.seed) {
    blas::use_one_thread();
    limits_ = rows_ = make_motion_limits(dynamics, motion_, config);
    if (self_collision_) {
      const double least = *config.excitation.self_collision;
      for (const MotionLimit& limit : make_distance_limits(*self_collision_, least))
        limits_.push_back(limit);
    }
    check_motion_start(model_, limits_, config);
  }

  Excitation run();

 private:
  Noise search_noise() const;
  ExcitationProgram make_program();
  double uniform();
  double normal();
  VectorXd random_motion(ExcitationProgram& program);
  double largest_share(ExcitationProgram& program, const VectorXd& x,
                       const std::vector<double>& times);
  bool is_kept(ExcitationProgram& program, const VectorXd& x, const std::vector<double>& times);
  SqpResult solve_from(ExcitationProgram& program, const VectorXd& x, int start);
  VectorXd within(ExcitationProgram& program, const VectorXd& x);
  VectorXd refined(ExcitationProgram& program, VectorXd x, Excitation& out);
  bool add_violated(ExcitationProgram& program, const VectorXd& x);
  bool add_near(ExcitationProgram& program, const std::vector<MotionInstant>& all);
  VectorXd solved(ExcitationProgram& program, int start, ExcitationAttempt& attempt);
  void measure(ExcitationProgram& program, const VectorXd& x, Excitation& out);
  MotionTable table(ExcitationProgram& program, VectorXd& x);
  void compare(ExcitationProgram& program, Excitation& out);
  std::vector<double> fine_times(const ExcitationProgram& program) const;
  bool stopped() const { return options_.stop && options_.stop(); }

  const Dynamics& dynamics_;
  const Config& config_;
  const ExciteOptions& options_;
  MotionStart start_;
  ConstrainedMotion motion_;
  std::shared_ptr<const SelfCollision> self_collision_;
  InformationColumns columns_;
  InstantModel model_;
  std::vector<MotionLimit> limits_;  // all
  std::vector<MotionLimit> rows_;    // of the program: pairs of shapes once they came near
  ThreadPool pool_;
  std::mt19937_64 random_;
};

/// Where efforts have no std of their own, 1 % of half of what each motor can do stands for 1 % of
/// what it will do.
Noise Search::search_noise() const {
  Config config = config_;
  const bool is_default = config.measurements.effort.empty() && !config.measurements.effort_exact;
  if (is_default) config.measurements.effort_exact = true;
  Noise out = make_noise(dynamics_.robot(), config, {});
  if (!is_default) return out;
  out.effort = VectorXd::Constant(dynamics_.nv(), 0.1);
  for (const Joint& joint : dynamics_.robot().joints) {
    if (std::isfinite(joint.effort) && joint.effort > 0)
      out.effort[joint.idx_v] = 0.005 * joint.effort;
  }
  return out;
}

ExcitationProgram Search::make_program() {
  const ExcitationConfig& e = config_.excitation;
  ExcitationProgram out({.model = model_,
                         .basis = FourierBasis(e.duration, e.harmonics),
                         .limits = rows_,
                         .criterion = e.criterion,
                         .prior = columns_.prior,
                         .samples = e.duration * e.rate,
                         .velocity_reward = e.velocity_reward},
                        points_per_wave * e.harmonics, pool_);
  // Between two times a leg could be straight, or a loop folded, which the search cannot detect.
  for (int k = 0; !motion_.is_free() && k < out.num_points(); ++k)
    out.add_time(e.duration * (k + 0.5) / out.num_points());
  return out;
}

/// Of the generator's bits alone, so that every standard library draws the same.
double Search::uniform() {
  return (static_cast<double>(random_() >> 11U) + 0.5) / 9007199254740992.0;
}

double Search::normal() {
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * M_PI * uniform());
}

bool Search::is_kept(ExcitationProgram& program, const VectorXd& x,
                     const std::vector<double>& times) {
  std::vector<MotionInstant> all;
  if (!program.instants(x, times, all)) return false;
  return std::ranges::all_of(all, [&](const MotionInstant& at) {
    return std::ranges::all_of(limits_, [&](const MotionLimit& limit) {
      return limit_margin(limit, limit_value(limit, at)) >= -tolerance;
    });
  });
}

/// The largest share of x, up to 1000, that keeps all limits at the given times.
double Search::largest_share(ExcitationProgram& program, const VectorXd& x,
                             const std::vector<double>& times) {
  double good = 1, bad = 2;
  while (good > 1e-9 && !is_kept(program, good * x, times)) {
    bad = good;
    good *= 0.5;
  }
  while (bad > good && bad < 1000 && is_kept(program, bad * x, times)) {
    good = bad;
    bad *= 2;
  }
  for (int i = 0; i < 12; ++i) {
    const double middle = 0.5 * (good + bad);
    (is_kept(program, middle * x, times) ? good : bad) = middle;
  }
  return good;
}

/// Coefficients drawn alike, scaled to the largest motion within limits.
VectorXd Search::random_motion(ExcitationProgram& program) {
  const VectorXd x =
      VectorXd::NullaryExpr(program.num_variables(), [&](Eigen::Index) { return normal(); });
  return largest_share(program, x, program.times()) * x;
}

/// A motion near by that keeps the limits at the times of the program, else a smaller one.
VectorXd Search::within(ExcitationProgram& program, const VectorXd& x) {
  if (is_kept(program, x, program.times())) return x;
  if (const auto found = restore(program, x, tolerance);
      found && is_kept(program, *found, program.times()))
    return *found;
  return std::min(1.0, largest_share(program, x, program.times())) * x;
}

SqpResult Search::solve_from(ExcitationProgram& program, const VectorXd& x, int start) {
  const SqpOptions options{.max_iterations = config_.excitation.max_iterations,
                           .kept = tolerance,
                           .go_on = [&](int iteration, double value, double violation) {
                             if (options_.on_step)
                               options_.on_step({start, iteration, value, violation});
                             return !stopped();
                           }};
  return minimise(program, x, options);
}

std::vector<double> Search::fine_times(const ExcitationProgram& program) const {
  // At least as fine as the samples that are written.
  const double samples = config_.excitation.duration * config_.excitation.rate;
  const int ten_times = finer * program.num_points();
  const int count =
      ten_times * std::max(1, static_cast<int>(std::ceil(samples / ten_times - 1e-9)));
  std::vector<double> out;
  for (int k = 1; k < count; ++k) out.push_back(config_.excitation.duration * k / count);
  return out;
}

/// Adds the time at which each limit is violated most; false when none is.
bool Search::add_violated(ExcitationProgram& program, const VectorXd& x) {
  const std::vector<double> times = fine_times(program);
  std::vector<MotionInstant> all;
  // What does not exist between times is looked at where it just does.
  double share = 1;
  while (!program.instants(share * x, times, all)) share *= one_less;
  add_near(program, all);
  std::vector<double> added;
  for (const MotionLimit& limit : limits_) {
    double least = -tolerance, before = 0, here = 0;
    // Every dip below the limit has a lowest time of its own.
    double lowest = 0;
    bool is_below = false;
    for (std::size_t k = 0; k < all.size(); ++k) {
      before = here;
      here = limit_margin(limit, limit_value(limit, all[k]));
      if (here < least) {
        if (!is_below || here < before) lowest = times[k];
        is_below = true;
      } else if (is_below) {
        added.push_back(lowest);
        is_below = false;
      }
    }
    if (is_below) added.push_back(lowest);
  }
  std::ranges::sort(added);
  added.erase(std::unique(added.begin(), added.end()), added.end());
  for (const double time : added) program.add_time(time);
  return !added.empty();
}

/// Pairs of shapes that came near each other are rows of the program from now on; true when one of
/// the new ones came nearer than it may.
bool Search::add_near(ExcitationProgram& program, const std::vector<MotionInstant>& all) {
  bool is_violated = false;
  for (const MotionLimit& limit : limits_) {
    if (limit.kind != MotionLimit::Kind::distance) continue;
    const auto is_it = [&](const MotionLimit& other) {
      return other.kind == limit.kind && other.index == limit.index;
    };
    if (std::ranges::any_of(rows_, is_it)) continue;
    double least = limit.far;
    for (const MotionInstant& at : all) least = std::min(least, limit_value(limit, at));
    if (least >= limit.far) continue;
    rows_.push_back(limit);
    program.add_limit(limit);
    is_violated = is_violated || limit_margin(limit, least) < -tolerance;
  }
  return is_violated;
}

/// Limits hold between the times of the grid too: where they do not, times are added and the
/// motion is solved again; what is left then is scaled away.
VectorXd Search::refined(ExcitationProgram& program, VectorXd x, Excitation& out) {
  for (out.rounds = 0; out.rounds < most_rounds && !stopped(); ++out.rounds) {
    if (!add_violated(program, x)) break;
    x = solve_from(program, within(program, x), out.best).x;
  }
  const std::vector<double> times = fine_times(program);
  if (is_kept(program, x, times)) return x;
  out.shrunk = std::min(1.0, largest_share(program, x, times));
  return out.shrunk * x;
}

void Search::measure(ExcitationProgram& program, const VectorXd& x, Excitation& out) {
  const std::vector<double> times = fine_times(program);
  std::vector<MotionInstant> all;
  program.instants(x, times, all);
  out.margins = least_margins(limits_, {times, all});
  if (self_collision_) {
    const double lower = *config_.excitation.self_collision;
    for (const LimitMargin& one :
         least_distances(dynamics_.robot(), *self_collision_, lower, {times, all}))
      out.margins.push_back(one);
  }
  const VectorXd rest = VectorXd::Zero(dynamics_.nv());
  for (const MotionInstant& at : all) {
    if (motion_.is_free()) break;
    const VectorXd r = dynamics_.rows_at(motion_.mode(), at.motion.q, rest, Level::position).r;
    out.constraint_error = std::max(out.constraint_error, r.lpNorm<Eigen::Infinity>());
  }
}

/// The motion, or the largest share of it, in steps of 2 %, that exists at every sample.
MotionTable Search::table(ExcitationProgram& program, VectorXd& x) {
  while (true) {
    if (std::optional<MotionTable> found = tabulate(program, x, config_)) return *found;
    x *= one_less;
  }
}

void Search::compare(ExcitationProgram& program, Excitation& out) {
  random_.seed(options_.seed + 1);
  const int rank = out.forecast.identifiability.structural_rank;
  for (int i = 0; i < options_.num_random && !stopped(); ++i) {
    VectorXd largest = random_motion(program);
    const MotionTable of_largest = table(program, largest);
    VectorXd smaller = uniform() * largest;
    const MotionTable of_smaller = table(program, smaller);
    out.random.push_back(forecast_gain(dynamics_, config_, of_smaller, rank, options_.num_threads));
    out.largest_random.push_back(
        forecast_gain(dynamics_, config_, of_largest, rank, options_.num_threads));
  }
}

/// From a random start; again, from where it went, when it brought shapes together that the program
/// did not look at.
VectorXd Search::solved(ExcitationProgram& program, int start, ExcitationAttempt& attempt) {
  VectorXd x = random_motion(program);
  std::vector<MotionInstant> all;
  if (self_collision_ && program.instants(x, program.times(), all)) add_near(program, all);
  x *= start_share;
  attempt = {"", 0, NAN, -INFINITY};
  for (int look = 0; look < most_collision_rounds; ++look) {
    const SqpResult found = solve_from(program, within(program, x), start);
    x = found.x;
    attempt.status = found.status;
    attempt.iterations += found.iterations;
    if (!self_collision_ || stopped() || !program.instants(x, program.times(), all)) break;
    if (!add_near(program, all)) break;
  }
  return x;
}

Excitation Search::run() {
  Excitation out;
  ExcitationProgram program = make_program();
  out.num_points = program.num_points();
  VectorXd best;
  for (int i = 0; i < config_.excitation.starts && !stopped(); ++i) {
    ExcitationAttempt attempt;
    const VectorXd x = solved(program, i, attempt);
    if (program.move_to(x)) {
      attempt.value = program.value();
      attempt.margin = program.margin();
    }
    out.attempts.push_back(attempt);
    if (!(attempt.margin >= -tolerance)) continue;
    if (out.found && attempt.value >= out.attempts[static_cast<std::size_t>(out.best)].value)
      continue;
    out.found = true;
    out.best = i;
    best = x;
  }
  out.interrupted = stopped();
  if (!out.found || out.interrupted) return out;
  VectorXd x = refined(program, best, out);
  out.motion = table(program, x);
  program.move_to(x);
  out.value = program.value();
  measure(program, x, out);
  for (const Joint& joint : dynamics_.robot().joints) out.joints.push_back(joint.name);
  out.forecast = forecast(dynamics_, config_, out.motion, options_.num_threads);
  compare(program, out);
  out.interrupted = stopped();
  return out;
}

}  // namespace

Excitation excite(const Dynamics& dynamics, const Config& config, const ExciteOptions& options) {
  return Search(dynamics, config, options).run();
}

}  // namespace bayesid
