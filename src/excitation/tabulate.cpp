// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/tabulate.hpp"

#include <algorithm>
#include <cmath>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::optional<MotionTable> tabulate(ExcitationProgram& program, const VectorXd& x,
                                    const Config& config) {
  const Dynamics& dynamics = program.parts().model.dynamics();
  const Mode& mode = program.parts().model.motion().mode();
  const ExcitationConfig& e = config.excitation;
  const int steps = std::max(2, static_cast<int>(std::lround(e.duration * e.rate)));
  std::vector<double> times;
  for (int k = 0; k <= steps; ++k) times.push_back(e.duration * k / steps);
  std::vector<MotionInstant> all;
  if (!program.instants(x, times, all)) return {};
  MotionTable out;
  const auto count = static_cast<Eigen::Index>(times.size());
  out.time = Eigen::Map<const VectorXd>(times.data(), count);
  out.q = MatrixXd(dynamics.robot().nq(), count);
  out.v = out.a = out.tau = MatrixXd(dynamics.nv(), count);
  out.rows = row_names(mode);
  out.lambda = MatrixXd(mode.num_rows(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const MotionInstant& at = all[static_cast<std::size_t>(k)];
    out.q.col(k) = at.motion.q;
    out.v.col(k) = at.motion.v;
    out.a.col(k) = at.motion.a;
    out.tau.col(k) = at.tau;
    out.lambda.col(k) = at.lambda;
  }
  for (const ContactConfig& contact : config.model.contacts) {
    out.closed[contact.name] = std::ranges::any_of(
        mode.constraints, [&](const auto& c) { return c.is_contact && c.name == contact.name; });
  }
  return out;
}

}  // namespace bayesid
