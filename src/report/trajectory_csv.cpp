// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "bayesid/report/result.hpp"
#include "report/csv_cell.hpp"
#include "report/number.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int value_digits = 10;

constexpr std::array<const char*, 7> pose_axes{"px", "py", "pz", "qx", "qy", "qz", "qw"};
// Tangent of the base in its own axes, and its velocity.
constexpr std::array<const char*, 6> velocity_axes{"vx", "vy", "vz", "wx", "wy", "wz"};

std::string base_header() {
  const std::string base = base_name;
  std::string out;
  for (const char* axis : pose_axes) out += ",q." + base + "." + axis;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string tangent = base + "." + row_axes[i];
    const std::string velocity = base + "." + velocity_axes[i];
    out += ",q." + tangent + ".std,v." + velocity + ",v." + velocity + ".std,a." + velocity +
           ",w.q." + tangent + ",w.v." + velocity;
  }
  return out;
}

/// Columns of the forces: contacts, then loops; `of_mode` gives for each row of a mode its column.
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

std::string header(const RobotProblem& problem, const ForceColumns& forces, bool several) {
  const Robot& robot = problem.dynamics().robot();
  std::string out = several ? "log,time" : "time";
  if (robot.floating) out += base_header();
  for (const Joint& joint : robot.joints) {
    for (const std::string column :
         {"q.#", "q.#.std", "v.#", "v.#.std", "a.#", "tau.#", "w.q.#", "w.v.#"}) {
      const size_t place = column.find('#');
      out += "," + csv_cell(column.substr(0, place) + joint.name + column.substr(place + 1));
    }
  }
  for (const Rotor& rotor : problem.dynamics().parameters().rotors())
    out += "," + csv_cell("thrust." + rotor.name);
  for (const std::string& name : forces.names) out += "," + csv_cell("lambda." + name);
  return out + "\n";
}

void append(std::string& out, double value) {
  out += ',';
  append_number(out, value, value_digits);
}

/// What a row of the file is made of.
struct Sample {
  const RobotProblem& problem;
  const Path& path;
  const MatrixXd& std;
  int trajectory, k;
  bool is_last;
  VectorXd numbers, w;
};

void add_base(const Sample& s, std::string& out) {
  const int nq = s.problem.dynamics().robot().nq(), nv = s.problem.dynamics().nv();
  for (int i = 0; i < 7; ++i) append(out, s.path.x(i, s.k));
  for (int i = 0; i < 6; ++i) {
    append(out, s.std(i, s.k));
    append(out, s.path.x(nq + i, s.k));
    append(out, s.std(nv + i, s.k));
    if (s.is_last) {
      out += ",,,";
      continue;
    }
    append(out, s.path.u(i, s.k));
    append(out, s.w[i]);
    append(out, s.w[nv + i]);
  }
}

void add_joint(const Sample& s, int j, std::string& out) {
  const int nq = s.problem.dynamics().robot().nq(), nv = s.problem.dynamics().nv();
  append(out, s.numbers[j]);
  append(out, s.std(j, s.k));
  append(out, s.path.x(nq + j, s.k));
  append(out, s.std(nv + j, s.k));
  if (s.is_last) {  // a stage begins at every sample but this one
    out += ",,,,";
    return;
  }
  append(out, s.path.u(j, s.k));
  append(out, s.problem.recordings()[s.trajectory].effort(
                  j, s.problem.timeline(s.trajectory).stages[s.k].sample) +
                  s.path.u(nv + j, s.k));
  append(out, s.w[j]);
  append(out, s.w[nv + j]);
}

/// Commands as measured, plus what their sensors missed.
void add_thrust(const Sample& s, std::string& out) {
  const int nv = s.problem.dynamics().nv();
  for (int r = 0; r < s.problem.dynamics().num_rotors(); ++r) {
    if (s.is_last) {
      out += ',';
      continue;
    }
    const int sample = s.problem.timeline(s.trajectory).stages[s.k].sample;
    append(out, s.problem.recordings()[s.trajectory].thrust(r, sample) + s.path.u(2 * nv + r, s.k));
  }
}

/// Forces of what is closed from here on; the cells of the rest are empty.
void add_forces(const std::vector<int>& columns, const Eigen::Ref<const VectorXd>& force,
                size_t num_columns, std::string& out) {
  for (size_t column = 0; column < num_columns; ++column) {
    const auto row = std::ranges::find(columns, static_cast<int>(column));
    if (row == columns.end()) {
      out += ',';
    } else {
      append(out, force[row - columns.begin()]);
    }
  }
}

void add_row(const RobotProblem& problem, const PathDetails& details, const Path& path,
             const MatrixXd& std, int t, int k, std::string& out) {
  const Robot& robot = problem.dynamics().robot();
  const bool is_last = k == path.u.cols();
  const Sample sample{.problem = problem,
                      .path = path,
                      .std = std,
                      .trajectory = t,
                      .k = k,
                      .is_last = is_last,
                      .numbers = joint_angles(robot, path.x.col(k).head(robot.nq())),
                      .w = is_last ? VectorXd() : VectorXd(details.disturbance.col(k))};
  out += shortest(problem.timeline(t).nodes[k].time);
  if (robot.floating) add_base(sample, out);
  for (const Joint& joint : robot.joints) add_joint(sample, joint.idx_v, out);
  add_thrust(sample, out);
}

}  // namespace

std::string trajectory_csv(const RobotProblem& problem, const Solution& solution, int num_threads) {
  const bool several = problem.num_trajectories() > 1;
  const ForceColumns forces(problem.options().constraints);
  std::string out = header(problem, forces, several);
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const MatrixXd std = state_std(problem, solution, t, num_threads);
    const Path& path = solution.point.paths[t];
    const PathDetails details = problem.details(solution.point.theta, t, path);
    const Timeline& timeline = problem.timeline(t);
    const std::vector<std::vector<int>> columns = forces.of_modes(timeline);
    for (int k = 0; k < path.x.cols(); ++k) {
      if (several) out += std::to_string(t) + ",";
      add_row(problem, details, path, std, t, k, out);
      if (k < path.u.cols()) {
        add_forces(columns[timeline.stages[k].mode], details.force.col(k), forces.names.size(),
                   out);
      } else {
        out.append(forces.names.size(), ',');
      }
      out += '\n';
    }
  }
  return out;
}

}  // namespace bayesid
