// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cmath>

#include "bayesid/parameters/parameter_set.hpp"
#include "parameters/link_trait_names.hpp"

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
  const InertiaCoordinates at = values.segment<10>(block.first);
  const LinkTraits traits = link_traits(at);
  const Eigen::Matrix<double, 19, 10> jacobian = link_traits_jacobian(at);
  const auto push = [&](const std::string& name, int trait) {
    RowVectorXd gradient = RowVectorXd::Zero(values.size());
    gradient.segment<10>(block.first) = jacobian.row(trait);
    out.push_back({name, traits[trait], free_part(gradient)});
  };
  push("mass." + block.name, 0);
  for (const LinkTraitName& one : link_trait_names)
    push(one.family + ("." + block.name + ".") + one.entry, one.trait);
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

}  // namespace bayesid
