// SPDX-License-Identifier: BSD-3-Clause
// Left and right of a robot that is its own mirror image.          docs/math/parameters.md (19)
#include <algorithm>

#include "bayesid/error.hpp"
#include "bayesid/parameters/parameter_set.hpp"
#include "parameters/choice.hpp"

namespace bayesid {

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

}  // namespace

void ParameterSet::relate_links(const Robot& robot, const LinkBlock& left, const LinkBlock& right,
                                const std::string& plane, const std::string& place) {
  const Link &a = link_named(robot, left.name), &b = link_named(robot, right.name);
  const Matrix3d reflect = reflection(plane);
  const bool same_body = a.body == b.body;
  if (!same_body &&
      !are_mirrored(body_at_zero(robot, a.body), body_at_zero(robot, b.body), reflect)) {
    throw InputError(place + ": " + a.name + " and " + b.name +
                     " are no mirror images in the plane " + plane +
                     " of the base: with all joints at zero their joint axes do not match");
  }
  const Mirror mirror = mirror_of(link_at_zero(robot, a), link_at_zero(robot, b), reflect);
  const std::string name = "symmetry of " + left.name + " and " + right.name + ": ";
  add_relation({.name = name + "mass",
                .is_equality = true,
                .scalars = {{right.first, 1, true}, {left.first, -1, true}}},
               place);
  for (int i = 0; i < 3; ++i) {  // h' = Y h + m t
    Relation out{.name = name + "first moment " + "xyz"[i],
                 .is_equality = true,
                 .scalars = {{right.first + 1 + i, 1, true}, {left.first, -mirror.t[i], false}}};
    for (int j = 0; j < 3; ++j) out.scalars.push_back({left.first + 1 + j, -mirror.Y(i, j), true});
    add_relation(std::move(out), place);
  }
  constexpr const char* entries[] = {"xx", "xy", "yy", "xz", "yz", "zz"};
  const Eigen::Matrix<double, 6, 6> turn = turn_of_inertia(mirror.Y);
  for (int i = 0; i < 6; ++i) {
    Relation out{.name = name + "inertia " + entries[i], .is_equality = true};
    LinkTraits weight = LinkTraits::Unit(central_trait + i);
    out.links.push_back({right.first, weight});
    weight.setZero();
    weight.tail<6>() = -turn.row(i);
    out.links.push_back({left.first, weight});
    add_relation(std::move(out), place);
  }
}

void ParameterSet::relate_mirrored(const Robot& robot, const Config& config, int index) {
  const SymmetryConfig& given = config.constraints.symmetry[index];
  const std::string place =
      key_place(config, "constraints.symmetry[" + std::to_string(index) + "]");
  int pairs = 0;
  for (const LinkBlock& left : links_) {
    const LinkBlock* right = find_link(counterpart(left.name, given));
    if (!right || right == &left) continue;
    relate_links(robot, left, *right, given.plane, place);
    ++pairs;
  }
  const auto relate_scalars = [&](int left, int right) {
    if (left < 0 || right < 0) return;
    add_relation({.name = all_[left].name + " = " + all_[right].name,
                  .is_equality = true,
                  .scalars = {{left, 1, true}, {right, -1, true}}},
                 place);
  };
  const auto is_pair = [&](int left, int right) {
    return left != right && counterpart(drives_[left].name, given) == drives_[right].name;
  };
  for (const FrictionBlock& left : friction_) {
    for (const FrictionBlock& right : friction_) {
      if (!is_pair(left.drive, right.drive)) continue;
      for (size_t i = 0; i < left.index.size(); ++i) relate_scalars(left.index[i], right.index[i]);
      ++pairs;
    }
  }
  for (const ScalarBlock& left : armature_) {
    for (const ScalarBlock& right : armature_) {
      if (!is_pair(left.target, right.target)) continue;
      relate_scalars(left.index, right.index);
      ++pairs;
    }
  }
  if (pairs > 0) return;
  throw InputError(place + ": no estimated link or joint with \"" + given.left +
                   "\" in its name has a counterpart with \"" + given.right + "\"");
}

}  // namespace bayesid
