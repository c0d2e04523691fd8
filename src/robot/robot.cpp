// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/robot.hpp"

#include <pinocchio/multibody.hpp>

#include "bayesid/error.hpp"
#include "robot/pinocchio_model.hpp"
#include "robot/robot_parts.hpp"
#include "robot/urdf_tree.hpp"
#include "robot/xml_reader.hpp"

namespace bayesid {
namespace {

std::shared_ptr<pinocchio::Model> make_model(const UrdfTree& tree, const ModelConfig& config) {
  if (config.floating_base) check_base_name(tree);
  const std::map<std::string, double> frozen = resolve_locks(tree, config);
  std::shared_ptr<pinocchio::Model> model;
  try {
    model = build_model(print_urdf(tree), config.floating_base);
    if (!frozen.empty()) model = freeze_joints(*model, frozen);
  } catch (const std::exception& error) {
    // All we check ourselves is right by now: names that clash with Pinocchio's own, for example.
    throw InputError(tree.file + ": Pinocchio cannot build this robot: " + error.what());
  }
  model->gravity.linear() << config.gravity[0], config.gravity[1], config.gravity[2];
  model->gravity.angular().setZero();
  return model;
}

}  // namespace

Eigen::Vector3d Robot::gravity() const {
  return model->gravity.linear();
}

int Robot::nq() const {
  return model->nq;
}

int Robot::num_bodies() const {
  return model->njoints - 1;
}

int Robot::joint_index(const std::string& joint_name) const {
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].name == joint_name) return static_cast<int>(i);
  return -1;
}

Robot read_robot(const ModelConfig& config) {
  const UrdfTree tree = parse_urdf(config.urdf, read_text(config.urdf));
  const std::shared_ptr<pinocchio::Model> model = make_model(tree, config);

  Robot robot;
  robot.name = tree.name;
  robot.urdf_file = config.urdf;
  robot.floating = config.floating_base;
  robot.warnings = tree.warnings;
  add_joints(tree, *model, robot);
  add_links(tree, config, *model, robot);
  robot.model = model;
  return robot;
}

}  // namespace bayesid
