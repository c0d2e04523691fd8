// SPDX-License-Identifier: BSD-3-Clause
#include <pinocchio/parsers/urdf.hpp>

#include "robot/pinocchio_model.hpp"

namespace bayesid {

std::shared_ptr<pinocchio::Model> build_model(const std::string& urdf_text) {
  auto model = std::make_shared<pinocchio::Model>();
  pinocchio::urdf::buildModelFromXML(urdf_text, *model, /*verbose=*/false, /*mimic=*/false);
  return model;
}

}  // namespace bayesid
