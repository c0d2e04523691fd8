// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/config.hpp"

namespace bayesid {

/// scene.json: the robot as it is drawn, joints and what its links look like, meshes simplified to
/// a size that a page can hold. Meshes that cannot be found or read are taken from a scene.json
/// beside the URDF; those that are not there either are named in `missing`.
std::string scene_json(const ModelConfig& model);

}  // namespace bayesid
