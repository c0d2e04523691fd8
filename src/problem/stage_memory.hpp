// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace bayesid {

/// What a stage keeps between its linearisation and the step, in a column of numbers.
struct StageMemory {
  StageMemory(double* numbers, int nv, int num_rotors)
      : num_free(numbers[0]),
        num_noises(numbers[1]),
        with_noise(numbers[2]),
        Z(numbers + 3, nv, nv),
        C(numbers + 3 + nv * nv, nv, nv),
        gain(numbers + 3 + 2 * nv * nv, nv),
        excess_q(gain.data() + nv, nv),
        excess_v(excess_q.data() + nv, nv),
        acceleration_to_q(excess_v.data() + nv),
        noise_to_q(acceleration_to_q.data() + 36),
        rotor_force(noise_to_q.data() + 36, nv, num_rotors) {}
  static int size(int nv, int num_rotors) {
    return 3 + 2 * nv * nv + 3 * nv + 72 + nv * num_rotors;
  }

  double& num_free;    // columns of Z that count
  double& num_noises;  // rows of C that count
  double& with_noise;  // 1: the projection of the noise moves with θ
  Eigen::Map<Eigen::MatrixXd> Z, C;
  Eigen::Map<Eigen::VectorXd> gain, excess_q, excess_v;
  Eigen::Map<Eigen::Matrix<double, 6, 6>> acceleration_to_q, noise_to_q;  // of a floating base
  Eigen::Map<Eigen::MatrixXd> rotor_force;
};

}  // namespace bayesid
