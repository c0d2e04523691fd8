// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "bayesid/dynamics.hpp"

namespace bayesid {

/// Distance of two shapes, negative when they overlap, and its derivative in tangents of q.
struct ShapeDistance {
  int pair = 0;  // of SelfCollision::pairs
  double distance = 0;
  Eigen::VectorXd ddistance_dq;
};

/// Distances between the shapes of links that are neither rigidly joined nor neighbours through one
/// joint or loop. Meshes are their convex hulls. Immutable.     docs/math/excitation.md (13a)-(13b)
class SelfCollision {
 public:
  struct Pair {
    std::string first, second;  // links
    int first_shape, second_shape;
    double radius;  // of the smaller shape
  };

  /// Throws InputError for links that `excitation.ignore_pairs` names and that do not exist, meshes
  /// that cannot be read, and robots without shapes.
  SelfCollision(const Robot& robot, const Mode& mode, const Config& config);
  ~SelfCollision();

  const std::vector<Pair>& pairs() const { return pairs_; }
  /// Pairs nearer than this are looked at; those beyond count as if they were that far.
  double far() const { return far_; }
  /// Pairs that are nearer than `within`, in the order of `pairs`.
  std::vector<ShapeDistance> near(const Eigen::VectorXd& q, double within,
                                  Kinematics& kinematics) const;

 private:
  struct Shape;
  std::vector<Shape> shapes_;
  std::vector<Pair> pairs_;
  int nv_;
  double far_ = 0;
};

/// Null when the configuration does not ask for it.
std::shared_ptr<const SelfCollision> make_self_collision(const Robot& robot, const Mode& mode,
                                                         const Config& config);

}  // namespace bayesid
