// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "bayesid/posterior.hpp"
#include "posterior/joint_smoother.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Matrix3d transition(double dt) {
  return (Matrix3d() << 1, dt, dt * dt / 2, 0, 1, dt, 0, 0, 1).finished();
}

Matrix3d jerk_covariance(double dt) {
  Matrix3d out;
  out << std::pow(dt, 5) / 20, std::pow(dt, 4) / 8, std::pow(dt, 3) / 6,  //
      std::pow(dt, 4) / 8, std::pow(dt, 3) / 3, dt * dt / 2,              //
      std::pow(dt, 3) / 6, dt * dt / 2, dt;
  return out;
}

/// A motion drawn from the model, with holes and uneven steps.
JointSamples random_samples(int n, double intensity, int seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  JointSamples out;
  out.step = VectorXd::Zero(n);
  out.position = out.velocity = VectorXd::Constant(n, missing);
  out.velocity_variance = 0.5;
  out.start_std = 50;
  Eigen::Vector3d x(0, 0.5, 0.02);
  for (int k = 0; k < n; ++k) {
    if (k > 0) {
      out.step[k] = uniform(random);
      const Matrix3d root = jerk_covariance(out.step[k]).llt().matrixL();
      const Eigen::Vector3d draw(normal(random), normal(random), normal(random));
      x = transition(out.step[k]) * x + std::sqrt(intensity) * root * draw;
    }
    if (k % 5 != 3) out.position[k] = x[0] + normal(random);
    if (k % 7 != 2) out.velocity[k] = x[1] + std::sqrt(out.velocity_variance) * normal(random);
  }
  return out;
}

/// All states at once, as weighted least squares: |A x − b|².
struct LeastSquares {
  MatrixXd A;
  VectorXd b;
};

LeastSquares dense_problem(const JointSamples& samples, double intensity) {
  const Eigen::Index n = samples.size();
  MatrixXd A = MatrixXd::Zero(5 * n, 3 * n);
  VectorXd b = VectorXd::Zero(5 * n);
  A.topLeftCorner(3, 3).diagonal().setConstant(1 / samples.start_std);
  for (Eigen::Index k = 0; k < n; ++k) {
    if (k > 0) {
      const Matrix3d weight = (intensity * jerk_covariance(samples.step[k]))
                                  .llt()
                                  .matrixL()
                                  .solve(Matrix3d::Identity());
      A.block(3 * k, 3 * k, 3, 3) = weight;
      A.block(3 * k, 3 * k - 3, 3, 3) = -weight * transition(samples.step[k]);
    }
    if (!std::isnan(samples.position[k])) {
      A(3 * n + k, 3 * k) = 1;
      b[3 * n + k] = samples.position[k];
    }
    if (!std::isnan(samples.velocity[k])) {
      A(4 * n + k, 3 * k + 1) = 1 / std::sqrt(samples.velocity_variance);
      b[4 * n + k] = samples.velocity[k] / std::sqrt(samples.velocity_variance);
    }
  }
  return {A, b};
}

Eigen::Matrix3Xd dense_solution(const JointSamples& samples, double intensity) {
  const auto [A, b] = dense_problem(samples, intensity);
  const VectorXd x = A.householderQr().solve(b);
  return Eigen::Map<const Eigen::Matrix3Xd>(x.data(), 3, samples.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(smooth_joint_agrees_with_dense_least_squares) {
  for (const double intensity : {1e-6, 1e-2, 1.0, 1e3}) {
    BOOST_TEST_CONTEXT("intensity " << intensity) {
      const JointSamples samples = random_samples(40, intensity, 3);
      const MatrixXd expected = dense_solution(samples, intensity);
      const MatrixXd found = smooth_joint(samples, intensity);
      // Relative to the size of the motion: the dense solution itself has about ten digits.
      BOOST_TEST((found - expected).cwiseAbs().maxCoeff() <
                 1e-8 * (1 + expected.cwiseAbs().maxCoeff()));
    }
  }
}

BOOST_AUTO_TEST_CASE(covariance_of_a_smoothed_joint_is_the_inverse_of_the_information) {
  for (const double intensity : {1e-6, 1e-2, 1.0, 1e3}) {
    BOOST_TEST_CONTEXT("intensity " << intensity) {
      const JointSamples samples = random_samples(40, intensity, 3);
      const MatrixXd A = dense_problem(samples, intensity).A;
      // R⁻¹R⁻ᵀ of A = Q R: squaring A first would lose half of the digits.
      const Eigen::HouseholderQR<MatrixXd> qr(A);
      const Eigen::Index n = A.cols();
      const MatrixXd R = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
      const MatrixXd inverse = R.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(n, n));
      const SmoothedJoint found = smooth_joint_with_cov(samples, intensity);
      BOOST_TEST((found.motion.array() == smooth_joint(samples, intensity).array()).all());
      for (Eigen::Index k = 0; k < samples.size(); ++k) {
        const MatrixXd rows = inverse.middleRows(3 * k, 3);
        const Matrix3d P = rows * rows.transpose();
        Eigen::Matrix<double, 6, 1> expected;
        expected << P(0, 0), P(0, 1), P(0, 2), P(1, 1), P(1, 2), P(2, 2);
        BOOST_TEST((found.cov.col(k) - expected).norm() < 1e-7 * expected.norm());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(predictive_intensity_is_near_the_one_a_motion_was_drawn_with) {
  for (const double intensity : {1e-5, 1e-3, 1e-1}) {
    const JointSamples samples = random_samples(3000, intensity, 5);
    const double found = predictive_intensity(samples);
    BOOST_TEST_CONTEXT("intensity " << intensity << ", found " << found) {
      // Flat minimum: this factor changes the error of the motion by a few percent.
      BOOST_TEST(found < 4 * intensity);
      BOOST_TEST(found > 0.25 * intensity);
    }
  }
}

namespace {

/// 0.8 sin 4t + 0.3 cos 9t with noise; every third position and fourth velocity missing on request.
struct Sine {
  Recording recording;
  VectorXd position, velocity, acceleration;

  Sine(int n, double dt, double position_std, double velocity_std, bool holes)
      : position(n), velocity(n), acceleration(n) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    recording.time.resize(n);
    recording.position = recording.velocity = MatrixXd(1, n);
    recording.effort = MatrixXd::Zero(1, n);
    for (int k = 0; k < n; ++k) {
      const double t = dt * k;
      recording.time[k] = 1.7e9 + t;  // seconds since 1970
      position[k] = 0.8 * std::sin(4 * t) + 0.3 * std::cos(9 * t);
      velocity[k] = 3.2 * std::cos(4 * t) - 2.7 * std::sin(9 * t);
      acceleration[k] = -12.8 * std::sin(4 * t) - 24.3 * std::cos(9 * t);
      recording.position(0, k) = position[k] + position_std * normal(random);
      recording.velocity(0, k) = velocity[k] + velocity_std * normal(random);
      if (holes && k % 3 == 1) recording.position(0, k) = missing;
      if (holes && k % 4 == 1) recording.velocity(0, k) = missing;
    }
  }
};

double rms(const VectorXd& values) {
  return std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
}

VectorXd one(double value) {
  return VectorXd::Constant(1, value);
}

}  // namespace

BOOST_AUTO_TEST_CASE(smooth_motion_recovers_a_known_motion) {
  for (const bool holes : {false, true}) {
    const Sine sine(2000, 0.005, 1e-4, 1e-2, holes);
    const MotionGuess found = smooth_motion(sine.recording, one(1e-4), one(1e-2));
    // Better than the sensors, and an acceleration to 1 % of its size (19.4) without any sensor for
    // it.
    BOOST_TEST(rms(found.position.row(0).transpose() - sine.position) < 1e-4);
    BOOST_TEST(rms(found.velocity.row(0).transpose() - sine.velocity) < 5e-3);
    BOOST_TEST(rms(found.acceleration.row(0).transpose() - sine.acceleration) < 0.2);
  }
}

BOOST_AUTO_TEST_CASE(smooth_motion_does_not_need_velocities_or_the_right_noise) {
  Sine sine(2000, 0.005, 1e-4, 1e-2, false);
  sine.recording.velocity.setConstant(missing);
  for (const double configured : {1e-6, 1e-4, 1e-2}) {
    const MotionGuess found = smooth_motion(sine.recording, one(configured), one(1e-2));
    BOOST_TEST(rms(found.acceleration.row(0).transpose() - sine.acceleration) < 0.6);
  }
}

BOOST_AUTO_TEST_CASE(smooth_motion_unwraps_angles) {
  const int n = 800;
  Recording recording;
  recording.time = VectorXd::LinSpaced(n, 0, 8);
  recording.position = recording.velocity = MatrixXd(1, n);
  for (int k = 0; k < n; ++k) {
    recording.position(0, k) = std::remainder(3 * recording.time[k], 2 * M_PI);
    recording.velocity(0, k) = 3;
  }
  for (const bool has_velocity : {true, false}) {
    if (!has_velocity) recording.velocity.setConstant(missing);
    const MotionGuess found = smooth_motion(recording, one(1e-4), one(1e-2));
    BOOST_TEST((found.velocity.array() - 3).abs().maxCoeff() < 1e-3);
    BOOST_TEST((found.position.row(0) - 3 * recording.time.transpose()).cwiseAbs().maxCoeff() <
               1e-4);
  }
}

BOOST_AUTO_TEST_CASE(smooth_motion_stays_finite_on_odd_logs) {
  Recording still;
  still.time = VectorXd::LinSpaced(100, 0, 1);
  still.position = MatrixXd::Constant(1, 100, 0.7);
  still.velocity = MatrixXd::Zero(1, 100);
  const MotionGuess at_rest = smooth_motion(still, one(1e-4), one(1e-2));
  BOOST_TEST((at_rest.position.array() - 0.7).abs().maxCoeff() < 1e-9);
  BOOST_TEST(at_rest.acceleration.cwiseAbs().maxCoeff() < 1e-6);

  still.position.setConstant(missing);
  still.velocity.setConstant(missing);
  BOOST_TEST(smooth_motion(still, one(1e-4), one(1e-2)).acceleration.allFinite());

  Recording steps = still;  // a quantised encoder that jumps
  for (int k = 0; k < 100; ++k) steps.position(0, k) = 1e-3 * std::floor(k / 10.0);
  BOOST_TEST(smooth_motion(steps, one(1e-4), one(1e-2)).acceleration.allFinite());

  Recording few;
  few.time = VectorXd::LinSpaced(3, 0, 0.01);
  few.position = MatrixXd::Constant(1, 3, 1.0);
  few.velocity = MatrixXd::Constant(1, 3, missing);
  BOOST_TEST(smooth_motion(few, one(1e-4), one(1e-2)).acceleration.allFinite());
}

}  // namespace bayesid
