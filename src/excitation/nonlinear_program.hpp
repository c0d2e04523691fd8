// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

namespace bayesid {

/// min f(x) with lower ≤ g(x) ≤ upper; each row of g depends on a stretch of x.
class NonlinearProgram {
 public:
  struct Row {
    double lower, upper;
    int first = 0, count = 0;  // of x
  };
  virtual ~NonlinearProgram() = default;
  virtual int num_variables() const = 0;
  virtual const std::vector<Row>& rows() const = 0;
  /// False when there is no value at x. All that is asked next belongs to this x.
  virtual bool move_to(const Eigen::VectorXd& x) = 0;
  virtual double value() = 0;
  virtual const Eigen::VectorXd& gradient() = 0;
  virtual const Eigen::VectorXd& row_values() = 0;
  /// Rows one behind the other, each with its stretch of x.
  virtual const std::vector<double>& row_slopes() = 0;
};

}  // namespace bayesid
