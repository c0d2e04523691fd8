// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <charconv>
#include <pinocchio/multibody.hpp>
#include <stdexcept>

#include "bayesid/error.hpp"
#include "robot/link_inertia.hpp"
#include "robot/robot_parts.hpp"

namespace bayesid {
namespace {

std::string place(const UrdfTree& tree, int line) {
  return tree.file + ":" + std::to_string(line);
}

/// 0.0012: for people, not for files.
std::string short_text(const Eigen::Vector3d& v) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    std::array<char, 32> buffer;
    const std::to_chars_result end =
        std::to_chars(buffer.data(), buffer.data() + 32, v[i], std::chars_format::general, 4);
    text += (i ? ", " : "") + std::string(buffer.data(), end.ptr);
  }
  return text;
}

/// Says what is wrong with an inertia; returns only when it may be repaired.
void report_inconsistent(const UrdfTree& tree, const UrdfLink& link, const ModelConfig& config,
                         std::vector<std::string>& warnings) {
  const UrdfInertial& inertial = *link.inertial;
  std::string found = "is physically impossible: principal moments " +
                      short_text(principal_moments(inertial.inertia)) +
                      " (must be positive, each below the sum of the two others)";
  std::string remedy = "replaced by the nearest consistent one";
  if (inertial.mass == 0) {
    found = "has no mass";
    remedy = "it was dropped";
  } else if (inertial.inertia.isZero(1e-15)) {
    found = "is zero";
  }
  if (inertial.mass > 0 && !has_extent(inertial.mass, inertial.inertia))
    remedy = "replaced by that of a solid ball of aluminium of this mass";
  const std::string sentence =
      place(tree, inertial.line) + ": <inertia> of link '" + link.name + "' " + found + "; ";
  if (!config.repair_inertias)
    throw InputError(sentence + "correct it, or set model.repair_inertias");
  if (inertial.mass > 0)
    remedy += ", with principal moments " +
              short_text(principal_moments(repaired_inertia(inertial.mass, inertial.inertia)));
  warnings.push_back(sentence + remedy);
}

const UrdfLink& root_link(const UrdfTree& tree) {
  return *std::ranges::find_if(tree.links, [&](const UrdfLink& link) {
    return std::ranges::none_of(tree.joints,
                                [&](const UrdfJoint& j) { return j.child == link.name; });
  });
}

/// A body with mass zero has no equation of motion.
void check_masses(const UrdfTree& tree, const pinocchio::Model& model, const Robot& robot) {
  for (int body = 1; body < model.njoints; ++body) {
    if (std::ranges::any_of(robot.links, [&](const Link& l) { return l.body == body; })) continue;
    const bool is_base = robot.floating && body == 1;
    const UrdfJoint* joint = tree.find_joint(model.names[body]);
    const UrdfLink& link = is_base ? root_link(tree) : *tree.find_link(joint->child);
    const std::string moves =
        is_base ? "moves freely (model.base: floating)" : "moves with joint '" + joint->name + "'";
    const std::string otherwise =
        is_base ? " or set model.base: fixed" : ", make the joint fixed or list it in model.lock";
    throw InputError(
        place(tree, link.inertial ? link.inertial->line : link.line) + ": link '" + link.name +
        "' " + moves +
        " but neither it nor the links fixed to it have mass; give it an <inertial> with a "
        "mass" +
        otherwise);
  }
}

/// Sum of the links of each body, compared with what Pinocchio read or put in its place.
void match_bodies(const Robot& robot, const std::vector<bool>& is_repaired,
                  pinocchio::Model& model) {
  for (int body = 1; body < model.njoints; ++body) {
    InertialParameters sum = InertialParameters::Zero();
    for (const Link& link : robot.links) {
      if (link.body != body) continue;
      sum += parameters_from_central(
          moved(central_from_parameters(link.pi), link.rotation, link.translation));
    }
    if (is_repaired[body]) {
      model.inertias[body] = pinocchio::Inertia::FromDynamicParameters(sum);
      continue;
    }
    const InertialParameters read = model.inertias[body].toDynamicParameters();
    if ((sum - read).norm() > 1e-9 * (1e-3 + read.norm()))  // rounding of sums and rotations
      throw std::logic_error("links of body '" + model.names[body] + "' do not add up");
  }
}

}  // namespace

void add_links(const UrdfTree& tree, const ModelConfig& config, pinocchio::Model& model,
               Robot& robot) {
  std::vector<bool> is_repaired(model.njoints, false);
  for (const UrdfLink& urdf : tree.links) {
    if (!urdf.inertial) continue;
    const UrdfInertial& inertial = *urdf.inertial;
    const pinocchio::Frame& frame = model.frames[model.getBodyId(urdf.name)];
    const int body = static_cast<int>(frame.parentJoint);
    if (body == 0 || (inertial.mass == 0 && inertial.inertia.isZero(0))) continue;

    CentralInertia central{.mass = inertial.mass, .com = {}, .inertia = inertial.inertia};
    if (inertial.mass == 0 || !is_consistent(inertial.inertia)) {
      report_inconsistent(tree, urdf, config, robot.warnings);
      is_repaired[body] = true;
      central.inertia = repaired_inertia(inertial.mass, inertial.inertia);
    }
    if (inertial.mass == 0) continue;
    central.com.setZero();
    central = moved(central, rotation_from_rpy(inertial.rpy), inertial.com);
    robot.links.push_back({.name = urdf.name,
                           .body = body,
                           .rotation = frame.placement.rotation(),
                           .translation = frame.placement.translation(),
                           .pi = parameters_from_central(central),
                           .line = inertial.line});
  }
  std::ranges::stable_sort(robot.links, {}, &Link::body);
  check_masses(tree, model, robot);
  match_bodies(robot, is_repaired, model);
}

}  // namespace bayesid
