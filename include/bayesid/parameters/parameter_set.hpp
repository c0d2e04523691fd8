// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bayesid/block.hpp"
#include "bayesid/config.hpp"
#include "bayesid/math/stage.hpp"
#include "bayesid/parameters/friction.hpp"
#include "bayesid/parameters/inertia.hpp"
#include "bayesid/parameters/parameter_list.hpp"
#include "bayesid/parameters/physical.hpp"
#include "bayesid/parameters/prior.hpp"
#include "bayesid/parameters/relations.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// All unknowns: blocks stacked, their prior, their relations, and the maps to what the dynamics
/// needs and to what people read. θ holds the free parameters only; fixed ones keep their prior.
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
  const Relations& relations() const { return relations_; }

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
  Relations relations_;
  std::vector<std::string> warnings_;
};

}  // namespace bayesid
