// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/rigid_body.hpp"

#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>

#include "bayesid/constraint.hpp"

namespace bayesid {

RigidBodyData::RigidBodyData(const pinocchio::Model& model)
    : data_(std::make_unique<pinocchio::Data>(model)) {}
RigidBodyData::~RigidBodyData() = default;
RigidBodyData::RigidBodyData(RigidBodyData&&) noexcept = default;

std::shared_ptr<const pinocchio::Model> with_inertias(
    const pinocchio::Model& model, const Eigen::Matrix<double, 10, Eigen::Dynamic>& pi) {
  auto out = std::make_shared<pinocchio::Model>(model);
  for (Eigen::Index body = 0; body < pi.cols(); ++body) {
    out->inertias[body + 1] = pinocchio::Inertia::FromDynamicParameters(pi.col(body));
  }
  return out;
}

std::shared_ptr<const pinocchio::Model> without_gravity(const pinocchio::Model& model) {
  auto out = std::make_shared<pinocchio::Model>(model);
  out->gravity.setZero();
  return out;
}

void read_kinematics(const pinocchio::Model& model, RigidBodyData& body_data, BodyKinematics& out) {
  const pinocchio::Data& data = *body_data;
  for (pinocchio::JointIndex i = 1; i < static_cast<pinocchio::JointIndex>(model.njoints); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    out.rotation[i] = data.oMi[i].rotation();
    out.translation[i] = data.oMi[i].translation();
    out.velocity.col(column) = data.oMi[i].act(data.v[i]).toVector();
    out.acceleration.col(column) = data.oMi[i].act(data.a[i]).toVector();
  }
  out.J = data.J;
}

void set_velocity(const pinocchio::Model& model, const ConstVectorRef& v, BodyKinematics& out) {
  for (int i = 1; i < model.njoints; ++i) {
    const int first = model.idx_vs[i], n = model.nvs[i];
    out.velocity.col(i) = out.velocity.col(static_cast<Eigen::Index>(model.parents[i]));
    out.velocity.col(i).noalias() += out.J.middleCols(first, n) * v.segment(first, n);
  }
}

const Eigen::VectorXd& rnea(const pinocchio::Model& model, RigidBodyData& data,
                            const ConstVectorRef& q, const ConstVectorRef& v,
                            const ConstVectorRef& a) {
  return pinocchio::rnea(model, *data, q, v, a);
}

void rnea_derivatives(const pinocchio::Model& model, RigidBodyData& data, const ConstVectorRef& q,
                      const ConstVectorRef& v, const ConstVectorRef& a, Eigen::VectorXd& tau,
                      Eigen::MatrixXd& dtau_dq, Eigen::MatrixXd& dtau_dv, Eigen::MatrixXd& mass) {
  dtau_dq.setZero();
  dtau_dv.setZero();
  pinocchio::computeRNEADerivatives(model, *data, q, v, a, Eigen::Ref<Eigen::MatrixXd>(dtau_dq),
                                    Eigen::Ref<Eigen::MatrixXd>(dtau_dv),
                                    Eigen::Ref<Eigen::MatrixXd>(mass));
  mass.triangularView<Eigen::StrictlyLower>() =
      mass.transpose().triangularView<Eigen::StrictlyLower>();
  tau = (*data).tau;
}

}  // namespace bayesid
