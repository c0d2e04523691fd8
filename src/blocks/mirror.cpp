// SPDX-License-Identifier: BSD-3-Clause
// Left and right of a robot that is its own mirror image.          docs/math/parameters.md (19)
#include <algorithm>

#include "bayesid/error.hpp"
#include "blocks/choice.hpp"
#include "blocks/inertia_block.hpp"
#include "blocks/make_parameter_constraints.hpp"

namespace bayesid::blocks {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

constexpr double tolerance = 1e-4;  // rad and m: how far frames may be from mirror images

/// Where matter at c of the left link is mirrored to in the right link: Y c + t.
struct Mirror {
  Matrix3d Y;
  Vector3d t;
};

Matrix3d reflection(const std::string& plane) {
  const int normal = plane == "yz" ? 0 : plane == "xz" ? 1 : 2;
  Matrix3d out = Matrix3d::Identity();
  out(normal, normal) = -1;
  return out;
}

const Link& link_named(const Robot& robot, const std::string& name) {
  return *std::find_if(robot.links.begin(), robot.links.end(),
                       [&](const Link& link) { return link.name == name; });
}

Mirror mirror_of(const BodyAtZero& left, const BodyAtZero& right, const Matrix3d& reflect) {
  return {right.rotation.transpose() * reflect * left.rotation,
          right.rotation.transpose() * (reflect * left.translation - right.translation)};
}

BodyAtZero link_at_zero(const Robot& robot, const Link& link) {
  const BodyAtZero body = body_at_zero(robot, link.body);
  return {.rotation = body.rotation * link.rotation,
          .translation = body.translation + body.rotation * link.translation};
}

/// Joints turn about mirrored axes, in either sense.
bool are_mirrored(const BodyAtZero& left, const BodyAtZero& right, const Matrix3d& reflect) {
  const Mirror mirror = mirror_of(left, right, reflect);
  const Vector3d turned = mirror.Y * left.axis;
  const bool same_axis =
      std::min((turned - right.axis).norm(), (turned + right.axis).norm()) < tolerance;
  if (!same_axis || left.is_prismatic != right.is_prismatic) return false;
  const Vector3d beside = mirror.t - right.axis * right.axis.dot(mirror.t);
  return right.is_prismatic || beside.norm() < tolerance;
}

/// The name with the first `left` replaced; "" when there is none.
std::string counterpart(const std::string& name, const SymmetryConfig& given) {
  const std::size_t at = name.find(given.left);
  if (at == name.npos) return "";
  return std::string(name).replace(at, given.left.size(), given.right);
}

/// vech(Y S Yᵀ) = A vech(S).
Eigen::Matrix<double, 6, 6> turn_of_inertia(const Matrix3d& Y) {
  Eigen::Matrix<double, 6, 6> out;
  for (int i = 0; i < 6; ++i)
    out.col(i) = vech(Y * symmetric_matrix(Vector6::Unit(i)) * Y.transpose());
  return out;
}

ParameterConstraint::FeatureTerm term_of(const EstimatedLink& link, int feature, double weight) {
  return {link.block, weight * LinkFeatures::Unit(feature)};
}

std::vector<ParameterConstraint> mirrored_links(const Robot& robot, const EstimatedLink& left,
                                                const EstimatedLink& right,
                                                const std::string& plane,
                                                const std::string& place) {
  const Link& a = link_named(robot, left.inertia->link());
  const Link& b = link_named(robot, right.inertia->link());
  const Matrix3d reflect = reflection(plane);
  const bool same_body = a.body == b.body;
  if (!same_body &&
      !are_mirrored(body_at_zero(robot, a.body), body_at_zero(robot, b.body), reflect)) {
    throw InputError(place + ": " + a.name + " and " + b.name +
                     " are not symmetric about the plane " + plane +
                     " of the base: with all joints at zero their joint axes do not match");
  }
  const Mirror mirror = mirror_of(link_at_zero(robot, a), link_at_zero(robot, b), reflect);
  const std::string name = "symmetry of " + a.name + " and " + b.name + ": ";
  std::vector<ParameterConstraint> out;
  out.push_back({.name = name + "mass",
                 .is_equality = true,
                 .scalars = {{right.first, 1, true}, {left.first, -1, true}}});
  for (int i = 0; i < 3; ++i) {  // h' = Y h + m t
    ParameterConstraint& row = out.emplace_back();
    row.name = name + "first moment " + "xyz"[i];
    row.is_equality = true;
    row.features = {term_of(right, 1 + i, 1), term_of(left, 0, -mirror.t[i])};
    for (int j = 0; j < 3; ++j) row.features.push_back(term_of(left, 1 + j, -mirror.Y(i, j)));
  }
  constexpr const char* entries[] = {"xx", "xy", "yy", "xz", "yz", "zz"};
  const Eigen::Matrix<double, 6, 6> turn = turn_of_inertia(mirror.Y);
  for (int i = 0; i < 6; ++i) {
    LinkFeatures weight = LinkFeatures::Zero();
    weight.tail<6>() = -turn.row(i);
    out.push_back({.name = name + "inertia " + entries[i],
                   .is_equality = true,
                   .features = {term_of(right, central_feature + i, 1), {left.block, weight}}});
  }
  return out;
}

/// "friction" of friction.joint1.mu0.
std::string kind_of(const ParameterBlock& block) {
  const std::string& name = block.parameters().front().name;
  return name.substr(0, name.find('.'));
}

}  // namespace

std::vector<ParameterConstraint> mirrored(const Robot& robot, const Config& config,
                                          const ParameterList& list, int index) {
  const SymmetryConfig& given = config.constraints.symmetry[index];
  const std::string place =
      key_location(config, "constraints.symmetry[" + std::to_string(index) + "]");
  std::vector<ParameterConstraint> out;
  int pairs = 0;
  const std::vector<EstimatedLink> links = estimated_links(list);
  for (const EstimatedLink& left : links) {
    const std::string name = counterpart(left.inertia->link(), given);
    for (const EstimatedLink& right : links) {
      if (right.inertia->link() != name || right.block == left.block) continue;
      const auto rows = mirrored_links(robot, left, right, given.plane, place);
      out.insert(out.end(), rows.begin(), rows.end());
      ++pairs;
    }
  }
  for (const auto& [left, first_left] : list.blocks) {
    if (left->mirrored_drive().empty()) continue;
    const std::string drive = counterpart(left->mirrored_drive(), given);
    for (const auto& [right, first_right] : list.blocks) {
      if (left == right || right->mirrored_drive().empty() || right->mirrored_drive() != drive ||
          kind_of(*left) != kind_of(*right))
        continue;
      for (int i = 0; i < left->size(); ++i) {
        const int a = first_left + i, b = first_right + i;
        out.push_back({.name = list.all[a].name + " = " + list.all[b].name,
                       .is_equality = true,
                       .scalars = {{a, 1, true}, {b, -1, true}}});
      }
      ++pairs;
    }
  }
  if (pairs > 0) return out;
  throw InputError(place + ": no estimated link or joint with \"" + given.left +
                   "\" in its name has a counterpart with \"" + given.right + "\"");
}

}  // namespace bayesid::blocks
