// SPDX-License-Identifier: BSD-3-Clause
#include <pinocchio/algorithm/regressor.hpp>

#include "dynamics/rigid_body.hpp"

namespace bayesid {

const Eigen::MatrixXd& torque_regressor(const pinocchio::Model& model, RigidBodyData& data, const ConstVectorRef& q,
                                        const ConstVectorRef& v, const ConstVectorRef& a) {
  return pinocchio::computeJointTorqueRegressor(model, *data, q, v, a);
}

}  // namespace bayesid
