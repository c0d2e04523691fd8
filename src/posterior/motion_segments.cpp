// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/motion_segments.hpp"

#include <cmath>

namespace bayesid {

using Eigen::Index;
using Eigen::VectorXd;

VectorXd unwrapped(const Recording& recording, Index joint) {
  VectorXd out = recording.position.row(joint).transpose();
  double turns = 0;
  Index last = -1;
  for (Index k = 0; k < out.size(); ++k) {
    if (std::isnan(out[k])) continue;
    out[k] += turns;
    if (last >= 0) {
      const double v = recording.velocity(joint, last);
      const double expected = std::isnan(v) ? 0.0 : v * (recording.time[k] - recording.time[last]);
      const double jump = -2 * M_PI * std::round((out[k] - out[last] - expected) / (2 * M_PI));
      turns += jump;
      out[k] += jump;
    }
    last = k;
  }
  return out;
}

std::vector<Index> motion_cuts(const Timeline& timeline, Index num_samples) {
  constexpr Index shortest = 8;
  std::vector<Index> out{0};
  for (size_t i = 1; i < timeline.stages.size(); ++i) {
    const int sample = timeline.nodes[i].sample;
    const bool changes = timeline.stages[i].mode != timeline.stages[i - 1].mode;
    if (changes && sample >= out.back() + shortest) out.push_back(sample);
  }
  while (out.size() > 1 && out.back() > num_samples - shortest) out.pop_back();
  out.push_back(num_samples);
  return out;
}

}  // namespace bayesid
