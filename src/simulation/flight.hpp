// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/dynamics/dynamics.hpp"
#include "simulation/reference.hpp"

namespace bayesid {

// A floating base that rotors carry. Of the wish, the first three numbers are where the base wants
// to be in the world, the sixth how far it wants to be turned about the vertical. Rotors that push
// in one direction only have to tilt the base: how, follows from the acceleration they must make.

/// On the reference, tilted for its acceleration, at its velocity.
void start_flight(const Dynamics& dynamics, const DynamicsAt& at, const Wish& wish,
                  Dynamics::Workspace& workspace, StageDynamics& stage, Eigen::VectorXd& q,
                  Eigen::VectorXd& v);

/// Efforts of joints and commands of rotors, by least squares from the wanted acceleration; `stage`
/// is solved without any.
Eigen::VectorXd flight_efforts(const Dynamics& dynamics, const DynamicsAt& at, const Wish& wish,
                               const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                               const StageDynamics& stage);

}  // namespace bayesid
