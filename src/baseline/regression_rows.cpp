// SPDX-License-Identifier: BSD-3-Clause
#include "baseline/regression_rows.hpp"

#include <cmath>

namespace bayesid {

using Eigen::VectorXd;

CondensedRows RegressionRows::joined(const VectorXd& std, int without) const {
  const CondensedRows& any = folds[0][0];
  CondensedRows out(any.A().cols() + 1);
  for (int f = 0; f < static_cast<int>(folds.size()); ++f) {
    if (f != without) out.add(fold(std, f), 1);
  }
  return out;
}

CondensedRows RegressionRows::fold(const VectorXd& std, int fold) const {
  CondensedRows out(folds[fold][0].A().cols() + 1);
  for (int g = 0; g < num_groups(); ++g) out.add(folds[fold][g], 1 / std[g]);
  return out;
}

VectorXd RegressionRows::rms(const VectorXd& dzeta) const {
  VectorXd squares = VectorXd::Zero(num_groups()), count = squares;
  for (const std::vector<CondensedRows>& fold : folds) {
    for (int g = 0; g < num_groups(); ++g) {
      squares[g] += fold[g].squared_norm(dzeta);
      count[g] += fold[g].count();
    }
  }
  return (squares.array() / count.array().max(1.0)).sqrt();
}

}  // namespace bayesid
