// SPDX-License-Identifier: BSD-3-Clause
// A small arm with all kinds of sensors, simulated and read back by the library alone.
#pragma once

#include <string>

#include "bayesid/config.hpp"
#include "bayesid/simulate.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

namespace bayesid::test {

/// Slopes of friction are known, so that a second of motion determines the rest.
inline constexpr const char* arm_config = R"(schema: 1
model: {urdf: arm.urdf}
measurements:
  position: 1.0e-4
  velocity: 1.0e-2
  effort: 0.01
  pose.hand: {position: 1.0e-3}
  imu.hand: {link: hand, rate: 0.01}
disturbance: {position: 1.0e-6, velocity: 1.0e-3}
parameters:
  inertia:
  friction: {terms: [coulomb, viscous]}
simulation: {duration: 1.0, rate: 200, base_frequency: 1.0, harmonics: 3, prior_error: 0.3}
)";

/// A folder with the arm's URDF, and in `logs` what `simulate` leaves of it.
class ArmCase {
 public:
  explicit ArmCase(const std::string& config = arm_config, const std::string& urdf = small_urdf) {
    folder_.write("arm.urdf", urdf);
    const std::string out = path("logs");
    const SyntheticLogs logs =
        simulate(read_config(folder_.write("arm.yaml", config)), {.seed = 7});
    OutputFolder folder(out);
    publish(files_of(logs, out), folder);
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }
  Config config() const { return read_config(path("logs/config.yaml")); }
  const TempFolder& folder() const { return folder_; }

 private:
  TempFolder folder_;
};

}  // namespace bayesid::test
