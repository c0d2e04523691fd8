// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/link_features.hpp"

#include <utility>

namespace bayesid::blocks {

namespace {

/// The same body with its centre of mass in the origin of the frame.
InertiaCoordinates centred(const InertiaChart& chart, const InertiaCoordinates& theta) {
  InertiaCoordinates out = theta;
  out.segment<3>(chart.first_of_center()).setZero();
  return out;
}

/// Coordinates whose derivatives are of no structure: none of them vanishes by accident.
InertiaCoordinates generic() {
  InertiaCoordinates out;
  for (int i = 0; i < 10; ++i) out[i] = 0.3 + 0.07 * i + 0.011 * i * i;
  return out;
}

}  // namespace

LinkFeatures link_features(const InertiaChart& chart, const InertiaCoordinates& theta) {
  LinkFeatures out;
  out.head<10>() = chart.inertia(theta);
  out.segment<3>(com_feature) = out.segment<3>(1) / out[0];
  out.tail<6>() = chart.inertia(centred(chart, theta)).tail<6>();
  return out;
}

Eigen::Matrix<double, 19, 10> link_features_jacobian(const InertiaChart& chart,
                                                     const InertiaCoordinates& theta) {
  const InertialParameters pi = chart.inertia(theta);
  const double m = pi[0];
  Eigen::Matrix<double, 19, 10> out;
  out.topRows<10>() = chart.jacobian(theta);
  const Eigen::Matrix<double, 1, 10> dlog_m = out.row(0) / m;
  out.middleRows<3>(com_feature) = out.middleRows<3>(1) / m - pi.segment<3>(1) / m * dlog_m;
  out.bottomRows<6>() = chart.jacobian(centred(chart, theta)).bottomRows<6>();
  out.block<6, 3>(central_feature, chart.first_of_center()).setZero();
  return out;
}

Matrix10 link_features_curvature(const InertiaChart& chart, const InertiaCoordinates& theta,
                                 const LinkFeatures& s) {
  const InertialParameters pi = chart.inertia(theta);
  const Matrix10 dpi = chart.jacobian(theta);
  const double m = pi[0];
  const auto along = [&](const Eigen::Vector3d& s_h) {
    InertialParameters out = InertialParameters::Zero();
    out.segment<3>(1) = s_h;
    return out;
  };
  Matrix10 out = chart.curvature(theta, s.head<10>());
  // s·c = s·h/m: with l = log m, its Hessian is (s·h'' − s·h' l'ᵀ − l' s·h'ᵀ + s·h (l' l'ᵀ −
  // l''))/m.
  const Eigen::Vector3d s_com = s.segment<3>(com_feature);
  if (!s_com.isZero(0)) {
    const InertiaCoordinates dl = dpi.row(0).transpose() / m;
    const InertiaCoordinates dh = dpi.middleRows<3>(1).transpose() * s_com / m;
    const Matrix10 ddl =
        chart.curvature(theta, InertialParameters::Unit(0)) / m - dl * dl.transpose();
    out += chart.curvature(theta, along(s_com)) / m - dh * dl.transpose() - dl * dh.transpose() +
           s_com.dot(pi.segment<3>(1)) / m * (dl * dl.transpose() - ddl);
  }
  if (!s.tail<6>().isZero(0)) {
    InertialParameters s_central = InertialParameters::Zero();
    s_central.tail<6>() = s.tail<6>();
    Matrix10 central = chart.curvature(centred(chart, theta), s_central);
    central.middleCols<3>(chart.first_of_center()).setZero();
    central.middleRows<3>(chart.first_of_center()).setZero();
    out += central;
  }
  return out;
}

Eigen::Matrix<bool, 19, 10> link_features_pattern(const InertiaChart& chart) {
  Eigen::Matrix<bool, 19, 10> out =
      (link_features_jacobian(chart, generic()).array() != 0).matrix();
  for (const auto& [first, size] : {std::pair{4, 6}, {com_feature, 3}, {central_feature, 6}})
    out.middleRows(first, size).rowwise() = out.middleRows(first, size).colwise().any().eval();
  return out;
}

}  // namespace bayesid::blocks
