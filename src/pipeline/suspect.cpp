// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/suspect.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bayesid/error.hpp"
#include "report/words.hpp"

namespace bayesid::pipeline {
namespace {

std::string four_digits(double value) {
  return formatted("%.4g", value);
}

/// A measured number that stands out, in units of what is usual in its channel.
struct Suspect {
  std::string words;
  double size = -1;
};

void describe_file(const Recording& recording, const std::string& channel,
                   const Eigen::MatrixXd& values, int joint, int sample, Suspect& worst) {
  const double value = values(joint, sample);
  if (std::isnan(value)) return;
  std::vector<double> sizes;
  for (Eigen::Index k = 0; k < values.cols(); ++k) {
    if (!std::isnan(values(joint, k))) sizes.push_back(std::abs(values(joint, k)));
  }
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const double size = std::abs(value) / (*middle + 1e-3);
  if (size <= worst.size) return;
  worst = {recording.file + ", time " + four_digits(recording.time[sample]) + " s: " + channel +
               " is " + four_digits(value) + ", its median size is " + four_digits(*middle),
           size};
}

/// The measurement near stage k that is the least like the others of its channel.
Suspect suspect_near(const Robot& robot, const Recording& recording, int k) {
  Suspect worst;
  // The cost of a time step depends on both its ends.
  for (int i = std::max(0, k - 1); i < std::min(recording.num_samples(), k + 2); ++i) {
    for (const Joint& joint : robot.joints) {
      const int j = joint.idx_v;
      const std::string& name = joint.name;
      describe_file(recording, "q." + name, recording.position, j, i, worst);
      describe_file(recording, "v." + name, recording.velocity, j, i, worst);
      describe_file(recording, "tau." + name, recording.effort, j, i, worst);
    }
  }
  return worst;
}

}  // namespace

void fail_not_finite(const RobotProblem& problem, const std::string& place) {
  std::string words = place;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const Recording& recording = problem.recordings()[t];
    for (int k = 0; k < recording.num_samples(); ++k) {
      if (problem.trajectory(t).location(k) != place) continue;
      words = suspect_near(problem.dynamics().robot(), recording, k).words;
    }
  }
  throw InputError(words + "; the cost there is not a finite number: check the log and its units");
}

}  // namespace bayesid::pipeline
