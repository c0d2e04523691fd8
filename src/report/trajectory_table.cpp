// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <limits>

#include "bayesid/result.hpp"
#include "report/units.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<const char*, 7> pose_axes{"px", "py", "pz", "qx", "qy", "qz", "qw"};
// Tangent of the base in its own axes, and its velocity.
constexpr std::array<const char*, 6> velocity_axes{"vx", "vy", "vz", "wx", "wy", "wz"};

/// A column for each row of forces: contacts, then loops; `of_mode` tells which a mode fills.
struct ForceColumns {
  explicit ForceColumns(const MotionConstraints& constraints) {
    for (const auto* list : {&constraints.contacts, &constraints.loops}) {
      for (const std::string& name : row_names({*list})) names.push_back(name);
    }
  }
  std::vector<std::vector<int>> of_modes(const Timeline& timeline) const {
    std::vector<std::vector<int>> out;
    for (const Mode& mode : timeline.modes) {
      std::vector<int>& columns = out.emplace_back();
      for (const std::string& name : row_names(mode)) {
        columns.push_back(static_cast<int>(std::ranges::find(names, name) - names.begin()));
      }
    }
    return out;
  }
  std::vector<std::string> names;
};

/// What the columns of one trajectory are made of.
struct Sources {
  const RobotProblem& problem;
  const Path& path;
  const MatrixXd& std;
  const PathDetails& details;
  int trajectory;

  /// A stage begins at every node but the last.
  VectorXd of_stages(const Eigen::Ref<const Eigen::RowVectorXd>& row) const {
    VectorXd out = VectorXd::Constant(path.x.cols(), nan);
    out.head(row.size()) = row;
    return out;
  }
};

void add_base(const Sources& s, std::vector<Column>& out) {
  const int nq = s.problem.dynamics().robot().nq(), nv = s.problem.dynamics().nv();
  const std::string base = base_name;
  for (int i = 0; i < 7; ++i)
    out.push_back({"q." + base + "." + pose_axes[i], i < 3 ? "m" : "", s.path.x.row(i)});
  for (int i = 0; i < 6; ++i) {
    const std::string tangent = base + "." + row_axes[i], velocity = base + "." + velocity_axes[i];
    const std::string unit = i < 3 ? "m" : "rad";
    out.push_back({"q." + tangent + ".std", unit, s.std.row(i)});
    out.push_back({"v." + velocity, unit + "/s", s.path.x.row(nq + i)});
    out.push_back({"v." + velocity + ".std", unit + "/s", s.std.row(nv + i)});
    out.push_back({"a." + velocity, unit + "/s²", s.of_stages(s.path.u.row(i))});
    out.push_back({"w.q." + tangent, unit, s.of_stages(s.details.disturbance.row(i))});
    out.push_back({"w.v." + velocity, unit + "/s", s.of_stages(s.details.disturbance.row(nv + i))});
  }
}

/// Efforts or commands as measured, plus what their sensors missed.
VectorXd with_noise(const Sources& s, const MatrixXd& measured, int row, int noise) {
  const Timeline& timeline = s.problem.timeline(s.trajectory);
  VectorXd out = s.of_stages(s.path.u.row(noise));
  for (Index k = 0; k < s.path.u.cols(); ++k) out[k] += measured(row, timeline.stages[k].sample);
  return out;
}

void add_joint(const Sources& s, const Joint& joint, const MatrixXd& numbers,
               std::vector<Column>& out) {
  const int nq = s.problem.dynamics().robot().nq(), nv = s.problem.dynamics().nv();
  const int j = joint.idx_v;
  const std::string unit = position_unit(joint), &name = joint.name;
  const MatrixXd& effort = s.problem.recordings()[s.trajectory].effort;
  out.push_back({"q." + name, unit, numbers.row(j)});
  out.push_back({"q." + name + ".std", unit, s.std.row(j)});
  out.push_back({"v." + name, unit + "/s", s.path.x.row(nq + j)});
  out.push_back({"v." + name + ".std", unit + "/s", s.std.row(nv + j)});
  out.push_back({"a." + name, unit + "/s²", s.of_stages(s.path.u.row(j))});
  out.push_back({"tau." + name, effort_unit(joint), with_noise(s, effort, j, nv + j)});
  out.push_back({"w.q." + name, unit, s.of_stages(s.details.disturbance.row(j))});
  out.push_back({"w.v." + name, unit + "/s", s.of_stages(s.details.disturbance.row(nv + j))});
}

void add_thrust(const Sources& s, std::vector<Column>& out) {
  const int nv = s.problem.dynamics().nv();
  const std::vector<Rotor>& rotors = s.problem.dynamics().parameters().rotors();
  for (int r = 0; r < static_cast<int>(rotors.size()); ++r) {
    const MatrixXd& thrust = s.problem.recordings()[s.trajectory].thrust;
    out.push_back({"thrust." + rotors[r].name, "", with_noise(s, thrust, r, 2 * nv + r)});
  }
}

/// Forces of what is closed; NaN while it is open.
void add_forces(const Sources& s, const ForceColumns& forces, std::vector<Column>& out) {
  const Timeline& timeline = s.problem.timeline(s.trajectory);
  const std::vector<std::vector<int>> of_mode = forces.of_modes(timeline);
  const size_t first = out.size();
  for (const std::string& name : forces.names) {
    const bool is_moment = name[name.rfind('.') + 1] == 'r';
    out.push_back(
        {"lambda." + name, is_moment ? "N·m" : "N", VectorXd::Constant(s.path.x.cols(), nan)});
  }
  for (Index k = 0; k < s.path.u.cols(); ++k) {
    const std::vector<int>& columns = of_mode[timeline.stages[k].mode];
    for (size_t row = 0; row < columns.size(); ++row)
      out[first + columns[row]].values[k] = s.details.force(static_cast<Index>(row), k);
  }
}

TrajectoryTable make_table(const Sources& s, const ForceColumns& forces) {
  const Robot& robot = s.problem.dynamics().robot();
  TrajectoryTable out{.log = s.problem.recordings()[s.trajectory].file, .time = {}, .columns = {}};
  out.time.resize(s.path.x.cols());
  MatrixXd numbers(robot.nv(), s.path.x.cols());
  for (Index k = 0; k < s.path.x.cols(); ++k) {
    out.time[k] = s.problem.timeline(s.trajectory).nodes[k].time;
    numbers.col(k) = joint_angles(robot, s.path.x.col(k).head(robot.nq()));
  }
  if (robot.floating) add_base(s, out.columns);
  for (const Joint& joint : robot.joints) add_joint(s, joint, numbers, out.columns);
  add_thrust(s, out.columns);
  add_forces(s, forces, out.columns);
  return out;
}

}  // namespace

EstimatedMotion make_estimated_motion(const RobotProblem& problem, const Solution& solution,
                                      const std::vector<PathDetails>& paths, int num_threads) {
  const ForceColumns forces(problem.options().constraints);
  EstimatedMotion out;
  out.statistics = path_statistics(problem, solution, num_threads);
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const Path& path = solution.point.paths[t];
    const Sources sources{.problem = problem,
                          .path = path,
                          .std = out.statistics[t].state_std,
                          .details = paths[t],
                          .trajectory = t};
    out.tables.push_back(make_table(sources, forces));
  }
  number_segments(out.tables);
  return out;
}

}  // namespace bayesid
