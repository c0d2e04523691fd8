// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/presliding.hpp"

#include <cmath>

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// dz/ds = (1 − z sign(s))/δ, solved over the whole way. (13b)
double presliding_step(double z, double dq, double distance) {
  if (dq == 0) return z;
  const double goal = dq > 0 ? 1 : -1;
  return goal + (z - goal) * std::exp(-std::abs(dq) / distance);
}

MatrixXd presliding_along(const ParameterSet& parameters, const MatrixXd& position) {
  const std::vector<Presliding>& given = parameters.presliding();
  MatrixXd out = MatrixXd::Zero(static_cast<Index>(given.size()), position.cols());
  for (Index p = 0; p < out.rows(); ++p) {
    const auto& row = parameters.drives()[given[p].drive].row;
    const auto turned = [&](Index k) {
      double way = 0;
      for (Index j = 0; j < row.size(); ++j) {
        if (row[j] != 0) way += row[j] * (position(j, k) - position(j, k - 1));
      }
      return way;
    };
    for (Index k = 1; k < position.cols(); ++k)
      out(p, k) = presliding_step(out(p, k - 1), turned(k), given[p].distance);
  }
  return out;
}

MatrixXd smoothed_positions(const VectorXd& time, const MatrixXd& position, double window) {
  MatrixXd out = position;
  const Index count = time.size();
  Index first = 0, end = 0;  // samples from first to before end are within the window
  for (Index k = 0; k < count; ++k) {
    while (time[first] < time[k] - 0.5 * window) ++first;
    while (end < count && time[end] <= time[k] + 0.5 * window) ++end;
    // As many on both sides, so that a steady motion is not shifted.
    const Index half = std::min(k - first, end - 1 - k);
    out.col(k) = position.middleCols(k - half, 2 * half + 1).rowwise().mean();
  }
  return out;
}

}  // namespace bayesid
