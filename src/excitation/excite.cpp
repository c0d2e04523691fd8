// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/excitation/excite.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "excitation/excitation_program.hpp"
#include "excitation/motion_start.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int points_per_wave = 10;  // of the highest harmonic
constexpr int finer = 10;            // the grid of the last check
constexpr int most_rounds = 6;
constexpr int most_looks = 4;        // for pairs of shapes that a solution brings together
constexpr double tolerance = 1e-7;   // of a limit, as a share of it
constexpr double start_share = 0.5;  // of the largest random motion
constexpr double first_barrier = 0.1;
constexpr double warm_barrier = 1e-4;  // when a solution is refined

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
  IpoptAnswer solve_from(ExcitationProgram& program, const VectorXd& x, int start, double barrier);
  VectorXd best_of(ExcitationProgram& program, const IpoptAnswer& answer);
  VectorXd refined(ExcitationProgram& program, VectorXd x, Excitation& out);
  bool add_violated(ExcitationProgram& program, const VectorXd& x);
  bool add_near(ExcitationProgram& program, const std::vector<Instant>& all);
  VectorXd solved(ExcitationProgram& program, int start, ExcitationAttempt& attempt);
  void measure(ExcitationProgram& program, const VectorXd& x, Excitation& out);
  void measure_distances(const std::vector<double>& times, const std::vector<Instant>& all,
                         Excitation& out) const;
  MotionTable table(ExcitationProgram& program, const VectorXd& x);
  void compare(ExcitationProgram& program, Excitation& out);
  ExcitationForecast information_of(ExcitationProgram& program, const VectorXd& x);
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
  return {{.model = model_,
           .basis = FourierBasis(e.duration, e.harmonics),
           .limits = rows_,
           .criterion = e.criterion,
           .prior = columns_.prior,
           .samples = e.duration * e.rate,
           .velocity_reward = e.velocity_reward},
          points_per_wave * e.harmonics,
          pool_};
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
  std::vector<Instant> all;
  if (!program.instants(x, times, all)) return false;
  return std::ranges::all_of(all, [&](const Instant& at) {
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

IpoptAnswer Search::solve_from(ExcitationProgram& program, const VectorXd& x, int start,
                               double barrier) {
  const IpoptOptions options{.max_iterations = config_.excitation.max_iterations,
                             .first_barrier = barrier,
                             .go_on = [&](int iteration, double value, double violation) {
                               if (options_.on_step)
                                 options_.on_step({start, iteration, value, violation});
                               return !stopped();
                             }};
  return minimise(program, x, options);
}

std::vector<double> Search::fine_times(const ExcitationProgram& program) const {
  const int count = finer * program.num_points();
  std::vector<double> out;
  for (int k = 1; k < count; ++k) out.push_back(config_.excitation.duration * k / count);
  return out;
}

/// Adds the time at which each limit is violated most; false when none is.
bool Search::add_violated(ExcitationProgram& program, const VectorXd& x) {
  const std::vector<double> times = fine_times(program);
  std::vector<Instant> all;
  if (!program.instants(x, times, all)) return false;
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
bool Search::add_near(ExcitationProgram& program, const std::vector<Instant>& all) {
  bool is_violated = false;
  for (const MotionLimit& limit : limits_) {
    if (limit.kind != MotionLimit::Kind::distance) continue;
    const auto is_it = [&](const MotionLimit& other) {
      return other.kind == limit.kind && other.index == limit.index;
    };
    if (std::ranges::any_of(rows_, is_it)) continue;
    double least = limit.far;
    for (const Instant& at : all) least = std::min(least, limit_value(limit, at));
    if (least >= limit.far) continue;
    rows_.push_back(limit);
    program.add_limit(limit);
    is_violated = is_violated || limit_margin(limit, least) < -tolerance;
  }
  return is_violated;
}

/// The best motion of a search that keeps all limits at its times. IPOPT's last one need not be it.
VectorXd Search::best_of(ExcitationProgram& program, const IpoptAnswer& answer) {
  if (program.move_to(answer.x)) program.value();
  if (program.best_kept().size() > 0) return program.best_kept();
  return largest_share(program, answer.x, program.times()) * answer.x;
}

/// Limits hold between the times of the grid too: where they do not, times are added and the
/// motion is solved again; what is left then is scaled away.
VectorXd Search::refined(ExcitationProgram& program, VectorXd x, Excitation& out) {
  for (out.rounds = 0; out.rounds < most_rounds && !stopped(); ++out.rounds) {
    if (!add_violated(program, x)) break;
    x *= std::min(1.0, largest_share(program, x, program.times()));
    program.forget_best();
    x = best_of(program, solve_from(program, x, out.best, warm_barrier));
  }
  const std::vector<double> times = fine_times(program);
  if (is_kept(program, x, times)) return x;
  out.shrunk = std::min(1.0, largest_share(program, x, times));
  return out.shrunk * x;
}

void Search::measure(ExcitationProgram& program, const VectorXd& x, Excitation& out) {
  const std::vector<double> times = fine_times(program);
  std::vector<Instant> all;
  program.instants(x, times, all);
  for (const MotionLimit& limit : limits_) {
    if (limit.kind == MotionLimit::Kind::distance) continue;
    LimitMargin least{limit.name,      limit.of,        limit.unit, 0,       0,
                      limit.own_lower, limit.own_upper, INFINITY,   INFINITY};
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double value = limit_value(limit, all[k]), margin = own_margin(limit, value);
      if (margin >= least.margin) continue;
      least.value = value;
      least.time = times[k];
      least.margin = margin;
      least.allowed = limit.scale * limit_margin(limit, value);
    }
    out.margins.push_back(least);
  }
  if (self_collision_) measure_distances(times, all, out);
  const VectorXd rest = VectorXd::Zero(dynamics_.nv());
  for (const Instant& at : all) {
    if (motion_.is_free()) break;
    const VectorXd r = dynamics_.rows_at(motion_.mode(), at.motion.q, rest, Level::position).r;
    out.held = std::max(out.held, r.lpNorm<Eigen::Infinity>());
  }
}

/// The least distance of each pair of links, however far.
void Search::measure_distances(const std::vector<double>& times, const std::vector<Instant>& all,
                               Excitation& out) const {
  const double lower = *config_.excitation.self_collision;
  Kinematics kinematics(dynamics_.robot());
  std::map<std::string, LimitMargin> least;
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (const ShapeDistance& one : self_collision_->near(all[k].motion.q, INFINITY, kinematics)) {
      const SelfCollision::Pair& pair =
          self_collision_->pairs()[static_cast<std::size_t>(one.pair)];
      const std::string of = pair.first + "–" + pair.second;
      const auto [found, is_new] = least.try_emplace(of);
      if (!is_new && one.distance >= found->second.value) continue;
      found->second = {"self_collision", of,           "m",
                       one.distance,     times[k],     0,
                       INFINITY,         one.distance, one.distance - lower};
    }
  }
  for (const auto& [of, margin] : least) out.margins.push_back(margin);
}

MotionTable Search::table(ExcitationProgram& program, const VectorXd& x) {
  const ExcitationConfig& e = config_.excitation;
  const int steps = std::max(2, static_cast<int>(std::lround(e.duration * e.rate)));
  std::vector<double> times;
  for (int k = 0; k <= steps; ++k) times.push_back(e.duration * k / steps);
  std::vector<Instant> all;
  program.instants(x, times, all);
  MotionTable out;
  const auto count = static_cast<Eigen::Index>(times.size());
  out.time = Eigen::Map<const VectorXd>(times.data(), count);
  out.q = MatrixXd(dynamics_.robot().nq(), count);
  out.v = out.a = out.tau = MatrixXd(dynamics_.nv(), count);
  out.rows = row_names(motion_.mode());
  out.lambda = MatrixXd(motion_.mode().num_rows(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Instant& at = all[static_cast<std::size_t>(k)];
    out.q.col(k) = at.motion.q;
    out.v.col(k) = at.motion.v;
    out.a.col(k) = at.motion.a;
    out.tau.col(k) = at.tau;
    out.lambda.col(k) = at.lambda;
  }
  for (const ContactConfig& contact : config_.model.contacts) {
    const auto& held = motion_.mode().constraints;
    out.closed[contact.name] = std::ranges::any_of(
        held, [&](const MotionConstraint& c) { return c.is_contact && c.name == contact.name; });
  }
  return out;
}

ExcitationForecast Search::information_of(ExcitationProgram& program, const VectorXd& x) {
  ExcitationForecast out = forecast(dynamics_, config_, table(program, x), options_.num_threads);
  out.posterior = {};
  out.identifiability = {};
  return out;
}

void Search::compare(ExcitationProgram& program, Excitation& out) {
  random_.seed(options_.seed + 1);
  for (int i = 0; i < options_.num_random && !stopped(); ++i) {
    const VectorXd largest = random_motion(program);
    const double size = uniform();
    out.random.push_back(information_of(program, size * largest));
    out.largest_random.push_back(information_of(program, largest));
  }
}

/// From a random start; again, from where it went, when it brought shapes together that the program
/// did not look at.
VectorXd Search::solved(ExcitationProgram& program, int start, ExcitationAttempt& attempt) {
  VectorXd x = random_motion(program);
  std::vector<Instant> all;
  if (self_collision_ && program.instants(x, program.times(), all)) add_near(program, all);
  x *= start_share;
  double barrier = first_barrier;
  attempt = {"", 0, NAN, -INFINITY};
  for (int look = 0; look < most_looks; ++look) {
    program.forget_best();
    const IpoptAnswer answer = solve_from(program, x, start, barrier);
    x = best_of(program, answer);
    attempt.status = answer.status;
    attempt.iterations += answer.iterations;
    if (!self_collision_ || stopped() || !program.instants(x, program.times(), all)) break;
    if (!add_near(program, all)) break;
    x *= std::min(1.0, largest_share(program, x, program.times()));
    barrier = warm_barrier;
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
  const VectorXd x = refined(program, best, out);
  program.move_to(x);
  out.value = program.value();
  measure(program, x, out);
  out.motion = table(program, x);
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
