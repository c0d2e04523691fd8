// SPDX-License-Identifier: BSD-3-Clause
#include "support/scene.hpp"

#include <random>
#include <stdexcept>

#include "support/legged.hpp"
#include "support/random_robot.hpp"
#include "support/temp_folder.hpp"

namespace bayesid::test {

using Eigen::VectorXd;

namespace {

ParametersConfig all_parameters() {
  ParametersConfig out;
  out.inertia.emplace();
  out.friction.emplace();
  out.armature.emplace();
  out.effort_gain.emplace();
  out.effort_offset.emplace();
  return out;
}

Scene random_scene(const std::string& name, const RandomRobotOptions& options, int seed,
                   bool floating_base = false, bool presliding = false) {
  static TempFolder folder;  // the files stay as long as the program
  Config config;
  config.solver.integrator = Integrator::semi_implicit_euler;
  config.model.urdf = folder.temp_file(random_urdf(seed, options), ".urdf");
  config.model.floating_base = floating_base;
  config.parameters = all_parameters();
  config.parameters.friction->presliding = presliding;
  const Robot robot = read_robot(config.model);
  if (robot.has_mimic() != options.mimic) throw std::logic_error(name + ": try another seed");
  if (robot.joints.size() >= 2) {
    // A motor that turns with two joints, and a gear.
    config.model.drives.push_back(
        {"motor", {{robot.joints[0].name, 1.0}, {robot.joints[1].name, -2.0}}});
    config.parameters.gear_ratio.emplace();
    config.parameters.gear_ratio->joints = {.all = false, .names = {robot.joints[1].name}};
    config.parameters.gear_ratio->prior.all = 6.0;
  }
  return make_scene(name, config);
}

}  // namespace

Scene make_scene(const std::string& name, const Config& config) {
  const Robot robot = read_robot(config.model);
  return {name, config, std::make_shared<const Dynamics>(robot, ParameterSet(robot, config))};
}

Config robot_config(const std::string& urdf) {
  Config config;
  config.solver.integrator = Integrator::semi_implicit_euler;
  config.model.urdf = std::string(BAYESID_ROBOTS) + "/" + urdf;
  config.parameters.inertia.emplace();
  return config;
}

Config panda_config() {
  Config config = robot_config("panda_description/urdf/panda.urdf");
  config.model.lock = {{"panda_finger_joint1", 0.0}, {"panda_finger_joint2", 0.0}};
  config.parameters.friction.emplace();
  return config;
}

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> all = [] {
    std::vector<Scene> out;
    out.push_back(random_scene("two joints", {.num_joints = 2}, 1));
    out.push_back(random_scene("arm", {.num_joints = 6, .fixed_links = true}, 2, false, true));
    out.push_back(
        random_scene("tree", {.num_joints = 5, .continuous = true, .prismatic = true}, 3));
    out.push_back(random_scene("mimic", {.num_joints = 5, .mimic = true}, 8, false, true));
    out.push_back(random_scene("long arm", {.num_joints = 9}, 8));
    out.push_back(make_scene("panda", panda_config()));
    return out;
  }();
  return all;
}

Config anymal_config() {
  Config config = robot_config("anymal_b_simple_description/robots/anymal.urdf");
  config.model.floating_base = true;
  config.parameters.friction.emplace();
  return config;
}

Config hector_config() {
  Config config = robot_config("hector_description/robots/quadrotor_base.urdf");
  config.model.floating_base = true;
  return config;
}

const std::vector<Scene>& floating_scenes() {
  static const std::vector<Scene> all = [] {
    std::vector<Scene> out;
    out.push_back(random_scene("free body", {.num_joints = 0}, 5, true));
    out.push_back(random_scene("floating tree",
                               {.num_joints = 5, .continuous = true, .prismatic = true}, 6, true));
    out.push_back(random_scene("floating mimic", {.num_joints = 5, .mimic = true}, 10, true));
    out.push_back(make_scene("anymal", anymal_config()));
    out.push_back(make_scene("quadrotor", hector_config()));
    return out;
  }();
  return all;
}

Config iris_config() {
  Config config = robot_config("iris_description/robots/iris_simple.urdf");
  config.model.floating_base = true;
  for (int i = 0; i < 4; ++i) {
    const std::string number = std::to_string(i);
    // Rotors 0 and 1 turn one way, 2 and 3 the other.
    config.model.rotors.push_back({.name = "r" + number,
                                   .frame = "iris__rotor_" + number,
                                   .thrust = 1.0,
                                   .moment = i < 2 ? 0.06 : -0.06});
  }
  return config;
}

namespace {

/// Rotors on some links of a random robot, along any axis; the second one has no nominal moment.
Scene with_rotors(const Scene& scene, const std::vector<std::string>& frames) {
  Config config = scene.config;
  for (const std::string& frame : frames) {
    const auto i = static_cast<double>(config.model.rotors.size());
    config.model.rotors.push_back({.name = "on_" + frame,
                                   .frame = frame,
                                   .axis = {0.3 + i, -0.7, 2.0 - i},
                                   .thrust = 1.5 + i,
                                   .moment = 0.2 * (1 - i)});
  }
  config.parameters.rotor.emplace();
  return make_scene(scene.name + " with rotors", config);
}

}  // namespace

const std::vector<Scene>& rotor_scenes() {
  static const std::vector<Scene> all = [] {
    Config iris = iris_config();
    iris.parameters.rotor.emplace();
    return std::vector<Scene>{
        make_scene("iris", iris),
        with_rotors(floating_scenes()[1], {"link0", "link3", "link5", "link3"}),
        with_rotors(floating_scenes()[2], {"link5", "link4", "link2"}),
        with_rotors(scenes().back(), {"panda_link7", "panda_link4"})};
  }();
  return all;
}

std::vector<Scene> all_scenes() {
  std::vector<Scene> out = scenes();
  out.insert(out.end(), floating_scenes().begin(), floating_scenes().end());
  out.insert(out.end(), rotor_scenes().begin(), rotor_scenes().end());
  out.insert(out.end(), standing_scenes().begin(), standing_scenes().end());
  return out;
}

VectorXd posture(const Scene& scene) {
  const std::map<std::string, double>& given = scene.config.simulation.posture;
  VectorXd out = VectorXd::Zero(scene.dynamics->nv());
  for (const Joint& joint : scene.dynamics->robot().joints) {
    const auto found = given.find(joint.name);
    if (found != given.end()) out[joint.idx_v] = found->second;
  }
  return out;
}

Instant random_instant(const Scene& scene, int seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto draw_some = [&](int size, double scale) {
    return VectorXd(VectorXd::NullaryExpr(size, [&] { return scale * uniform(random); }));
  };
  const auto draw = [&](double scale) { return draw_some(scene.dynamics->nv(), scale); };
  Instant out;
  const ParameterSet& parameters = scene.dynamics->parameters();
  out.theta = parameters.prior();
  for (Eigen::Index i = 0; i < out.theta.size(); ++i)
    out.theta[i] += 0.3 * parameters.prior_std()[i] * uniform(random);
  const double range = scene.config.simulation.posture.empty() ? 2.0 : 0.1;
  out.q = make_configuration(scene.dynamics->robot(), posture(scene) + draw(range));
  out.v = draw(2.0);
  out.a = draw(10.0);
  out.tau = draw_some(scene.dynamics->num_inputs(), 20.0);
  return out;
}

VectorXd moved(const Robot& robot, const VectorXd& q, const VectorXd& dq) {
  VectorXd out(q.size());
  integrate(robot, q, dq, out);
  return out;
}

Eigen::MatrixXd heavy_links(const Dynamics& dynamics, Eigen::MatrixXd columns) {
  const std::vector<std::string> names = dynamics.parameters().names();
  for (const Link& link : dynamics.robot().links) {
    for (size_t i = 0; i < names.size(); ++i) {
      if (link.pi[0] < 0.01 && names[i].starts_with("inertia." + link.name + "."))
        columns.col(static_cast<Eigen::Index>(i)).setZero();
    }
  }
  return columns;
}

}  // namespace bayesid::test
