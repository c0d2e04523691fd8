// SPDX-License-Identifier: BSD-3-Clause
#include <pinocchio/multibody.hpp>

#include "dynamics/rigid_body.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

using Bodies = Eigen::Matrix<double, 10, Eigen::Dynamic>;

/// Derivatives of inverse dynamics.
struct Slopes {
  explicit Slopes(int nv) : tau(VectorXd::Zero(nv)), dq(MatrixXd::Zero(nv, nv)), dv(dq), da(dq) {}
  VectorXd tau;
  MatrixXd dq, dv, da;
};

}  // namespace

/// Pinocchio's inertias hold the centre of mass: a direction without mass has none. So a body of
/// 1 kg at each origin carries it, and is taken away again: efforts are linear in π.
struct InertiaDirection::Storage {
  explicit Storage(const pinocchio::Model& given)
      : model(given), carrier(given), data(given), carried(given.nv), carriers(given.nv) {
    set(carrier, Bodies::Zero(10, given.njoints - 1), 0);
  }

  static void set(pinocchio::Model& model, const Bodies& dpi, double share) {
    for (int body = 1; body < model.njoints; ++body) {
      VectorXd pi = share * dpi.col(body - 1);
      pi[0] += 1;
      model.inertias[body] = pinocchio::Inertia::FromDynamicParameters(pi);
    }
  }

  void run(const pinocchio::Model& of, const ConstVectorRef& q, const ConstVectorRef& v,
           const ConstVectorRef& a, Slopes& out) {
    rnea_derivatives(of, data, q, v, a, out.tau, out.dq, out.dv, out.da);
  }

  pinocchio::Model model, carrier;
  RigidBodyData data;
  Slopes carried, carriers;
  VectorXd last_q, last_v, last_a;  // of `carriers`
};

InertiaDirection::InertiaDirection(const pinocchio::Model& model)
    : storage_(std::make_unique<Storage>(model)) {}
InertiaDirection::~InertiaDirection() = default;

void InertiaDirection::gradient(const ConstVectorRef& q, const ConstVectorRef& v,
                                const ConstVectorRef& a, const Bodies& dpi, const ConstVectorRef& w,
                                VectorXd& dq, VectorXd& dv, VectorXd& da) {
  Storage& s = *storage_;
  if (s.last_q.size() != q.size() || s.last_q != q || s.last_v != v || s.last_a != a) {
    s.run(s.carrier, q, v, a, s.carriers);
    s.last_q = q;
    s.last_v = v;
    s.last_a = a;
  }
  // Masses stay positive.
  const double largest = dpi.row(0).cwiseAbs().maxCoeff();
  const double share = largest > 0 ? 0.5 / largest : 1.0;
  Storage::set(s.model, dpi, share);
  s.run(s.model, q, v, a, s.carried);
  dq.noalias() = (s.carried.dq - s.carriers.dq).transpose() * w / share;
  dv.noalias() = (s.carried.dv - s.carriers.dv).transpose() * w / share;
  da.noalias() = (s.carried.da - s.carriers.da).transpose() * w / share;
}

}  // namespace bayesid
