// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "blocks/inertia_ee.hpp"
#include "math/so3.hpp"

namespace bayesid::blocks {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// One way to write the same second moments: R diag(L) Rᵀ.
struct Representative {
  Vector3d omega, L;
};

/// Eigenvalues closer than this are equal: below the round-off of π, far below what any robot can
/// tell.
double equality_tolerance(const InertialParameters& pi, double largest) {
  return 1e-12 * largest + 1e-15 * pi.tail<6>().norm();
}

/// All different: the 24 signed permutations of the eigenvectors that are rotations.
std::vector<Representative> permutations(const Matrix3d& vectors, const Vector3d& values) {
  std::vector<Representative> out;
  const std::array<Vector3d, 8> signs{{{1, 1, 1},
                                       {-1, 1, 1},
                                       {1, -1, 1},
                                       {-1, -1, 1},
                                       {1, 1, -1},
                                       {-1, 1, -1},
                                       {1, -1, -1},
                                       {-1, -1, -1}}};
  std::array<int, 3> order{0, 1, 2};
  do {
    for (const Vector3d& sign : signs) {
      Matrix3d R;
      Vector3d L;
      for (int axis = 0; axis < 3; ++axis) {
        R.col(axis) = sign[axis] * vectors.col(order[axis]);
        L[axis] = values[order[axis]];
      }
      if (R.determinant() > 0) out.push_back({so3_log(R), L});
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return out;
}

/// Two equal: only the axis of the third counts; the shortest turn takes a coordinate axis to it.
std::vector<Representative> axis_turns(const Vector3d& vector, double value, double equal) {
  std::vector<Representative> out;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3d target = vector[axis] < 0 ? Vector3d(-vector) : vector;
    const Vector3d cross = Vector3d::Unit(axis).cross(target);
    const double sine = cross.norm();
    const double angle = std::atan2(sine, target[axis]);
    Vector3d L = Vector3d::Constant(equal);
    L[axis] = value;
    out.push_back({sine > 0 ? Vector3d(angle / sine * cross) : Vector3d::Zero(), L});
  }
  return out;
}

/// Smaller angle; of equal angles the lexicographically larger ω, so that round-off does not
/// choose.
bool comes_before(const Representative& a, const Representative& b) {
  constexpr double tie = 1e-9;
  const double longer = b.omega.norm() - a.omega.norm();
  if (std::abs(longer) > tie) return longer > 0;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(a.omega[i] - b.omega[i]) > tie) return a.omega[i] > b.omega[i];
  }
  return false;
}

std::vector<Representative> representatives(const Matrix3d& vectors, const Vector3d& values,
                                            double tolerance) {
  const double low = values[1] - values[0];
  const double high = values[2] - values[1];
  if (low + high <= tolerance) return {{Vector3d::Zero(), Vector3d::Constant(values.mean())}};
  if (std::min(low, high) > tolerance) return permutations(vectors, values);
  const int alone = low < high ? 2 : 0;
  const double equal = 0.5 * (values.sum() - values[alone]);
  return axis_turns(vectors.col(alone), values[alone], equal);
}

}  // namespace

std::optional<InertiaCoordinates> coordinates_from_inertia(const InertialParameters& pi) {
  if (!pi.allFinite() || pi[0] <= 0) return std::nullopt;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(second_moments(pi));
  const Vector3d& values = eigen.eigenvalues();
  if (!values.allFinite() || values.minCoeff() <= 0) return std::nullopt;

  const std::vector<Representative> candidates =
      representatives(eigen.eigenvectors(), values, equality_tolerance(pi, values[2]));
  const Representative best = *std::min_element(candidates.begin(), candidates.end(), comes_before);
  InertiaCoordinates theta;
  theta << std::log(pi[0]), pi.segment<3>(1), best.omega, best.L.array().log().matrix();
  return theta;
}

InertiaCoordinates nearest_equivalent(const InertiaCoordinates& theta,
                                      const InertiaCoordinates& mean,
                                      const InertiaCoordinates& std) {
  const auto cost = [&](const InertiaCoordinates& candidate) {
    return (candidate - mean).cwiseQuotient(std).squaredNorm();
  };
  InertiaCoordinates best = theta;
  double least = (1 - 1e-9) * cost(theta);
  const Matrix3d R = so3_exp(theta.segment<3>(4));
  for (const Representative& other : permutations(R, theta.tail<3>().array().exp())) {
    // The same rotation the other way round: ω − 2π ω/|ω|.
    const double angle = other.omega.norm();
    for (const double turned : {0.0, 2 * M_PI}) {
      if (turned > 0 && angle == 0) continue;
      InertiaCoordinates candidate = theta;
      candidate.segment<3>(4) = angle > 0 ? other.omega * (1 - turned / angle) : other.omega;
      candidate.tail<3>() = other.L.array().log();
      if (cost(candidate) >= least) continue;
      least = cost(candidate);
      best = candidate;
    }
  }
  return best;
}

}  // namespace bayesid::blocks
