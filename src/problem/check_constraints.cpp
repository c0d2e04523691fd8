// SPDX-License-Identifier: BSD-3-Clause
#include "problem/check_constraints.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <set>

#include "bayesid/error.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "math/median_step.hpp"
#include "math/text.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// A loop that is open by so many standard deviations of the first state, in each of its rows.
constexpr double most_deviations = 10;
// ω·dt of gains that are far from unstable and still quick.
constexpr double good_frequency = 0.4;

std::string number(double value) {
  return rounded(value, 3);
}

/// A constraint with its place in the configuration.
struct Named {
  const MotionConstraint* constraint;
  std::string key, words;  // "model.loops[0]", "loop knee_bar"
};

class ConstraintCheck {
 public:
  ConstraintCheck(const Config& config, const RobotProblem& problem,
                  std::vector<std::string>& warnings)
      : config_(config), problem_(problem), warnings_(warnings) {
    const MotionConstraints& given = problem.options().constraints;
    for (std::size_t i = 0; i < given.loops.size(); ++i)
      add(given.loops[i], "model.loops", i, "loop ");
    for (std::size_t i = 0; i < given.contacts.size(); ++i)
      add(given.contacts[i], "model.contacts", i, "contact ");
  }

  void check() {
    if (all_.empty()) return;
    for (const Named& one : all_) {
      const std::size_t before = warnings_.size();
      for (const Recording& recording : problem_.recordings()) {
        if (warnings_.size() == before) check_gains(one, recording);  // one log is enough to tell
      }
    }
    const Point start = problem_.start();
    for (int t = 0; t < problem_.num_trajectories(); ++t) {
      const Eigen::Index nq = start.paths[t].x.rows() - problem_.dynamics().nv();
      q_ = start.paths[t].x.col(0).head(nq);
      v_ = VectorXd::Zero(problem_.dynamics().nv());
      file_ = problem_.recordings()[t].file;
      time_ = problem_.recordings()[t].time[0];
      check_rows(problem_.timeline(t));
      for (const Named& one : all_) {
        if (!one.constraint->is_contact) check_closed(one);
      }
    }
  }

 private:
  void add(const MotionConstraint& constraint, const std::string& list, std::size_t i,
           const std::string& kind) {
    all_.push_back({&constraint, list + "[" + std::to_string(i) + "]", kind + constraint.name});
  }

  [[noreturn]] void fail(const std::string& key, const std::string& what) const {
    throw InputError(location_of(config_, key) + what);
  }

  void check_gains(const Named& one, const Recording& recording);
  void check_rows(const Timeline& timeline);
  void check_independent(const Mode& mode);
  std::vector<int> dependent_rows(const Mode& mode, const VectorXd& q) const;
  bool is_always_dependent(const Mode& mode) const;
  void check_closed(const Named& one);

  const Named& find(const std::string& name) const {
    return *std::ranges::find_if(all_, [&](const Named& n) { return n.constraint->name == name; });
  }

  const Config& config_;
  const RobotProblem& problem_;
  std::vector<std::string>& warnings_;
  std::vector<Named> all_;
  std::set<std::vector<std::string>> seen_;  // modes that were checked, by their rows
  VectorXd q_, v_;                           // first state of the current trajectory
  std::string file_;
  double time_ = 0;
};

/// Drift φ obeys φ̈ = −kd φ̇ − kp φ, integrated with the step of the log.
/// docs/math/constraints.md (1a)
void ConstraintCheck::check_gains(const Named& one, const Recording& recording) {
  const double kp = one.constraint->kp, kd = one.constraint->kd;
  if (kp > 0 && one.constraint->is_contact) {
    fail(one.key + ".kp", " is " + number(kp) +
                              ", but the position of a contact is where it closed, which is not "
                              "known in advance: remove kp, kd is enough");
  }
  const double dt = median_step(recording.time);
  const bool euler = problem_.integrator() == Integrator::semi_implicit_euler;
  const double highest_kd = 2 / dt;
  const double highest_kp = euler ? (4 - 2 * kd * dt) / (dt * dt) : 2 * kd / dt;
  const double omega = good_frequency / dt;
  const std::string good = one.constraint->is_contact
                               ? "kd: " + number(2 * omega)
                               : "kp: " + number(omega * omega) + ", kd: " + number(2 * omega);
  if (kp == 0 && kd == 0) {
    warnings_.push_back(
        location_of(config_, one.key) + " (" + one.constraint->name +
        ") has no gains: drift by rounding and the integrator is not corrected; use gains up to " +
        good + " with the time step of " + number(dt) + " s of " + recording.file);
    return;
  }
  const std::string remedy = " with the time step of " + number(dt) + " s of " + recording.file +
                             "; use gains up to " + good;
  if (kp > 0 && kd == 0) {
    fail(one.key + ".kp", " is " + number(kp) +
                              " without kd, so that drift oscillates undamped: set kd to about" +
                              " 2√kp = " + number(2 * std::sqrt(kp)));
  }
  const auto check_below = [&](const char* gain, double value, double highest) {
    if (value < highest) return;
    fail(one.key + gain, " is " + number(value) + ", which makes drift unstable, must be below " +
                             number(highest) + remedy);
  };
  check_below(".kd", kd, highest_kd);
  check_below(".kp", kp, highest_kp);
}

/// Each constraint alone, so that the message blames the right one, then what holds together.
void ConstraintCheck::check_rows(const Timeline& timeline) {
  for (const MotionConstraint& loop : problem_.options().constraints.loops)
    check_independent({{loop}});
  for (const Mode& mode : timeline.modes) {
    for (const MotionConstraint& one : mode.constraints) check_independent({{one}});
    check_independent(mode);
  }
}

std::vector<int> ConstraintCheck::dependent_rows(const Mode& mode, const VectorXd& q) const {
  const int nv = problem_.dynamics().nv();
  const ConstraintRows rows = problem_.dynamics().rows_at(mode, q, v_, Level::position);
  KktFactorisation kkt(nv, mode.num_rows());
  kkt.factor(MatrixXd::Identity(nv, nv), rows.J);
  std::vector<int> out = kkt.dependent_rows();
  std::ranges::sort(out);
  return out;
}

/// Not only where the robot stands, a straight leg say, but also a little beside it.
bool ConstraintCheck::is_always_dependent(const Mode& mode) const {
  const int nv = problem_.dynamics().nv();
  VectorXd q(q_.size()), step(nv);
  for (int i = 0; i < nv; ++i) step[i] = 0.1 * std::sin(1.0 + 2.0 * i);
  integrate(problem_.dynamics().robot(), q_, step, q);
  return !dependent_rows(mode, q).empty();
}

void ConstraintCheck::check_independent(const Mode& mode) {
  const std::vector<std::string> names = row_names(mode);
  if (names.empty() || !seen_.insert(names).second) return;
  const std::vector<int> dependent = dependent_rows(mode, q_);
  if (dependent.empty()) return;

  // The constraint of the first such row, what it loses and what it keeps.
  int first = 0;
  std::string lost, kept;
  const MotionConstraint* blamed = nullptr;
  int num_lost = 0;
  for (const MotionConstraint& one : mode.constraints) {
    const int end = first + one.num_rows();
    for (int i = first; i < end && dependent.front() >= first && dependent.front() < end; ++i) {
      blamed = &one;
      const bool is_lost = std::ranges::find(dependent, i) != dependent.end();
      std::string& list = is_lost ? lost : kept;
      list += (list.empty() ? "" : ", ") + names[i].substr(names[i].rfind('.') + 1);
      num_lost += is_lost;
    }
    first = end;
  }
  const Named& named = find(blamed->name);
  const std::string rows = std::string(num_lost > 1 ? "rows " : "row ") + lost +
                           (num_lost > 1 ? " depend" : " depends") + " on the others";
  if (!is_always_dependent(mode)) {
    warnings_.push_back(file_ + ": " + named.words + ": " + rows + " where the robot stands at " +
                        number(time_) + " s: their forces are not unique there");
    return;
  }
  if (kept.empty()) {
    fail(named.key, ": " + named.words + " is redundant: remove it");
  }
  fail(named.key,
       ": " + named.words + ": " + rows + "; list the independent ones with keep: [" + kept + "]");
}

/// φᵀ(J Σ Jᵀ)⁻¹φ of the loop's rows, Σ the covariance of the first position.
void ConstraintCheck::check_closed(const Named& one) {
  const Mode mode{{*one.constraint}};
  const ConstraintRows rows = problem_.dynamics().rows_at(mode, q_, v_, Level::position);
  const MatrixXd scaled = rows.dr_dq * problem_.noise().initial_position.asDiagonal();
  // The shortest step that closes it, in standard deviations.
  const VectorXd step = scaled.completeOrthogonalDecomposition().solve(rows.r);
  if (step.squaredNorm() <= most_deviations * most_deviations * mode.num_rows()) return;

  double length = 0, angle = 0;
  for (int i = 0; i < mode.num_rows(); ++i) {
    double& part = one.constraint->rows[i] < 3 ? length : angle;
    part = std::hypot(part, rows.r[i]);
  }
  std::string size;
  if (length > 0) size = number(1e3 * length) + " mm";
  if (angle > 0) size += (size.empty() ? "" : " and ") + number(angle * 180 / M_PI) + " degrees";
  const std::string what = file_ + ": " + one.words + " is open by " + size + " at " +
                           number(time_) + " s, the first sample: check the attachment of " +
                           location_of(config_, one.key) + " and the zeros of the encoders";
  if (problem_.options().on_constraints) {
    throw InputError(what + ", or raise initial_state.position");
  }
  warnings_.push_back(what);
}

}  // namespace

void check_constraints(const Config& config, const RobotProblem& problem,
                       std::vector<std::string>& warnings) {
  ConstraintCheck(config, problem, warnings).check();
}

}  // namespace bayesid
