// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bayesid/block.hpp"
#include "bayesid/config.hpp"
#include "bayesid/robot.hpp"
#include "bayesid/stage.hpp"

namespace bayesid {

using FrictionParameters = Eigen::Matrix<double, 6, 1>;

/// Friction at one speed, with derivatives.
struct Friction {
  double tau = 0;
  double dtau_dv = 0;
  Eigen::Matrix<double, 6, 1> dtau_dgamma = Eigen::Matrix<double, 6, 1>::Zero();
};

/// Second derivatives of τ_f in γ that are not zero.
struct FrictionCurvature {
  double d01 = 0, d02 = 0, d11 = 0, d22 = 0, d34 = 0, d44 = 0;
};

/// τ_f = γ0 (tanh γ1 v − tanh γ2 v) + γ3 tanh γ4 v + γ5 v; opposes motion for every v when γ1 ≥ γ2
/// and the rest ≥ 0.
///                                                                              docs/math/parameters.md
///                                                                              (11)-(13)
Friction friction(double v, const FrictionParameters& gamma);

FrictionCurvature friction_curvature(double v, const FrictionParameters& gamma);

/// ∂²τ_f/∂v∂γ: how the columns of friction move with the speed.      docs/math/excitation.md (9)
Eigen::Matrix<double, 6, 1> friction_speed_slope(double v, const FrictionParameters& gamma);

using Matrix10 = Eigen::Matrix<double, 10, 10>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// The six numbers of a symmetric matrix in the order of π: (xx, xy, yy, xz, yz, zz).
Vector6 vech(const Eigen::Matrix3d& symmetric);

/// The symmetric matrix of six numbers in the order of π.
Eigen::Matrix3d symmetric_matrix(const Vector6& numbers);

/// 10 × 10 map of π in a link's frame to π in the body's frame. docs/math/parameters.md (10)
Matrix10 inertia_transform(const Eigen::Matrix3d& rotation, const Eigen::Vector3d& translation);

/// [Σ, h; hᵀ, m] with Σ = ½ tr(I) 1 − I: positive definite for a body that can be, linear in π.
/// docs/math/parameters.md (21)
Eigen::Matrix4d pseudo_inertia(const InertialParameters& pi);

/// hᵀk 1 − ½(h kᵀ + k hᵀ): the bilinear form whose square is [h]ₓ[h]ₓᵀ.
Eigen::Matrix3d parallel_axis(const Eigen::Vector3d& h, const Eigen::Vector3d& k);

/// Second moments about the centre of mass: ½ tr(I) 1 − I − h hᵀ/m. docs/math/parameters.md (9)
Eigen::Matrix3d second_moments(const InertialParameters& pi);

/// What is known of θ before the data: independent coordinates, or the covariance of an earlier
/// result, or distances of inertias.                       docs/math/parameters.md (20)-(23)
class Prior {
 public:
  Prior() = default;
  Prior(const Config& config, std::shared_ptr<const ParameterList> list,
        std::vector<std::string>& warnings);
  PriorAt at(const Eigen::VectorXd& theta) const;

 private:
  /// A link whose prior is the distance of its inertia from the nominal one.
  struct Distance {
    int block;
    Eigen::Matrix4d whiten;  // L⁻¹, L Lᵀ the nominal pseudo-inertia
    double std;
  };
  void add_distances(const Config& config);
  void add_distance(const Distance& one, const Eigen::VectorXd& values, PriorAt& out) const;

  std::shared_ptr<const ParameterList> list_;
  Eigen::MatrixXd precision_;  // of the quadratic part
  std::vector<Distance> distances_;
};

/// One constraint at θ: its value, and the gradient in θ.
struct ParameterConstraintAt {
  std::string name;
  double value = 0;
  Eigen::RowVectorXd dvalue_dtheta;
};

/// What is known of parameters together.                            docs/math/parameters.md (17)
class ParameterConstraints {
 public:
  ParameterConstraints() = default;
  explicit ParameterConstraints(std::shared_ptr<const ParameterList> list)
      : list_(std::move(list)) {}

  /// A constraint between fixed parameters is checked and dropped; InputError when it is
  /// violated.
  void add(ParameterConstraint constraint, const std::string& place);

  /// e(θ) = 0: masses, symmetry, equal values, sums.
  std::vector<ParameterConstraintAt> equalities(const Eigen::VectorXd& theta) const;
  /// g(θ) ≥ 0: γ1 ≥ γ2 for each free stiction, bounds, ranges, places of centres of mass.
  std::vector<ParameterConstraintAt> inequalities(const Eigen::VectorXd& theta) const;
  /// Σ_i weight_i ∂²constraint_i/∂θ².                               docs/math/parameters.md (18)
  Eigen::MatrixXd curvature(const Eigen::VectorXd& theta, const Eigen::VectorXd& equality_weights,
                            const Eigen::VectorXd& inequality_weights) const;

 private:
  bool depends_on_free(const ParameterConstraint& constraint) const;
  /// Features of each block, when some constraint needs them.
  using FeatureCache = std::vector<std::optional<Features>>;
  ParameterConstraintAt at(const ParameterConstraint& constraint, const Eigen::VectorXd& values,
                           FeatureCache& cache) const;
  std::vector<ParameterConstraintAt> chosen(const Eigen::VectorXd& theta, bool equalities) const;

  std::shared_ptr<const ParameterList> list_;
  std::vector<ParameterConstraint> constraints_;
};

/// All unknowns: blocks stacked, their prior, their constraints, and the maps to what the dynamics
/// needs and to what people read. θ contains the free parameters only; fixed ones keep their prior.
class ParameterSet {
 public:
  /// Throws InputError for names that do not exist and values that cannot be.
  ParameterSet(const Robot& robot, const Config& config);

  const ParameterList& list() const { return *list_; }
  int ntheta() const { return list_->ntheta(); }
  const std::vector<Parameter>& all() const { return list_->all; }
  /// Position in θ of parameter i of all(); −1 when fixed.
  int theta_index(int parameter) const { return list_->theta_index[parameter]; }
  std::vector<std::string> names() const;                     // of θ
  Eigen::VectorXd prior() const { return list_->prior(); }    // of θ
  Eigen::VectorXd prior_std() const { return list_->std(); }  // of θ
  PriorAt prior_at(const Eigen::VectorXd& theta) const { return prior_.at(theta); }
  /// Fixed ones included, in the order of all().
  Eigen::VectorXd all_values(const Eigen::VectorXd& theta) const { return list_->values(theta); }
  const ParameterConstraints& constraints() const { return constraints_; }

  const PhysicalLayout& layout() const { return layout_; }
  const std::vector<Drive>& drives() const { return layout_.drives; }
  const std::vector<Rotor>& rotors() const { return layout_.rotors; }
  const std::vector<Presliding>& presliding() const { return layout_.presliding_drives; }

  /// η(θ).                                                         docs/math/parameters.md (14)
  PhysicalParameters physical(const Eigen::VectorXd& theta) const;
  /// ∂η/∂θ, size of η × ntheta.                                    docs/math/parameters.md (15)
  Eigen::MatrixXd physical_jacobian(const Eigen::VectorXd& theta) const;
  /// Σ_i s_i ∂²η_i/∂θ² for a covector s on η.                      docs/math/parameters.md (16)
  Eigen::MatrixXd physical_curvature(const Eigen::VectorXd& theta, const Eigen::VectorXd& s) const;
  /// Entries of η that depend on some free parameter.
  std::vector<int> active_entries() const;

  /// The θ with the same η whose prior cost is least.
  Eigen::VectorXd nearest_equivalent(const Eigen::VectorXd& theta) const;
  /// Change of each parameter within which its map is close to linear: 1 for logarithms and turns.
  Eigen::VectorXd scaling() const;
  /// Change of each parameter within which effort stays close to linear in η: finite for the slopes
  /// of friction and for delays only.
  Eigen::VectorXd trust_bound(const Eigen::VectorXd& theta) const;

  /// Physical values with gradients, for error bars: mass.<link>, com.<link>.x …,
  /// inertia.<link>.ixx … (about the centre of mass, in link axes), friction.<joint>.stiction …,
  /// armature.<joint> …
  std::vector<PhysicalValue> values(const Eigen::VectorXd& theta) const;
  /// π of each estimated link in its own frame, for the URDF.
  std::vector<std::pair<std::string, InertialParameters>> link_inertias(
      const Eigen::VectorXd& theta) const;

  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  PhysicalLayout layout_;
  Eigen::VectorXd nominal_;  // η without the blocks: rest of each body, gain 1, offset 0, rotors
  std::shared_ptr<const ParameterList> list_;
  Prior prior_;
  ParameterConstraints constraints_;
  std::vector<std::string> warnings_;
};

}  // namespace bayesid
