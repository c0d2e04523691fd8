// SPDX-License-Identifier: BSD-3-Clause
#include "stage/timed_rows.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TimedRows::TimedRows(const StageSetting& setting, int max_rows, Kinematics& kinematics)
    : setting_(setting) {
  const int nv = setting.nv();
  R_x = R_y = MatrixXd::Zero(std::max(1, max_rows), 2 * nv);
  R_delay = VectorXd::Zero(max_rows);
  instant_.q = q_ = VectorXd::Zero(setting.nq());
  instant_.v = instant_.a = step_ = drift_ = VectorXd::Zero(nv);
  instant_.parameters = VectorXd::Zero(setting.dynamics->parameters().layout().num_sensors);
  instant_.kinematics = &kinematics;
  step_q_.setIdentity();
  step_u_ = step_q_;
}

bool TimedRows::evaluate(const SampleWithin& sample, const StagePlan& plan, int k, const Path& path,
                         const VectorXd& parameters, Order order, Residual& residual) {
  const Robot& robot = setting_.robot();
  const int nq = setting_.nq(), nv = setting_.nv();
  const double dt = plan.dt, h = sample.h;
  const auto [c, dc_dh] = setting_.integrator->part(h, dt);
  const auto v = path.x.col(k).segment(nq, nv);
  instant_.parameters = parameters;
  instant_.sample = sample.sample;
  instant_.a = (path.x.col(k + 1).segment(nq, nv) - v) / dt;
  step_ = h * v + c * instant_.a;
  q_ = path.x.col(k).head(nq);
  integrate(robot, q_, step_, instant_.q);
  instant_.v = v + h * instant_.a;
  sample.sensor.evaluate(instant_, order, residual);
  const int n = residual.rows;
  if (n == 0 || order == Order::value) return n > 0;

  auto by_x = R_x.topRows(n), by_y = R_y.topRows(n);
  const auto dr_dv = residual.dr_dx.block(0, nv, n, nv), dr_da = residual.dr_da.topRows(n);
  auto dr_dq = residual.dr_dx.block(0, 0, n, nv);  // by the step from here on
  by_x.leftCols(nv) = dr_dq;
  if (robot.floating) {
    integrate_jacobians(robot, step_, step_q_, step_u_);
    by_x.leftCols<6>() = dr_dq.leftCols<6>().lazyProduct(step_q_);
    for (int i = 0; i < n; ++i) {
      const Eigen::Matrix<double, 1, 6> row = dr_dq.row(i).head<6>();
      dr_dq.row(i).head<6>().noalias() = row * step_u_;
    }
  }
  by_y.leftCols(nv).setZero();
  by_y.rightCols(nv) = (c / dt) * dr_dq + (h / dt) * dr_dv + dr_da / dt;
  by_x.rightCols(nv) = h * dr_dq + dr_dv - by_y.rightCols(nv);
  if (!sample.delayed) return true;
  drift_ = v + dc_dh * instant_.a;
  auto by_delay = R_delay.head(n);
  by_delay.noalias() = dr_dq * drift_;
  by_delay.noalias() += dr_dv * instant_.a;
  by_delay = -by_delay;
  return true;
}

}  // namespace bayesid
