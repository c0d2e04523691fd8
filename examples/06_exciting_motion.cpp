// SPDX-License-Identifier: BSD-3-Clause
// Before the log: the most informative motion of an arm within its limits.
//   06_exciting_motion data/models
#include <bayesid/bayesid.hpp>
#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  bayesid::Config config;
  config.model.urdf = std::string(argc > 1 ? argv[1] : "data/models") + "/two_joint_arm.urdf";
  config.measurements.effort.all = 0.1;  // N·m
  config.parameters.inertia.emplace();
  config.parameters.friction.emplace().stiction = false;
  config.excitation.duration = 4;
  config.excitation.harmonics = 3;
  config.excitation.rate = 200;
  config.excitation.starts = 1;

  const bayesid::PlannedMotion planned =
      bayesid::excite(config, {.num_random = 5, .run = {.num_threads = 2}});
  const bayesid::Excitation& motion = planned.excitation;
  if (!motion.found) return 1;
  std::printf("information of a log: %.1f nats; of random motions:", motion.forecast.log_det_gain);
  for (const bayesid::ExcitationForecast& random : motion.random)
    std::printf(" %.1f", random.log_det_gain);
  std::printf("\n");
  for (const bayesid::LimitMargin& limit : motion.margins) {
    std::printf("%-8s of %-9s: %7.3f %s, limits [%.2f, %.2f]\n", limit.name.c_str(),
                limit.of.c_str(), limit.value, limit.unit.c_str(), limit.lower, limit.upper);
  }

  // Simulate it, and identify from the log.
  bayesid::OutputFolder folder("motion");
  bayesid::publish(bayesid::files_of(planned, "motion"), folder);
  config.simulation.trajectory = "motion/trajectory.csv";
  config.simulation.duration = config.excitation.duration;
  config.simulation.rate = config.excitation.rate;
  config.simulation.prior_error = 0.3;
  bayesid::write_logs(bayesid::simulate(config, {.seed = 1}), "motion_log");
  const bayesid::Run run = bayesid::identify(bayesid::read_config("motion_log/config.yaml"));
  if (!run.converged()) return 1;
  for (const bayesid::Estimate& found : run.result.posterior.physical) {
    if (found.name.starts_with("friction.") || found.name.starts_with("mass."))
      std::printf("%-28s %7.4f ± %.4f  (prior %.4f)\n", found.name.c_str(), found.value, found.std,
                  found.prior);
  }
}
