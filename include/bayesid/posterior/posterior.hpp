// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bayesid/parameters/parameter_set.hpp"
#include "bayesid/solver/solve.hpp"

namespace bayesid {

/// A number with its error bar, before and after the data.
struct Estimate {
  std::string name;
  double prior = 0, prior_std = 0;  // prior_std 0: fixed
  double value = 0, std = 0;
  double seen = 0;  // share of the prior variance that the data removed, 0…1
};

/// What is known after the data.
struct Posterior {
  std::vector<Estimate> parameters;  // estimation coordinates, fixed ones included
  std::vector<Estimate> physical;    // what people read
  std::vector<std::string> names;    // of theta_cov
  Eigen::MatrixXd theta_cov;
  int rank =
      0;  // number of combinations of parameters that the data determine better than the prior
};

/// Share of the prior variance below which the data determine nothing.
inline constexpr double least_determined = 0.1;

/// Names of the free ones among them that the data do not determine.
std::vector<std::string> names_not_determined(const std::vector<Estimate>& estimates);

Posterior make_posterior(const ParameterSet& parameters, const Solution& solution);

}  // namespace bayesid
