// SPDX-License-Identifier: BSD-3-Clause
// Synthetic residuals: every suspect is found and named, white noise is not.
#define BOOST_TEST_DYN_LINK
#include "posterior/residual_sources.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "posterior/held_out_fit.hpp"
#include "posterior/payload_columns.hpp"
#include "posterior/residual_suspects.hpp"
#include "support/scene.hpp"

namespace bayesid::posterior {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double noise = 0.1;  // N·m

VectorXd white(Index n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  VectorXd out(n);
  for (double& one : out) one = normal(random);
  return out;
}

/// Sums of sines, as exciting motions are, and white residuals.
ResidualSamples make_samples(unsigned seed, Index n = 4000, double dt = 0.005) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> phase(0, 2 * std::numbers::pi);
  const VectorXd t = VectorXd::LinSpaced(n, 0, dt * static_cast<double>(n - 1));
  const auto motion = [&](VectorXd& q, VectorXd& v, VectorXd& a) {
    q = v = a = VectorXd::Zero(n);
    for (int k = 1; k <= 5; ++k) {
      const double rate = 2 * std::numbers::pi * 0.1 * k, size = 1.2 / k, shift = phase(random);
      const Eigen::ArrayXd angle = rate * t.array() + shift;
      q += VectorXd(size * angle.sin());
      v += VectorXd(size * rate * angle.cos());
      a -= VectorXd(size * rate * rate * angle.sin());
    }
  };
  ResidualSamples out{.joint = "joint1", .unit = "N·m", .angle_unit = "rad"};
  motion(out.angle, out.speed, out.acceleration);
  out.time = t;
  out.predicted = 8 * out.angle.array().sin() + 0.5 * out.acceleration.array() +
                  0.4 * (20 * out.speed).array().tanh();
  out.nominal = out.predicted;
  out.others = {"joint2", "joint3"};
  out.other_angles.resize(n, 2);
  VectorXd q, v, a;
  for (Index i = 0; i < 2; ++i) {
    motion(q, v, a);
    out.other_angles.col(i) = q;
  }
  // A planar arm of two joints.
  const Eigen::ArrayXd tip = out.angle + out.other_angles.col(0);
  out.payload.resize(n, 4);
  out.payload << out.angle.array().cos(), tip.cos(), tip.sin(), MatrixXd::Zero(n, 1);
  out.residual = noise * white(n, random);
  out.expected_std = VectorXd::Constant(n, noise);
  return out;
}

JointResidual locate(ResidualSamples samples, const VectorXd& error) {
  samples.residual += error;
  samples.runs = {{samples.time[1] - samples.time[0], samples.residual, samples.speed}};
  return locate_sources(samples);
}

const ModelErrorFinding& only(const JointResidual& from) {
  BOOST_REQUIRE(!from.findings.empty());
  for (const ModelErrorFinding& one : from.findings)
    BOOST_TEST_MESSAGE(one.kind << " " << one.share << ": " << one.text << "; " << one.next);
  BOOST_TEST(from.findings.size() == 1u);
  return from.findings[0];
}

double share_of(const JointResidual& from, const std::string& variable) {
  for (const ResidualDependence& one : from.dependences) {
    if (one.variable == variable) return one.share;
  }
  return -1;
}

/// Share of the mean square that an error has beside the noise.
double true_share(const VectorXd& error) {
  const double own = error.squaredNorm() / static_cast<double>(error.size());
  return own / (own + noise * noise);
}

/// Residuals with one error, and what is found.
void check_found(const std::string& kind,
                 const std::function<VectorXd(const ResidualSamples&)>& error) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const ResidualSamples samples = make_samples(seed);
    const VectorXd added = error(samples);
    const JointResidual found = locate(samples, added);
    BOOST_TEST_CONTEXT(kind << ", seed " << seed) {
      const ModelErrorFinding& one = only(found);
      BOOST_TEST(one.kind == kind);
      BOOST_TEST(std::abs(one.share - true_share(added)) < 0.15);
      BOOST_TEST(!one.text.empty());
      BOOST_TEST(!one.next.empty());
    }
  }
}

int count_false_alarms(Index n, int num_logs) {
  int out = 0;
  for (int seed = 0; seed < num_logs; ++seed) {
    const JointResidual found = locate(make_samples(1000 + seed, n), VectorXd::Zero(n));
    if (!found.findings.empty()) {
      ++out;
      BOOST_TEST_MESSAGE(n << " samples: " << found.findings[0].text << " "
                           << found.findings[0].share);
    }
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(residual_sources_white_noise_gives_no_finding) {
  // Below 1 %: at most one.
  BOOST_TEST(count_false_alarms(400, 150) <= 1);
  BOOST_TEST(count_false_alarms(4000, 20) == 0);
}

BOOST_AUTO_TEST_CASE(residual_sources_white_noise_gives_no_finding_in_many_logs,
                     *boost::unit_test::label("slow")) {
  for (const Index n : {200, 400, 1000, 4000}) {
    constexpr int num_logs = 600;
    const int alarms = count_false_alarms(n, num_logs);
    BOOST_TEST_MESSAGE(n << " samples: " << alarms << " of " << num_logs);
    BOOST_TEST(100 * alarms < num_logs, n << " samples: " << alarms);
  }
}

/// Noise with a correlation of 0.9 from sample to sample: 19 samples tell as much as one.
BOOST_AUTO_TEST_CASE(residual_sources_coloured_noise_gives_no_finding_in_long_logs,
                     *boost::unit_test::label("slow")) {
  int alarms = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    ResidualSamples samples = make_samples(seed);
    for (Index k = 1; k < samples.size(); ++k) samples.residual[k] += 0.9 * samples.residual[k - 1];
    alarms += locate(samples, VectorXd::Zero(samples.size())).findings.empty() ? 0 : 1;
  }
  BOOST_TEST(alarms < 2);
}

BOOST_AUTO_TEST_CASE(residual_sources_ripple_has_its_periods_and_amplitude) {
  for (const double periods : {8.0, 24.0, 101.0}) {
    for (unsigned seed = 1; seed <= 2; ++seed) {
      const ResidualSamples samples = make_samples(seed);
      const VectorXd error = 0.2 * (periods * samples.angle.array() + 0.4).sin();
      const ModelErrorFinding one = only(locate(samples, error));
      BOOST_TEST(one.kind == "ripple");
      BOOST_TEST(std::abs(one.numbers.at("periods_per_turn") - periods) < 0.1);
      BOOST_TEST(std::abs(one.size - 0.2) < 0.02);
      BOOST_TEST(std::abs(one.share - true_share(error)) < 0.05);
    }
  }
}

BOOST_AUTO_TEST_CASE(residual_sources_ripple_of_a_slide_is_counted_by_metre) {
  ResidualSamples samples = make_samples(3);
  samples.angle_unit = "m";
  samples.unit = "N";
  samples.angle *= 0.2;
  const VectorXd error = 0.2 * (2 * std::numbers::pi * 50 * samples.angle.array()).sin();
  const ModelErrorFinding one = only(locate(samples, error));
  BOOST_TEST(one.kind == "ripple");
  BOOST_TEST(std::abs(one.numbers.at("periods_per_metre") - 50) < 0.2);
}

BOOST_AUTO_TEST_CASE(residual_sources_resonance_has_its_frequency) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const ResidualSamples samples = make_samples(seed, 8000);
    // A lightly damped spring that noise excites: 22 Hz, 2 % damping.
    std::mt19937 random(seed + 50);
    const VectorXd push = white(samples.size(), random);
    const double dt = 0.005, rate = 2 * std::numbers::pi * 22, radius = std::exp(-0.02 * rate * dt);
    VectorXd error = VectorXd::Zero(samples.size());
    for (Index k = 2; k < error.size(); ++k)
      error[k] = 2 * radius * std::cos(rate * dt) * error[k - 1] - radius * radius * error[k - 2] +
                 0.03 * push[k];
    const ModelErrorFinding one = only(locate(samples, error));
    BOOST_TEST(one.kind == "elasticity");
    BOOST_TEST(std::abs(one.numbers.at("frequency") - 22) < 0.5);
    BOOST_TEST(std::abs(one.share - true_share(error)) < 0.2);
  }
}

BOOST_AUTO_TEST_CASE(residual_sources_stribeck_is_friction_at_low_speed) {
  check_found("stribeck", [](const ResidualSamples& one) {
    const Eigen::ArrayXd v = one.speed.array();
    return VectorXd(0.4 * ((100 * v).tanh() - (8 * v).tanh()));
  });
}

BOOST_AUTO_TEST_CASE(residual_sources_wrong_friction_is_named) {
  check_found("friction", [](const ResidualSamples& one) {
    const Eigen::ArrayXd v = one.speed.array();
    return VectorXd(0.1 * (50 * v).tanh() + 0.1 * v);
  });
  check_found("direction", [](const ResidualSamples& one) {
    return VectorXd(0.2 * (one.speed.array().abs() - one.speed.array().abs().mean()));
  });
}

BOOST_AUTO_TEST_CASE(residual_sources_drifts_are_named) {
  check_found("friction_drift", [](const ResidualSamples& one) {
    return VectorXd((50 * one.speed.array()).tanh() * (0.2 - 0.02 * one.time.array()));
  });
  check_found("drift",
              [](const ResidualSamples& one) { return VectorXd(0.2 - 0.02 * one.time.array()); });
}

BOOST_AUTO_TEST_CASE(residual_sources_offset_gain_and_inertia_are_named) {
  check_found("offset", [](const ResidualSamples& one) {
    return VectorXd(VectorXd::Constant(one.size(), 0.15));
  });
  check_found("gain", [](const ResidualSamples& one) { return VectorXd(0.1 * one.predicted); });
  check_found("ratio", [](const ResidualSamples& one) { return VectorXd(-0.5 * one.predicted); });
  check_found("inertia",
              [](const ResidualSamples& one) { return VectorXd(0.05 * one.acceleration); });
}

/// Measured is nothing but noise, the prediction nothing but errors of the motion.
BOOST_AUTO_TEST_CASE(residual_sources_errors_of_the_motion_are_no_gain) {
  ResidualSamples samples = make_samples(2);
  std::mt19937 random(21);
  samples.acceleration = 5 * white(samples.size(), random);
  samples.acceleration_std = VectorXd::Constant(samples.size(), 5.0);
  samples.predicted = 0.2 * samples.acceleration;
  samples.nominal = samples.predicted;
  samples.expected_std.setConstant(1);
  const VectorXd error = -samples.predicted;
  BOOST_TEST(locate(samples, error).findings.empty());
}

BOOST_AUTO_TEST_CASE(residual_sources_wrong_sign_is_named_alone) {
  check_found("sign", [](const ResidualSamples& one) { return VectorXd(-2 * one.predicted); });
}

BOOST_AUTO_TEST_CASE(residual_sources_cable_payload_and_coupling_are_named) {
  check_found("cable", [](const ResidualSamples& one) {
    const Eigen::ArrayXd curve = 0.1 * one.angle.array().square() * one.angle.array().sign();
    return VectorXd(curve - curve.mean());
  });
  check_found("gravity", [](const ResidualSamples& one) {
    return VectorXd(0.1 * one.payload.col(0) + 0.2 * one.payload.col(1));
  });
  check_found("coupling",
              [](const ResidualSamples& one) { return VectorXd(0.15 * one.other_angles.col(1)); });
}

BOOST_AUTO_TEST_CASE(residual_sources_two_errors_are_told_apart) {
  const ResidualSamples samples = make_samples(4);
  const VectorXd error =
      0.2 * (24 * samples.angle.array()).sin() + 0.3 * (50 * samples.speed.array()).tanh();
  const JointResidual found = locate(samples, error);
  BOOST_REQUIRE(found.findings.size() == 2u);
  BOOST_TEST(found.findings[0].kind == "friction");
  BOOST_TEST(found.findings[1].kind == "ripple");
  BOOST_TEST(share_of(found, "ripple") > 0.1);
  BOOST_TEST(!found.is_white.value_or(true));
  BOOST_TEST(std::ranges::count(found.curves, "phase", &BinnedCurve::variable) == 1);
}

BOOST_AUTO_TEST_CASE(residual_sources_curves_are_means_over_all_samples) {
  const ResidualSamples samples = make_samples(5);
  const JointResidual found = locate(samples, VectorXd::Zero(samples.size()));
  BOOST_TEST(found.is_white.value_or(false));
  BOOST_REQUIRE(found.curves.size() == 3u);
  for (const BinnedCurve& one : found.curves) {
    double count = 0, sum = 0;
    for (Index i = 0; i < one.at.size(); ++i) {
      count += one.counts[i];
      sum += one.counts[i] * one.mean[i];
    }
    BOOST_TEST(count == static_cast<double>(samples.size()));
    BOOST_TEST(std::abs(sum / count - samples.residual.mean()) < 1e-12);
  }
  BOOST_TEST(found.spectra.size() == 2u);
}

BOOST_AUTO_TEST_CASE(residual_sources_short_and_still_logs_give_curves_alone) {
  const ResidualSamples samples = make_samples(6, 50);
  BOOST_TEST(locate(samples, VectorXd::Zero(50)).findings.empty());
  ResidualSamples still = make_samples(7, 400);
  still.angle.setConstant(0.5);
  still.speed.setZero();
  still.acceleration.setZero();
  still.predicted.setConstant(2);
  still.nominal = still.predicted;
  still.payload.setConstant(1);
  still.other_angles.setZero();
  BOOST_TEST(locate(still, VectorXd::Zero(400)).findings.empty());
}

BOOST_AUTO_TEST_CASE(residual_sources_one_joint_of_several_carries_no_payload) {
  const ResidualSamples samples = make_samples(8);
  const VectorXd error = 0.3 * samples.payload.col(1);
  const JointResidual loaded = locate(samples, error);
  const JointResidual free = locate(make_samples(9), VectorXd::Zero(samples.size()));
  std::vector<JointResidual> both{loaded, loaded}, one{loaded, free};
  const std::vector<ResidualSamples> of_both{samples, samples};
  judge_payload(both, of_both);
  judge_payload(one, of_both);
  BOOST_TEST(both[0].findings[0].kind == "gravity");
  BOOST_TEST(one[0].findings[0].kind == "cable");
}

BOOST_AUTO_TEST_CASE(payload_columns_are_the_gravity_of_a_mass_on_the_last_link) {
  // Efforts that hold the robot, with and without a mass on the last link.
  const Robot robot = read_robot(test::panda_config().model);
  PayloadColumns columns(robot);
  std::mt19937 random(2);
  const VectorXd angles = white(robot.nv(), random);
  const VectorXd q = make_configuration(robot, angles);
  const MatrixXd here = columns.at(q);
  BOOST_TEST(here.rows() == robot.nv());
  const std::vector<Index> own = columns.columns_of(0);
  BOOST_REQUIRE(!own.empty());
  // The potential energy of a mass m at c of the last body: its slope in each joint is the effort.
  Kinematics kinematics(robot);
  const int body = robot.links.back().body;
  const Eigen::Vector3d c(0.1, -0.2, 0.3);
  const auto potential = [&](const VectorXd& at) {
    const FramePose pose =
        kinematics.pose(make_configuration(robot, at),
                        {body, Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero()});
    return -1.5 * robot.gravity().dot(pose.translation + pose.rotation * c);
  };
  Eigen::Vector4d load;
  load << 1.5, 1.5 * c;
  const VectorXd efforts = here.rightCols(4) * load;
  for (Index j = 0; j < robot.nv(); ++j) {
    const VectorXd step = 1e-6 * VectorXd::Unit(robot.nv(), j);
    const double slope = (potential(angles + step) - potential(angles - step)) / 2e-6;
    BOOST_TEST(std::abs(efforts[j] - slope) < 1e-6);
  }
}

}  // namespace bayesid::posterior
