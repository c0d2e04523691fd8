// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cmath>

#include "bayesid/parameters/parameter_set.hpp"

namespace bayesid {

using Eigen::RowVectorXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::vector<std::pair<std::string, InertialParameters>> ParameterSet::link_inertias(
    const VectorXd& theta) const {
  const VectorXd values = all_values(theta);
  std::vector<std::pair<std::string, InertialParameters>> out;
  out.reserve(links_.size());
  for (const LinkBlock& block : links_) {
    out.emplace_back(block.name, inertia_from_coordinates(values.segment<10>(block.first)));
  }
  return out;
}

void ParameterSet::add_link_values(const VectorXd& values, const LinkBlock& block,
                                   std::vector<PhysicalValue>& out) const {
  using Row10 = Eigen::Matrix<double, 1, 10>;
  const auto push = [&](const std::string& name, double value, const Row10& gradient) {
    RowVectorXd all = RowVectorXd::Zero(values.size());
    all.segment<10>(block.first) = gradient;
    out.push_back({name, value, free_part(all)});
  };
  const InertiaCoordinates at = values.segment<10>(block.first);
  const double m = std::exp(at[0]);
  push("mass." + block.name, m, m * Row10::Unit(0));

  constexpr std::array<const char*, 3> axes{"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {  // c = h / m
    const double c = at[1 + k] / m;
    push("com." + block.name + "." + axes[k], c, Row10::Unit(1 + k) / m - c * Row10::Unit(0));
  }
  // With h = 0 the frame stands in the centre of mass, and so does the inertia.
  InertiaCoordinates centred = at;
  centred.segment<3>(1).setZero();
  const InertialParameters pi = inertia_from_coordinates(centred);
  const Matrix10 dpi = inertia_jacobian(centred);
  constexpr std::array<const char*, 6> entries{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  constexpr std::array<int, 6> position{4, 5, 7, 6, 8, 9};
  for (int k = 0; k < 6; ++k) {
    Row10 gradient = dpi.row(position[k]);
    gradient.head<4>().setZero();
    push("inertia." + block.name + "." + entries[k], pi[position[k]], gradient);
  }
}

std::vector<PhysicalValue> ParameterSet::values(const VectorXd& theta) const {
  const VectorXd at = all_values(theta);
  std::vector<PhysicalValue> out;
  for (const LinkBlock& block : links_) add_link_values(at, block, out);

  const int first = 10 * static_cast<int>(links_.size());  // inertias come first in all()
  for (int i = first; i < static_cast<int>(all_.size()); ++i) {
    const RowVectorXd gradient = decode_derivative(i, at) * RowVectorXd::Unit(at.size(), i);
    out.push_back({all_[i].physical, decode(i, at), free_part(gradient)});
  }
  return out;
}

std::vector<ParameterInequality> ParameterSet::inequalities(const VectorXd& theta) const {
  const VectorXd at = all_values(theta);
  std::vector<ParameterInequality> out;
  const auto push = [&](const std::string& name, double value, const RowVectorXd& gradient) {
    out.push_back({name, value, free_part(gradient)});
  };
  for (const FrictionBlock& block : friction_) {
    const int i1 = block.index[1];
    const int i2 = block.index[2];
    if (!is_free(i1) && !is_free(i2)) continue;
    const double gamma1 = decode(i1, at);
    push("friction." + drives_[block.drive].name + ".stribeck1 >= stribeck2", gamma1 - at[i2],
         gamma1 * RowVectorXd::Unit(at.size(), i1) - RowVectorXd::Unit(at.size(), i2));
  }
  for (const Bound& bound : bounds_) {
    const RowVectorXd unit = RowVectorXd::Unit(at.size(), bound.parameter);
    const double value = at[bound.parameter];
    if (std::isfinite(bound.lower)) push(bound.name + " >= lower", value - bound.lower, unit);
    if (std::isfinite(bound.upper)) push(bound.name + " <= upper", bound.upper - value, -unit);
  }
  return out;
}

}  // namespace bayesid
