// SPDX-License-Identifier: BSD-3-Clause
#include "support/calibration.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "bayesid/solve.hpp"
#include "support/identification.hpp"

namespace bayesid::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Calibration calibrate(unsigned first, int count, const std::string& parametrisation) {
  Calibration out;
  Config config = two_joint_config();
  config.parameters.inertia->parametrisation = parametrisation;
  for (unsigned seed = first; seed < first + static_cast<unsigned>(count); ++seed) {
    const Identification identification = make_identification(config, two_joint_options(), seed);
    const Solution solution = solve(*identification.problem, {});
    ++out.num_logs;
    if (!solution.converged()) continue;
    ++out.num_converged;
    // Error of the identifiable combinations, in units of their posterior covariance.
    const Dynamics& dynamics = *identification.dynamics;
    const MatrixXd jacobian = dynamics.dzeta_dtheta(solution.point.theta);
    const MatrixXd zeta_cov = jacobian * solution.theta_cov * jacobian.transpose();
    const VectorXd error =
        dynamics.zeta(solution.point.theta) - dynamics.zeta(identification.truth);
    const VectorXd scale = zeta_cov.diagonal().cwiseSqrt();
    const MatrixXd correlation =
        scale.cwiseInverse().asDiagonal() * zeta_cov * scale.cwiseInverse().asDiagonal();
    out.dimension = dynamics.nzeta();
    const VectorXd scaled = error.cwiseQuotient(scale);
    out.normalised_error += scaled.dot(correlation.ldlt().solve(scaled));

    const VectorXd precision =
        identification.problem->space().prior_std().cwiseAbs2().cwiseInverse();
    const std::vector<PhysicalValue> truth = dynamics.parameters().values(identification.truth);
    const std::vector<PhysicalValue> found = dynamics.parameters().values(solution.point.theta);
    for (size_t i = 0; i < truth.size(); ++i) {
      // Σ = Σ D Σ + Σ P Σ splits the variance into what data noise and what the prior contribute.
      const VectorXd spread = solution.theta_cov * found[i].dvalue_dtheta.transpose();
      const double variance = found[i].dvalue_dtheta.dot(spread);
      const double from_prior = spread.cwiseAbs2().dot(precision);
      if (variance == 0 || from_prior > 0.05 * variance) continue;
      ++out.num_intervals;
      out.num_covered +=
          std::abs(found[i].value - truth[i].value) < 1.959964 * std::sqrt(variance) ? 1 : 0;
    }
  }
  out.normalised_error /= std::max(1, out.num_converged);
  return out;
}

}  // namespace bayesid::test
