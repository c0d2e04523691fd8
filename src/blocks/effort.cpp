// SPDX-License-Identifier: BSD-3-Clause
// What a logged effort is at the joint: ratio · (gain · τ̂ + offset). docs/math/parameters.md (14)
#include <algorithm>
#include <optional>

#include "bayesid/error.hpp"
#include "blocks/choice.hpp"
#include "blocks/make_blocks.hpp"
#include "blocks/per_joint.hpp"

namespace bayesid::blocks {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// An actuated joint: its entries of η, and its parameters; −1: gain 1, offset 0, ratio 1.
struct EffortJoint {
  int gain_eta = 0, offset_eta = 0;
  int gain = -1, offset = -1, ratio = -1;
};

class EffortBlock final : public ParameterBlock {
 public:
  EffortBlock(std::vector<Parameter> parameters, std::vector<EffortJoint> joints)
      : ParameterBlock(std::move(parameters)), joints_(std::move(joints)) {}

  void write_physical(const Values& x, VectorXd& eta) const override {
    for (const EffortJoint& joint : joints_) {
      eta[joint.gain_eta] = gain_of(joint, x);
      eta[joint.offset_eta] = offset_of(joint, x);
    }
  }

  void write_jacobian(const Values& x, Eigen::Ref<MatrixXd> deta_dx) const override {
    for (const EffortJoint& joint : joints_) {
      const double ratio = ratio_of(joint, x);
      if (joint.gain >= 0) deta_dx(joint.gain_eta, joint.gain) = ratio;
      if (joint.offset >= 0) deta_dx(joint.offset_eta, joint.offset) = ratio;
      if (joint.ratio < 0) continue;
      // The ratio is an exponential.
      deta_dx(joint.gain_eta, joint.ratio) = gain_of(joint, x);
      deta_dx(joint.offset_eta, joint.ratio) = offset_of(joint, x);
    }
  }

  void write_curvature(const Values& x, const VectorXd& s,
                       Eigen::Ref<MatrixXd> out) const override {
    for (const EffortJoint& joint : joints_) {
      if (joint.ratio < 0) continue;
      const double s_gain = s[joint.gain_eta], s_offset = s[joint.offset_eta];
      const double ratio = ratio_of(joint, x);
      out(joint.ratio, joint.ratio) = s_gain * gain_of(joint, x) + s_offset * offset_of(joint, x);
      const auto add_product = [&](int p, double covector) {
        if (p >= 0) out(p, joint.ratio) = out(joint.ratio, p) = covector * ratio;
      };
      add_product(joint.gain, s_gain);
      add_product(joint.offset, s_offset);
    }
  }

  void mark_active(const std::vector<bool>& is_free, std::vector<bool>& active) const override {
    const auto moves = [&](int p) { return p >= 0 && is_free[p]; };
    for (const EffortJoint& joint : joints_) {
      if (moves(joint.gain) || moves(joint.ratio)) active[joint.gain_eta] = true;
      const bool scaled = joint.offset >= 0 && moves(joint.ratio);
      if (moves(joint.offset) || scaled) active[joint.offset_eta] = true;
    }
  }

 private:
  double ratio_of(const EffortJoint& joint, const Values& x) const {
    return joint.ratio < 0 ? 1 : parameters()[joint.ratio].value(x[joint.ratio]);
  }
  double gain_of(const EffortJoint& joint, const Values& x) const {
    return ratio_of(joint, x) * (joint.gain < 0 ? 1 : x[joint.gain]);
  }
  double offset_of(const EffortJoint& joint, const Values& x) const {
    return ratio_of(joint, x) * (joint.offset < 0 ? 0 : x[joint.offset]);
  }

  std::vector<EffortJoint> joints_;
};

/// The actuated joints among the chosen ones; naming a passive one is an error.
std::vector<int> choose_actuated(const Config& config, const std::string& key,
                                 const Selection& selection, const Robot& robot,
                                 const Draft& draft) {
  std::vector<int> out;
  for (const int joint : choose(config, key, selection, names_of(robot.joints))) {
    if (draft.nominal[draft.layout.gain(robot.joints[joint].idx_v)] != 0) {
      out.push_back(joint);
    } else if (!selection.all) {
      throw InputError(key_location(config, key) + ": joint \"" + robot.joints[joint].name +
                       "\" is passive, expected one of model.actuation.joints");
    }
  }
  return out;
}

}  // namespace

BlockList make_effort(const Robot& robot, const Config& config, Draft& draft) {
  const std::vector<std::string> names = names_of(robot.joints);
  std::vector<EffortJoint> joints(names.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    joints[j].gain_eta = draft.layout.gain(robot.joints[j].idx_v);
    joints[j].offset_eta = draft.layout.offset(robot.joints[j].idx_v);
  }
  std::vector<Parameter> parameters;
  const auto add = [&](const std::string& name, const std::optional<JointPriorConfig>& given,
                       defaults::Prior otherwise, bool is_logarithm, int EffortJoint::* member) {
    if (!given) return;
    const std::vector<int> chosen =
        choose_actuated(config, "parameters." + name + ".joints", given->joints, robot, draft);
    const std::vector<Parameter> family = make_family(
        config,
        {name, *given, otherwise, is_logarithm, names, chosen, static_cast<int>(names.size())});
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      joints[chosen[k]].*member = static_cast<int>(parameters.size());
      parameters.push_back(family[k]);
    }
  };
  const ParametersConfig& given = config.parameters;
  add("effort_gain", given.effort_gain, defaults::effort_gain, false, &EffortJoint::gain);
  add("effort_offset", given.effort_offset, defaults::effort_offset, false, &EffortJoint::offset);
  add("gear_ratio", given.gear_ratio, defaults::gear_ratio, true, &EffortJoint::ratio);
  std::erase_if(joints, [&](const EffortJoint& one) { return draft.nominal[one.gain_eta] == 0; });
  if (parameters.empty()) return {};
  return {std::make_shared<EffortBlock>(std::move(parameters), std::move(joints))};
}

}  // namespace bayesid::blocks
