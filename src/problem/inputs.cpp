// SPDX-License-Identifier: BSD-3-Clause
#include "problem/inputs.hpp"

namespace bayesid {

using Eigen::VectorXd;

void read_inputs(const Dynamics& dynamics, const Recording& recording, Eigen::Index sample,
                 VectorXd& out) {
  const int nv = dynamics.nv();
  out.head(nv) = recording.effort.col(sample);
  if (dynamics.num_rotors() > 0)
    out.segment(nv, dynamics.num_rotors()) = recording.thrust.col(sample);
  if (dynamics.num_presliding() > 0)
    out.tail(dynamics.num_presliding()) = recording.presliding.col(sample);
}

VectorXd inputs_at(const Dynamics& dynamics, const Recording& recording, Eigen::Index sample) {
  VectorXd out(dynamics.num_inputs());
  read_inputs(dynamics, recording, sample, out);
  return out;
}

}  // namespace bayesid
