// SPDX-License-Identifier: BSD-3-Clause
// An arm and a CSV file of a robot: names of its own, degrees, one sign reversed.
//   02_arm_from_csv data/models
#include <bayesid/bayesid.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

constexpr double degree = M_PI / 180;

/// What a robot might have recorded: angles in degrees, the elbow with the opposite sign.
void record(const bayesid::Config& config, unsigned seed, const std::string& file) {
  const bayesid::SyntheticLogs truth = bayesid::simulate(config, {.seed = seed});
  const bayesid::Recording& log = truth.logs[0].measured;
  std::ofstream out(file);
  out.precision(10);
  out << "time,shoulder_deg,elbow_deg,shoulder_nm,elbow_nm\n";
  for (int k = 0; k < log.num_samples(); ++k) {
    out << log.time[k] << ',' << log.position(0, k) / degree << ',' << -log.position(1, k) / degree
        << ',' << log.effort(0, k) << ',' << -log.effort(1, k) << '\n';
  }
}

bayesid::LogConfig csv(const std::string& file) {
  bayesid::LogConfig log{.file = file};
  log.columns["q.shoulder"] = {.source = "shoulder_deg", .scale = degree};
  log.columns["q.elbow"] = {.source = "elbow_deg", .scale = degree, .sign = -1};
  log.columns["tau.shoulder"] = {.source = "shoulder_nm"};
  log.columns["tau.elbow"] = {.source = "elbow_nm", .sign = -1};
  return log;
}

int main(int argc, char** argv) {
  bayesid::Config config;
  config.model.urdf = std::string(argc > 1 ? argv[1] : "data/models") + "/two_joint_arm.urdf";
  config.measurements.effort.all = 0.1;  // N·m
  config.parameters.inertia.emplace();
  config.parameters.friction.emplace().stiction = false;
  config.simulation = {.duration = 4, .rate = 200, .base_frequency = 0.5, .amplitude = 1};
  record(config, 1, "arm.csv");
  record(config, 2, "arm_held_out.csv");

  config.parameters.friction->prior = {{"viscous", 1.0}, {"coulomb", 0.1}};  // a guess
  config.logs = {csv("arm.csv")};
  const bayesid::Check check = bayesid::check(config);
  std::printf("%d samples of arm.csv determine %d of %td parameter combinations\n",
              check.loaded.num_samples(), check.forecast.rank, check.forecast.theta_cov.rows());

  const bayesid::Run run = bayesid::identify(config);
  if (!run.converged()) return 1;
  for (const bayesid::Estimate& e : run.result.posterior.physical) {
    if (e.name.starts_with("friction."))
      std::printf("%-28s %7.4f ± %.4f  (prior %.4f)\n", e.name.c_str(), e.value, e.std, e.prior);
  }

  // On a held-out motion.
  config.logs = {csv("arm_held_out.csv")};
  const auto held_out = bayesid::validate(config, bayesid::identified_parameters(run)).efforts;
  for (int j = 0; j < 2; ++j)
    std::printf("effort of joint %d, root mean square error: %.3f N·m, with priors %.3f N·m\n", j,
                held_out.identified.rmse[j], held_out.nominal.rmse[j]);
}
