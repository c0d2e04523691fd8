// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/motion_hints.hpp"

#include <cmath>

#include "posterior/base_parameters.hpp"
#include "problem/inputs.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int num_states = 6;        // of the log
constexpr int most_axes = 12;        // for which pairs are tried
constexpr double num_samples = 100;  // that a new log would spend on a move

enum class Move { elsewhere, slowly, faster, accelerated };

/// One thing that is different from the log.
struct Change {
  int axis = 0;  // of v
  Move move = Move::elsewhere;
};

/// An instant of the log.
struct State {
  VectorXd q, v, a, commands;
  Mode mode;
};

class Hints {
 public:
  Hints(const RobotProblem& problem, const Point& point, const MatrixXd& dzeta)
      : dynamics_(problem.dynamics()),
        at_(dynamics_.at(point.theta)),
        workspace_(dynamics_),
        balance_(dynamics_.nv(), dynamics_.nzeta(), dynamics_.num_rotors()),
        dzeta_(dzeta),
        least_(force_noise(problem) / std::sqrt(num_samples)),
        best_(dzeta.cols()) {
    read_states(problem, point);
  }

  std::vector<std::string> find() {
    search(single_changes());
    const bool small = dynamics_.nv() <= most_axes;
    if (small && !missing().empty()) {
      // A second look at the rest, at fewer instants.
      const std::vector<Index> rest = missing();
      Hints second(*this, rest);
      second.search(second.double_changes());
      for (size_t i = 0; i < rest.size(); ++i) best_[rest[i]] = second.best_[i];
    }
    std::vector<std::string> out;
    for (const Best& best : best_) out.push_back(best.size > least_ ? words(best) : "");
    return out;
  }

 private:
  using Changes = std::vector<Change>;
  struct Best {
    double size = 0;  // root mean square over the states of the largest row
    Changes changes;
    Index row = 0;
  };

  /// The same for some of the directions, at every third instant.
  Hints(const Hints& other, const std::vector<Index>& columns)
      : dynamics_(other.dynamics_),
        at_(other.at_),
        workspace_(dynamics_),
        balance_(dynamics_.nv(), dynamics_.nzeta(), dynamics_.num_rotors()),
        dzeta_(other.dzeta_(Eigen::all, columns)),
        speed_(other.speed_),
        acceleration_(other.acceleration_),
        least_(other.least_),
        best_(columns.size()) {
    for (size_t i = 0; i < other.states_.size(); i += 3) states_.push_back(other.states_[i]);
  }

  std::vector<Index> missing() const {
    std::vector<Index> out;
    for (size_t i = 0; i < best_.size(); ++i) {
      if (best_[i].size <= least_) out.push_back(static_cast<Index>(i));
    }
    return out;
  }

  std::vector<Changes> single_changes() const {
    std::vector<Changes> out;
    for (int i = 0; i < dynamics_.nv(); ++i) {
      for (const Move move : {Move::elsewhere, Move::slowly, Move::faster, Move::accelerated})
        out.push_back({{i, move}});
    }
    return out;
  }
  std::vector<Changes> double_changes() const {
    std::vector<Changes> out;
    for (int i = 0; i < dynamics_.nv(); ++i) {
      for (int j = 0; j < dynamics_.nv(); ++j) {
        if (i == j) continue;
        for (const Move move : {Move::slowly, Move::faster, Move::accelerated}) {
          out.push_back({{i, move}, {j, Move::elsewhere}});
          out.push_back({{i, move}, {j, Move::faster}});
        }
      }
    }
    return out;
  }

  void search(const std::vector<Changes>& candidates) {
    std::vector<MatrixXd> before;
    for (const State& state : states_) before.push_back(effect(state));
    for (const Changes& changes : candidates) judge(changes, before);
  }

  void read_states(const RobotProblem& problem, const Point& point) {
    const int nq = dynamics_.robot().nq(), nv = dynamics_.nv();
    const PhysicalParameters eta = dynamics_.parameters().physical(point.theta);
    speed_ = acceleration_ = VectorXd::Zero(nv);
    std::vector<std::pair<int, int>> stages;
    for (int t = 0; t < problem.num_trajectories(); ++t) {
      for (size_t k = 0; k < problem.timeline(t).stages.size(); ++k) {
        if (problem.timeline(t).stages[k].impact) continue;
        const auto column = static_cast<Index>(k);
        stages.emplace_back(t, static_cast<int>(k));
        speed_ += point.paths[t].x.col(column).tail(nv).cwiseAbs2();
        acceleration_ += point.paths[t].u.col(column).head(nv).cwiseAbs2();
      }
    }
    const auto count = static_cast<double>(std::max<size_t>(1, stages.size()));
    speed_ = (speed_ / count).cwiseSqrt();
    acceleration_ = (acceleration_ / count).cwiseSqrt();
    for (int i = 0; i < num_states && !stages.empty(); ++i) {
      const auto [t, k] = stages[i * stages.size() / num_states];
      const StagePlan& plan = problem.timeline(t).stages[k];
      const Path& path = point.paths[t];
      State state{path.x.col(k).head(nq), path.x.col(k).tail(nv), path.u.col(k).head(nv),
                  inputs_at(dynamics_, eta, problem.recordings()[t], plan.sample, 0),
                  problem.timeline(t).modes[plan.mode]};
      state.commands.head(nv).setZero();
      states_.push_back(std::move(state));
    }
  }

  /// Typical std of efforts; 1 % of them when they are exact.
  static double force_noise(const RobotProblem& problem) {
    const Index joints = static_cast<Index>(problem.dynamics().robot().joints.size());
    const VectorXd& std = problem.noise().effort;
    if (std.size() > 0 && joints > 0) return std.tail(joints).mean();
    double squares = 0, count = 1e-9;
    for (const Recording& recording : problem.recordings()) {
      squares += recording.effort.bottomRows(joints).squaredNorm();
      count += static_cast<double>(joints * recording.num_samples());
    }
    return std::max(1e-6, 0.01 * std::sqrt(squares / count));
  }

  /// Change of the forces that the constraints leave free, nv × directions.
  MatrixXd effect(const State& state) {
    VectorXd tau = state.commands;
    dynamics_.balance(*at_, state.q, state.v, state.a, tau, Order::value, workspace_, balance_);
    for (int j = 0; j < dynamics_.nv(); ++j) {
      if (at_->eta.gain[j] != 0) tau[j] = balance_.h[j] / at_->eta.gain[j];
    }
    dynamics_.balance(*at_, state.q, state.v, state.a, tau, Order::derivatives, workspace_,
                      balance_);
    const MatrixXd out = balance_.dh_dzeta * dzeta_;
    return state.mode.num_rows() == 0 ? out : free_part(rows(state), out);
  }

  MatrixXd rows(const State& state) const {
    return dynamics_.rows_at(state.mode, state.q, state.v, Level::velocity).J;
  }

  VectorXd moved_posture(const State& state, int axis) const {
    constexpr double distance = 0.7;  // rad or m
    const Robot& robot = dynamics_.robot();
    VectorXd numbers = joint_angles(robot, state.q);
    double step = distance;
    const int joint = axis - robot.base_nv();
    if (joint >= 0 && numbers[axis] + step > robot.joints[joint].upper) step = -distance;
    Mode loops;
    for (const MotionConstraint& c : state.mode.constraints) {
      if (!c.is_contact) loops.constraints.push_back(c);
    }
    numbers[axis] += step;
    if (!loops.constraints.empty()) return with_closed_loops(dynamics_, loops, numbers, state.q);
    VectorXd out(state.q.size());
    integrate(robot, state.q, step * VectorXd::Unit(robot.nv(), axis), out);
    return out;
  }

  /// Constraints hold for what changes.
  State changed(State state, const Changes& changes) const {
    constexpr double slow = 0.05, quick = 1.0, strong = 5.0, factor = 3.0;
    const VectorXd v = state.v, a = state.a;
    for (const auto& [axis, move] : changes) {
      if (move == Move::elsewhere) state.q = moved_posture(state, axis);
      if (move == Move::slowly) state.v[axis] = slow;
      if (move == Move::faster) state.v[axis] = std::max(quick, factor * speed_[axis]);
      if (move == Move::accelerated) state.a[axis] = std::max(strong, factor * acceleration_[axis]);
    }
    if (state.mode.num_rows() == 0) return state;
    const MatrixXd J = rows(state);
    state.v = v + free_part(J, state.v - v);
    state.a = a + free_part(J, state.a - a);
    return state;
  }

  void judge(const Changes& changes, const std::vector<MatrixXd>& before) {
    MatrixXd squares = MatrixXd::Zero(dynamics_.nv(), dzeta_.cols());
    for (size_t i = 0; i < states_.size(); ++i)
      squares += (effect(changed(states_[i], changes)) - before[i]).cwiseAbs2();
    squares /= static_cast<double>(std::max<size_t>(1, states_.size()));
    for (size_t i = 0; i < best_.size(); ++i) {
      Best& best = best_[i];
      Index row = 0;
      const double size = std::sqrt(squares.col(static_cast<Index>(i)).maxCoeff(&row));
      if (size > best.size) best = {size, changes, row};
    }
  }

  std::string axis_name(Index axis) const {
    const Index joint = axis - dynamics_.robot().base_nv();
    return joint < 0 ? "the base" : dynamics_.robot().joints[joint].name;
  }

  std::string words(const Change& change) const {
    constexpr double still = 0.02, gentle = 0.1;  // rad/s, rad/s²
    const std::string name = axis_name(change.axis);
    switch (change.move) {
      case Move::elsewhere:
        return "hold " + name + " in other positions";
      case Move::slowly:
        return "move " + name + " slowly";
      case Move::faster:
        return "move " + name + (speed_[change.axis] < still ? "" : " faster");
      case Move::accelerated:
        return "accelerate " + name + (acceleration_[change.axis] < gentle ? "" : " more strongly");
    }
    return "";
  }

  std::string words(const Best& best) const {
    std::string out = words(best.changes[0]);
    if (best.changes.size() > 1) {
      const Change& second = best.changes[1];
      out += " while " + axis_name(second.axis) +
             (second.move == Move::elsewhere ? " is in other positions" : " moves");
    }
    const bool measured = at_->eta.gain[best.row] != 0;
    return out + ": changes the " + (measured ? "effort" : "motion") + " of " + axis_name(best.row);
  }

  const Dynamics& dynamics_;
  std::shared_ptr<const DynamicsAt> at_;
  Dynamics::Workspace workspace_;
  ForceBalance balance_;
  MatrixXd dzeta_;
  std::vector<State> states_;
  VectorXd speed_, acceleration_;  // root mean squares in the log
  double least_ = 0;               // effect that a new log would show
  std::vector<Best> best_;
};

}  // namespace

std::vector<std::string> motion_hints(const RobotProblem& problem, const Point& point,
                                      const MatrixXd& dzeta) {
  if (dzeta.cols() == 0) return {};
  return Hints(problem, point, dzeta).find();
}

}  // namespace bayesid
