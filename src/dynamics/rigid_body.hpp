// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <pinocchio/multibody/fwd.hpp>

namespace bayesid {

/// Pinocchio's workspace, one for each thread.
class RigidBodyData {
 public:
  explicit RigidBodyData(const pinocchio::Model& model);
  ~RigidBodyData();
  RigidBodyData(RigidBodyData&&) noexcept;
  pinocchio::Data& operator*() { return *data_; }

 private:
  std::unique_ptr<pinocchio::Data> data_;
};

struct BodyKinematics;

/// A copy of the model whose moving bodies have the inertial parameters in the columns of `pi`.
std::shared_ptr<const pinocchio::Model> with_inertias(
    const pinocchio::Model& model, const Eigen::Matrix<double, 10, Eigen::Dynamic>& pi);

// Each of these calls one expensive algorithm, and lives in a file of its own. Velocities are those
// of all joints.
using ConstVectorRef = Eigen::Ref<const Eigen::VectorXd>;

/// τ = RNEA(q, v, a).
const Eigen::VectorXd& rnea(const pinocchio::Model& model, RigidBodyData& data,
                            const ConstVectorRef& q, const ConstVectorRef& v,
                            const ConstVectorRef& a);

/// ∂τ/∂q, ∂τ/∂v and the mass matrix (full, symmetric); τ is left in `tau`.
void rnea_derivatives(const pinocchio::Model& model, RigidBodyData& data, const ConstVectorRef& q,
                      const ConstVectorRef& v, const ConstVectorRef& a, Eigen::VectorXd& tau,
                      Eigen::MatrixXd& dtau_dq, Eigen::MatrixXd& dtau_dv, Eigen::MatrixXd& mass);

/// Leaves the motion of every body in `data`, as rnea_derivatives does too.
void body_motions(const pinocchio::Model& model, RigidBodyData& data, const ConstVectorRef& q,
                  const ConstVectorRef& v, const ConstVectorRef& a);

/// Leaves where every body is in `data`, with the Jacobians of all joints; the motion stays.
void body_places(const pinocchio::Model& model, RigidBodyData& data, const ConstVectorRef& q);

using Wrench = Eigen::Matrix<double, 6, 1>;  // force, then moment about the origin of a body

/// τ = Jᵀ w of a wrench on a body, in its axes, with the places in `data`.
void wrench_effort(const pinocchio::Model& model, RigidBodyData& data, int body, const Wrench& w,
                   Eigen::VectorXd& tau);

/// out += ∂(Jᵀ w)/∂q for a wrench that turns with its body.
void add_wrench_derivative(const pinocchio::Model& model, RigidBodyData& data, int body,
                           const Wrench& w, Eigen::MatrixXd& out);

/// Completes what rnea and mass_matrix left in `data` to what body_motions would.
void complete_motions(const pinocchio::Model& model, RigidBodyData& data);

/// Replaces the motion in `data` by the acceleration `u` from rest, without gravity; where the
/// bodies are stays.
void accelerate_from_rest(const pinocchio::Model& model, RigidBodyData& data,
                          const ConstVectorRef& u);

/// ∂(M u)/∂q after rnea_derivatives at any motion of this configuration and accelerate_from_rest.
void momentum_derivative(const pinocchio::Model& model, RigidBodyData& data,
                         Eigen::MatrixXd& dtau_dq);

/// Copies the motion in `data`, as body_motions and rnea_derivatives leave it.
void read_kinematics(const pinocchio::Model& model, RigidBodyData& data, BodyKinematics& out);

/// Replaces the velocities by those that `v` gives; accelerations are left.
void set_velocity(const pinocchio::Model& model, const ConstVectorRef& v, BodyKinematics& out);

/// The same model without gravity.
std::shared_ptr<const pinocchio::Model> without_gravity(const pinocchio::Model& model);

/// Y with τ = Y π at the motion in `data`, ten columns for each moving body.
const Eigen::MatrixXd& torque_regressor(const pinocchio::Model& model, RigidBodyData& data);

/// τ = Y δπ at the motion in `data`, without Y.
void torque_along(const pinocchio::Model& model, RigidBodyData& data,
                  const Eigen::Matrix<double, 10, Eigen::Dynamic>& dpi, Eigen::VectorXd& tau);

/// Derivatives of the efforts Y δπ of inertias that are a direction δπ.
class InertiaDirection {
 public:
  explicit InertiaDirection(const pinocchio::Model& model);
  ~InertiaDirection();
  /// wᵀ ∂(Y δπ) in q, v and a; columns of `dpi` are bodies.
  void gradient(const ConstVectorRef& q, const ConstVectorRef& v, const ConstVectorRef& a,
                const Eigen::Matrix<double, 10, Eigen::Dynamic>& dpi, const ConstVectorRef& w,
                Eigen::VectorXd& dq, Eigen::VectorXd& dv, Eigen::VectorXd& da);

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
};

/// Mass matrix, full and symmetric.
const Eigen::MatrixXd& mass_matrix(const pinocchio::Model& model, RigidBodyData& data,
                                   const ConstVectorRef& q);

}  // namespace bayesid
