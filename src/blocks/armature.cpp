// SPDX-License-Identifier: BSD-3-Clause
// Inertia of the motor of a drive, on the side of the joint.       docs/math/parameters.md (14)
#include "blocks/choice.hpp"
#include "blocks/make_blocks.hpp"
#include "blocks/per_joint.hpp"

namespace bayesid::blocks {

namespace {

class ArmatureBlock final : public ParameterBlock {
 public:
  ArmatureBlock(const Entry& entry, std::string drive)
      : ParameterBlock(std::vector{entry}), drive_(std::move(drive)) {}
  std::string mirrored_drive() const override { return drive_; }

 private:
  std::string drive_;
};

}  // namespace

BlockList make_armature(const Robot& robot, const Config& config, Draft& draft) {
  if (!config.parameters.armature) return {};
  const JointPriorConfig& given = *config.parameters.armature;
  const std::vector<std::string> names = names_of(draft.layout.drives);
  const std::vector<int> chosen = choose(config, "parameters.armature.joints", given.joints, names);
  const std::vector<Parameter> parameters =
      make_family(config, {"armature", given, defaults::armature, true, names, chosen,
                           static_cast<int>(robot.joints.size())});
  BlockList out;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const ParameterBlock::Entry entry{parameters[k], draft.layout.armature(chosen[k])};
    out.push_back(std::make_shared<ArmatureBlock>(entry, names[chosen[k]]));
  }
  return out;
}

}  // namespace bayesid::blocks
