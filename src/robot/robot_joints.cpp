// SPDX-License-Identifier: BSD-3-Clause
#include <pinocchio/multibody.hpp>

#include "bayesid/error.hpp"
#include "math/nearest_name.hpp"
#include "robot/robot_parts.hpp"

namespace bayesid {
namespace {

/// q = multiplier · q of `joint` + offset, through chains of mimic of mimic.
struct Leader {
  const UrdfJoint* joint = nullptr;
  double multiplier = 1;
  double offset = 0;
};

/// Goes up the chain until a joint that follows nobody or is frozen.
Leader find_leader(const UrdfTree& tree, const UrdfJoint& joint,
                   const std::map<std::string, double>& frozen) {
  Leader leader{.joint = &joint};
  while (leader.joint->mimic && !frozen.contains(leader.joint->name)) {
    leader.offset += leader.multiplier * leader.joint->mimic->offset;
    leader.multiplier *= leader.joint->mimic->multiplier;
    leader.joint = tree.find_joint(leader.joint->mimic->joint);
  }
  return leader;
}

void check_lock_name(const UrdfTree& tree, const std::string& name) {
  const UrdfJoint* joint = tree.find_joint(name);
  if (joint && joint->type != UrdfJointType::fixed) return;
  if (joint)
    throw InputError("model.lock: joint '" + name + "' is fixed already (" + tree.file + ":" +
                     std::to_string(joint->line) + "); remove it from the list");
  std::vector<std::string> names;
  for (const UrdfJoint& other : tree.joints)
    if (other.type != UrdfJointType::fixed) names.push_back(other.name);
  const std::string near = nearest_name(name, names);
  throw InputError("model.lock: there is no joint '" + name + "' in " + tree.file +
                   (near.empty() ? "" : ", did you mean '" + near + "'?"));
}

Joint make_joint(const UrdfJoint& urdf, int body, int idx_q, int idx_v) {
  Joint joint;
  joint.name = urdf.name;
  joint.body = body;
  joint.idx_q = idx_q;
  joint.idx_v = idx_v;
  joint.continuous = urdf.type == UrdfJointType::continuous;
  joint.prismatic = urdf.type == UrdfJointType::prismatic;
  joint.lower = urdf.lower;
  joint.upper = urdf.upper;
  joint.velocity = urdf.velocity;
  joint.effort = urdf.effort;
  joint.damping = urdf.damping;
  joint.friction = urdf.friction;
  joint.child_link = urdf.child;
  return joint;
}

}  // namespace

std::map<std::string, double> resolve_locks(const UrdfTree& tree, const ModelConfig& config) {
  for (const auto& [name, value] : config.lock) check_lock_name(tree, name);
  std::map<std::string, double> frozen = config.lock;
  for (const UrdfJoint& joint : tree.joints) {
    if (!joint.mimic || config.lock.contains(joint.name)) continue;
    const Leader leader = find_leader(tree, joint, config.lock);
    const auto found = config.lock.find(leader.joint->name);
    if (found == config.lock.end() && leader.multiplier != 0) continue;
    const double value = found == config.lock.end() ? 0.0 : found->second;
    frozen[joint.name] = leader.multiplier * value + leader.offset;
  }
  if (config.floating_base) return frozen;
  for (const UrdfJoint& joint : tree.joints)
    if (joint.type != UrdfJointType::fixed && !frozen.contains(joint.name)) return frozen;
  throw InputError(tree.file + ":" + std::to_string(tree.line) + ": <robot> '" + tree.name +
                   "' has no joint that moves" +
                   (frozen.empty() ? "" : " once model.lock is applied") +
                   "; there is nothing to identify");
}

void check_base_name(const UrdfTree& tree) {
  const UrdfJoint* joint = tree.find_joint(base_name);
  if (!joint || joint->type == UrdfJointType::fixed) return;
  throw InputError(tree.file + ":" + std::to_string(joint->line) + ": joint '" + joint->name +
                   "' has the name of the floating base; rename the joint");
}

void add_joints(const UrdfTree& tree, const pinocchio::Model& model, Robot& robot) {
  const int first_body = robot.floating ? 2 : 1, base_nv = robot.base_nv();
  for (int body = first_body; body < model.njoints; ++body) {
    const UrdfJoint& joint = *tree.find_joint(model.names[body]);
    if (!joint.mimic)
      robot.joints.push_back(make_joint(joint, body, model.idx_qs[body], robot.nv()));
  }
  robot.coordinates.resize(model.nv - base_nv);
  robot.mimic.setZero(model.nv, robot.nv());
  robot.mimic.topLeftCorner(base_nv, base_nv).setIdentity();
  robot.mimic_offset.setZero(model.nv);
  for (int body = first_body; body < model.njoints; ++body) {
    const UrdfJoint& joint = *tree.find_joint(model.names[body]);
    const Leader leader = find_leader(tree, joint, {});
    const int i = model.idx_vs[body];
    Coordinate& coordinate = robot.coordinates[i - base_nv];
    coordinate = {.name = joint.name,
                  .joint = robot.joint_index(leader.joint->name),
                  .idx_q = model.idx_qs[body],
                  .continuous = joint.type == UrdfJointType::continuous,
                  .multiplier = leader.multiplier,
                  .offset = leader.offset};
    robot.mimic(i, base_nv + coordinate.joint) = leader.multiplier;
    robot.mimic_offset[i] = leader.offset;
    if (joint.mimic)
      robot.warnings.push_back(tree.file + ":" + std::to_string(joint.mimic->line) + ": joint '" +
                               joint.name + "' follows joint '" + leader.joint->name +
                               "' (<mimic>): it has no coordinate of its own");
  }
}

}  // namespace bayesid
