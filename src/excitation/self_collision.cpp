// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/self_collision.hpp"

#include <coal/BVH/BVH_model.h>
#include <coal/distance.h>
#include <coal/mesh_loader/loader.h>
#include <coal/shape/geometric_shapes.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bayesid/error.hpp"
#include "math/did_you_mean.hpp"
#include "robot/collision_shapes.hpp"

namespace bayesid {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

using Geometry = std::shared_ptr<const coal::CollisionGeometry>;
using Names = std::set<std::pair<std::string, std::string>>;

constexpr double considered_within =
    3;  // times the least distance, and half the largest shape's radius

std::shared_ptr<coal::CollisionGeometry> make_hull(const CollisionShape& shape,
                                                   const Robot& robot) {
  try {
    const coal::BVHModelPtr_t mesh = coal::MeshLoader().load(shape.mesh_file, shape.size);
    return std::shared_ptr<coal::CollisionGeometry>(
        coal::ConvexBase::convexHull(mesh->vertices, mesh->num_vertices, /*keepTriangles=*/true));
  } catch (const std::exception& error) {
    throw InputError(robot.urdf_file + ":" + std::to_string(shape.line) + ": " + shape.mesh_file +
                     " of link '" + shape.link + "' has no convex hull: " + error.what());
  }
}

std::shared_ptr<coal::CollisionGeometry> make_primitive(const CollisionShape& shape) {
  const Vector3d& size = shape.size;
  switch (shape.kind) {
    case CollisionShape::Kind::sphere:
      return std::make_shared<coal::Sphere>(size[0]);
    case CollisionShape::Kind::cylinder:
      return std::make_shared<coal::Cylinder>(size[0], size[1]);
    case CollisionShape::Kind::capsule:
      return std::make_shared<coal::Capsule>(size[0], size[1]);
    case CollisionShape::Kind::box:
    case CollisionShape::Kind::mesh:
      break;
  }
  return std::make_shared<coal::Box>(size[0], size[1], size[2]);
}

Names ignored_pairs(const CollisionShapes& all, const Config& config) {
  Names out;
  for (std::size_t i = 0; i < config.excitation.ignore_pairs.size(); ++i) {
    const auto& [first, second] = config.excitation.ignore_pairs[i];
    for (const std::string& name : {first, second}) {
      if (std::ranges::find(all.links, name) != all.links.end()) continue;
      throw InputError(location_of(config, "excitation.ignore_pairs[" + std::to_string(i) + "]") +
                       ": there is no link " + name + " in " + config.model.urdf +
                       did_you_mean(name, all.links));
    }
    out.emplace(first, second);
    out.emplace(second, first);
  }
  return out;
}

/// One body, or two that a joint or a loop joins.
bool are_neighbours(const CollisionShape& a, const CollisionShape& b, const Mode& mode) {
  const int first = a.place.body, second = b.place.body;
  if (first == second || a.parent_body == second || b.parent_body == first) return true;
  return std::ranges::any_of(mode.constraints, [&](const MotionConstraint& c) {
    return !c.is_contact && ((c.first.body == first && c.second.body == second) ||
                             (c.first.body == second && c.second.body == first));
  });
}

coal::DistanceRequest make_request() {
  coal::DistanceRequest out(/*enable_nearest_points_=*/true);
  // As exact as differences of distances want it; EPA, of shapes that overlap, fails below 1e-6.
  out.gjk_tolerance = 1e-10;
  out.epa_tolerance = 1e-6;
  return out;
}

}  // namespace

struct SelfCollision::Shape {
  Geometry geometry;
  FramePlacement place;
  Vector3d centre;  // of a ball around it, in its own axes
  double radius;
};

SelfCollision::SelfCollision(const Robot& robot, const Mode& mode, const Config& config)
    : nv_(robot.nv()) {
  const CollisionShapes all = read_collision_shapes(robot);
  const Names ignored = ignored_pairs(all, config);
  if (all.shapes.empty()) {
    throw InputError(location_of(config, "excitation.limits.self_collision") + ": no link of " +
                     robot.urdf_file +
                     " has a <collision>: add collision shapes, or remove the limit");
  }
  double largest = 0;
  for (const CollisionShape& shape : all.shapes) {
    const std::shared_ptr<coal::CollisionGeometry> geometry =
        shape.kind == CollisionShape::Kind::mesh ? make_hull(shape, robot) : make_primitive(shape);
    geometry->computeLocalAABB();
    shapes_.push_back({geometry, shape.place, geometry->aabb_center, geometry->aabb_radius});
    largest = std::max(largest, geometry->aabb_radius);
  }
  far_ = considered_within * config.excitation.self_collision.value_or(0) + 0.5 * largest;
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    for (std::size_t j = i + 1; j < shapes_.size(); ++j) {
      const CollisionShape &a = all.shapes[i], &b = all.shapes[j];
      if (are_neighbours(a, b, mode) || ignored.contains({a.link, b.link})) continue;
      pairs_.push_back({a.link, b.link, static_cast<int>(i), static_cast<int>(j),
                        std::min(shapes_[i].radius, shapes_[j].radius)});
    }
  }
}

SelfCollision::~SelfCollision() = default;

std::vector<ShapeDistance> SelfCollision::near(const VectorXd& q, double within,
                                               Kinematics& kinematics) const {
  static const coal::DistanceRequest request = make_request();
  std::vector<FramePose> poses;
  std::vector<Vector3d> centres;
  for (const Shape& shape : shapes_) {
    poses.push_back(kinematics.pose(q, shape.place));
    centres.push_back(poses.back().translation + poses.back().rotation * shape.centre);
  }
  // Velocity along n of a point of the world that moves with a body.
  const auto slope = [&](std::size_t i, const Vector3d& point, const Vector3d& n) {
    const Vector3d local = poses[i].rotation.transpose() * (point - poses[i].translation);
    FramePlacement place = shapes_[i].place;
    place.translation += place.rotation * local;
    return VectorXd(kinematics.jacobian(q, place).topRows<3>().transpose() * n);
  };
  std::vector<ShapeDistance> out;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Pair& pair = pairs_[k];
    const auto i = static_cast<std::size_t>(pair.first_shape);
    const auto j = static_cast<std::size_t>(pair.second_shape);
    const Shape &a = shapes_[i], &b = shapes_[j];
    if ((centres[i] - centres[j]).norm() - a.radius - b.radius >= within) continue;
    coal::DistanceResult found;
    const double distance =
        coal::distance(a.geometry.get(), {poses[i].rotation, poses[i].translation},
                       b.geometry.get(), {poses[j].rotation, poses[j].translation}, request, found);
    if (std::isfinite(distance) && distance >= within) continue;
    ShapeDistance one{static_cast<int>(k), distance, VectorXd::Zero(nv_)};
    if (std::isfinite(distance) && found.normal.allFinite()) {
      one.ddistance_dq = slope(j, found.nearest_points[1], found.normal) -
                         slope(i, found.nearest_points[0], found.normal);
    } else {
      one.distance = -pair.radius;  // so deep that coal does not find the way out
    }
    out.push_back(std::move(one));
  }
  return out;
}

std::shared_ptr<const SelfCollision> make_self_collision(const Robot& robot, const Mode& mode,
                                                         const Config& config) {
  if (!config.excitation.self_collision) return nullptr;
  return std::make_shared<const SelfCollision>(robot, mode, config);
}

}  // namespace bayesid
