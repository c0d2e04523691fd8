// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/simulation/simulate.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "bayesid/error.hpp"
#include "console.hpp"
#include "interrupt.hpp"
#include "page.hpp"
#include "run.hpp"
#include "synthetic.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {

Signature simulate_signature() {
  return {.name = "simulate",
          .positional = "CONFIG",
          .summary = "synthetic logs whose truth is known: the priors of the configuration",
          .options = {{"--out", "DIR", "folder of the logs (default: <config>_simulated)"}}};
}

namespace {

void check_posture(const Robot& robot, const Config& config) {
  for (const auto& [name, value] : config.simulation.posture) {
    if (robot.joint_index(name) >= 0) continue;
    throw InputError(place_of(config, "simulation.posture." + name) + " is no joint of " +
                     config.model.urdf);
  }
}

}  // namespace

int simulate(const Arguments& arguments) {
  const Console console(arguments);
  Config config = read_config(arguments.positional);
  const std::filesystem::path out =
      arguments.value("--out", std::filesystem::path(config.file).stem().string() + "_simulated");
  // Without recordings there is no default noise of the efforts.
  if (config.measurements.effort.empty()) config.measurements.effort_exact = true;
  if (config.measurements.thrust.empty()) config.measurements.thrust_exact = true;
  const Robot robot = read_robot(config.model);
  const Dynamics dynamics(robot, ParameterSet(robot, config));
  const ParameterSet& parameters = dynamics.parameters();
  const Noise noise = make_noise(robot, config, {});
  const MotionConstraints constraints = make_constraints(robot, config);
  check_posture(robot, config);
  std::optional<MotionTable> motion;
  if (!config.simulation.trajectory.empty())
    motion = read_motion(robot, config.simulation.trajectory);
  std::vector<std::string> warnings = robot.warnings;
  warnings.insert(warnings.end(), parameters.warnings().begin(), parameters.warnings().end());
  console.warn(warnings);

  catch_interrupts();
  OutputFolder folder(out.string(), input_files(config));
  Config written =
      with_wrong_priors(config, parameters, config.simulation.prior_error, arguments.seed);
  written.logs.clear();
  std::vector<std::string> files{"config.yaml", "truth.json", "robot.urdf"};
  for (int i = 0; i < config.simulation.logs; ++i) {
    if (interrupt() != 0) return exit_code(Status::interrupted);
    const Simulation simulation =
        bayesid::simulate(dynamics, parameters.prior(), noise, config.solver.integrator,
                          config.simulation, arguments.seed + static_cast<unsigned>(i), constraints,
                          config.disturbance.projection, motion ? &*motion : nullptr);
    const std::string index = std::to_string(i + 1);
    folder.write("log" + index + ".csv", log_csv(robot, config.model, simulation));
    folder.write("truth_trajectory" + index + ".csv", truth_csv(robot, config.model, simulation));
    files.push_back("log" + index + ".csv");
    files.push_back("truth_trajectory" + index + ".csv");
    written.logs.push_back({.file = (out / ("log" + index + ".csv")).string()});
  }
  written.model.urdf = (out / "robot.urdf").string();
  folder.write("robot.urdf", read_text(config.model.urdf));
  // The copy may lie far from the meshes.
  const std::string drawn = scene_of(config);
  if (!drawn.empty()) {
    folder.write("scene.json", drawn);
    files.push_back("scene.json");
  }
  folder.write("truth.json", truth_json(parameters, parameters.prior(), arguments.seed));
  folder.write("config.yaml", stamped_config(written, out.string(), arguments.seed));
  folder.publish();

  console.print(std::to_string(config.simulation.logs) +
                (config.simulation.logs == 1 ? " log of " : " logs of ") +
                number(config.simulation.duration) + " s in " + out.string() +
                "\nnext: bayesid identify " + (out / "config.yaml").string() + "\n");
  const nlohmann::json doc{{"schema", 1},    {"version", BAYESID_VERSION}, {"folder", out.string()},
                           {"files", files}, {"seed", arguments.seed},     {"warnings", warnings}};
  console.document(doc.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  return exit_done;
}

}  // namespace bayesid::app
