// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/dynamics.hpp"

namespace bayesid {

/// The dynamics at physical parameters that need not come from any θ: masses may be negative, θ is
/// empty.
std::shared_ptr<const DynamicsAt> at_parameters(const Dynamics& dynamics, PhysicalParameters eta);

/// η + δη, δη stacked in the order of PhysicalLayout.
PhysicalParameters moved(const PhysicalLayout& layout, PhysicalParameters eta,
                         const Eigen::VectorXd& change);

}  // namespace bayesid
