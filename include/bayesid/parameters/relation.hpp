// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/parameters/inertia.hpp"

namespace bayesid {

/// What can be said of a link: m, h, I about the frame's origin (as in π), the centre of mass c,
/// and I about it (in the order of π).
using LinkTraits = Eigen::Matrix<double, 19, 1>;
inline constexpr int com_trait = 10, central_trait = 13;  // where c and the last six begin

LinkTraits link_traits(const InertiaCoordinates& theta);
/// Their derivatives, and Σ_i s_i ∂²trait_i/∂θ².                   docs/math/parameters.md (18)
Eigen::Matrix<double, 19, 10> link_traits_jacobian(const InertiaCoordinates& theta);
Matrix10 link_traits_curvature(const InertiaCoordinates& theta, const LinkTraits& s);

/// Σ weights · traits of links + Σ weights · scalars + constant, which is 0 or not negative.
struct Relation {
  struct LinkTerm {
    int first;  // of the ten parameters of the link
    LinkTraits weight;
  };
  struct ScalarTerm {
    int parameter;
    double weight;
    bool is_coordinate;  // of the parameter itself; else of its physical value
  };
  std::string name;
  bool is_equality = false;
  double constant = 0;
  std::vector<LinkTerm> links = {};
  std::vector<ScalarTerm> scalars = {};
};

/// One relation at θ: its value, and the gradient in θ.
struct RelationAt {
  std::string name;
  double value = 0;
  Eigen::RowVectorXd dvalue_dtheta;
};

}  // namespace bayesid
