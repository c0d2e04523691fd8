// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "bayesid/config.hpp"
#include "support/temp_folder.hpp"

namespace {

using bayesid::Config;
using bayesid::test::TempFolder;

std::string head() {
  return "schema: 1\nmodel: {urdf: arm.urdf}\n";
}

Config read(const std::string& text) {
  const TempFolder folder;
  return bayesid::read_config(folder.write("arm.yaml", text));
}

}  // namespace

BOOST_AUTO_TEST_CASE(config_of_two_lines_has_the_documented_defaults) {
  const Config config = read(head());
  BOOST_TEST(!config.model.floating_base);
  BOOST_TEST(config.model.gravity[2] == -9.81);
  BOOST_TEST(config.model.actuated.all);
  BOOST_TEST(config.logs.empty());
  BOOST_TEST(config.measurements.position.empty());
  BOOST_TEST(!config.measurements.effort_exact);
  BOOST_TEST(config.parameters.inertia.has_value());
  BOOST_TEST(config.parameters.inertia->first_moment_is_relative);
  BOOST_REQUIRE(config.parameters.friction.has_value());
  BOOST_TEST(!config.parameters.friction->stiction);
  BOOST_TEST(config.parameters.friction->coulomb);
  BOOST_TEST(config.parameters.friction->viscous);
  BOOST_TEST(config.parameters.armature.has_value());
  BOOST_TEST(!config.parameters.effort_gain.has_value());
  BOOST_TEST(config.model.contacts.empty());
  BOOST_TEST(config.model.loops.empty());
  BOOST_TEST(config.measurements.poses.empty());
  BOOST_TEST((config.disturbance.projection == bayesid::Projection::kinematic));
  BOOST_TEST(config.initial_state.on_constraints);
  BOOST_TEST((config.solver.dynamics == bayesid::Formulation::inverse));
  BOOST_TEST(!config.simulation.gait.has_value());
  BOOST_TEST(config.solver.max_iterations == 100);
  BOOST_TEST(config.solver.tolerance == 1e-6);
}

BOOST_AUTO_TEST_CASE(config_paths_are_relative_to_the_file) {
  const TempFolder folder;
  const Config config =
      bayesid::read_config(folder.write("arm.yaml",
                                        "schema: 1\nmodel: {urdf: models/../arm.urdf}\n"
                                        "logs: [{file: run.csv}, {file: /data/run.csv}]\n"));
  BOOST_TEST(config.file == folder.path().string() + "/arm.yaml");
  BOOST_TEST(config.model.urdf == folder.path().string() + "/arm.urdf");
  BOOST_TEST(config.logs.at(0).file == folder.path().string() + "/run.csv");
  BOOST_TEST(config.logs.at(1).file == "/data/run.csv");
}

BOOST_AUTO_TEST_CASE(config_model_section_is_read) {
  const Config config = read(
      "schema: 1\n"
      "model:\n"
      "  urdf: arm.urdf\n"
      "  base: fixed\n"
      "  gravity: [0, +1, -.5e+1]\n"
      "  lock: [gripper, {finger: 0.1}, 7]\n"
      "  contacts: []\n"
      "  loops: []\n"
      "  repair_inertias: false\n"
      "  actuation:\n"
      "    joints: [a, b]\n"
      "    drives: [{name: motor6, joints: {joint_5: 1, joint_6: -1}}]\n"
      "    rotors: []\n");
  BOOST_TEST(config.model.gravity[1] == 1);
  BOOST_TEST(config.model.gravity[2] == -5);
  BOOST_TEST(config.model.lock.size() == 3);
  BOOST_TEST(config.model.lock.at("gripper") == 0);
  BOOST_TEST(config.model.lock.at("finger") == 0.1);
  BOOST_TEST(config.model.lock.at("7") == 0);
  BOOST_TEST(!config.model.repair_inertias);
  BOOST_TEST(!config.model.actuated.all);
  BOOST_TEST(config.model.actuated.names.at(1) == "b");
  BOOST_TEST(config.model.drives.at(0).name == "motor6");
  BOOST_TEST(config.model.drives.at(0).joints.at("joint_6") == -1);
  BOOST_TEST(read("schema: 1\nmodel: {urdf: a, lock: {x: 2}}\n").model.lock.at("x") == 2);
}

BOOST_AUTO_TEST_CASE(config_rotors_are_read_and_written) {
  const std::string text =
      "schema: 1\n"
      "model:\n"
      "  urdf: arm.urdf\n"
      "  actuation:\n"
      "    rotors:\n"
      "      - {name: a, frame: left}\n"
      "      - {name: b, frame: right, axis: [0, 2, 0], thrust: 1.5e-3, moment: -2e-5}\n"
      "measurements: {thrust: {b: 0.2}}\n"
      "parameters: {rotor: {moment: fixed}}\n";
  const auto check = [](const Config& config) {
    BOOST_TEST(config.model.rotors.size() == 2U);
    BOOST_TEST(config.model.rotors[0].name == "a");
    BOOST_TEST(config.model.rotors[0].axis[2] == 1);
    BOOST_TEST(config.model.rotors[0].thrust == 1);
    BOOST_TEST(config.model.rotors[0].moment == 0);
    BOOST_TEST(config.model.rotors[1].frame == "right");
    BOOST_TEST(config.model.rotors[1].axis[1] == 2);
    BOOST_TEST(config.model.rotors[1].thrust == 1.5e-3);
    BOOST_TEST(config.model.rotors[1].moment == -2e-5);
    BOOST_TEST(config.measurements.thrust.by_name.at("b") == 0.2);
    BOOST_TEST(!config.measurements.thrust_exact);
    BOOST_TEST(config.parameters.rotor->thrust.value() == 0.1);
    BOOST_TEST(!config.parameters.rotor->moment);
  };
  const Config config = read(text);
  check(config);
  check(read(bayesid::config_yaml(config, ".")));
  BOOST_TEST(read(head() + "measurements: {thrust: exact}\n").measurements.thrust_exact);
  BOOST_TEST(!read(head()).parameters.rotor);
}

BOOST_AUTO_TEST_CASE(config_logs_section_is_read) {
  const Config config = read(
      head() +
      "logs:\n"
      "  - file: a.csv\n"
      "    columns: {q.j: \"/joint_states/position[0]\", time: {source: stamp, scale: 1.0e-9}, "
      "tau.j: {source: i, scale: 2, sign: -1, offset: 3}}\n"
      "    rate: 500\n"
      "    joint_order: [j, k]\n");
  const bayesid::LogConfig& log = config.logs.at(0);
  BOOST_TEST(log.columns.at("q.j").source == "/joint_states/position[0]");
  BOOST_TEST(log.columns.at("q.j").scale == 1);
  BOOST_TEST(log.columns.at("time").scale == 1e-9);
  BOOST_TEST(log.columns.at("tau.j").sign == -1);
  BOOST_TEST(log.columns.at("tau.j").offset == 3);
  BOOST_TEST(log.rate.value() == 500);
  BOOST_TEST(log.joint_order.at(1) == "k");
}

BOOST_AUTO_TEST_CASE(config_noise_is_a_number_a_list_a_map_or_exact) {
  const Config config = read(head() +
                             "measurements: {position: 1e-4, velocity: [.1, .2], effort: {j: 2}}\n"
                             "disturbance: {position: 1e-6, projection: kinematic}\n"
                             "initial_state: {velocity: 1, mean: {q.j: 0.5, v.j: -1}, "
                             "on_constraints: false}\n");
  BOOST_TEST(config.measurements.position.all.value() == 1e-4);
  BOOST_TEST(config.measurements.velocity.list.at(1) == 0.2);
  BOOST_TEST(config.measurements.effort.by_name.at("j") == 2);
  BOOST_TEST(config.disturbance.position.all.value() == 1e-6);
  BOOST_TEST(config.disturbance.velocity.empty());
  BOOST_TEST((config.disturbance.projection == bayesid::Projection::kinematic));
  BOOST_TEST(config.initial_state.mean.at("v.j") == -1);
  BOOST_TEST(!config.initial_state.on_constraints);

  const Config exact = read(head() + "measurements: {effort: exact}\n");
  BOOST_TEST(exact.measurements.effort_exact);
  BOOST_TEST(exact.measurements.effort.empty());
}

BOOST_AUTO_TEST_CASE(config_parameters_are_exactly_the_families_listed) {
  const Config config = read(head() +
                             "parameters:\n"
                             "  inertia: {links: [a], std: {first_moment: 0.3, log_mass: 0.2}}\n"
                             "  friction: {}\n"
                             "  effort_gain:\n"
                             "  gear_ratio: {}\n"
                             "  set:\n"
                             "    inertia.a.hx: fixed\n"
                             "    inertia.a.hy: {prior: 1, fixed: true}\n"
                             "    friction.j.mu2: {prior: 2.1, std: 0.1}\n");
  const bayesid::ParametersConfig& parameters = config.parameters;
  BOOST_TEST(parameters.inertia->links.names.at(0) == "a");
  BOOST_TEST(parameters.inertia->first_moment == 0.3);
  BOOST_TEST(!parameters.inertia->first_moment_is_relative);
  BOOST_TEST(parameters.inertia->log_mass == 0.2);
  BOOST_TEST(parameters.inertia->rotation == 0.7);
  BOOST_TEST(parameters.friction->stiction);
  BOOST_TEST(parameters.effort_gain.has_value());
  BOOST_TEST(!parameters.armature.has_value());
  BOOST_TEST(!parameters.gear_ratio.has_value());
  BOOST_TEST(parameters.set.at("inertia.a.hx").fixed);
  BOOST_TEST(parameters.set.at("inertia.a.hy").fixed);
  BOOST_TEST(parameters.set.at("inertia.a.hy").prior.value() == 1);
  BOOST_TEST(parameters.set.at("friction.j.mu2").std.value() == 0.1);
  BOOST_TEST(!parameters.set.at("friction.j.mu2").fixed);
}

BOOST_AUTO_TEST_CASE(config_first_moment_is_relative_when_it_says_rel) {
  const Config config = read(head() + "parameters: {inertia: {std: {first_moment: 0.4 rel}}}\n");
  BOOST_TEST(config.parameters.inertia->first_moment_is_relative);
  BOOST_TEST(config.parameters.inertia->first_moment == 0.4);
}

BOOST_AUTO_TEST_CASE(config_friction_and_joint_families_are_read) {
  const Config config =
      read(head() +
           "parameters:\n"
           "  friction: {joints: [j], terms: [viscous], prior: {viscous: 2}, std: {viscous: 0.5}}\n"
           "  armature: {joints: all, prior: {j: 0.01}, std: 0.7}\n"
           "  gear_ratio: {joints: [j], std: 0.1}\n");
  const bayesid::ParametersConfig& parameters = config.parameters;
  BOOST_TEST(!parameters.friction->stiction);
  BOOST_TEST(!parameters.friction->coulomb);
  BOOST_TEST(parameters.friction->viscous);
  BOOST_TEST(parameters.friction->prior.at("viscous") == 2);
  BOOST_TEST(parameters.friction->std.at("viscous") == 0.5);
  BOOST_TEST(parameters.armature->prior.by_name.at("j") == 0.01);
  BOOST_TEST(parameters.armature->std.all.value() == 0.7);
  BOOST_TEST(!parameters.gear_ratio->joints.all);
}

BOOST_AUTO_TEST_CASE(config_bounds_may_be_infinite) {
  const Config config = read(head() + "constraints: {bounds: {a: [-.inf, 1], b: [0, .inf]}}\n");
  BOOST_TEST(config.constraints.bounds.at("a").first == -std::numeric_limits<double>::infinity());
  BOOST_TEST(config.constraints.bounds.at("b").second == std::numeric_limits<double>::infinity());
}

BOOST_AUTO_TEST_CASE(config_inertial_sensors_delays_and_rates_are_read_and_written) {
  const TempFolder folder;
  const std::string text =
      "schema: 1\nmodel: {urdf: arm.urdf}\n"
      "measurements:\n"
      "  imu.trunk: {link: base, xyz: [1, 2, 3], acceleration: 0.1, orientation: 0.2}\n"
      "  pose.base: {position: 1e-3}\n"
      "parameters:\n"
      "  imu_bias: {rate: 0.5}\n"
      "  delay: {pose.base: {prior: 0.01, std: 0.02}, imu.trunk: 0.004, position: {}}\n"
      "simulation: {rates: {imu.trunk: 400}}\n";
  Config config = bayesid::read_config(folder.write("one.yaml", text));
  for (int round = 0; round < 2; ++round) {
    const bayesid::ImuConfig& imu = config.measurements.imus.at("trunk");
    BOOST_TEST(imu.place.link == "base");
    BOOST_TEST(imu.place.xyz[2] == 3.0);
    BOOST_TEST(*imu.acceleration == 0.1);
    BOOST_TEST(!imu.rate.has_value());
    BOOST_TEST(*imu.orientation == 0.2);
    BOOST_TEST(config.parameters.imu_bias->rate == 0.5);
    BOOST_TEST(config.parameters.imu_bias->acceleration == 0.2);
    const auto& delay = config.parameters.delay;
    BOOST_TEST(delay.at("pose.base").prior == 0.01);
    BOOST_TEST(*delay.at("pose.base").std == 0.02);
    BOOST_TEST(delay.at("imu.trunk").prior == 0.004);
    BOOST_TEST(!delay.at("imu.trunk").std.has_value());
    BOOST_TEST(*delay.at("position").std == 0.01);
    BOOST_TEST(config.simulation.rates.at("imu.trunk") == 400.0);
    config = bayesid::read_config(
        folder.write("two.yaml", bayesid::config_yaml(config, folder.path().string())));
  }
}

BOOST_AUTO_TEST_CASE(config_windows_of_energy_are_read_and_written) {
  const TempFolder folder;
  Config config = read(head() + "measurements: {energy: {std: 0.5, window: 20}}\n");
  for (int round = 0; round < 2; ++round) {
    BOOST_TEST(*config.measurements.energy == 0.5);
    BOOST_TEST(config.measurements.energy_window == 20);
    config = bayesid::read_config(
        folder.write("two.yaml", bayesid::config_yaml(config, folder.path().string())));
  }
  BOOST_TEST(read(head() + "measurements: {energy: {std: 1}}\n").measurements.energy_window == 1);
}

BOOST_AUTO_TEST_CASE(config_links_kept_apart_are_read_and_written) {
  const TempFolder folder;
  Config config = read(head() +
                       "excitation: {limits: {self_collision: 0.03}, ignore_pairs: [[a, b], [c, "
                       "\"d e\"]]}\n");
  for (int round = 0; round < 2; ++round) {
    BOOST_TEST(*config.excitation.self_collision == 0.03);
    BOOST_REQUIRE(config.excitation.ignore_pairs.size() == 2U);
    BOOST_TEST(config.excitation.ignore_pairs[0][1] == "b");
    BOOST_TEST(config.excitation.ignore_pairs[1][1] == "d e");
    config = bayesid::read_config(
        folder.write("two.yaml", bayesid::config_yaml(config, folder.path().string())));
  }
  BOOST_TEST(!read(head()).excitation.self_collision.has_value());
}

BOOST_AUTO_TEST_CASE(config_solver_and_simulation_are_read) {
  const Config config =
      read(head() +
           "solver: {dynamics: forward, integrator: constant_acceleration, "
           "max_iterations: 7, tolerance: 1e-9}\n"
           "simulation: {duration: 2, rate: 100, substeps: 7, logs: 3, harmonics: 4, "
           "base_frequency: 0.2, amplitude: 0.3, prior_error: 0.1}\n");
  BOOST_TEST((config.solver.dynamics == bayesid::Formulation::forward));
  BOOST_TEST((config.solver.integrator == bayesid::Integrator::constant_acceleration));
  BOOST_TEST(config.solver.max_iterations == 7);
  BOOST_TEST(config.solver.tolerance == 1e-9);
  BOOST_TEST(config.simulation.duration == 2);
  BOOST_TEST(config.simulation.substeps == 7);
  BOOST_TEST(config.simulation.logs == 3);
  BOOST_TEST(config.simulation.prior_error == 0.1);
}

BOOST_AUTO_TEST_CASE(config_may_be_json) {
  const Config config = read(
      "{\n \"schema\": 1,\n \"model\": {\n  \"urdf\": \"model.urdf\"\n },\n"
      " \"measurements\": {\n  \"effort\": \"exact\",\n  \"position\": 1e-05\n }\n}");
  BOOST_TEST(config.measurements.effort_exact);
  BOOST_TEST(config.measurements.position.all.value() == 1e-5);
  BOOST_TEST(config.lines.at("measurements.position") == 8);
}

BOOST_AUTO_TEST_CASE(config_remembers_the_line_of_each_key) {
  const TempFolder folder;
  const Config config = bayesid::read_config(folder.write(
      "arm.yaml", head() + "logs:\n  - file: a.csv\n  - {file: b.csv}\nparameters:\n  set:\n"
                           "    inertia.a.hx: fixed\n"));
  BOOST_TEST(config.lines.at("logs[0].file") == 4);
  BOOST_TEST(config.lines.at("logs[1].file") == 5);
  BOOST_TEST(config.lines.at("parameters.set.inertia.a.hx") == 8);
  BOOST_TEST(location_of(config, "logs[1]") == config.file + ":5: logs[1]");
  BOOST_TEST(location_of(config, "model.lock.j") == config.file + ":2: model.lock.j");
  BOOST_TEST(location_of(config, "solver.tolerance") == config.file + ": solver.tolerance");
}

BOOST_AUTO_TEST_CASE(config_schema_is_json_with_every_section) {
  const nlohmann::json schema = nlohmann::json::parse(bayesid::config_schema());
  BOOST_TEST(schema.at("$schema") == "https://json-schema.org/draft/2020-12/schema");
  for (const char* section :
       {"schema", "model", "logs", "measurements", "disturbance", "initial_state", "parameters",
        "constraints", "solver", "simulation"}) {
    BOOST_TEST(schema.at("properties").contains(section), section);
  }
}
