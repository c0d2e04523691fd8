// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/parameters.hpp"

#include <cmath>

namespace bayesid {

namespace {

/// t_i = tanh(γ_i v) and its slope c_i = 1 − t_i².
struct Saturation {
  explicit Saturation(double x) : t(std::tanh(x)), c((1 - t) * (1 + t)) {}
  double t, c;
};

}  // namespace

Friction friction(double v, const FrictionParameters& gamma) {
  const Saturation s1(gamma[1] * v);
  const Saturation s2(gamma[2] * v);
  const Saturation s4(gamma[4] * v);
  Friction out;
  out.tau = gamma[0] * (s1.t - s2.t) + gamma[3] * s4.t + gamma[5] * v;  // (11)
  out.dtau_dv =
      gamma[0] * (gamma[1] * s1.c - gamma[2] * s2.c) + gamma[3] * gamma[4] * s4.c + gamma[5];
  out.dtau_dgamma << s1.t - s2.t, gamma[0] * v * s1.c, -gamma[0] * v * s2.c, s4.t,
      gamma[3] * v * s4.c, v;  // (12)
  return out;
}

FrictionCurvature friction_curvature(double v, const FrictionParameters& gamma) {
  const Saturation s1(gamma[1] * v);
  const Saturation s2(gamma[2] * v);
  const Saturation s4(gamma[4] * v);
  return {.d01 = v * s1.c,
          .d02 = -v * s2.c,
          .d11 = -2 * gamma[0] * v * v * s1.t * s1.c,
          .d22 = 2 * gamma[0] * v * v * s2.t * s2.c,
          .d34 = v * s4.c,
          .d44 = -2 * gamma[3] * v * v * s4.t * s4.c};  // (13)
}

Eigen::Matrix<double, 6, 1> friction_speed_slope(double v, const FrictionParameters& gamma) {
  const Saturation s1(gamma[1] * v);
  const Saturation s2(gamma[2] * v);
  const Saturation s4(gamma[4] * v);
  Eigen::Matrix<double, 6, 1> out;
  out << gamma[1] * s1.c - gamma[2] * s2.c, gamma[0] * s1.c * (1 - 2 * gamma[1] * v * s1.t),
      -gamma[0] * s2.c * (1 - 2 * gamma[2] * v * s2.t), gamma[4] * s4.c,
      gamma[3] * s4.c * (1 - 2 * gamma[4] * v * s4.t), 1;
  return out;
}

}  // namespace bayesid
