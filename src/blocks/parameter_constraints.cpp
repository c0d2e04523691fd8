// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "bayesid/error.hpp"
#include "blocks/choice.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

void ParameterConstraints::add(ParameterConstraint constraint, const std::string& place) {
  if (depends_on_free(constraint)) {
    constraints_.push_back(std::move(constraint));
    return;
  }
  FeatureCache cache(list_->blocks.size());
  const double value = at(constraint, list_->values(list_->prior()), cache).value;
  if (constraint.is_equality ? std::abs(value) <= 1e-9 : value >= 0) return;
  throw InputError(place + ": " + constraint.name + " is violated by " +
                   blocks::number_text(std::abs(value)) + ", and all parameters in it are fixed");
}

bool ParameterConstraints::depends_on_free(const ParameterConstraint& constraint) const {
  for (const ParameterConstraint::FeatureTerm& term : constraint.features) {
    const ParameterList::Placed& placed = list_->blocks[term.block];
    const auto pattern = placed.block->feature_pattern();
    for (int i = 0; i < placed.block->size(); ++i) {
      for (Eigen::Index k = 0; k < term.weight.size(); ++k) {
        if (term.weight[k] != 0 && pattern(k, i) && list_->is_free(placed.first + i)) return true;
      }
    }
  }
  return std::any_of(
      constraint.scalars.begin(), constraint.scalars.end(),
      [&](const ParameterConstraint::ScalarTerm& term) { return list_->is_free(term.parameter); });
}

ParameterConstraintAt ParameterConstraints::at(const ParameterConstraint& constraint,
                                               const VectorXd& values, FeatureCache& cache) const {
  ParameterConstraintAt out{constraint.name, constraint.constant, {}};
  RowVectorXd gradient = RowVectorXd::Zero(values.size());
  for (const ParameterConstraint::FeatureTerm& term : constraint.features) {
    const ParameterList::Placed& placed = list_->blocks[term.block];
    std::optional<Features>& features = cache[term.block];
    if (!features) features = placed.block->features(list_->slice(placed, values));
    out.value += term.weight.dot(features->value);
    gradient.segment(placed.first, placed.block->size()) +=
        term.weight.transpose() * features->jacobian;
  }
  for (const ParameterConstraint::ScalarTerm& term : constraint.scalars) {
    const int i = term.parameter;
    const Parameter& parameter = list_->all[i];
    out.value += term.weight * (term.is_coordinate ? values[i] : parameter.value(values[i]));
    gradient[i] += term.weight * (term.is_coordinate ? 1 : parameter.first_derivative(values[i]));
  }
  out.dvalue_dtheta = gradient(list_->free);
  return out;
}

std::vector<ParameterConstraintAt> ParameterConstraints::chosen(const VectorXd& theta,
                                                                bool equalities) const {
  const VectorXd values = list_->values(theta);
  FeatureCache cache(list_->blocks.size());
  std::vector<ParameterConstraintAt> out;
  for (const ParameterConstraint& constraint : constraints_) {
    if (constraint.is_equality == equalities) out.push_back(at(constraint, values, cache));
  }
  return out;
}

std::vector<ParameterConstraintAt> ParameterConstraints::equalities(const VectorXd& theta) const {
  return chosen(theta, true);
}

std::vector<ParameterConstraintAt> ParameterConstraints::inequalities(const VectorXd& theta) const {
  return chosen(theta, false);
}

MatrixXd ParameterConstraints::curvature(const VectorXd& theta, const VectorXd& equality_weights,
                                         const VectorXd& inequality_weights) const {
  const VectorXd values = list_->values(theta);
  MatrixXd out = MatrixXd::Zero(values.size(), values.size());
  Eigen::Index next[2] = {0, 0};
  for (const ParameterConstraint& constraint : constraints_) {
    const VectorXd& weights = constraint.is_equality ? equality_weights : inequality_weights;
    const double weight = weights[next[constraint.is_equality ? 0 : 1]++];
    if (weight == 0) continue;
    for (const ParameterConstraint::FeatureTerm& term : constraint.features) {
      const ParameterList::Placed& placed = list_->blocks[term.block];
      const int size = placed.block->size();
      out.block(placed.first, placed.first, size, size) +=
          placed.block->features_curvature(list_->slice(placed, values), weight * term.weight);
    }
    for (const ParameterConstraint::ScalarTerm& term : constraint.scalars) {
      const int i = term.parameter;
      if (!term.is_coordinate)
        out(i, i) += weight * term.weight * list_->all[i].second_derivative(values[i]);
    }
  }
  return out(list_->free, list_->free);
}

}  // namespace bayesid
