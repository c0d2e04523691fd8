// SPDX-License-Identifier: BSD-3-Clause
// The posterior of an earlier run as prior.                        docs/math/parameters.md (20)
#include "blocks/earlier_result.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bayesid/error.hpp"
#include "blocks/choice.hpp"

namespace bayesid::blocks {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

struct EarlierResult {
  std::vector<std::string> names;
  VectorXd mean;
  MatrixXd cov;
};

EarlierResult read_result(const Config& config) {
  const std::string& file = config.parameters.prior_from;
  const std::string place = key_location(config, "parameters.prior_from");
  std::ifstream stream(file);
  if (!stream) throw InputError(place + ": cannot read " + file);
  const nlohmann::json json = nlohmann::json::parse(stream, nullptr, false);
  EarlierResult out;
  try {
    const nlohmann::json& covariance = json.at("covariance");
    out.names = covariance.at("names").get<std::vector<std::string>>();
    const auto n = static_cast<Eigen::Index>(out.names.size());
    out.mean.resize(n);
    out.cov.resize(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      out.mean[i] = json.at("parameters").at(out.names[i]).at("value").get<double>();
      for (Eigen::Index j = 0; j < n; ++j)
        out.cov(i, j) = covariance.at("matrix").at(i).at(j).get<double>();
    }
  } catch (const nlohmann::json::exception&) {
    throw InputError(place + ": " + file + " is no result.json of bayesid");
  }
  if (!out.mean.allFinite() || !out.cov.allFinite() || (out.cov.diagonal().array() < 0).any())
    throw InputError(place + ": the covariance in " + file + " is not finite");
  return out;
}

/// Inverse of a covariance; directions without variance (equalities held in the earlier run) keep a
/// millionth of the standard deviations around them.
MatrixXd inverse_of(const MatrixXd& cov) {
  const VectorXd scale = cov.diagonal().cwiseSqrt().cwiseMax(1e-300);
  const VectorXd unit = scale.cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(unit.asDiagonal() * cov * unit.asDiagonal());
  const VectorXd values = eigen.eigenvalues().cwiseMax(1e-12);
  const MatrixXd vectors = unit.asDiagonal() * eigen.eigenvectors();
  return vectors * values.cwiseInverse().asDiagonal() * vectors.transpose();
}

}  // namespace

void take_earlier_result(const Config& config, ParameterList& list) {
  if (config.parameters.prior_from.empty()) return;
  const EarlierResult earlier = read_result(config);
  int found = 0;
  for (std::size_t k = 0; k < earlier.names.size(); ++k) {
    const int i = list.find(earlier.names[k]);
    if (i < 0) continue;
    const auto row = static_cast<Eigen::Index>(k);
    list.all[i].prior = earlier.mean[row];
    list.all[i].std = std::sqrt(earlier.cov(row, row));
    ++found;
  }
  if (found == 0) {
    throw InputError(key_location(config, "parameters.prior_from") + ": " +
                     config.parameters.prior_from + " knows none of the parameters of this robot");
  }
}

bool set_earlier_precision(const Config& config, const ParameterList& list, MatrixXd& precision) {
  const EarlierResult earlier = read_result(config);
  std::vector<int> rows, places;
  for (std::size_t k = 0; k < earlier.names.size(); ++k) {
    const int i = list.find(earlier.names[k]);
    if (i < 0 || !list.is_free(i) || config.parameters.set.contains(earlier.names[k])) continue;
    rows.push_back(static_cast<int>(k));
    places.push_back(list.theta_index[i]);
  }
  if (rows.empty()) return false;
  precision(places, places) = inverse_of(earlier.cov(rows, rows));
  return true;
}

}  // namespace bayesid::blocks
