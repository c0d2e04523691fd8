// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <set>

#include "math/nearest_name.hpp"
#include "robot/urdf_tree.hpp"
#include "robot/xml_reader.hpp"

namespace bayesid {
namespace {

/// Each name once; gives name → index.
template <typename Item>
std::map<std::string, std::size_t> index_by_name(const XmlReader& reader, const char* kind,
                                                 const std::vector<Item>& items) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto [at, is_new] = index.emplace(items[i].name, i);
    if (is_new) continue;
    reader.fail(items[i].line, std::string(kind) + " '" + items[i].name + "' is already on line " +
                                   std::to_string(items[at->second].line) +
                                   "; rename or remove one of them");
  }
  return index;
}

std::vector<std::string> keys(const std::map<std::string, std::size_t>& index) {
  std::vector<std::string> names;
  for (const auto& [name, i] : index) names.push_back(name);
  return names;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string near = nearest_name(word, candidates);
  return near.empty() ? "" : ", did you mean '" + near + "'?";
}

void check_link_exists(const XmlReader& reader, const std::map<std::string, std::size_t>& links,
                       const UrdfJoint& joint, const char* element, const std::string& link,
                       int line) {
  if (links.contains(link)) return;
  reader.fail(line, std::string("<") + element + " link=\"" + link + "\"> of joint '" + joint.name +
                        "': there is no link '" + link + "'" + did_you_mean(link, keys(links)));
}

/// Link → joint above it; a link has one at most.
std::map<std::string, const UrdfJoint*> joints_above(
    const UrdfTree& tree, const XmlReader& reader,
    const std::map<std::string, std::size_t>& links) {
  std::map<std::string, const UrdfJoint*> above;
  for (const UrdfJoint& joint : tree.joints) {
    check_link_exists(reader, links, joint, "parent", joint.parent, joint.parent_line);
    check_link_exists(reader, links, joint, "child", joint.child, joint.child_line);
    const auto [at, is_new] = above.emplace(joint.child, &joint);
    if (is_new) continue;
    reader.fail(joint.child_line,
                "link '" + joint.child + "' has two parents, by joint '" + at->second->name +
                    "' on line " + std::to_string(at->second->line) + " and by joint '" +
                    joint.name + "'; write the tree and close it in `model.loops`");
  }
  return above;
}

void check_one_tree(const UrdfTree& tree, const XmlReader& reader,
                    const std::map<std::string, const UrdfJoint*>& above) {
  const UrdfLink* root = nullptr;
  for (const UrdfLink& link : tree.links) {
    if (above.contains(link.name)) continue;
    if (root)
      reader.fail(link.line, "link '" + link.name + "' is a second root, link '" + root->name +
                                 "' on line " + std::to_string(root->line) +
                                 " is one already; join them by a joint");
    root = &link;
  }
  // One parent for each link: whoever does not reach the root walks in a circle.
  for (const UrdfLink& link : tree.links) {
    std::set<std::string> visited;
    std::string at = link.name;
    while (above.contains(at)) {
      const UrdfJoint& joint = *above.at(at);
      if (!visited.insert(at).second)
        reader.fail(joint.line, "joint '" + joint.name + "' closes a cycle through link '" + at +
                                    "'; write the tree and close it in `model.loops`");
      at = joint.parent;
    }
  }
}

void check_mimics(const UrdfTree& tree, const XmlReader& reader,
                  const std::map<std::string, std::size_t>& joints) {
  for (const UrdfJoint& joint : tree.joints) {
    std::set<std::string> visited;
    const UrdfJoint* at = &joint;
    while (at->mimic) {
      const std::string found =
          "<mimic joint=\"" + at->mimic->joint + "\"> of joint '" + at->name + "': ";
      if (!joints.contains(at->mimic->joint))
        reader.fail(at->mimic->line, found + "there is no joint '" + at->mimic->joint + "'" +
                                         did_you_mean(at->mimic->joint, keys(joints)));
      if (!visited.insert(at->name).second)
        reader.fail(at->mimic->line, found + "the <mimic> joints form a cycle; remove one of them");
      const UrdfJoint& leader = tree.joints[joints.at(at->mimic->joint)];
      if (leader.type == UrdfJointType::fixed)
        reader.fail(at->mimic->line, found + "that joint is fixed; make this one fixed too");
      at = &leader;
    }
  }
}

}  // namespace

const UrdfJoint* UrdfTree::find_joint(const std::string& joint_name) const {
  for (const UrdfJoint& joint : joints)
    if (joint.name == joint_name) return &joint;
  return nullptr;
}

const UrdfLink* UrdfTree::find_link(const std::string& link_name) const {
  for (const UrdfLink& link : links)
    if (link.name == link_name) return &link;
  return nullptr;
}

void check_urdf(const UrdfTree& tree) {
  const XmlReader reader(tree.file);
  const std::map<std::string, std::size_t> links = index_by_name(reader, "link", tree.links);
  const std::map<std::string, std::size_t> joints = index_by_name(reader, "joint", tree.joints);
  check_one_tree(tree, reader, joints_above(tree, reader, links));
  check_mimics(tree, reader, joints);
}

}  // namespace bayesid
