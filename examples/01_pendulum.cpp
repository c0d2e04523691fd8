// SPDX-License-Identifier: BSD-3-Clause
// A pendulum with a wrong mass and wrong friction: swing it, identify it, see what the log told.
#include <bayesid/bayesid.hpp>
#include <cstdio>
#include <fstream>

constexpr const char* urdf = R"(<robot name="pendulum">
  <link name="post"/>
  <joint name="pivot" type="revolute">
    <parent link="post"/>
    <child link="rod"/>
    <axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="20" velocity="10"/>
    <dynamics damping="0.05" friction="0.1"/>
  </joint>
  <link name="rod">
    <inertial>
      <origin xyz="0 0 -0.3"/>
      <mass value="1.5"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.001"/>
    </inertial>
  </link>
</robot>)";

int main() {
  std::ofstream("pendulum.urdf") << urdf;
  bayesid::Config config;
  config.model.urdf = "pendulum.urdf";
  config.measurements.effort.all = 0.05;  // N·m, one standard deviation
  config.parameters.inertia.emplace();
  config.parameters.friction.emplace().stiction = false;
  config.simulation = {.duration = 4, .rate = 200, .base_frequency = 0.5, .prior_error = 0.3};

  // A log of it, and a configuration whose priors are 30 % wrong.
  bayesid::write_logs(bayesid::simulate(config, {.seed = 1}), "pendulum_log");

  const bayesid::Run run = bayesid::identify(bayesid::read_config("pendulum_log/config.yaml"));
  if (!run.converged()) return 1;

  for (const bayesid::Estimate& e : run.result.posterior.physical)
    std::printf("%-28s %8.4f ± %.4f  (prior %.4f; the log tells %3.0f %%)\n", e.name.c_str(),
                e.value, e.std, e.prior, 100 * e.determined);
  bayesid::write_run(run, "pendulum_result");  // report.html, result.json, identified.urdf …
}
