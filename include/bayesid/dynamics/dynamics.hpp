// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "bayesid/parameters/parameter_set.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// Only the value, or the derivatives too.
enum class Order { value, derivatives };

/// Everything that depends on θ alone, computed once for each θ and shared by all threads.
struct DynamicsAt {
  Eigen::VectorXd theta;
  PhysicalParameters eta;
  std::shared_ptr<const pinocchio::Model> model;  // with the inertias of θ
};

/// Balance of forces at one instant: docs/math/dynamics.md (1)
///   h = RNEA(q, v, a; π) + Σ_d r_dᵀ(τ_f(r_d v; γ_d) + I_d r_d a) − gain ∘ τ − offset
/// with τ the measured effort (or measured + n), r_d the row of drive d.
struct ForceBalance {
  Eigen::VectorXd h;
  Eigen::MatrixXd dh_dq, dh_dv, mass;  // mass = ∂h/∂a
  Eigen::MatrixXd dh_dzeta;            // in stage coordinates, docs/math/dynamics.md (3)

  ForceBalance(int nv, int nzeta);
};

/// Coordinates in which the stages see the parameters: ζ = K η, without the combinations no motion
/// can show.
struct StageCoordinates {
  std::vector<int> entries;  // of η: ∂h/∂ζ_i = ∂h/∂η_entries[i]
  Eigen::MatrixXd K;         // nζ × size of η
};

/// Rigid-body dynamics of a tree on a fixed or floating base with friction, armature and actuation,
/// by inverse dynamics. Immutable; the workspace belongs to the calling thread.
class Dynamics {
 public:
  class Workspace {
   public:
    explicit Workspace(const Dynamics& dynamics);
    ~Workspace();
    Workspace(Workspace&&) noexcept;
    struct Storage;
    Storage& operator*() { return *storage_; }

   private:
    std::unique_ptr<Storage> storage_;
  };

  Dynamics(Robot robot, ParameterSet parameters);

  const Robot& robot() const { return robot_; }
  const ParameterSet& parameters() const { return parameters_; }
  int nv() const { return robot_.nv(); }
  int nzeta() const { return static_cast<int>(coordinates_.entries.size()); }
  const StageCoordinates& coordinates() const { return coordinates_; }

  std::shared_ptr<const DynamicsAt> at(const Eigen::VectorXd& theta) const;
  /// ζ(θ), and ∂ζ/∂θ, nζ × nθ.
  Eigen::VectorXd zeta(const Eigen::VectorXd& theta) const;
  Eigen::MatrixXd dzeta_dtheta(const Eigen::VectorXd& theta) const;

  /// Balance of forces; no allocation.
  void balance(const DynamicsAt& at, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
               const Eigen::VectorXd& a, const Eigen::VectorXd& tau, Order order,
               Workspace& workspace, ForceBalance& out) const;
  /// ∂h/∂ζ · dζ alone, for a given direction; no allocation.
  void balance_along(const DynamicsAt& at, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                     const Eigen::VectorXd& a, const Eigen::VectorXd& tau,
                     const Eigen::VectorXd& dzeta, Workspace& workspace, Eigen::VectorXd& dh) const;
  /// Acceleration that satisfies the balance, and the mass matrix with armature; no allocation.
  void acceleration(const DynamicsAt& at, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    const Eigen::VectorXd& tau, Workspace& workspace, Eigen::VectorXd& a,
                    Eigen::MatrixXd& mass) const;

  /// Adds Σ_d (r_d ξ) ∂²τ_f/∂γ² to the columns (d01, d02, d11, d22, d34, d44) of each drive.
  void add_friction_curvature(const DynamicsAt& at, const Eigen::VectorXd& v,
                              const Eigen::VectorXd& xi,
                              Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> sum) const;
  /// The same sums as a matrix in stage coordinates: Σ ξ·∂²h/∂ζ². docs/math/dynamics.md (4)
  Eigen::MatrixXd friction_curvature(const Eigen::Matrix<double, 6, Eigen::Dynamic>& sum) const;
  /// Σ_i s_i ∂²ζ_i/∂θ² for a covector s on ζ.
  Eigen::MatrixXd zeta_curvature(const Eigen::VectorXd& theta, const Eigen::VectorXd& s) const;

 private:
  struct DriveTerm {
    std::vector<std::pair<int, double>> joints;  // the entries of the row that are not zero
    bool has_friction = false;
    double speed(const Eigen::VectorXd& v) const;
    void add(double value, Eigen::Ref<Eigen::VectorXd> out) const;
  };
  void add_drives(const DynamicsAt& at, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                  Order order, Workspace& workspace, ForceBalance& out) const;
  void zeta_columns(const DynamicsAt& at, const Eigen::VectorXd& a, const Eigen::VectorXd& tau,
                    Workspace& workspace, Eigen::MatrixXd& dh_dzeta) const;
  void add_column(int entry, double value, const Eigen::VectorXd& a, const Eigen::VectorXd& tau,
                  Workspace& workspace, Eigen::Ref<Eigen::VectorXd> out) const;

  Robot robot_;
  ParameterSet parameters_;
  std::vector<DriveTerm> drives_;
  StageCoordinates coordinates_;
};

}  // namespace bayesid
