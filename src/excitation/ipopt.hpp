// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
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

struct IpoptOptions {
  int max_iterations = 200;
  double tolerance = 1e-4;
  double first_barrier = 0.1;
  std::function<bool(int iteration, double value, double violation)> go_on;  // false: stop
};

struct IpoptAnswer {
  Eigen::VectorXd x;
  double value = 0;
  int iterations = 0;
  bool converged = false, interrupted = false;
  std::string status;  // in words
};

/// A local minimum by IPOPT's interior-point method with a limited-memory Hessian; silent, and the
/// same on every run.
IpoptAnswer minimise(NonlinearProgram& program, const Eigen::VectorXd& start,
                     const IpoptOptions& options);

}  // namespace bayesid
