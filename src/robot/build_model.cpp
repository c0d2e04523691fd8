// SPDX-License-Identifier: BSD-3-Clause
#include <pinocchio/parsers/urdf.hpp>

#include "bayesid/robot/robot.hpp"
#include "robot/pinocchio_model.hpp"

namespace bayesid {

std::shared_ptr<pinocchio::Model> build_model(const std::string& urdf_text, bool floating_base) {
  auto model = std::make_shared<pinocchio::Model>();
  if (floating_base) {
    pinocchio::urdf::buildModelFromXML(urdf_text, pinocchio::JointModelFreeFlyer(), base_name,
                                       *model, /*verbose=*/false, /*mimic=*/false);
  } else {
    pinocchio::urdf::buildModelFromXML(urdf_text, *model, /*verbose=*/false, /*mimic=*/false);
  }
  return model;
}

}  // namespace bayesid
