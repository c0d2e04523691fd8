// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/report/result.hpp"
#include "report/number.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int value_digits = 10;

/// A name as a cell: in quotes when it holds what separates cells.
std::string csv_cell(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string header(const Robot& robot, bool several) {
  std::string out = several ? "log,time" : "time";
  for (const Joint& joint : robot.joints) {
    for (const std::string column :
         {"q.#", "q.#.std", "v.#", "v.#.std", "a.#", "tau.#", "w.q.#", "w.v.#"}) {
      const size_t place = column.find('#');
      out += "," + csv_cell(column.substr(0, place) + joint.name + column.substr(place + 1));
    }
  }
  return out + "\n";
}

void append(std::string& out, double value) {
  out += ',';
  append_number(out, value, value_digits);
}

void add_row(const RobotProblem& problem, const PathDetails& details, const Path& path,
             const MatrixXd& std, int t, int k, std::string& out) {
  const Robot& robot = problem.dynamics().robot();
  const int nq = robot.nq(), nv = robot.nv();
  const bool is_last = k == path.u.cols();
  const VectorXd angles = joint_angles(robot, path.x.col(k).head(nq));
  const VectorXd w = is_last ? VectorXd() : VectorXd(details.disturbance.col(k));
  out += shortest(problem.timeline(t).nodes[k].time);
  for (int j = 0; j < nv; ++j) {
    append(out, angles[j]);
    append(out, std(j, k));
    append(out, path.x(nq + j, k));
    append(out, std(nv + j, k));
    if (is_last) {  // a stage begins at every sample but this one
      out += ",,,,";
      continue;
    }
    append(out, path.u(j, k));
    append(out, problem.recordings()[t].effort(j, problem.timeline(t).stages[k].sample) +
                    path.u(nv + j, k));
    append(out, w[j]);
    append(out, w[nv + j]);
  }
  out += '\n';
}

}  // namespace

std::string trajectory_csv(const RobotProblem& problem, const Solution& solution, int num_threads) {
  const bool several = problem.num_trajectories() > 1;
  std::string out = header(problem.dynamics().robot(), several);
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const MatrixXd std = state_std(problem, solution, t, num_threads);
    const Path& path = solution.point.paths[t];
    const PathDetails details = problem.details(solution.point.theta, t, path);
    for (int k = 0; k < path.x.cols(); ++k) {
      if (several) out += std::to_string(t) + ",";
      add_row(problem, details, path, std, t, k, out);
    }
  }
  return out;
}

}  // namespace bayesid
