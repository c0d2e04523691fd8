// SPDX-License-Identifier: BSD-3-Clause
#include "support/calibration.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "bayesid/posterior/posterior.hpp"
#include "bayesid/solver/solve.hpp"
#include "support/identification.hpp"

namespace bayesid::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Calibration calibrate(unsigned first, int count) {
  Calibration out;
  const Config config = two_joint_config();
  for (unsigned seed = first; seed < first + static_cast<unsigned>(count); ++seed) {
    const Identification identification = make_identification(config, two_joint_options(), seed);
    const Solution solution = solve(*identification.problem, {});
    ++out.num_logs;
    if (!solution.converged()) continue;
    ++out.num_converged;
    // Error of the combinations that the stages see, in units of their posterior covariance.
    const Dynamics& dynamics = *identification.dynamics;
    const MatrixXd jacobian = dynamics.dzeta_dtheta(solution.point.theta);
    const MatrixXd zeta_cov = jacobian * solution.theta_cov * jacobian.transpose();
    const VectorXd error = dynamics.zeta(solution.point.theta) - dynamics.zeta(identification.truth);
    const VectorXd scale = zeta_cov.diagonal().cwiseSqrt();
    const MatrixXd correlation = scale.cwiseInverse().asDiagonal() * zeta_cov * scale.cwiseInverse().asDiagonal();
    out.dimension = dynamics.nzeta();
    const VectorXd scaled = error.cwiseQuotient(scale);
    out.normalised_error += scaled.dot(correlation.ldlt().solve(scaled));

    const Posterior posterior = make_posterior(dynamics.parameters(), solution);
    const std::vector<PhysicalValue> truth = dynamics.parameters().values(identification.truth);
    for (size_t i = 0; i < truth.size(); ++i) {
      const Estimate& estimate = posterior.physical[i];
      if (estimate.seen < 0.99) continue;
      ++out.num_intervals;
      out.num_covered += std::abs(estimate.value - truth[i].value) < 1.959964 * estimate.std ? 1 : 0;
    }
  }
  out.normalised_error /= std::max(1, out.num_converged);
  return out;
}

}  // namespace bayesid::test
