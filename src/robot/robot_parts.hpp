// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <string>

#include "bayesid/robot.hpp"
#include "robot/urdf_tree.hpp"

namespace bayesid {

/// Joint → value of all frozen joints: those of the config, and those that follow one of them.
std::map<std::string, double> resolve_locks(const UrdfTree& tree, const ModelConfig& config);

/// No moving joint may have the name of the floating base; throws InputError.
void check_base_name(const UrdfTree& tree);

/// Fills joints, coordinates and the mimic map, in the order of the model.
void add_joints(const UrdfTree& tree, const pinocchio::Model& model, Robot& robot);

/// Fills links, repairs inertias if the config allows it, and keeps the model's bodies equal to the
/// sum of their links.
void add_links(const UrdfTree& tree, const ModelConfig& config, pinocchio::Model& model,
               Robot& robot);

}  // namespace bayesid
