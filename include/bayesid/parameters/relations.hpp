// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bayesid/parameters/parameter_list.hpp"

namespace bayesid {

/// One relation at θ: its value, and the gradient in θ.
struct RelationAt {
  std::string name;
  double value = 0;
  Eigen::RowVectorXd dvalue_dtheta;
};

/// What is known of parameters together.                            docs/math/parameters.md (17)
class Relations {
 public:
  Relations() = default;
  explicit Relations(std::shared_ptr<const ParameterList> list) : list_(std::move(list)) {}

  /// A relation between fixed parameters is checked and forgotten; InputError when it does not
  /// hold.
  void add(Relation relation, const std::string& place);

  /// e(θ) = 0: masses, symmetry, equal values, sums.
  std::vector<RelationAt> equalities(const Eigen::VectorXd& theta) const;
  /// g(θ) ≥ 0: γ1 ≥ γ2 for each free stiction, bounds, ranges, places of centres of mass.
  std::vector<RelationAt> inequalities(const Eigen::VectorXd& theta) const;
  /// Σ_i weight_i ∂²relation_i/∂θ².                                 docs/math/parameters.md (18)
  Eigen::MatrixXd curvature(const Eigen::VectorXd& theta, const Eigen::VectorXd& equality_weights,
                            const Eigen::VectorXd& inequality_weights) const;

 private:
  bool depends_on_free(const Relation& relation) const;
  /// Features of each block, when some relation has asked for them.
  using FeatureCache = std::vector<std::optional<Features>>;
  RelationAt at(const Relation& relation, const Eigen::VectorXd& values, FeatureCache& cache) const;
  std::vector<RelationAt> chosen(const Eigen::VectorXd& theta, bool equalities) const;

  std::shared_ptr<const ParameterList> list_;
  std::vector<Relation> relations_;
};

}  // namespace bayesid
