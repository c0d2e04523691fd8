// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/robot.hpp"

namespace bayesid {

// Between the independent velocities and those of all joints; G is the map of mimic joints.

/// all = G reduced
inline void expand(const Robot& robot, const Eigen::VectorXd& reduced, Eigen::VectorXd& all) {
  if (robot.has_mimic()) {
    all.noalias() = robot.mimic * reduced;
  } else {
    all = reduced;
  }
}

/// out = Gᵀ in
inline void reduce(const Robot& robot, const Eigen::VectorXd& in, Eigen::VectorXd& out) {
  if (robot.has_mimic()) {
    out.noalias() = robot.mimic.transpose() * in;
  } else {
    out = in;
  }
}

/// out = Gᵀ in G
inline void reduce(const Robot& robot, const Eigen::MatrixXd& in, Eigen::MatrixXd& product,
                   Eigen::MatrixXd& out) {
  if (robot.has_mimic()) {
    product.noalias() = in * robot.mimic;
    out.noalias() = robot.mimic.transpose() * product;
  } else {
    out = in;
  }
}

/// out += Gᵀ in G
inline void add_reduced(const Robot& robot, const Eigen::MatrixXd& in, Eigen::MatrixXd& product,
                        Eigen::MatrixXd& out) {
  if (robot.has_mimic()) {
    product.noalias() = in * robot.mimic;
    out.noalias() += robot.mimic.transpose() * product;
  } else {
    out += in;
  }
}

}  // namespace bayesid
