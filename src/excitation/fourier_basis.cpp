// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/fourier_basis.hpp"

#include <Eigen/QR>
#include <cmath>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Orthonormal columns that are orthogonal to a vector.
MatrixXd orthogonal_to(const VectorXd& vector) {
  const Eigen::HouseholderQR<MatrixXd> qr(vector);
  const MatrixXd Q = qr.householderQ();
  return Q.rightCols(vector.size() - 1);
}

}  // namespace

FourierBasis::FourierBasis(double period, int harmonics) : period_(period) {
  const VectorXd numbers = VectorXd::LinSpaced(harmonics, 1, harmonics);
  free_ = MatrixXd::Zero(2 * harmonics, 2 * harmonics - 2);
  free_.topLeftCorner(harmonics, harmonics - 1) = orthogonal_to(VectorXd::Ones(harmonics));
  free_.bottomRightCorner(harmonics, harmonics - 1) = orthogonal_to(numbers);
}

Eigen::Matrix<double, 3, Eigen::Dynamic> FourierBasis::at(double time) const {
  const int L = harmonics();
  Eigen::Matrix<double, 3, Eigen::Dynamic> raw(3, 2 * L);
  for (int l = 0; l < L; ++l) {
    const double omega = 2 * M_PI * (l + 1) / period_;
    const double s = std::sin(omega * time), c = std::cos(omega * time);
    raw.col(l) << s / omega, c, -omega * s;
    raw.col(L + l) << (1 - c) / omega, s, omega * c;
  }
  return raw * free_;
}

}  // namespace bayesid
