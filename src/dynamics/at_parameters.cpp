// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/at_parameters.hpp"

#include <cmath>

#include "dynamics/rigid_body.hpp"

namespace bayesid {

std::shared_ptr<const DynamicsAt> at_parameters(const Dynamics& dynamics, PhysicalParameters eta) {
  constexpr double least_mass = 1e-12;  // kg: the centre of mass is h/m
  for (Eigen::Index body = 0; body < eta.pi.cols(); ++body) {
    double& mass = eta.pi(0, body);
    if (std::abs(mass) < least_mass) mass = least_mass;
  }
  auto out = std::make_shared<DynamicsAt>();
  out->model = with_inertias(*dynamics.robot().model, eta.pi);
  out->weightless = without_gravity(*out->model);
  out->eta = std::move(eta);
  return out;
}

PhysicalParameters moved(const PhysicalLayout& layout, PhysicalParameters eta,
                         const Eigen::VectorXd& change) {
  eta.pi.reshaped() += change.head(layout.gamma(0));
  eta.gamma.reshaped() += change.segment(layout.gamma(0), eta.gamma.size());
  eta.armature += change.segment(layout.armature(0), eta.armature.size());
  eta.gain += change.segment(layout.gain(0), eta.gain.size());
  eta.offset += change.segment(layout.offset(0), eta.offset.size());
  eta.thrust += change.segment(layout.thrust(0), eta.thrust.size());
  eta.moment += change.segment(layout.moment(0), eta.moment.size());
  eta.presliding += change.segment(layout.presliding(0), eta.presliding.size());
  eta.named += change.segment(layout.named(0), eta.named.size());
  eta.sensor += change.segment(layout.sensor(0), eta.sensor.size());
  return eta;
}

}  // namespace bayesid
