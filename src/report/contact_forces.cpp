// SPDX-License-Identifier: BSD-3-Clause
#include "report/contact_forces.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bayesid/dynamics/kinematics.hpp"

namespace bayesid {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr double tolerated = 0.05;  // of the closed time

/// What was seen of one contact in all trajectories.
struct Pull {
  double closed = 0, pulled = 0;   // s
  double strongest = 0, time = 0;  // N, and when
  std::string file;
};

/// Whether the contact can push along z of the world. Rows that it does not keep bear no force.
bool has_normal(const MotionConstraint& c) {
  if (c.axes == Axes::world_aligned) return std::ranges::find(c.rows, 2) != c.rows.end();
  return std::ranges::any_of(c.rows, [](int row) { return row < 3; });
}

}  // namespace

std::vector<std::string> contacts_that_pull(const RobotProblem& problem, const Solution& solution) {
  std::vector<std::string> out;
  if (problem.options().constraints.contacts.empty()) return out;
  const Robot& robot = problem.dynamics().robot();
  Kinematics kinematics(robot);
  std::map<std::string, Pull> pulls;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const Path& path = solution.point.paths[t];
    const PathDetails details = problem.details(solution.point.theta, t, path);
    const Timeline& timeline = problem.timeline(t);
    for (int k = 0; k < path.u.cols(); ++k) {
      const StagePlan& stage = timeline.stages[k];
      if (stage.impact) continue;
      int first = 0;
      for (const MotionConstraint& c : timeline.modes[stage.mode].constraints) {
        Vector3d force = Vector3d::Zero();
        for (const int row : c.rows) {
          const double lambda = details.force(first++, k);
          if (row < 3) force[row] = lambda;
        }
        if (!c.is_contact || !has_normal(c)) continue;
        if (c.axes == Axes::local) {
          const VectorXd q = path.x.col(k).head(robot.nq());
          force = kinematics.pose(q, c.first).rotation * force;
        }
        Pull& pull = pulls[c.name];
        pull.closed += stage.dt;
        if (force.z() >= 0) continue;
        pull.pulled += stage.dt;
        if (-force.z() <= pull.strongest) continue;
        pull.strongest = -force.z();
        pull.time = timeline.nodes[k].time;
        pull.file = problem.recordings()[t].file;
      }
    }
  }
  for (const auto& [name, pull] : pulls) {
    if (pull.pulled <= tolerated * pull.closed) continue;
    char text[160];
    std::snprintf(text, sizeof(text),
                  " in %.0f %% of the time it is closed, with up to %.3g N at %.6g s of ",
                  100 * pull.pulled / pull.closed, pull.strongest, pull.time);
    out.push_back("contact " + name + ": the ground would have to pull the robot down" + text +
                  pull.file + "; was it open then (logs[].phases)?");
  }
  return out;
}

}  // namespace bayesid
