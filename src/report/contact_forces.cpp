// SPDX-License-Identifier: BSD-3-Clause
#include "report/contact_forces.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bayesid/dynamics.hpp"

namespace bayesid {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr double tolerated = 0.05;  // of the closed time

/// Statistics of one contact over all trajectories.
struct Pull {
  double closed = 0, pulled = 0;   // s
  double strongest = 0, time = 0;  // N, and when
  std::string file;
  double steepest = 0;  // tangential / normal force, where the contact pushes
  double outside = 0;   // s, out of its cone
};

/// Whether the contact can push along z of the world. Rows that it does not keep bear no force.
bool has_normal(const MotionConstraint& c) {
  if (c.axes == Axes::world_aligned) return std::ranges::find(c.rows, 2) != c.rows.end();
  return std::ranges::any_of(c.rows, [](int row) { return row < 3; });
}

/// Friction coefficient of a contact's cone; absent: none was given.
std::optional<double> friction_of(const RobotProblem& problem, const std::string& contact) {
  for (const ContactLimit& limit : problem.options().limits.contacts) {
    if (limit.contact == contact && std::isfinite(limit.mu)) return limit.mu;
  }
  return std::nullopt;
}

/// Gathers the forces of all contacts.
class Pulls {
 public:
  explicit Pulls(const RobotProblem& problem)
      : problem_(problem), kinematics_(problem.dynamics().robot()) {}

  void add_path(int trajectory, const Path& path, const PathDetails& details) {
    const Timeline& timeline = problem_.timeline(trajectory);
    const int nq = problem_.dynamics().robot().nq();
    for (int k = 0; k < path.u.cols(); ++k) {
      if (timeline.stages[k].impact) continue;
      int first = 0;
      for (const MotionConstraint& c : timeline.modes[timeline.stages[k].mode].constraints) {
        const auto lambda = details.force.col(k).segment(first, c.num_rows());
        first += c.num_rows();
        if (!c.is_contact || !has_normal(c)) continue;
        const Vector3d force = world_force(c, lambda, path.x.col(k).head(nq));
        add(trajectory, k, force.z(), pulls_[c.name]);
        add_slope(force, timeline.stages[k].dt, friction_of(problem_, c.name), pulls_[c.name]);
      }
    }
  }
  const std::map<std::string, Pull>& by_contact() const { return pulls_; }

 private:
  Vector3d world_force(const MotionConstraint& c, const Eigen::Ref<const VectorXd>& lambda,
                       const VectorXd& q) {
    Vector3d force = Vector3d::Zero();
    for (int i = 0; i < c.num_rows(); ++i) {
      if (c.rows[i] < 3) force[c.rows[i]] = lambda[i];
    }
    if (c.axes == Axes::world_aligned) return force;
    return kinematics_.pose(q, c.first).rotation * force;
  }

  static void add_slope(const Vector3d& force, double dt, const std::optional<double>& friction,
                        Pull& pull) {
    constexpr double slack = 1.01;  // the solver stops a little before the cone
    const double tangential = force.head<2>().norm();
    if (force.z() > 0) pull.steepest = std::max(pull.steepest, tangential / force.z());
    const bool is_outside =
        force.z() < 0 || (friction && tangential > slack * *friction * force.z());
    if (is_outside) pull.outside += dt;
  }

  void add(int trajectory, int k, double force, Pull& pull) const {
    const Timeline& timeline = problem_.timeline(trajectory);
    const double dt = timeline.stages[k].dt;
    pull.closed += dt;
    if (force >= 0) return;
    pull.pulled += dt;
    if (-force <= pull.strongest) return;
    pull.strongest = -force;
    pull.time = timeline.nodes[k].time;
    pull.file = problem_.recordings()[trajectory].file;
  }

  const RobotProblem& problem_;
  Kinematics kinematics_;
  std::map<std::string, Pull> pulls_;
};

}  // namespace

std::vector<ConeUse> make_cone_uses(const RobotProblem& problem, const Solution& solution,
                                    const std::vector<PathDetails>& paths) {
  std::vector<ConeUse> out;
  if (problem.options().constraints.contacts.empty()) return out;
  Pulls pulls(problem);
  for (int t = 0; t < problem.num_trajectories(); ++t)
    pulls.add_path(t, solution.point.paths[t], paths[t]);
  for (const auto& [name, pull] : pulls.by_contact()) {
    out.push_back({.contact = name,
                   .friction = friction_of(problem, name),
                   .worst = pull.steepest,
                   .share_outside = pull.closed > 0 ? pull.outside / pull.closed : 0});
  }
  return out;
}

std::vector<std::string> contacts_that_pull(const RobotProblem& problem, const Solution& solution,
                                            const std::vector<PathDetails>& paths) {
  std::vector<std::string> out;
  if (problem.options().constraints.contacts.empty()) return out;
  Pulls pulls(problem);
  for (int t = 0; t < problem.num_trajectories(); ++t)
    pulls.add_path(t, solution.point.paths[t], paths[t]);
  for (const auto& [name, pull] : pulls.by_contact()) {
    if (pull.pulled <= tolerated * pull.closed) continue;
    char text[160];
    std::snprintf(text, sizeof(text),
                  " in %.0f %% of the time it is closed, with up to %.3g N at %.6g s of ",
                  100 * pull.pulled / pull.closed, pull.strongest, pull.time);
    out.push_back("contact " + name + ": the normal force is negative" + text + pull.file +
                  "; if the contact was open then, correct logs[].phases");
  }
  return out;
}

}  // namespace bayesid
