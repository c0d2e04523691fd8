// SPDX-License-Identifier: BSD-3-Clause
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/multibody.hpp>

#include "dynamics/rigid_body.hpp"

namespace bayesid {

using pinocchio::Force;
using pinocchio::JointIndex;
using pinocchio::Motion;

void body_places(const pinocchio::Model& model, RigidBodyData& data, const ConstVectorRef& q) {
  pinocchio::computeJointJacobians(model, *data, q);
}

void wrench_effort(const pinocchio::Model& model, RigidBodyData& body_data, int body,
                   const Wrench& w, Eigen::VectorXd& tau) {
  const pinocchio::Data& data = *body_data;
  const Wrench in_world = data.oMi[body].act(Force(w)).toVector();
  tau.setZero();
  for (const JointIndex joint : model.supports[body]) {
    for (int row = model.idx_vs[joint]; row < model.idx_vs[joint] + model.nvs[joint]; ++row)
      tau[row] = data.J.col(row).dot(in_world);
  }
}

void add_wrench_derivative(const pinocchio::Model& model, RigidBodyData& body_data, int body,
                           const Wrench& w, Eigen::MatrixXd& out) {
  const pinocchio::Data& data = *body_data;
  const Force in_world = data.oMi[body].act(Force(w));
  for (const JointIndex joint : model.supports[body]) {
    for (int column = model.idx_vs[joint]; column < model.idx_vs[joint] + model.nvs[joint];
         ++column) {
      // A joint turns the wrench, and with it the axes that come after it: only those before it
      // see a change.
      const Wrench change = Motion(data.J.col(column)).cross(in_world).toVector();
      for (const JointIndex before : model.supports[body]) {
        if (before == joint) break;
        for (int row = model.idx_vs[before]; row < model.idx_vs[before] + model.nvs[before]; ++row)
          out(row, column) += data.J.col(row).dot(change);
      }
    }
  }
}

}  // namespace bayesid
