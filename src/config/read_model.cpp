// SPDX-License-Identifier: BSD-3-Clause
#include "config/section.hpp"

namespace bayesid {
namespace {

std::map<std::string, double> read_lock(const YamlTree& lock) {
  std::map<std::string, double> values;
  for (const YamlTree& child : lock.children) {
    if (lock.kind == YamlTree::Kind::map) values[child.key] = number_of(child);
    if (child.kind == YamlTree::Kind::map) values.merge(read_lock(child));
    if (lock.kind == YamlTree::Kind::list && child.kind == YamlTree::Kind::scalar) {
      values[child.text] = 0;
    }
  }
  return values;
}

/// What contacts and loops have in common.
template <typename ConstraintConfig>
void read_constraint(const YamlTree& node, ConstraintConfig& out) {
  read_value(node, "name", out.name);
  read_value(node, "type", out.type);
  read_value(node, "axes", out.axes);
  read_value(node, "keep", out.keep);
  read_value(node, "kp", out.kp);
  read_value(node, "kd", out.kd);
}

ContactConfig read_contact(const YamlTree& node) {
  ContactConfig contact;
  read_constraint(node, contact);
  read_value(node, "frame", contact.frame);
  return contact;
}

AttachmentConfig read_attachment(const YamlTree& node) {
  AttachmentConfig attachment;
  read_value(node, "link", attachment.link);
  read_value(node, "xyz", attachment.xyz);
  read_value(node, "rpy", attachment.rpy);
  return attachment;
}

LoopConfig read_loop(const YamlTree& node) {
  LoopConfig loop;
  read_constraint(node, loop);
  loop.body1 = read_attachment(*node.find("body1"));
  loop.body2 = read_attachment(*node.find("body2"));
  return loop;
}

DriveConfig read_drive(const YamlTree& node) {
  DriveConfig drive;
  read_value(node, "name", drive.name);
  read_value(node, "joints", drive.joints);
  return drive;
}

RotorConfig read_rotor(const YamlTree& node) {
  RotorConfig rotor;
  read_value(node, "name", rotor.name);
  read_value(node, "frame", rotor.frame);
  read_value(node, "axis", rotor.axis);
  read_value(node, "thrust", rotor.thrust);
  read_value(node, "moment", rotor.moment);
  return rotor;
}

}  // namespace

ModelConfig read_model(const YamlTree& section, const std::string& file) {
  ModelConfig model;
  model.urdf = resolved(file, section.find("urdf")->text);
  read_value(section, "repair_inertias", model.repair_inertias);
  const YamlTree* base = section.find("base");
  model.floating_base = base && base->text == "floating";
  read_value(section, "gravity", model.gravity);
  if (const YamlTree* lock = section.find("lock")) model.lock = read_lock(*lock);
  model.contacts = read_list(section, "contacts", read_contact);
  model.loops = read_list(section, "loops", read_loop);

  const YamlTree* actuation = section.find("actuation");
  if (!actuation) return model;
  read_value(*actuation, "joints", model.actuated);
  model.drives = read_list(*actuation, "drives", read_drive);
  model.rotors = read_list(*actuation, "rotors", read_rotor);
  return model;
}

}  // namespace bayesid
