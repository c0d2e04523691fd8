// SPDX-License-Identifier: BSD-3-Clause
// ANYmal sways on four feet: a floating base measured by motion capture, four contacts, no force
// plate.
//   04_standing_quadruped
//   <example-robot-data>/robots/anymal_b_simple_description/robots/anymal.urdf
#include <bayesid/bayesid.hpp>
#include <cstdio>
#include <string>

bayesid::Config standing(const std::string& urdf) {
  bayesid::Config config;
  config.model.urdf = urdf;
  config.model.floating_base = true;
  for (const std::string leg : {"FL", "FR", "RL", "RR"}) {
    config.model.contacts.push_back({.name = leg, .frame = leg + "_foot", .kd = 40});
    config.simulation.posture[leg + "_hip_joint"] = leg[1] == 'L' ? 0.1 : -0.1;
    config.simulation.posture[leg + "_thigh_joint"] = 0.8;
    config.simulation.posture[leg + "_calf_joint"] = -1.5;
  }
  config.measurements.effort.all = 0.1;                                         // N·m
  config.measurements.poses["base"] = {.position = 1e-3, .orientation = 1e-3};  // m, rad
  config.parameters.inertia.emplace();
  config.simulation.duration = 0.5;
  config.simulation.rate = 400;
  config.simulation.base_frequency = 1;
  config.simulation.harmonics = 2;
  config.simulation.prior_error = 0.2;
  config.simulation.gait = {.type = "stand"};
  return config;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const bayesid::SyntheticLogs truth = bayesid::simulate(standing(argv[1]), {.seed = 1});
  bayesid::write_logs(truth, "stand_log");
  const bayesid::Run run =
      bayesid::identify(bayesid::read_config("stand_log/config.yaml"), {.num_threads = 2});
  if (!run.converged()) return 1;

  const auto sum_of_masses = [](const std::vector<bayesid::Estimate>& all, auto member) {
    double sum = 0;
    for (const bayesid::Estimate& e : all) {
      if (e.name.starts_with("mass.")) sum += e.*member;
    }
    return sum;
  };
  const std::vector<bayesid::Estimate>& physical = run.result.posterior.physical;
  std::printf("weight of the robot: %.2f kg, prior %.2f kg\n",
              sum_of_masses(physical, &bayesid::Estimate::value),
              sum_of_masses(physical, &bayesid::Estimate::prior));

  // Three rows for each foot; the third is up.
  const Eigen::MatrixXd& force = run.result.paths[0].force;
  for (int foot = 0; foot < 4; ++foot)
    std::printf("%s carries %6.1f N on average\n", run.config.model.contacts[foot].name.c_str(),
                force.row(3 * foot + 2).mean());
  std::printf("%d of %td parameter combinations determined by %d samples\n",
              run.result.posterior.rank, run.result.posterior.theta_cov.rows(),
              run.loaded.num_samples());
}
