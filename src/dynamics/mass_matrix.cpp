// SPDX-License-Identifier: BSD-3-Clause
#include <pinocchio/algorithm/crba.hpp>

#include "dynamics/rigid_body.hpp"

namespace bayesid {

const Eigen::MatrixXd& mass_matrix(const pinocchio::Model& model, RigidBodyData& data,
                                   const ConstVectorRef& q) {
  pinocchio::crba(model, *data, q, pinocchio::Convention::WORLD);
  Eigen::MatrixXd& mass = (*data).M;
  mass.triangularView<Eigen::StrictlyLower>() =
      mass.transpose().triangularView<Eigen::StrictlyLower>();
  return mass;
}

}  // namespace bayesid
