// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/dynamics.hpp"
#include "simulation/reference.hpp"

namespace bayesid {

// A floating base that rotors carry. The first three numbers of its reference are its position in
// the world, the sixth its yaw. Rotors that push in one direction only have to tilt the base: how,
// follows from the acceleration they must make.

/// On the reference, tilted for its acceleration, at its velocity.
void start_flight(const Dynamics& dynamics, const DynamicsAt& at, const ReferencePoint& desired,
                  Dynamics::Workspace& workspace, StageDynamics& stage, Eigen::VectorXd& q,
                  Eigen::VectorXd& v);

/// Efforts of joints and commands of rotors, by least squares from the wanted acceleration; `stage`
/// is solved without any.
Eigen::VectorXd flight_efforts(const Dynamics& dynamics, const DynamicsAt& at,
                               const ReferencePoint& desired, const Eigen::VectorXd& q,
                               const Eigen::VectorXd& v, const StageDynamics& stage);

}  // namespace bayesid
