// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "bayesid/block.hpp"
#include "bayesid/config.hpp"
#include "bayesid/robot.hpp"

namespace bayesid::blocks {

using BlockList = std::vector<std::shared_ptr<const ParameterBlock>>;

/// Where blocks claim their entries of η while they are made, and what stands there without them.
struct Draft {
  PhysicalLayout layout;
  Eigen::VectorXd nominal;
};

/// All blocks that the configuration asks for, in the order of their parameters.
struct MadeBlocks {
  BlockList blocks;
  Draft draft;
};
MadeBlocks make_blocks(const Robot& robot, const Config& config);

// The kinds of blocks, a file and a line in the table of make_blocks.cpp each.
BlockList make_inertia(const Robot& robot, const Config& config, Draft& draft);
BlockList make_friction(const Robot& robot, const Config& config, Draft& draft);
BlockList make_armature(const Robot& robot, const Config& config, Draft& draft);
BlockList make_effort(const Robot& robot, const Config& config, Draft& draft);
BlockList make_effort_delay(const Robot& robot, const Config& config, Draft& draft);
BlockList make_rotor(const Robot& robot, const Config& config, Draft& draft);
BlockList make_imu_bias(const Robot& robot, const Config& config, Draft& draft);
BlockList make_wrench_offset(const Robot& robot, const Config& config, Draft& draft);
BlockList make_delay(const Robot& robot, const Config& config, Draft& draft);

}  // namespace bayesid::blocks
