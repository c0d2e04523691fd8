// SPDX-License-Identifier: BSD-3-Clause
#include <pinocchio/parsers/urdf.hpp>

#include "bayesid/robot.hpp"
#include "robot/pinocchio_model.hpp"

namespace bayesid {

std::shared_ptr<pinocchio::Model> build_model(const std::string& urdf_text, bool floating_base) {
  auto model = std::make_shared<pinocchio::Model>();
  if (floating_base) {
    // A name that no link has: Pinocchio freezes joints of models whose frames have names of their
    // own.
    pinocchio::urdf::buildModelFromXML(urdf_text, pinocchio::JointModelFreeFlyer(),
                                       "floating base joint", *model, /*verbose=*/false,
                                       /*mimic=*/false);
  } else {
    pinocchio::urdf::buildModelFromXML(urdf_text, *model, /*verbose=*/false, /*mimic=*/false);
  }
  return model;
}

}  // namespace bayesid
