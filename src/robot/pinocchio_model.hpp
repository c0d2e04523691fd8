// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <pinocchio/multibody/fwd.hpp>
#include <string>

namespace bayesid {

/// Pinocchio's reading of a URDF: mimic joints as independent ones; a floating base is joint 1.
std::shared_ptr<pinocchio::Model> build_model(const std::string& urdf_text, bool floating_base);

/// The model with the named joints frozen at a value (rad or m).
std::shared_ptr<pinocchio::Model> freeze_joints(const pinocchio::Model& model,
                                                const std::map<std::string, double>& values);

}  // namespace bayesid
