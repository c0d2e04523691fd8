// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/joint_smoother.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::RowVectorXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Decades of the relative intensity that are searched: slow motion at 10 kHz … noise that is all
// motion.
constexpr int first_decade = -18;
constexpr int last_decade = 6;
// The intensity is judged on at most this many windows of this many samples.
constexpr Eigen::Index num_windows = 4;
constexpr Eigen::Index window_size = 2500;

/// Mean and square root S of the covariance S Sᵀ.
struct Belief {
  Vector3d mean;
  Matrix3d root;
};

/// F of docs/math/prediction.md (2).
Matrix3d transition(double dt) {
  return (Matrix3d() << 1, dt, 0.5 * dt * dt, 0, 1, dt, 0, 0, 1).finished();
}

/// Cholesky factor of the covariance (3) for unit intensity.
Matrix3d jerk_root(double dt) {
  const double r = std::sqrt(dt);
  return (Matrix3d() << r * dt * dt / std::sqrt(20.0), 0, 0,  //
          r * dt * std::sqrt(5.0) / 4, r * dt / (4 * std::sqrt(3.0)), 0, r * std::sqrt(5.0) / 3,
          r / std::sqrt(3.0), r / 3)
      .finished();
}

/// Potter's update with one number: no difference of covariances is ever taken.      (4)
void observe(int coordinate, double value, double variance, Belief& belief) {
  const Vector3d f = belief.root.row(coordinate).transpose();
  const double total = f.squaredNorm() + variance;
  const double innovation = value - belief.mean[coordinate];
  const Vector3d gain = belief.root * f / total;
  belief.mean += gain * innovation;
  belief.root -= gain * f.transpose() / (1 + std::sqrt(variance / total));
}

/// S of [A B][A B]ᵀ = S Sᵀ, lower triangular, by modified Gram–Schmidt on the rows.
Matrix3d joined_root(const Matrix3d& A, const Matrix3d& B) {
  Eigen::Matrix<double, 3, 6> rows;
  rows << A, B;
  Matrix3d out = Matrix3d::Zero();
  for (int i = 0; i < 3; ++i) {
    const double length = rows.row(i).norm();
    out(i, i) = length;
    if (!(length > 0)) continue;
    const Eigen::Matrix<double, 1, 6> unit = rows.row(i) / length;
    for (int k = i + 1; k < 3; ++k) {
      out(k, i) = rows.row(k).dot(unit);
      rows.row(k) -= out(k, i) * unit;
    }
  }
  return out;
}

Belief start(const JointSamples& samples) {
  return {Vector3d::Zero(), samples.start_std * Matrix3d::Identity()};
}

void observe_sample(const JointSamples& samples, Eigen::Index k, Belief& belief) {
  if (!std::isnan(samples.position[k])) observe(0, samples.position[k], 1.0, belief);
  if (!std::isnan(samples.velocity[k])) {
    observe(1, samples.velocity[k], samples.velocity_variance, belief);
  }
}

/// F and the root of the jerk's covariance, kept as long as the step stays the same.
struct Step {
  double dt = -1;
  Matrix3d F, root;
  void set(double new_dt, double sqrt_intensity) {
    if (new_dt == dt) return;
    dt = new_dt;
    F = transition(dt);
    root = sqrt_intensity * jerk_root(dt);
  }
};

/// Every second measured value is taken out of one channel and handed over.
VectorXd leave_out(VectorXd& values) {
  VectorXd out = VectorXd::Constant(values.size(), std::numeric_limits<double>::quiet_NaN());
  bool keep = false;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (std::isnan(values[k])) continue;
    keep = !keep;
    if (!keep) std::swap(values[k], out[k]);
  }
  return out;
}

double squares(const VectorXd& measured, const RowVectorXd& expected) {
  double out = 0;
  for (Eigen::Index k = 0; k < measured.size(); ++k) {
    if (!std::isnan(measured[k])) out += std::pow(measured[k] - expected[k], 2);
  }
  return out;
}

/// A stretch of the log and the half of its measurements that was taken out.
struct Window {
  JointSamples kept;
  VectorXd position, velocity;

  Window(const JointSamples& samples, Eigen::Index begin, Eigen::Index size)
      : kept{samples.step.segment(begin, size), samples.position.segment(begin, size),
             samples.velocity.segment(begin, size), samples.velocity_variance, samples.start_std},
        position(leave_out(kept.position)),
        velocity(leave_out(kept.velocity)) {}

  /// (7)
  double error(double intensity) const {
    const Eigen::Matrix3Xd motion = smooth_joint(kept, intensity);
    return squares(position, motion.row(0)) +
           squares(velocity, motion.row(1)) / kept.velocity_variance;
  }
};

std::vector<Window> make_windows(const JointSamples& samples) {
  const Eigen::Index n = samples.size();
  std::vector<Window> out;
  if (n <= num_windows * window_size) {
    out.emplace_back(samples, 0, n);
    return out;
  }
  for (Eigen::Index i = 0; i < num_windows; ++i) {
    out.emplace_back(samples, i * (n - window_size) / (num_windows - 1), window_size);
  }
  return out;
}

}  // namespace

double predictive_intensity(const JointSamples& samples) {
  const std::vector<Window> windows = make_windows(samples);
  const auto at = [&](double decade) {
    double sum = 0;
    for (const Window& window : windows) sum += window.error(std::pow(10.0, decade));
    return sum;
  };
  int best = first_decade;
  double lowest = at(best);
  for (int decade = first_decade + 1; decade <= last_decade; ++decade) {
    const double value = at(decade);
    if (value < lowest) {
      lowest = value;
      best = decade;
    }
  }
  // Golden section around the best decade.
  const double ratio = 0.5 * (std::sqrt(5.0) - 1);
  double low = best - 1.0, high = best + 1.0;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = at(a), at_b = at(b);
  while (high - low > 0.1) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - ratio * (high - low);
      at_a = at(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + ratio * (high - low);
      at_b = at(b);
    }
  }
  return std::pow(10.0, 0.5 * (low + high));
}

namespace {

/// What the filter leaves for the way back.
struct Filtered {
  Eigen::Matrix3Xd mean, predicted;
  std::vector<Matrix3d> gains;  // G of the step to each sample
  std::vector<Matrix3d> roots;  // of the covariance at each, when asked for
};

Filtered filter(const JointSamples& samples, double intensity, bool with_roots) {
  const Eigen::Index n = samples.size();
  Filtered out{Eigen::Matrix3Xd(3, n),
               Eigen::Matrix3Xd(3, n),
               std::vector<Matrix3d>(static_cast<size_t>(n)),
               {}};
  Belief belief = start(samples);
  Step step;
  for (Eigen::Index k = 0; k < n; ++k) {
    if (k > 0) {
      step.set(samples.step[k], std::sqrt(intensity));
      const Matrix3d moved = step.F * belief.root;
      const Matrix3d root = joined_root(moved, step.root);
      // G = P Fᵀ P'⁻¹ by triangular solves with the root of P' alone.               (5)
      const Matrix3d share = root.triangularView<Eigen::Lower>().solve(moved);
      out.gains[static_cast<size_t>(k)] = root.transpose()
                                              .triangularView<Eigen::Upper>()
                                              .solve(share * belief.root.transpose())
                                              .transpose();
      belief = {step.F * belief.mean, root};
      out.predicted.col(k) = belief.mean;
    }
    observe_sample(samples, k, belief);
    out.mean.col(k) = belief.mean;
    if (with_roots) out.roots.push_back(belief.root);
  }
  return out;
}

/// (6)
Eigen::Matrix3Xd smooth(Filtered& from) {
  for (Eigen::Index k = from.mean.cols() - 1; k > 0; --k) {
    from.mean.col(k - 1) +=
        from.gains[static_cast<size_t>(k)] * (from.mean.col(k) - from.predicted.col(k));
  }
  return std::move(from.mean);
}

}  // namespace

Eigen::Matrix3Xd smooth_joint(const JointSamples& samples, double intensity) {
  Filtered filtered = filter(samples, intensity, false);
  return smooth(filtered);
}

SmoothedJoint smooth_joint_with_cov(const JointSamples& samples, double intensity) {
  Filtered filtered = filter(samples, intensity, true);
  const Eigen::Index n = samples.size();
  SmoothedJoint out{Eigen::Matrix3Xd(3, n), JointCov(6, n)};
  Step step;
  Matrix3d P = Matrix3d::Zero();
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    const Matrix3d& root = filtered.roots[static_cast<size_t>(k)];
    if (k == n - 1) {
      P = root * root.transpose();
    } else {
      // P = (1 − G F) P̂ (1 − G F)ᵀ + G (κ Q + P') Gᵀ: sums of squares alone. (6a)
      const Matrix3d& G = filtered.gains[static_cast<size_t>(k) + 1];
      step.set(samples.step[k + 1], std::sqrt(intensity));
      const Matrix3d kept = root - G * (step.F * root), jerk = G * step.root;
      P = kept * kept.transpose() + jerk * jerk.transpose() + G * P * G.transpose();
    }
    out.cov.col(k) << P(0, 0), P(0, 1), P(0, 2), P(1, 1), P(1, 2), P(2, 2);
  }
  out.motion = smooth(filtered);
  return out;
}

}  // namespace bayesid
