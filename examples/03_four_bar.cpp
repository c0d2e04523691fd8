// SPDX-License-Identifier: BSD-3-Clause
// A leg whose shank is driven through a four-bar: one motor, three joints, one loop.
//   03_four_bar data/models
#include <bayesid/bayesid.hpp>
#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  const std::string models = argc > 1 ? argv[1] : "data/models";
  // The file holds the leg; the same loop in C++ reads
  //   config.model.loops = {{.name = "bar",
  //                          .body1 = {.link = "coupler", .xyz = {0.015, 0, -0.3}},
  //                          .body2 = {.link = "shank", .xyz = {-0.095, 0.03, -0.02}},
  //                          .keep = {"x", "z"}, .kp = 1e4, .kd = 200}};
  bayesid::Config config = bayesid::read_config(models + "/four_bar_leg.yaml");
  config.simulation.duration = 2;
  config.simulation.rate = 500;
  config.simulation.prior_error = 0.3;
  const bayesid::SyntheticLogs truth = bayesid::simulate(config, {.seed = 1});
  std::printf("loop error of the simulation: %.1e m\n", truth.logs[0].drift);
  bayesid::write_logs(truth, "leg_log");

  const bayesid::Run run =
      bayesid::identify(bayesid::read_config("leg_log/config.yaml"), {.num_threads = 2});
  if (!run.converged()) return 1;
  const bayesid::Result& result = run.result;
  std::printf("loop error of the estimate: %.1e m\n", result.violation.at("position"));

  // The log determines the friction of the motor.
  const bayesid::ParameterSet& parameters = truth.dynamics->parameters();
  const auto true_values = parameters.values(parameters.prior());
  const std::vector<bayesid::Estimate>& found = result.posterior.physical;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].name.starts_with("friction.crank"))
      std::printf("%-30s %6.3f ± %.3f  (truth %.3f, prior %.3f)\n", found[i].name.c_str(),
                  found[i].value, found[i].std, true_values[i].value, found[i].prior);
  }
  std::printf("%d of %td parameter combinations determined\n", result.posterior.rank,
              result.posterior.theta_cov.rows());

  // The force in the bar, from the motion and the model alone.
  const Eigen::MatrixXd& force = result.paths[0].force;
  std::printf("force of the bar: up to %.1f N along x, %.1f N along z\n",
              force.row(0).cwiseAbs().maxCoeff(), force.row(1).cwiseAbs().maxCoeff());
}
