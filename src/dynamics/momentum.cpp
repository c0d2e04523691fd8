// SPDX-License-Identifier: BSD-3-Clause
#include <pinocchio/multibody.hpp>

#include "dynamics/rigid_body.hpp"

namespace bayesid {

using pinocchio::JointIndex;
using pinocchio::Motion;
using Vector6 = Eigen::Matrix<double, 6, 1>;

void complete_motions(const pinocchio::Model& model, RigidBodyData& body_data) {
  pinocchio::Data& data = *body_data;
  for (JointIndex i = 1; i < static_cast<JointIndex>(model.njoints); ++i)
    data.a[i] = data.a_gf[i] + data.oMi[i].actInv(model.gravity);
}

void accelerate_from_rest(const pinocchio::Model& model, RigidBodyData& body_data,
                          const ConstVectorRef& u) {
  pinocchio::Data& data = *body_data;
  for (JointIndex i = 1; i < static_cast<JointIndex>(model.njoints); ++i) {
    const int first = model.idx_vs[i], n = model.nvs[i];
    const JointIndex parent = model.parents[i];
    Vector6 a = parent > 0 ? Vector6(data.oa[parent].toVector()) : Vector6(Vector6::Zero());
    for (int k = first; k < first + n; ++k) a += u[k] * data.J.col(k);
    data.oa[i].toVector() = a;
    data.v[i].setZero();
    data.a[i] = data.oMi[i].actInv(data.oa[i]);
  }
}

void momentum_derivative(const pinocchio::Model& model, RigidBodyData& body_data,
                         Eigen::MatrixXd& dtau_dq) {
  pinocchio::Data& data = *body_data;
  const auto num_joints = static_cast<JointIndex>(model.njoints);
  dtau_dq.setZero();
  for (JointIndex i = 1; i < num_joints; ++i) data.of[i] = data.oinertias[i] * data.oa[i];
  for (JointIndex i = num_joints - 1; i > 0; --i) {
    const JointIndex parent = model.parents[i];
    for (int column = model.idx_vs[i]; column < model.idx_vs[i] + model.nvs[i]; ++column) {
      // A joint turns what comes after it against the acceleration of what comes before …
      const Motion axis(data.J.col(column));
      const Motion da = parent > 0 ? data.oa[parent].cross(axis) : Motion::Zero();
      const Vector6 own = (data.oYcrb[i] * da).toVector();
      // … and the forces on the joints before it.
      const Vector6 before = own + axis.cross(data.of[i]).toVector();
      for (const JointIndex joint : model.supports[i]) {
        const Vector6& df = joint == i ? own : before;
        for (int row = model.idx_vs[joint]; row < model.idx_vs[joint] + model.nvs[joint]; ++row)
          dtau_dq(row, column) = data.J.col(row).dot(df);
      }
      for (const JointIndex joint : model.subtrees[i]) {
        if (joint == i) continue;
        for (int row = model.idx_vs[joint]; row < model.idx_vs[joint] + model.nvs[joint]; ++row)
          dtau_dq(row, column) = data.dFda.col(row).dot(da.toVector());
      }
    }
    if (parent > 0) data.of[parent] += data.of[i];
  }
}

}  // namespace bayesid
