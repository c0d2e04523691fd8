// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "bayesid/constraint.hpp"
#include "bayesid/parameters.hpp"
#include "bayesid/robot.hpp"

namespace bayesid {

/// Pose of a frame in the world.
struct FramePose {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d translation;
};

/// Where frames are and how they move. Bodies are computed once for each configuration, whoever
/// asks first. Belongs to one thread; nothing allocates after the constructor.
class Kinematics {
 public:
  explicit Kinematics(const Robot& robot);
  ~Kinematics();
  Kinematics(Kinematics&&) noexcept;

  FramePose pose(const Eigen::VectorXd& q, const FramePlacement& frame);
  /// J, 6 × nv: velocity of the frame's origin, then angular velocity, in world axes, is J v. Valid
  /// until the next call.
  const Eigen::MatrixXd& jacobian(const Eigen::VectorXd& q, const FramePlacement& frame);
  /// At most six rows of constraints at a motion, with derivatives. Valid until the next call.
  const ConstraintRows& rows(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                             const Eigen::VectorXd& a,
                             const std::vector<MotionConstraint>& constraints, Level level);

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
};

/// Only the value, or the derivatives too.
enum class Order { value, derivatives };

/// Everything that depends on θ alone, computed once for each θ and shared by all threads.
struct DynamicsAt {
  Eigen::VectorXd theta;
  PhysicalParameters eta;
  std::shared_ptr<const pinocchio::Model> model;       // with the inertias of θ
  std::shared_ptr<const pinocchio::Model> weightless;  // the same without gravity
};

/// Balance of forces at one instant: docs/math/dynamics.md (1)
///   h = RNEA(q, v, a; π) + Σ_d r_dᵀ(τ_f(r_d v; γ_d) + I_d r_d a) − gain ∘ τ − offset − Σ_r f_r τ_r
///       + Σ_p r_pᵀ γ6_p z_p
/// with τ the measured effort (or measured + n), r_d the row of drive d, f_r the force of rotor r.
/// Efforts are one vector: a number for each velocity, then the command of each rotor. Inputs, in
/// all that follows called tau, are the efforts and then z_p of each presliding drive.
struct ForceBalance {
  Eigen::VectorXd h;
  Eigen::MatrixXd dh_dq, dh_dv, mass;  // mass = ∂h/∂a
  Eigen::MatrixXd dh_dzeta;            // in base parameters, docs/math/dynamics.md (3)
  Eigen::MatrixXd rotor_force;         // columns f_r(q), docs/math/dynamics.md (5)

  ForceBalance(int nv, int nzeta, int num_rotors = 0);
};

/// Kinetic and potential energy, rotors of the motors included. Up to what is constant along any
/// motion: only differences mean something. docs/math/energy.md (1)-(4)
struct Energy {
  Energy(int nv, int nzeta);
  double value = 0;
  Eigen::VectorXd dE_dq, dE_dv;
  Eigen::VectorXd dE_dzeta;  // of differences
};

/// Power that friction takes from the motion. docs/math/energy.md (5)
struct Dissipation {
  Dissipation(int nv, int nzeta);
  double value = 0;
  Eigen::VectorXd dP_dv, dP_dzeta;
};

/// Power that rotors put into the motion. docs/math/energy.md (6)-(7)
struct RotorPower {
  RotorPower(int nv, int nzeta);
  double value = 0;
  Eigen::VectorXd dP_dq, dP_dv, dP_dzeta;
};

/// How wᵀ ∂h/∂ζ δζ, a number, moves with the motion and with the efforts of joints.
struct BalanceGradient {
  explicit BalanceGradient(int nv);
  Eigen::VectorXd dq, dv, da, dtau;
};

/// Base parameters ζ = K η, in which stages are linearised: without the combinations no motion
/// can show.
struct BaseCoordinates {
  std::vector<int> entries;  // of η: ∂h/∂ζ_i = ∂h/∂η_entries[i]
  Eigen::MatrixXd K;         // nζ × size of η
};

class KktFactorisation;
class Slip;

/// Forces and motion constraints of one stage, and the constrained solve. `a` is the acceleration,
/// or the jump of the velocity in an impact. docs/math/constraints.md
struct StageDynamics {
  StageDynamics(int nv, int nzeta, int max_rows, int num_rotors = 0);
  ~StageDynamics();
  StageDynamics(StageDynamics&&) noexcept;

  ForceBalance balance;
  ConstraintRows rows;
  std::unique_ptr<KktFactorisation> kkt;
  std::unique_ptr<Slip> slip;  // of an impact
  Eigen::VectorXd a;       // obeys forces (at the measured effort) and constraints to first order
  Eigen::VectorXd lambda;  // forces (impulses) of the constraints, at the effort with its noise
  Eigen::MatrixXd da_dq, da_dv;
};

/// Friction that depends on the acceleration of its own step, as an inertia of each drive for what
/// the acceleration is beyond `a`. docs/math/problem.md (2c)
struct StepInertia {
  Eigen::VectorXd inertia, a;
};

/// What motors put into the links: efforts behind the gears, friction and inertia of the drives
/// taken off. docs/math/dynamics.md (8)
///   τ_l = gain ∘ τ + offset − Σ_d r_dᵀ(τ_f(r_d v; γ_d) + I_d r_d a) − Σ_p r_pᵀ γ6_p z_p
struct LinkEffort {
  LinkEffort(int nv, int nzeta);
  Eigen::VectorXd value;
  Eigen::MatrixXd dv, da, dzeta;
};

/// A disturbance that respects the constraints: ŵ = P(q; θ) w. docs/math/constraints.md (8)
struct ProjectedNoise {
  ProjectedNoise(int nv, int nzeta);
  Eigen::VectorXd w;         // projected
  Eigen::VectorXd excess;    // ŵ − w, what the constraints take
  Eigen::MatrixXd dw_dq;     //
  Eigen::MatrixXd momentum;  // ∂(M (ŵ − w))/∂ζ: ∂ŵ/∂ζ = −Z Zᵀ of it; zero when kinematic
};

/// Rigid-body dynamics of a tree with friction, armature and actuation under motion constraints, by
/// inverse dynamics. Immutable; the workspace belongs to the calling thread.
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

  /// With sensors of link efforts, armatures are separate from the inertias that they add to.
  Dynamics(Robot robot, ParameterSet parameters, bool shows_link_efforts = false);

  const Robot& robot() const { return robot_; }
  const ParameterSet& parameters() const { return parameters_; }
  int nv() const { return robot_.nv(); }
  int num_rotors() const { return static_cast<int>(parameters_.rotors().size()); }
  int num_efforts() const { return nv() + num_rotors(); }
  int num_presliding() const { return static_cast<int>(parameters_.presliding().size()); }
  /// Efforts, commands of rotors, deflections of presliding; with an effort delay, effort rates.
  int num_inputs() const {
    return num_efforts() + num_presliding() + (has_effort_delay() ? nv() : 0);
  }
  bool has_effort_delay() const { return effort_delay_ >= 0; }
  /// How much later than the stamps of the recordings efforts are stamped than they act.
  double effort_delay(const PhysicalParameters& eta) const {
    return eta.named[effort_delay_] - parameters_.layout().known_effort_delay;
  }
  int nzeta() const { return static_cast<int>(coordinates_.entries.size()); }
  const BaseCoordinates& coordinates() const { return coordinates_; }
  bool shows_link_efforts() const { return shows_link_efforts_; }

  std::shared_ptr<const DynamicsAt> at(const Eigen::VectorXd& theta) const;
  /// ζ(θ), and ∂ζ/∂θ, nζ × nθ.
  Eigen::VectorXd zeta(const Eigen::VectorXd& theta) const;
  Eigen::MatrixXd dzeta_dtheta(const Eigen::VectorXd& theta) const;

  /// Balance of forces; no allocation.
  void balance(const DynamicsAt& at, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
               const Eigen::VectorXd& a, const Eigen::VectorXd& tau, Order order,
               Workspace& workspace, ForceBalance& out) const;
  /// What the efforts n do: gain ∘ n of the joints + Σ_r f_r n_r, f_r as `balance` left it. No
  /// allocation.
  void effort_force(const DynamicsAt& at, const ForceBalance& balance, const Eigen::VectorXd& n,
                    Eigen::VectorXd& out) const;
  /// Forces and constraints at an acceleration that need not obey them: `tau` is the measured
  /// effort, `n` what its sensor missed, `step` what friction makes of the step. No allocation.
  void linearise(const DynamicsAt& at, const Mode& mode, const Eigen::VectorXd& q,
                 const Eigen::VectorXd& v, const Eigen::VectorXd& a, const Eigen::VectorXd& tau,
                 const Eigen::VectorXd& n, Workspace& workspace, StageDynamics& out,
                 const StepInertia* step = nullptr) const;
  /// The same for an impact: M jump = Jᵀλ + Jₜᵀ Λₜ, J v⁺ = −ε J v⁻, with the likeliest impulses Λₜ
  /// along the rows that slip, in out.slip; out.a is without them.
  void linearise_impact(const DynamicsAt& at, const Mode& mode, const Eigen::VectorXd& q,
                        const Eigen::VectorXd& v, const Eigen::VectorXd& jump, Workspace& workspace,
                        StageDynamics& out) const;
  /// Only `a`, `lambda`, mass, J and `kkt`, exactly, at the measured effort. No allocation.
  void solve(const DynamicsAt& at, const Mode& mode, const Eigen::VectorXd& q,
             const Eigen::VectorXd& v, const Eigen::VectorXd& tau, Workspace& workspace,
             StageDynamics& out, const StepInertia* step = nullptr) const;
  /// The same for an impact without slip.
  void solve_impact(const DynamicsAt& at, const Mode& mode, const Eigen::VectorXd& q,
                    const Eigen::VectorXd& v, Workspace& workspace, StageDynamics& out) const;
  /// At inputs `tau`; `da` with the value already. No allocation.
  void link_effort(const DynamicsAt& at, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                   const Eigen::VectorXd& tau, const StepInertia* step, Order order,
                   Workspace& workspace, LinkEffort& out) const;
  /// Slope of each drive's friction at v, 0 where friction falls with speed. No allocation.
  void friction_slopes(const DynamicsAt& at, const Eigen::VectorXd& v,
                       Eigen::Ref<Eigen::VectorXd> out) const;
  /// P w with derivatives at the stage that was linearised last; `metric` is its `kkt` for the
  /// dynamically consistent projection, that of a unit mass for the kinematic one.
  void project(const DynamicsAt& at, const Mode& mode, const Eigen::VectorXd& w,
               Projection projection, KktFactorisation& metric, const StageDynamics& stage,
               Workspace& workspace, ProjectedNoise& out) const;
  /// ∂(M u)/∂ζ · dζ at rest and without gravity. No allocation.
  void momentum_along(const DynamicsAt& at, const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                      const Eigen::VectorXd& dzeta, Workspace& workspace,
                      Eigen::VectorXd& dh) const;
  /// The same at the configuration evaluated last.
  void momentum_along(const DynamicsAt& at, const Eigen::VectorXd& u, const Eigen::VectorXd& dzeta,
                      Workspace& workspace, Eigen::VectorXd& dh) const;
  /// Rows of a mode and their derivatives in the independent velocities, at a configuration and a
  /// velocity.
  ConstraintRows rows_at(const Mode& mode, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                         Level level) const;

  /// ∂h/∂ζ · dζ alone, for a given direction; no allocation.
  void balance_along(const DynamicsAt& at, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                     const Eigen::VectorXd& a, const Eigen::VectorXd& tau,
                     const Eigen::VectorXd& dzeta, Workspace& workspace, Eigen::VectorXd& dh) const;
  /// Derivatives of wᵀ ∂h/∂ζ dζ for a given direction and weight; rotors are left out.
  /// docs/math/excitation.md (8)
  void balance_gradient(const DynamicsAt& at, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        const Eigen::VectorXd& a, const Eigen::VectorXd& dzeta,
                        const Eigen::VectorXd& w, Workspace& workspace, BalanceGradient& out) const;
  /// Rows of a mode, with derivatives, at the motion of the last `balance` with derivatives.
  void evaluate_constraint_rows(const Mode& mode, Level level, Workspace& workspace,
                                ConstraintRows& out) const;
  /// ∂(Jᵀλ)/∂q where rows were evaluated last.
  void force_derivative(const Mode& mode, const Eigen::VectorXd& lambda, Workspace& workspace,
                        Eigen::MatrixXd& out) const;
  /// J u with derivatives there, for a velocity u that takes the place of the motion's.
  void rows_along(const Mode& mode, const Eigen::VectorXd& u, Workspace& workspace,
                  ConstraintRows& out) const;
  /// No allocation.
  void energy(const DynamicsAt& at, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Order order,
              Workspace& workspace, Energy& out) const;
  /// z of each presliding drive as in the inputs.
  void dissipation(const DynamicsAt& at, const Eigen::VectorXd& v,
                   const Eigen::Ref<const Eigen::VectorXd>& z, Order order, Dissipation& out) const;
  void rotor_power(const DynamicsAt& at, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                   const Eigen::Ref<const Eigen::VectorXd>& commands, Order order,
                   Workspace& workspace, RotorPower& out) const;

  /// Adds Σ_d (r_d ξ) ∂²τ_f/∂γ² to the columns (d01, d02, d11, d22, d34, d44) of each drive.
  void add_friction_curvature(const DynamicsAt& at, const Eigen::VectorXd& v,
                              const Eigen::VectorXd& xi,
                              Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> sum) const;
  /// The same sums as a matrix in base parameters: Σ ξ·∂²h/∂ζ². docs/math/dynamics.md (4)
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
  void add_presliding(const DynamicsAt& at, const Eigen::VectorXd& tau, ForceBalance& out) const;
  void add_step(const StepInertia& step, const Eigen::VectorXd& a, ForceBalance& out) const;
  void place_rotors(const pinocchio::Model& model, Workspace& workspace) const;
  void add_rotors(const DynamicsAt& at, const Eigen::VectorXd& tau, Order order,
                  Workspace& workspace, ForceBalance& out) const;
  void zeta_columns(const DynamicsAt& at, const Eigen::VectorXd& a, const Eigen::VectorXd& tau,
                    Workspace& workspace, Eigen::MatrixXd& dh_dzeta) const;
  void momentum(const DynamicsAt& at, const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                Workspace& workspace, ForceBalance& out) const;
  void momentum_columns(const DynamicsAt& at, const Eigen::VectorXd& u, Workspace& workspace,
                        Eigen::MatrixXd& dh_dzeta) const;
  void inertial_columns(const pinocchio::Model& model, Workspace& workspace,
                        Eigen::MatrixXd& dh_dzeta) const;
  void set_inertial_direction(const Eigen::VectorXd& dzeta, Workspace& workspace) const;
  void add_armature(const DynamicsAt& at, Eigen::MatrixXd& mass) const;
  void add_inertias(const Eigen::VectorXd& inertia, Eigen::MatrixXd& mass) const;
  void read_rows(const std::vector<MotionConstraint>& constraints, Level level, bool derivatives,
                 Workspace& workspace, ConstraintRows& out) const;
  void factor_slip(const Mode& mode, Workspace& workspace, StageDynamics& out) const;
  void impact_rows(const Mode& mode, const Eigen::VectorXd& v, const Eigen::VectorXd& jump,
                   bool derivatives, Workspace& workspace, ConstraintRows& out) const;
  void solve_constrained(const Mode& mode, const Eigen::VectorXd& force, const Eigen::VectorXd& a,
                         Workspace& workspace, StageDynamics& out) const;
  void add_column(const DynamicsAt& at, int entry, double value, const Eigen::VectorXd& a,
                  const Eigen::VectorXd& tau, Workspace& workspace,
                  Eigen::Ref<Eigen::VectorXd> out) const;

  Robot robot_;
  ParameterSet parameters_;
  int effort_delay_ = -1;  // in PhysicalParameters::named; −1: none
  bool shows_link_efforts_;
  std::vector<DriveTerm> drives_;
  BaseCoordinates coordinates_;
};

}  // namespace bayesid
