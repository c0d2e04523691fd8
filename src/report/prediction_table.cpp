// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/report.hpp"
#include "bayesid/result.hpp"
#include "report/units.hpp"

namespace bayesid {

TrajectoryTable prediction_table(const Robot& robot, const Recording& recording,
                                 const EffortPrediction& prediction) {
  TrajectoryTable out{.log = recording.file, .time = recording.time, .columns = {}};
  for (const Joint& joint : robot.joints) {
    const int j = joint.idx_v;
    const std::string unit = position_unit(joint), tau = "tau." + joint.name;
    out.columns.push_back({"q." + joint.name, unit, prediction.motion.position.row(j)});
    out.columns.push_back({"v." + joint.name, unit + "/s", prediction.motion.velocity.row(j)});
    out.columns.push_back({tau + ".measured", effort_unit(joint), recording.effort.row(j)});
    out.columns.push_back({tau + ".nominal", effort_unit(joint), prediction.nominal.row(j)});
    out.columns.push_back({tau + ".identified", effort_unit(joint), prediction.identified.row(j)});
  }
  return out;
}

TrajectoryTable motion_table(const Robot& robot, const Excitation& excitation) {
  const MotionTable& motion = excitation.motion;
  TrajectoryTable out{.log = "trajectory.csv", .time = motion.time, .columns = {}};
  Eigen::MatrixXd numbers(robot.nv(), motion.q.cols());
  for (Eigen::Index k = 0; k < motion.q.cols(); ++k)
    numbers.col(k) = joint_angles(robot, motion.q.col(k));
  for (const Joint& joint : robot.joints) {
    const int j = joint.idx_v;
    const std::string unit = position_unit(joint);
    if (numbers.cols() == 0) continue;
    out.columns.push_back({"q." + joint.name, unit, numbers.row(j)});
    out.columns.push_back({"v." + joint.name, unit + "/s", motion.v.row(j)});
    out.columns.push_back({"a." + joint.name, unit + "/s²", motion.a.row(j)});
    if (motion.tau.cols() == 0) continue;
    out.columns.push_back(
        {"tau." + joint.name + ".nominal", effort_unit(joint), motion.tau.row(j)});
  }
  return out;
}

void number_segments(std::vector<TrajectoryTable>& tables) {
  for (size_t t = 1; t < tables.size(); ++t) {
    if (tables[t].log == tables[t - 1].log) tables[t].segment = tables[t - 1].segment + 1;
  }
}

}  // namespace bayesid
