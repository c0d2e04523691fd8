// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <pinocchio/algorithm/model.hpp>

#include "robot/pinocchio_model.hpp"

namespace bayesid {

std::shared_ptr<pinocchio::Model> freeze_joints(const pinocchio::Model& model,
                                                const std::map<std::string, double>& values) {
  std::vector<pinocchio::JointIndex> frozen;
  Eigen::VectorXd q = Eigen::VectorXd::Zero(model.nq);
  for (pinocchio::JointIndex i = 1; i < static_cast<std::size_t>(model.njoints); ++i) {
    const auto found = values.find(model.names[i]);
    const double value = found == values.end() ? 0.0 : found->second;
    if (found != values.end()) frozen.push_back(i);
    q[model.idx_qs[i]] = model.nqs[i] == 2 ? std::cos(value) : value;
    if (model.nqs[i] == 2) q[model.idx_qs[i] + 1] = std::sin(value);
    if (model.nqs[i] == 7) q[model.idx_qs[i] + 6] = 1;  // the base: no rotation
  }
  auto reduced = std::make_shared<pinocchio::Model>();
  pinocchio::buildReducedModel(model, frozen, q, *reduced);
  return reduced;
}

}  // namespace bayesid
