// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <deque>
#include <vector>

namespace bayesid {

/// A step of all unknowns: states and multipliers of each trajectory, and θ.
struct FullStep {
  std::vector<Eigen::MatrixXd> dx, dgamma;
  Eigen::VectorXd dtheta;

  FullStep& add(double factor, const FullStep& other);
  FullStep& scale(double factor);
};

/// Anderson's acceleration of Gauss–Newton steps that shrink by the same factors again and again:
/// the errors they leave are combinations of those before, and are taken off. docs/decisions/005
class Extrapolation {
 public:
  void forget();
  bool is_empty() const { return columns_.empty() && !has_last_; }
  /// Makes the step better by what earlier ones tell; false when there are none.
  /// `information`: Hessian of θ, the metric of its steps.
  bool improve(const FullStep& step, const Eigen::MatrixXd& information, FullStep& out);
  /// The step proposed last and the way gone instead.
  void remember(const FullStep& step, const FullStep& gone);
  /// Only this share of the way was gone.
  void shorten(double length);

 private:
  struct Column {
    FullStep change, reach;  // of the step from one iteration to the next; what it stands for
  };
  std::deque<Column> columns_;
  FullStep last_step_, last_gone_;
  bool has_last_ = false;
};

}  // namespace bayesid
