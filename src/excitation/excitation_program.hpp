// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "excitation/fourier_basis.hpp"
#include "excitation/information.hpp"
#include "excitation/motion_limits.hpp"
#include "excitation/nonlinear_program.hpp"
#include "math/parallel.hpp"

namespace bayesid {

/// Most information within limits, as a nonlinear program in the coefficients x of the series:
/// those of y_0, then of y_1 and so on. Information and limits are taken at times of a grid.
class ExcitationProgram final : public NonlinearProgram {
 public:
  struct Parts {
    const InstantModel& model;
    FourierBasis basis;
    std::vector<MotionLimit> limits;
    Criterion criterion = Criterion::information;
    Eigen::MatrixXd prior;       // of the model's columns
    double samples = 1;          // of the log that the information is counted for
    double velocity_reward = 0;  // times the mean square of v
  };

  /// `num_points` equal steps of the period. The pool must outlive the program.
  ExcitationProgram(Parts parts, int num_points, ThreadPool& pool);

  int num_variables() const override { return parts_.basis.size() * parts_.model.motion().size(); }
  const std::vector<Row>& rows() const override { return rows_; }
  /// Far beyond limits there is no value either.
  bool move_to(const Eigen::VectorXd& x) override;
  double value() override;
  const Eigen::VectorXd& gradient() override;
  const Eigen::VectorXd& row_values() override { return row_values_; }
  const std::vector<double>& row_slopes() override;

  const Parts& parts() const { return parts_; }
  int num_points() const { return num_points_; }
  const std::vector<double>& times() const { return times_; }
  /// A time more at which limits hold; it does not count as information.
  void add_time(double time);
  /// A limit more, at all times.
  void add_limit(const MotionLimit& limit);
  /// Instants of x at any times; false when one does not exist.
  bool instants(const Eigen::VectorXd& x, const std::vector<double>& times,
                std::vector<MotionInstant>& out);
  /// Smallest of limit_margin where move_to went.
  double margin() const;

 private:
  bool close(const Eigen::VectorXd& x, const std::vector<double>& times,
             std::vector<ClosedAt>& out);
  InformationCost cost() const;
  void add_rows();  // of the limits at one time
  void coordinates(const Eigen::VectorXd& x, double time, Eigen::VectorXd& y, Eigen::VectorXd& dy,
                   Eigen::VectorXd& ddy) const;
  /// out += slopes in x, on a stretch of it.
  void propagate(const CoordinateSlopes& slopes, double time, double* out, int first,
                 int count) const;

  Parts parts_;
  int num_points_;
  ThreadPool& pool_;
  std::vector<InstantModel::Workspace> workspaces_;  // one for each thread
  std::vector<double> times_;                        // those that count, then those added
  std::vector<Row> rows_;
  std::vector<MotionInstant> instants_;
  Eigen::VectorXd row_values_, gradient_;
  std::vector<double> row_slopes_;
  double value_ = 0;
  Eigen::MatrixXd slope_;  // of the cost in the information of a sample
  bool has_cost_ = false, has_gradient_ = false, has_slopes_ = false;
};

}  // namespace bayesid
