// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/actuation.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "bayesid/error.hpp"
#include "blocks/choice.hpp"

namespace bayesid::blocks {

using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

/// Bodies are numbered without gaps: links, joints and followers of mimic joints know them all.
int count_bodies(const Robot& robot) {
  // The base is one body with six velocities.
  int out = static_cast<int>(robot.mimic.rows()) - (robot.floating ? 5 : 0);
  for (const Joint& joint : robot.joints) out = std::max(out, joint.body);
  for (const Link& link : robot.links) out = std::max(out, link.body);
  return out;
}

/// Speed of a motor that turns with several joints, as a row of v.
RowVectorXd drive_row(const Robot& robot, const Config& config, const DriveConfig& drive) {
  const std::string key = "model.actuation.drives." + drive.name;
  RowVectorXd row = RowVectorXd::Zero(robot.nv());
  for (const auto& [name, coefficient] : drive.joints) {
    const int joint = robot.joint_index(name);
    if (joint < 0) throw_unknown(config, key, name, names_of(robot.joints));
    row[robot.joints[joint].idx_v] = coefficient;
  }
  if (row.allFinite() && !row.isZero(0)) return row;
  throw InputError(key_location(config, key) +
                   ": turns with no joint, expected coefficients that are not all zero");
}

std::vector<Drive> make_drives(const Robot& robot, const Config& config) {
  std::vector<Drive> out;
  for (const Joint& joint : robot.joints)
    out.push_back({joint.name, RowVectorXd::Unit(robot.nv(), joint.idx_v)});
  for (const DriveConfig& given : config.model.drives) {
    const std::vector<std::string> taken = names_of(out);
    if (std::find(taken.begin(), taken.end(), given.name) != taken.end()) {
      throw InputError(key_location(config, "model.actuation.drives") + ": the name \"" +
                       given.name + "\" is taken by a joint or another drive");
    }
    out.push_back({given.name, drive_row(robot, config, given)});
  }
  return out;
}

/// Where a rotor sits; throws when that is nowhere, or where it cannot move anything.
FramePlacement placement(const Robot& robot, const Config& config, const RotorConfig& rotor,
                         const std::string& key) {
  const std::optional<FramePlacement> frame = find_frame(robot, rotor.frame);
  if (!frame) {
    throw InputError(key_location(config, key + ".frame") + ": the robot has no frame \"" +
                     rotor.frame + "\"" + suggestion(rotor.frame, frame_names(robot)));
  }
  if (frame->body > 0) return *frame;
  throw InputError(key_location(config, key + ".frame") + ": \"" + rotor.frame +
                   "\" is fixed to the world, expected a frame that moves");
}

/// The axis of each rotor as a wrench on its body.                 docs/math/dynamics.md (5)
std::vector<Rotor> make_rotors(const Robot& robot, const Config& config) {
  std::vector<Rotor> out;
  for (std::size_t r = 0; r < config.model.rotors.size(); ++r) {
    const RotorConfig& given = config.model.rotors[r];
    const std::string key = "model.actuation.rotors[" + std::to_string(r) + "]";
    const FramePlacement frame = placement(robot, config, given, key);
    positive(config, key + ".thrust", given.thrust);
    const Eigen::Vector3d axis =
        frame.rotation * Eigen::Map<const Eigen::Vector3d>(given.axis.data()).normalized();
    Rotor& rotor = out.emplace_back();
    rotor.name = given.name;
    rotor.body = frame.body;
    rotor.push << axis, frame.translation.cross(axis);
    rotor.turn << Eigen::Vector3d::Zero(), axis;
  }
  return out;
}

}  // namespace

Draft make_actuation(const Robot& robot, const Config& config) {
  Draft out;
  PhysicalLayout& layout = out.layout;
  layout.drives = make_drives(robot, config);
  layout.rotors = make_rotors(robot, config);
  layout.num_bodies = count_bodies(robot);
  layout.num_drives = static_cast<int>(layout.drives.size());
  layout.nv = robot.nv();
  layout.num_rotors = static_cast<int>(layout.rotors.size());
  out.nominal = VectorXd::Zero(layout.size());
  const std::vector<int> actuated =
      choose(config, "model.actuation.joints", config.model.actuated, names_of(robot.joints));
  for (const int joint : actuated) out.nominal[layout.gain(robot.joints[joint].idx_v)] = 1;
  for (int r = 0; r < layout.num_rotors; ++r) {
    out.nominal[layout.thrust(r)] = config.model.rotors[r].thrust;
    out.nominal[layout.moment(r)] = config.model.rotors[r].moment;
  }
  return out;
}

}  // namespace bayesid::blocks
