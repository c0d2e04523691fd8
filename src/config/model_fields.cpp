// SPDX-License-Identifier: BSD-3-Clause
#include "config/sections.hpp"

namespace bayesid::config {
namespace {

/// Rows of a contact or loop, in its axes.
Kind<std::vector<std::string>> rows() {
  return list_of(one_of({"x", "y", "z", "rx", "ry", "rz"}), 1).if_any();
}

void read_lock(const YamlTree& node, std::map<std::string, double>& values) {
  for (const YamlTree& child : node.children) {
    if (node.kind == YamlTree::Kind::map) values[child.key] = child.number().value_or(0);
    if (child.kind == YamlTree::Kind::map) read_lock(child, values);
    if (node.kind == YamlTree::Kind::list && is_scalar(child)) values[child.text] = 0;
  }
}

/// A map to numbers, or a list of names, at 0, and of maps.
Kind<std::map<std::string, double>> lock() {
  Kind<std::map<std::string, double>> kind = map_of("<joint>", number()).if_any();
  const std::string item = schema_of({name().schemas[0], kind.schemas[0]});
  kind.schemas.insert(kind.schemas.begin(), R"({"type": "array", "items": )" + item + '}');
  kind.read = [](const YamlTree& node, const Location&, std::map<std::string, double>& values) {
    read_lock(node, values);
  };
  return kind;
}

}  // namespace

void describe(Fields<ModelConfig>& f) {
  f.needs({"urdf", "mjcf"});
  f.add("urdf", &ModelConfig::urdf, path(), {"", "URDF file of the robot", "required"});
  f.refuse("mjcf", path().schemas);
  f.add("base", &ModelConfig::floating_base, either("fixed", "floating"),
        {"", "`fixed`, or `floating`: the root link moves freely"});
  f.add("gravity", &ModelConfig::gravity, array_of<3>(number()),
        {"m/s²", "in the world; with a fixed base, the frame of the root link"});
  f.add("lock", &ModelConfig::lock, lock(),
        {"rad, m",
         "joints frozen at a value: `[gripper]` (at 0), `[{gripper: 0.1}]` or `{gripper: 0.1}`",
         "none"});
  f.add("contacts", &ModelConfig::contacts, list_of(table<ContactConfig>()).if_any(),
        {"", "frames that can be in contact with the ground, see below", "none"});
  f.add("loops", &ModelConfig::loops, list_of(table<LoopConfig>()).if_any(),
        {"", "loop closures, pairs of frames that coincide, see below", "none"});
  f.add("actuation", group<ModelConfig>([](Fields<ModelConfig>& g) {
          g.add("joints", &ModelConfig::actuated, selection(),
                {"", "selection of the actuated joints; the others are passive"});
          g.add("drives", &ModelConfig::drives, list_of(table<DriveConfig>()).if_any(),
                {"", "motors that drive several joints", "none"});
          g.add("rotors", &ModelConfig::rotors, list_of(table<RotorConfig>()).if_any(),
                {"", "thrusters, see below", "none"});
        }),
        {});
  f.add(
      "repair_inertias", &ModelConfig::repair_inertias, boolean(),
      {"", "replace a physically impossible inertia by the nearest possible one, with a warning"});
}

void describe(Fields<DriveConfig>& f) {
  f.add("name", &DriveConfig::name, name(), {"", "of the motor"}).required();
  f.add("joints", &DriveConfig::joints, map_of("<joint>", number()),
        {"", "its speed as a sum of joint speeds: `{joint_5: 1, joint_6: 1}`"})
      .required();
}

void describe(Fields<RotorConfig>& f) {
  f.add("name", &RotorConfig::name, name(), {"", "of the rotor, different from the others"})
      .required();
  f.add("frame", &RotorConfig::frame, name(),
        {"", "a link, or another frame of the robot; the rotor sits at its origin"})
      .required();
  f.add("axis", &RotorConfig::axis, array_of<3>(number()),
        {"", "direction of the thrust in that frame; any length but 0"});
  f.add("thrust", &RotorConfig::thrust, positive(),
        {"N per unit of the command",
         "nominal coefficient, > 0: reverse the axis for the opposite direction"});
  f.add("moment", &RotorConfig::moment, number(),
        {"N·m per unit of the command",
         "nominal coefficient; its sign is that of the reaction moment about the axis"});
}

void describe(Fields<ContactConfig>& f) {
  f.add("name", &ContactConfig::name, name(),
        {"", "for phases, impacts and results; contacts and loops have different names"})
      .required();
  f.add("frame", &ContactConfig::frame, name(), {"", "link or frame of the robot"}).required();
  f.add("type", &ContactConfig::type, word<ConstraintType>(),
        {"", "`point`: three rows, the position is fixed; `frame`: six rows, the orientation too"});
  f.add("axes", &ContactConfig::axes, word<Axes>(),
        {"",
         "axes of the rows and of the force: those of the world, or `local`, those of the frame"});
  f.add("keep", &ContactConfig::keep, rows(),
        {"",
         "the constrained rows, of `x`, `y`, `z`, `rx`, `ry`, `rz` in these axes: `[z]` is a "
         "contact without friction. Rows must be independent",
         "all"});
  f.add("kp", &ContactConfig::kp, at_least(0),
        {"1/s²",
         "must be 0: a contact stays where it closed, and that position is not known in advance"});
  f.add("kd", &ContactConfig::kd, at_least(0),
        {"1/s", "Baumgarte gain, at least 0, of the velocity error; below 2/dt, 0.8/dt is good"});
}

void describe(Fields<AttachmentConfig>& f) {
  f.add("link", &AttachmentConfig::link, name(), {"", "link of the robot"}).required();
  f.add("xyz", &AttachmentConfig::xyz, array_of<3>(number()),
        {"m", "position in the frame of the link"});
  f.add("rpy", &AttachmentConfig::rpy, array_of<3>(number()),
        {"rad", "roll, pitch, yaw in the frame of the link, as in URDF"});
}

void describe(Fields<LoopConfig>& f) {
  f.add("name", &LoopConfig::name, name(),
        {"", "for results; contacts and loops have different names"})
      .required();
  f.add(
      "type", &LoopConfig::type, word<ConstraintType>(),
      {"", "`point`: three rows, the positions coincide; `frame`: six rows, the orientations too"});
  f.add("body1", &LoopConfig::body1, table<AttachmentConfig>(), {"", "one of the frames"})
      .required();
  f.add("body2", &LoopConfig::body2, table<AttachmentConfig>(),
        {"", "the other, on a different link; keys as for `body1`"})
      .required()
      .folded();
  f.add("axes", &LoopConfig::axes, word<Axes>(),
        {"", "axes of the rows: `local`, those of body 1, or `world_aligned`"});
  f.add("keep", &LoopConfig::keep, rows(),
        {"",
         "the independent rows, of `x`, `y`, `z`, and `rx`, `ry`, `rz` for type `frame`; each "
         "once",
         "all rows of the type"});
  f.add("kp", &LoopConfig::kp, at_least(0),
        {"1/s²", "Baumgarte gain, at least 0, of the position error"});
  f.add("kd", &LoopConfig::kd, at_least(0),
        {"1/s", "Baumgarte gain, at least 0, of the velocity error"});
}

}  // namespace bayesid::config
