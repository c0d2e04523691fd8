// SPDX-License-Identifier: BSD-3-Clause
#include "problem/robot_space.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd RobotSpace::stage_curvature(const VectorXd& sums) const {
  const Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic>> friction(sums.data(), 6,
                                                                            sums.size() / 6);
  return dynamics_->friction_curvature(friction);
}

LinearConstraints RobotSpace::constraints(const VectorXd& theta) const {
  const auto fill = [&](const std::vector<ParameterConstraintAt>& rows, MatrixXd& jacobian,
                        VectorXd& value) {
    jacobian.resize(static_cast<Eigen::Index>(rows.size()), theta.size());
    value.resize(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      jacobian.row(static_cast<Eigen::Index>(i)) = rows[i].dvalue_dtheta;
      value[static_cast<Eigen::Index>(i)] = rows[i].value;
    }
  };
  LinearConstraints out;
  fill(parameters().constraints().equalities(theta), out.E, out.e);
  fill(parameters().constraints().inequalities(theta), out.G, out.g);
  return out;
}

std::vector<std::string> RobotSpace::constraint_names() const {
  std::vector<std::string> out;
  for (const ParameterConstraintAt& row : parameters().constraints().equalities(prior_mean()))
    out.push_back(row.name);
  for (const ParameterConstraintAt& row : parameters().constraints().inequalities(prior_mean()))
    out.push_back(row.name);
  return out;
}

}  // namespace bayesid
