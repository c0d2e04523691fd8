// SPDX-License-Identifier: BSD-3-Clause
#include "report/friction_curves.hpp"

#include <algorithm>
#include <cmath>

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr Index num_speeds = 101;
constexpr Index most_points = 4000;  // of a cloud

/// Dense where friction bends: cubes of even steps.
VectorXd speeds_up_to(double fastest) {
  VectorXd out(num_speeds);
  for (Index i = 0; i < num_speeds; ++i) {
    const double share = 2.0 * static_cast<double>(i) / static_cast<double>(num_speeds - 1) - 1;
    out[i] = fastest * share * share * share;
  }
  return out;
}

double fastest_of(const Drive& drive, const std::vector<EffortPrediction>& predictions) {
  double out = 0;
  for (const EffortPrediction& one : predictions) {
    if (one.motion.velocity.cols() == 0) continue;
    out = std::max(out, (drive.row * one.motion.velocity).cwiseAbs().maxCoeff());
  }
  return out > 0 ? out : 1;
}

/// r_d e / |r_d|²: the share of unexplained efforts that this drive can make.
double along(const Drive& drive, const VectorXd& unexplained) {
  return drive.row.dot(unexplained) / drive.row.squaredNorm();
}

}  // namespace

std::vector<FrictionCurve> make_friction_curves(const ParameterSet& parameters,
                                                const VectorXd& theta, const MatrixXd& theta_cov,
                                                const std::vector<EffortPrediction>& predictions) {
  const PhysicalParameters before = parameters.physical(parameters.prior());
  const PhysicalParameters after = parameters.physical(theta);
  const MatrixXd deta_dtheta = parameters.physical_jacobian(theta);
  std::vector<FrictionCurve> out;
  for (Index d = 0; d < after.gamma.cols(); ++d) {
    if (after.gamma.col(d).isZero(0) && before.gamma.col(d).isZero(0)) continue;
    const Drive& drive = parameters.drives()[d];
    const MatrixXd J = deta_dtheta.middleRows(parameters.layout().gamma(static_cast<int>(d)), 6);
    const MatrixXd gamma_cov = J * theta_cov * J.transpose();
    FrictionCurve& curve = out.emplace_back();
    curve.drive = drive.name;
    curve.speed = speeds_up_to(fastest_of(drive, predictions));
    curve.prior = curve.value = curve.std = VectorXd(num_speeds);
    for (Index i = 0; i < num_speeds; ++i) {
      const Friction here = friction(curve.speed[i], after.gamma.col(d));
      curve.prior[i] = friction(curve.speed[i], before.gamma.col(d)).tau;
      curve.value[i] = here.tau;
      const double variance = here.dtau_dgamma.dot(gamma_cov * here.dtau_dgamma);
      curve.std[i] = std::sqrt(std::max(0.0, variance));
    }
  }
  return out;
}

std::vector<FrictionCloud> make_friction_clouds(const RobotProblem& problem, const VectorXd& theta,
                                                const std::vector<EffortPrediction>& predictions) {
  const ParameterSet& parameters = problem.dynamics().parameters();
  const PhysicalParameters eta = parameters.physical(theta);
  Index num_samples = 0;
  for (const EffortPrediction& one : predictions) num_samples += one.identified.cols();
  const Index every = 1 + num_samples / most_points;
  std::vector<FrictionCloud> out;
  for (Index d = 0; d < eta.gamma.cols(); ++d) {
    const Drive& drive = parameters.drives()[d];
    const bool is_driven = (drive.row.transpose().array() != 0 && eta.gain.array() != 0).any();
    if (eta.gamma.col(d).isZero(0) || !is_driven) continue;
    std::vector<double> speed, effort;
    for (size_t t = 0; t < predictions.size(); ++t) {
      const EffortPrediction& one = predictions[t];
      for (Index k = 0; k < one.identified.cols(); k += every) {
        const VectorXd unexplained =
            eta.gain.cwiseProduct(problem.recordings()[t].effort.col(k) - one.identified.col(k));
        speed.push_back(drive.row.dot(one.motion.velocity.col(k)));
        effort.push_back(friction(speed.back(), eta.gamma.col(d)).tau + along(drive, unexplained));
      }
    }
    out.push_back({drive.name, Eigen::Map<VectorXd>(speed.data(), std::ssize(speed)),
                   Eigen::Map<VectorXd>(effort.data(), std::ssize(effort))});
  }
  return out;
}

}  // namespace bayesid
