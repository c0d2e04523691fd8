// SPDX-License-Identifier: BSD-3-Clause
// Error bars of predicted efforts: what errors of the smoothed motion do to them.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bayesid/posterior.hpp"
#include "support/identification.hpp"
#include "support/legged.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A simulated log and its smoothed motion, the truth known.
struct Log {
  test::Identification from;
  SmoothedMotion smoothed;

  explicit Log(test::Identification identification) : from(std::move(identification)) {
    smoothed = smooth_motion_with_cov(robot(), recording(), problem().noise(), timeline());
  }
  const RobotProblem& problem() const { return *from.problem; }
  const Robot& robot() const { return problem().dynamics().robot(); }
  const Recording& recording() const { return problem().recordings()[0]; }
  const Timeline& timeline() const { return problem().timeline(0); }
  MatrixXd predicted(const MotionGuess& motion) const {
    return predict_effort(problem().dynamics(), from.truth, motion, recording(), timeline());
  }
  MatrixXd std(const MotionCov& cov, const VectorXd& effort_std) const {
    const MatrixXd prediction = predicted(smoothed.motion);
    const Index n = problem().dynamics().nzeta();
    const MatrixXd known = MatrixXd::Zero(n, n);
    return effort_std_of({.motion = smoothed.motion,
                          .motion_cov = cov,
                          .predicted = prediction,
                          .recording = recording(),
                          .timeline = timeline(),
                          .zeta_cov = known,
                          .effort_std = effort_std});
  }

 private:
  MatrixXd effort_std_of(const EffortStdSources& sources) const {
    return effort_std(problem().dynamics(), from.truth, sources);
  }
};

Log arm() {
  test::IdentificationOptions options = test::arm_options();
  options.simulation.duration = 2;
  return Log(test::make_identification(test::panda_config(), options, 3));
}

Log four_bar() {
  Config config = read_config(std::string(BAYESID_SOURCE) + "/data/models/four_bar_leg.yaml");
  config.simulation.duration = 1;
  return Log(test::make_identification(config, 0.1));
}

Log quadruped() {
  return Log(test::make_identification(test::with_gait(test::standing_anymal(), "stand"), 0.1));
}

/// A variance of one coordinate alone makes an error bar of |slope| · std.
void check_slopes(const Log& log, double tolerance) {
  const Index n = log.recording().time.size(), nv = log.robot().nv();
  const int first = log.robot().base_nv();
  constexpr int place[3] = {0, 3, 5};
  constexpr double step[3] = {1e-6, 1e-6, 1e-4};
  const VectorXd exact;
  for (int j = first; j < nv; ++j) {
    for (int order = 0; order < 3; ++order) {
      MotionCov cov{.joints = MatrixXd::Zero(6 * nv, n), .base = {}};
      cov.joints.row(6 * j + place[order]).setOnes();
      const MatrixXd analytic = log.std(cov, exact);
      MotionGuess more = log.smoothed.motion, less = more;
      MatrixXd MotionGuess::* part = order == 0   ? &MotionGuess::position
                                     : order == 1 ? &MotionGuess::velocity
                                                  : &MotionGuess::acceleration;
      (more.*part).row(j).array() += step[order];
      (less.*part).row(j).array() -= step[order];
      const MatrixXd numeric =
          ((log.predicted(more) - log.predicted(less)) / (2 * step[order])).cwiseAbs();
      const Index shown = n - 1;  // the last sample has no stage
      const double error = (analytic - numeric).leftCols(shown).cwiseAbs().maxCoeff();
      const double size = numeric.leftCols(shown).maxCoeff();
      BOOST_TEST(error < tolerance * size + 1e-9,
                 "coordinate " << j << ", derivative " << order << ": " << error << " of " << size);
    }
  }
}

/// Root mean square of what is left, in standard deviations, and the share within two.
struct Coverage {
  double rms = 0, share = 0;
};
Coverage coverage(const Log& log, const MotionCov& cov) {
  const MatrixXd left = log.recording().effort - log.predicted(log.smoothed.motion);
  const MatrixXd std = log.std(cov, log.problem().noise().effort);
  double squares = 0, within = 0, count = 0;
  for (Index k = 0; k + 1 < left.cols(); ++k) {
    for (Index j = log.robot().base_nv(); j < left.rows(); ++j) {
      if (!(std(j, k) > 0) || std::isnan(left(j, k))) continue;
      squares += std::pow(left(j, k) / std(j, k), 2);
      within += std::abs(left(j, k)) < 2 * std(j, k) ? 1 : 0;
      count += 1;
    }
  }
  return {std::sqrt(squares / count), within / count};
}

/// Root mean square error of the smoothed position, velocity and acceleration of the joints, in
/// standard deviations; of a stage the acceleration is that in its middle.
Eigen::Vector3d motion_error(const Log& log) {
  const Simulation& truth = log.from.simulations[0];
  const MotionGuess& motion = log.smoothed.motion;
  const Index first = log.robot().base_nv(), n = truth.acceleration.cols();
  const auto joints = [&](const MatrixXd& of) { return of.bottomRows(of.rows() - first); };
  const auto std = [&](int place) {
    MatrixXd out(motion.position.rows() - first, motion.position.cols());
    for (Index j = 0; j < out.rows(); ++j)
      out.row(j) = log.smoothed.cov.joints.row(6 * (first + j) + place).cwiseSqrt();
    return out;
  };
  const auto rms = [](const MatrixXd& error, const MatrixXd& by) {
    return error.cwiseQuotient(by.leftCols(error.cols())).norm() /
           std::sqrt(static_cast<double>(error.size()));
  };
  const MatrixXd middle =
      0.5 * (motion.acceleration.leftCols(n - 1) + motion.acceleration.middleCols(1, n - 1));
  return {rms(joints(motion.position - truth.position), std(0)),
          rms(joints(motion.velocity - truth.velocity), std(3)),
          rms(joints(middle - truth.acceleration.leftCols(n - 1)), std(5))};
}

void check_coverage(const char* name, const Log& log) {
  BOOST_TEST_MESSAGE(name << ": errors of q, v, a in σ " << motion_error(log).transpose());
  MotionCov none = log.smoothed.cov;
  none.joints.setZero();
  none.base.setZero();
  const Coverage before = coverage(log, none), after = coverage(log, log.smoothed.cov);
  BOOST_TEST_MESSAGE(name << ": without errors of the motion " << before.rms << " σ rms, "
                          << 100 * before.share << " % within 2σ; with them " << after.rms << ", "
                          << 100 * after.share << " %");
  BOOST_TEST_CONTEXT(name) {
    BOOST_TEST(after.share > 0.93);
    BOOST_TEST(after.rms < 1.2);
    BOOST_TEST(after.rms > 0.5);  // the std of accelerations of smooth motions is too large
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(error_bars_of_efforts_have_the_slopes_of_the_prediction) {
  check_slopes(arm(), 1e-5);
}

BOOST_AUTO_TEST_CASE(error_bars_of_efforts_have_the_slopes_of_the_prediction_in_a_loop) {
  // What an error of the position does to the velocity is left out.
  check_slopes(four_bar(), 0.05);
}

BOOST_AUTO_TEST_CASE(what_is_left_of_efforts_lies_within_its_error_bars) {
  check_coverage("arm", arm());
  check_coverage("four-bar", four_bar());
  check_coverage("quadruped", quadruped());
}

}  // namespace bayesid
