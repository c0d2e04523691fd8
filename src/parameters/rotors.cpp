// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Geometry>
#include <cmath>

#include "bayesid/error.hpp"
#include "bayesid/parameters/parameter_set.hpp"
#include "parameters/choice.hpp"

namespace bayesid {

namespace {

/// Where a rotor sits; throws when that is nowhere, or where it cannot move anything.
FramePlacement placement(const Robot& robot, const Config& config, const RotorConfig& rotor,
                         const std::string& key) {
  const std::optional<FramePlacement> frame = find_frame(robot, rotor.frame);
  if (!frame) {
    throw InputError(key_place(config, key + ".frame") + ": the robot has no frame \"" +
                     rotor.frame + "\"" + suggestion(rotor.frame, frame_names(robot)));
  }
  if (frame->body > 0) return *frame;
  throw InputError(key_place(config, key + ".frame") + ": \"" + rotor.frame +
                   "\" is fixed to the world, expected a frame that moves");
}

}  // namespace

/// The axis of each rotor as a wrench on its body.                 docs/math/dynamics.md (5)
void ParameterSet::make_rotors(const Robot& robot, const Config& config) {
  for (std::size_t r = 0; r < config.model.rotors.size(); ++r) {
    const RotorConfig& given = config.model.rotors[r];
    const std::string key = "model.actuation.rotors[" + std::to_string(r) + "]";
    const FramePlacement frame = placement(robot, config, given, key);
    positive(config, key + ".thrust", given.thrust);
    const Eigen::Vector3d axis =
        frame.rotation * Eigen::Map<const Eigen::Vector3d>(given.axis.data()).normalized();
    Rotor& rotor = rotors_.emplace_back();
    rotor.name = given.name;
    rotor.body = frame.body;
    rotor.push << axis, frame.translation.cross(axis);
    rotor.turn << Eigen::Vector3d::Zero(), axis;
  }
}

void ParameterSet::add_rotors(const Config& config) {
  if (!config.parameters.rotor) return;
  const RotorPriorConfig& given = *config.parameters.rotor;
  for (int r = 0; r < layout_.num_rotors; ++r) {
    const std::string name = "rotor." + rotors_[r].name;
    if (given.thrust) {
      thrust_.push_back({r, add({.name = name + ".thrust",
                                 .prior = std::log(nominal_.thrust[r]),
                                 .std = positive(config, "parameters.rotor.thrust", *given.thrust),
                                 .is_logarithm = true,
                                 .physical = name + ".thrust"})});
    }
    if (given.moment) {
      const double size = nominal_.moment[r] == 0 ? 1 : std::abs(nominal_.moment[r]);
      moment_.push_back(
          {r, add({.name = name + ".moment",
                   .prior = nominal_.moment[r],
                   .std = size * positive(config, "parameters.rotor.moment", *given.moment),
                   .physical = name + ".moment"})});
    }
  }
}

}  // namespace bayesid
