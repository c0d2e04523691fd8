// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/scene.hpp"

namespace bayesid::test {

/// Legged robots of example-robot-data that stand on all their feet: contacts, the posture they
/// stand in (simulation.posture), a pose sensor on the base; inertia and friction unknown.

/// ANYmal B on four points, 12 rows.
Config standing_anymal();

/// Unitree B1 on four points, 12 rows.
Config standing_b1();

/// The same with the arm Z1 on its back.
Config standing_b1_z1();

/// Talos on two soles, 12 rows; all joints but those of the legs are locked.
Config standing_talos();

/// All of them.
const std::vector<Scene>& standing_scenes();

/// Every contact of the configuration, closed.
Mode all_contacts(const Scene& scene);

}  // namespace bayesid::test
