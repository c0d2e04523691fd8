// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>

#include "bayesid/dynamics/dynamics.hpp"
#include "bayesid/dynamics/kinematics.hpp"

namespace bayesid {

/// Everything a term may read at one instant.
struct Knot {
  Eigen::VectorXd q, v;
  int sample = 0;                    // of the recording
  Kinematics* kinematics = nullptr;  // of the calling thread; knows any q
};

/// Whitened residual of one sensor at one instant, with its derivative; the first `rows` rows
/// count.
struct Residual {
  int rows = 0;
  Eigen::VectorXd r;
  Eigen::MatrixXd dr_dx;  // rows × 2 nv, tangent of (q, v)

  Residual(int max_rows, int nx)
      : r(Eigen::VectorXd::Zero(max_rows)), dr_dx(Eigen::MatrixXd::Zero(max_rows, nx)) {}
};

/// What a sensor says about the state along one recording.
class Term {
 public:
  virtual ~Term() = default;
  virtual std::string kind() const = 0;  // name in the configuration and in the results
  virtual int max_rows() const = 0;
  /// No allocation.
  virtual void evaluate(const Knot& at, Order order, Residual& out) const = 0;
};

}  // namespace bayesid
