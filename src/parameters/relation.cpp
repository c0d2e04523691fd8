// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/parameters/relation.hpp"

#include <cmath>

#include "bayesid/parameters/parameter_set.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

/// With h = 0 the frame stands in the centre of mass, and so does the inertia.
InertiaCoordinates centred(const InertiaCoordinates& theta) {
  InertiaCoordinates out = theta;
  out.segment<3>(1).setZero();
  return out;
}

}  // namespace

LinkTraits link_traits(const InertiaCoordinates& theta) {
  LinkTraits out;
  out.head<10>() = inertia_from_coordinates(theta);
  out.segment<3>(com_trait) = out.segment<3>(1) / out[0];
  out.tail<6>() = inertia_from_coordinates(centred(theta)).tail<6>();
  return out;
}

Eigen::Matrix<double, 19, 10> link_traits_jacobian(const InertiaCoordinates& theta) {
  const double m = std::exp(theta[0]);
  Eigen::Matrix<double, 19, 10> out = Eigen::Matrix<double, 19, 10>::Zero();
  out.topRows<10>() = inertia_jacobian(theta);
  out.block<3, 1>(com_trait, 0) = -theta.segment<3>(1) / m;
  out.block<3, 3>(com_trait, 1).diagonal().setConstant(1 / m);
  out.bottomRightCorner<6, 6>() = inertia_jacobian(centred(theta)).bottomRightCorner<6, 6>();
  return out;
}

Matrix10 link_traits_curvature(const InertiaCoordinates& theta, const LinkTraits& s) {
  const double m = std::exp(theta[0]);
  const Eigen::Vector3d s_com = s.segment<3>(com_trait);
  Matrix10 out = inertia_curvature(theta, s.head<10>());
  out(0, 0) += s_com.dot(theta.segment<3>(1)) / m;
  out.block<1, 3>(0, 1) -= s_com.transpose() / m;
  out.block<3, 1>(1, 0) -= s_com / m;
  InertialParameters s_central = InertialParameters::Zero();
  s_central.tail<6>() = s.tail<6>();
  out.bottomRightCorner<6, 6>() +=
      inertia_curvature(centred(theta), s_central).bottomRightCorner<6, 6>();
  return out;
}

RelationAt ParameterSet::relation_at(const Relation& relation, const VectorXd& values) const {
  RelationAt out{relation.name, relation.constant, {}};
  RowVectorXd gradient = RowVectorXd::Zero(values.size());
  for (const Relation::LinkTerm& term : relation.links) {
    const InertiaCoordinates at = values.segment<10>(term.first);
    out.value += term.weight.dot(link_traits(at));
    gradient.segment<10>(term.first) += term.weight.transpose() * link_traits_jacobian(at);
  }
  for (const Relation::ScalarTerm& term : relation.scalars) {
    const int i = term.parameter;
    out.value += term.weight * (term.is_coordinate ? values[i] : decode(i, values));
    gradient[i] += term.weight * (term.is_coordinate ? 1 : decode_derivative(i, values));
  }
  out.dvalue_dtheta = free_part(gradient);
  return out;
}

std::vector<RelationAt> ParameterSet::relations_at(const VectorXd& theta, bool equalities) const {
  const VectorXd values = all_values(theta);
  std::vector<RelationAt> out;
  for (const Relation& relation : relations_) {
    if (relation.is_equality == equalities) out.push_back(relation_at(relation, values));
  }
  return out;
}

MatrixXd ParameterSet::relation_curvature(const VectorXd& theta, const VectorXd& equality_weights,
                                          const VectorXd& inequality_weights) const {
  const VectorXd values = all_values(theta);
  MatrixXd out = MatrixXd::Zero(values.size(), values.size());
  Eigen::Index next[2] = {0, 0};
  for (const Relation& relation : relations_) {
    const VectorXd& weights = relation.is_equality ? equality_weights : inequality_weights;
    const double weight = weights[next[relation.is_equality ? 0 : 1]++];
    if (weight == 0) continue;
    for (const Relation::LinkTerm& term : relation.links) {
      out.block<10, 10>(term.first, term.first) +=
          link_traits_curvature(values.segment<10>(term.first), weight * term.weight);
    }
    for (const Relation::ScalarTerm& term : relation.scalars) {
      const int i = term.parameter;
      if (!term.is_coordinate && all_[i].is_logarithm)
        out(i, i) += weight * term.weight * decode(i, values);
    }
  }
  return out(free_, free_);
}

}  // namespace bayesid
