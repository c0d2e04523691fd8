// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/robot.hpp"

namespace bayesid {

/// Mass, centre of mass c and inertia I_c about it, all in one frame.
struct CentralInertia {
  double mass = 0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
};

/// π = (m, m c, I_c + m (cᵀc 1 − c cᵀ)).
InertialParameters parameters_from_central(const CentralInertia& central);

/// The inverse; the mass must not be zero.
CentralInertia central_from_parameters(const InertialParameters& pi);

/// The same matter seen from another frame: c ↦ R c + t, I_c ↦ R I_c Rᵀ.
CentralInertia moved(const CentralInertia& central, const Eigen::Matrix3d& rotation,
                     const Eigen::Vector3d& translation);

/// Whether a mass distribution with this inertia exists, with some width in each direction:
/// the second moments L = ½ tr(I_c) 1 − I_c are positive definite.
bool is_consistent(const Eigen::Matrix3d& inertia);

/// Principal moments of I_c, in increasing order.
Eigen::Vector3d principal_moments(const Eigen::Matrix3d& inertia);

/// Whether any second moment is positive, above the rounding of exporters that write 1e-20 for
/// zero.
bool has_extent(double mass, const Eigen::Matrix3d& inertia);

/// The nearest consistent inertia: second moments below 1e-3 of the largest are lifted to it; mass
/// and centre stay. A body without extent becomes a solid ball of aluminium.
Eigen::Matrix3d repaired_inertia(double mass, const Eigen::Matrix3d& inertia);

}  // namespace bayesid
