// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/dynamics.hpp"
#include "dynamics/rigid_body.hpp"

namespace bayesid {

struct Dynamics::Workspace::Storage {
  explicit Storage(const Dynamics& dynamics);

  RigidBodyData data;
  Eigen::VectorXd v_all, a_all, tau_all, zero, bias;  // of all joints, mimic ones included
  Eigen::MatrixXd dtau_dq, dtau_dv, mass, product;    // of all joints
  Eigen::Matrix<double, 10, Eigen::Dynamic>
      dpi;                               // direction in the inertial parameters of each body
  std::vector<Friction> friction;        // of each drive at the velocity seen last
  BodyKinematics kinematics;             // of the motion seen last, where constraints need it
  ConstraintRows rows_all, rows_before;  // of all joints; of an impact's velocity before it
  Eigen::MatrixXd stiffness, product_free, work;
  Eigen::VectorXd free, mass_times, effort;
  Eigen::Matrix<double, 10, Eigen::Dynamic> energy_regressor;  // of each body
  BodyKinematics::Spatial momentum, weight;                    // of each body and what hangs on it
  std::unique_ptr<InertiaDirection> direction;                 // made when it is first needed
  Eigen::MatrixXd rotor_push, rotor_turn;  // Jᵀ push and Jᵀ turn of each rotor, where seen last
};

/// Room for the rows of a mode, made when a mode is larger than all before it.
inline void make_room(ConstraintRows& rows, int num_rows, Eigen::Index nv) {
  if (rows.r.size() < num_rows || rows.J.cols() != nv)
    rows = ConstraintRows(num_rows, static_cast<int>(nv));
}

}  // namespace bayesid
