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

ContactConfig read_contact(const YamlTree& node) {
  ContactConfig contact;
  read_value(node, "name", contact.name);
  read_value(node, "frame", contact.frame);
  read_value(node, "type", contact.type);
  read_value(node, "axes", contact.axes);
  read_value(node, "keep", contact.keep);
  read_value(node, "kp", contact.kp);
  read_value(node, "kd", contact.kd);
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
  read_value(node, "name", loop.name);
  read_value(node, "type", loop.type);
  loop.body1 = read_attachment(*node.find("body1"));
  loop.body2 = read_attachment(*node.find("body2"));
  read_value(node, "axes", loop.axes);
  read_value(node, "keep", loop.keep);
  read_value(node, "kp", loop.kp);
  read_value(node, "kd", loop.kd);
  return loop;
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
  if (const YamlTree* contacts = section.find("contacts")) {
    for (const YamlTree& child : contacts->children) model.contacts.push_back(read_contact(child));
  }
  if (const YamlTree* loops = section.find("loops")) {
    for (const YamlTree& child : loops->children) model.loops.push_back(read_loop(child));
  }

  const YamlTree* actuation = section.find("actuation");
  if (!actuation) return model;
  read_value(*actuation, "joints", model.actuated);
  if (const YamlTree* drives = actuation->find("drives")) {
    for (const YamlTree& child : drives->children) {
      DriveConfig& drive = model.drives.emplace_back();
      read_value(child, "name", drive.name);
      read_value(child, "joints", drive.joints);
    }
  }
  return model;
}

}  // namespace bayesid
