// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "support/input_error.hpp"
#include "support/temp_folder.hpp"

namespace {

using bayesid::test::input_error;
using bayesid::test::TempFolder;

struct Case {
  std::string text;
  std::string message;  // after the folder: file, line, key, remedy
};

/// Three lines that every case below needs, so that its own start at line 4.
std::string head() {
  return "schema: 1\nmodel:\n  urdf: arm.urdf\n";
}

void check(const std::vector<Case>& cases) {
  const TempFolder folder;
  for (const Case& one : cases) {
    const std::string file = folder.write("arm.yaml", one.text);
    const std::string message = input_error([&] { bayesid::read_config(file); });
    BOOST_TEST(message == folder.path().string() + '/' + one.message);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(config_unknown_keys_are_errors_with_line_and_suggestion) {
  check({
      {head() + "solver:\n  max_iter: 5\n",
       "arm.yaml:5: unknown key solver.max_iter, did you mean max_iterations?"},
      {head() + "solver: {tolerence: 1e-6}\n",
       "arm.yaml:4: unknown key solver.tolerence, did you mean tolerance?"},
      {head() + "mesurements: {}\n",
       "arm.yaml:4: unknown key mesurements, did you mean measurements?"},
      {head() + "logs:\n  - file: a.csv\n    colums: {}\n",
       "arm.yaml:6: unknown key logs[0].colums, did you mean columns?"},
      {head() + "parameters:\n  inertia:\n    std: {log_mas: 1}\n",
       "arm.yaml:6: unknown key parameters.inertia.std.log_mas, did you mean log_mass?"},
      {head() + "solver: {zzzzzzzz: 1}\n",
       "arm.yaml:4: unknown key solver.zzzzzzzz, expected dynamics, integrator, max_iterations or "
       "tolerance"},
      {head() + "initial_state: {mean: {pos.j: 1}}\n",
       "arm.yaml:4: unknown key initial_state.mean.pos.j, expected q.<joint> or v.<joint>"},
      {head() + "logs: [{file: a, columns: {position.j: x}}]\n",
       "arm.yaml:4: unknown key logs[0].columns.position.j, expected time, q.<joint>, v.<joint>, "
       "tau.<joint> or another channel"},
      {"schema: 1\nmodel: {udrf: a}\n", "arm.yaml:2: unknown key model.udrf, did you mean urdf?"},
  });
}

BOOST_AUTO_TEST_CASE(config_values_out_of_range_are_errors_with_line_and_key) {
  const std::string measurements = head() + "measurements:\n\n\n  ";
  check({
      {measurements + "position: -1\n", "arm.yaml:7: measurements.position is -1, must be > 0"},
      {measurements + "position: 0\n", "arm.yaml:7: measurements.position is 0, must be > 0"},
      {measurements + "position: [1, -2]\n",
       "arm.yaml:7: measurements.position[1] is -2, must be > 0"},
      {measurements + "position: {j1: -2}\n",
       "arm.yaml:7: measurements.position.j1 is -2, must be > 0"},
      {measurements + "position: []\n",
       "arm.yaml:7: measurements.position has 0 values, must have at least 1"},
      {measurements + "velocity: fast\n",
       "arm.yaml:7: measurements.velocity is fast, must be auto, a number > 0, a list or a map"},
      {measurements + "velocity: .nan\n",
       "arm.yaml:7: measurements.velocity is .nan, must be auto, a number > 0, a list or a map"},
      {measurements + "velocity: 1e400\n",
       "arm.yaml:7: measurements.velocity is 1e400, must be auto, a number > 0, a list or a map"},
      {measurements + "velocity: 1,5\n",
       "arm.yaml:7: measurements.velocity is 1,5, must be auto, a number > 0, a list or a map"},
      {measurements + "velocity: \"1\"\n",
       "arm.yaml:7: measurements.velocity is \"1\", must be auto, a number > 0, a list or a map"},
      {measurements + "velocity:\n",
       "arm.yaml:7: measurements.velocity is empty, must be auto, a number > 0, a list or a map"},
      {measurements + "effort: exakt\n",
       "arm.yaml:7: measurements.effort is exakt, must be exact, auto, a number > 0, a list or a "
       "map, "
       "did you mean exact?"},
      {head() + "  gravity: [0, 9.81]\n", "arm.yaml:4: model.gravity has 2 values, must have 3"},
      {head() + "  base: fixd\n",
       "arm.yaml:4: model.base is fixd, must be fixed or floating, did you mean fixed?"},
      {head() + "solver: {dynamics: foward}\n",
       "arm.yaml:4: solver.dynamics is foward, must be inverse or forward, did you mean forward?"},
      {head() + "disturbance: {projection: dynamics}\n",
       "arm.yaml:4: disturbance.projection is dynamics, must be dynamic, kinematic or none, did "
       "you mean dynamic?"},
      {head() + "initial_state: {on_constraints: 1}\n",
       "arm.yaml:4: initial_state.on_constraints is 1, must be true or false"},
      {head() + "  repair_inertias: yes\n",
       "arm.yaml:4: model.repair_inertias is yes, must be true or false"},
      {head() + "  actuation: {joints: joint1}\n",
       "arm.yaml:4: model.actuation.joints is joint1, must be all or a list"},
      {head() + "  lock: [{j: a}]\n", "arm.yaml:4: model.lock[0].j is a, must be a number"},
      {head() + "solver: {max_iterations: 0}\n",
       "arm.yaml:4: solver.max_iterations is 0, must be at least 1 and at most 1000000"},
      {head() + "solver: {max_iterations: 1.5}\n",
       "arm.yaml:4: solver.max_iterations is 1.5, must be a whole number at least 1 and at most "
       "1000000"},
      {measurements + "energy: {std: 1, window: 0}\n",
       "arm.yaml:7: measurements.energy.window is 0, must be at least 1 and at most 1000000"},
      {measurements + "energy: {std: 1, window: -3}\n",
       "arm.yaml:7: measurements.energy.window is -3, must be at least 1 and at most 1000000"},
      {measurements + "energy: {std: 1, window: 2.5}\n",
       "arm.yaml:7: measurements.energy.window is 2.5, must be a whole number at least 1 and at "
       "most 1000000"},
      {measurements + "energy: {std: 1, window: all}\n",
       "arm.yaml:7: measurements.energy.window is all, must be a whole number at least 1 and at "
       "most 1000000"},
      {measurements + "energy: {window: 4}\n", "arm.yaml:7: measurements.energy.std is missing"},
      {head() + "solver: {integrator: euler}\n",
       "arm.yaml:4: solver.integrator is euler, must be semi_implicit_euler, "
       "constant_acceleration or midpoint"},
      {head() + "solver: 5\n", "arm.yaml:4: solver is 5, must be a map"},
      {head() + "logs: run.csv\n", "arm.yaml:4: logs is run.csv, must be a list"},
      {head() + "logs: [{rate: 5}]\n", "arm.yaml:4: logs[0].file is missing"},
      {head() + "logs: [{file: \"\"}]\n", "arm.yaml:4: logs[0].file is empty, must be a name"},
      {head() + "logs: [{file: a, columns: {time: {source: t, scale: 0}}}]\n",
       "arm.yaml:4: logs[0].columns.time.scale is 0, which erases the column"},
      {head() + "logs: [{file: a, columns: {q.j: {source: t, sign: 2}}}]\n",
       "arm.yaml:4: logs[0].columns.q.j.sign is 2, must be 1 or -1, did you mean 1?"},
      {head() + "parameters:\n  set:\n    friction.j.mu2: {prior: 1, std: 0}\n",
       "arm.yaml:6: parameters.set.friction.j.mu2.std is 0, must be > 0"},
      {head() + "parameters: {set: {friction.j.mu2: fixd}}\n",
       "arm.yaml:4: parameters.set.friction.j.mu2 is fixd, must be fixed or a map, did you mean "
       "fixed?"},
      {head() + "parameters: {inertia: {std: {first_moment: 0.7 relative}}}\n",
       "arm.yaml:4: parameters.inertia.std.first_moment is 0.7 relative, must be a number > 0 or a "
       "multiple of the link's own such as 0.7 rel"},
      {head() + "parameters: {inertia: {std: {first_moment: x rel}}}\n",
       "arm.yaml:4: parameters.inertia.std.first_moment is x rel, must be a number > 0, alone "
       "(kg·m) or followed by rel"},
      {head() + "parameters: {friction: {terms: [coulom]}}\n",
       "arm.yaml:4: parameters.friction.terms[0] is coulom, must be stiction, coulomb, viscous or "
       "presliding, "
       "did you mean coulomb?"},
      {head() + "constraints:\n  bounds: {a: [2, 1]}\n",
       "arm.yaml:5: constraints.bounds.a is [2, 1], the first must be smaller than the second"},
      {head() + "constraints: {bounds: {a: [1]}}\n",
       "arm.yaml:4: constraints.bounds.a has 1 value, must have 2"},
      {head() + "constraints: {bounds: {a: [0, inf]}}\n",
       "arm.yaml:4: constraints.bounds.a[1] is inf, must be a number, .inf, +.inf or -.inf, did "
       "you mean .inf?"},
      {head() + "measurements: {imu.base: {link: base}}\n",
       "arm.yaml:4: measurements.imu.base needs acceleration, rate or orientation"},
      {head() + "measurements: {imu.base: {acceleration: 1}}\n",
       "arm.yaml:4: measurements.imu.base.link is missing"},
      {head() + "parameters: {delay: {pose.base: {std: 0}}}\n",
       "arm.yaml:4: parameters.delay.pose.base.std is 0, must be > 0"},
      {head() +
           "measurements: {imu.trunk: {link: a, rate: 1}}\nparameters: {delay: {imu.trunc: 0.1}}\n",
       "arm.yaml:5: parameters.delay.imu.trunc: measurements has no sensor imu.trunc, did you mean "
       "imu.trunk?"},
      {head() + "simulation: {rates: {pose.base: 30}}\n",
       "arm.yaml:4: simulation.rates.pose.base: measurements has no sensor pose.base"},
      {head() + "parameters: {delay: {contact: 0.1}}\n",
       "arm.yaml:4: unknown key parameters.delay.contact, expected position, velocity or effort"},
      {head() + "simulation: {rate: 0}\n", "arm.yaml:4: simulation.rate is 0, must be > 0"},
      {head() + "simulation: {gait: {type: trott}}\n",
       "arm.yaml:4: simulation.gait.type is trott, must be stand or trot, did you mean trot?"},
      {head() + "simulation:\n  gait:\n    step_length: -1\n",
       "arm.yaml:6: simulation.gait.step_length is -1, must be at least 0"},
  });
}

BOOST_AUTO_TEST_CASE(config_what_this_version_lacks_is_an_error) {
  const std::string lacks = " is not supported by this version";
  check({
      {"schema: 1\nmodel: {mjcf: a.xml}\n", "arm.yaml:2: model.mjcf" + lacks},
  });
}

BOOST_AUTO_TEST_CASE(config_impossible_rotors_are_errors) {
  const std::string rotors = head() + "  actuation:\n    rotors:\n";
  check({
      {rotors + "      - {name: a, frame: b}\n      - {name: a, frame: c}\n",
       "arm.yaml:7: model.actuation.rotors[1].name is a, which is the name of "
       "model.actuation.rotors[0] too"},
      {rotors + "      - {name: a, frame: b, axis: [0, 0, 0]}\n",
       "arm.yaml:6: model.actuation.rotors[0].axis is [0, 0, 0], expected the direction of "
       "the thrust"},
      {rotors + "      - {name: a, frame: b, thrust: -1}\n",
       "arm.yaml:6: model.actuation.rotors[0].thrust is -1, must be > 0"},
      {rotors + "      - {name: a}\n", "arm.yaml:6: model.actuation.rotors[0].frame is missing"},
      {head() + "parameters: {rotor: {thrust: no}}\n",
       "arm.yaml:4: parameters.rotor.thrust is no, must be fixed or a number > 0"},
  });
}

BOOST_AUTO_TEST_CASE(config_schema_version_is_required) {
  check({
      {"model: {urdf: a}\n", "arm.yaml:1: schema is missing: add the line `schema: 1`"},
      {"\nschema: 2\nmodel: {urdf: a}\n",
       "arm.yaml:2: schema is 2, this version reads `schema: 1`"},
      {"schema: one\n", "arm.yaml:1: schema is one, this version reads `schema: 1`"},
      {"schema: 1\n", "arm.yaml:1: model is missing"},
      {"schema: 1\nmodel: {}\n", "arm.yaml:2: model needs urdf or mjcf"},
      {"schema: 1\nmodel:\n", "arm.yaml:2: model needs urdf or mjcf"},
      {"schema: 1\nmodel: arm.urdf\n", "arm.yaml:2: model is arm.urdf, must be a map"},
  });
}
