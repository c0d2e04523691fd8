// SPDX-License-Identifier: BSD-3-Clause
#include "baseline/smoothed_start.hpp"

#include "baseline/sampled_motion.hpp"

namespace bayesid {

Point smoothed_start(const RobotProblem& problem, const Eigen::VectorXd& theta) {
  Point out = problem.start();
  out.theta = theta;
  const Robot& robot = problem.dynamics().robot();
  const std::vector<SampledMotion> motions = smoother_motion(problem);
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const Timeline& timeline = problem.timeline(t);
    if (timeline.max_rows() > 0) continue;
    const MotionGuess& motion = motions[t].motion;
    Path& path = out.paths[t];
    for (Eigen::Index k = 0; k < path.x.cols(); ++k) {
      const int sample = timeline.nodes[k].sample;
      if (sample < 0) continue;
      path.x.col(k) << configuration_at(robot, motion, sample), motion.velocity.col(sample);
      if (k < path.u.cols()) path.u.col(k).head(robot.nv()) = motion.acceleration.col(sample);
    }
  }
  return out;
}

}  // namespace bayesid
