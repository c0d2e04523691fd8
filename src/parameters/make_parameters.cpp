// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <optional>

#include "bayesid/error.hpp"
#include "bayesid/parameters/parameter_set.hpp"
#include "parameters/choice.hpp"
#include "parameters/defaults.hpp"
#include "parameters/priors.hpp"

namespace bayesid {

using Eigen::RowVectorXd;
using Eigen::VectorXd;

/// A family of scalars, one for each chosen joint or drive.
struct ParameterSet::Family {
  std::string name;
  const JointPriorConfig& config;
  defaults::Prior otherwise;
  bool is_logarithm;
  std::vector<std::string> candidates;
  std::vector<int> chosen;
  int num_joints;
};

namespace {

constexpr std::array<const char*, 10> coordinate_names{
    "log_mass", "hx", "hy", "hz", "wx", "wy", "wz", "log_lx", "log_ly", "log_lz"};

/// Speed of a motor that turns with several joints, as a row of v.
RowVectorXd drive_row(const Robot& robot, const Config& config, const DriveConfig& drive) {
  const std::string key = "model.actuation.drives." + drive.name;
  RowVectorXd row = RowVectorXd::Zero(robot.nv());
  for (const auto& [name, coefficient] : drive.joints) {
    const int joint = robot.joint_index(name);
    if (joint < 0) throw_unknown(config, key, name, names_of(robot.joints));
    row[robot.joints[joint].idx_v] = coefficient;
  }
  if (row.allFinite() && !row.isZero(0)) return row;
  throw InputError(key_place(config, key) +
                   ": turns with no joint, expected coefficients that are not all zero");
}

/// The actuated joints among the chosen ones; naming a passive one is an error.
std::vector<int> choose_actuated(const Config& config, const std::string& key,
                                 const Selection& selection, const Robot& robot,
                                 const VectorXd& nominal_gain) {
  std::vector<int> out;
  for (const int joint : choose(config, key, selection, names_of(robot.joints))) {
    if (nominal_gain[robot.joints[joint].idx_v] != 0) {
      out.push_back(joint);
    } else if (!selection.all) {
      throw InputError(key_place(config, key) + ": joint \"" + robot.joints[joint].name +
                       "\" is passive, expected one of model.actuation.joints");
    }
  }
  return out;
}

}  // namespace

ParameterSet::ParameterSet(const Robot& robot, const Config& config) {
  make_drives(robot, config);
  make_rotors(robot, config);
  make_nominal(robot, config);
  add_inertia(robot, config);
  add_friction(robot, config);
  if (config.parameters.armature) {
    const Selection& selection = config.parameters.armature->joints;
    const std::vector<std::string> names = names_of(drives_);
    armature_ =
        add_family(config, {"armature", *config.parameters.armature, defaults::armature, true,
                            names, choose(config, "parameters.armature.joints", selection, names),
                            static_cast<int>(robot.joints.size())});
  }
  add_efforts(robot, config);
  add_rotors(config);
  add_sensors(config);
  take_earlier_result(config);
  apply_overrides(config);
  freeze(config);
  check_stribeck();
  add_bounds(config);

  theta_index_.assign(all_.size(), -1);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (all_[i].fixed) continue;
    theta_index_[i] = ntheta();
    free_.push_back(static_cast<int>(i));
  }
  make_precision(config);
  make_distances(config);
  add_relations(robot, config);
}

int ParameterSet::add(Parameter parameter) {
  all_.push_back(std::move(parameter));
  return static_cast<int>(all_.size()) - 1;
}

void ParameterSet::make_drives(const Robot& robot, const Config& config) {
  for (const Joint& joint : robot.joints) {
    drives_.push_back({joint.name, RowVectorXd::Unit(robot.nv(), joint.idx_v)});
  }
  for (const DriveConfig& given : config.model.drives) {
    const std::vector<std::string> taken = names_of(drives_);
    if (std::find(taken.begin(), taken.end(), given.name) != taken.end()) {
      throw InputError(key_place(config, "model.actuation.drives") + ": the name \"" + given.name +
                       "\" is taken by a joint or another drive");
    }
    drives_.push_back({given.name, drive_row(robot, config, given)});
  }
}

void ParameterSet::make_nominal(const Robot& robot, const Config& config) {
  layout_ = {.num_bodies = count_bodies(robot),
             .num_drives = static_cast<int>(drives_.size()),
             .nv = robot.nv(),
             .num_rotors = static_cast<int>(rotors_.size())};
  nominal_.pi.setZero(10, layout_.num_bodies);
  nominal_.gamma.setZero(6, layout_.num_drives);
  nominal_.armature.setZero(layout_.num_drives);
  nominal_.gain.setZero(layout_.nv);
  nominal_.offset.setZero(layout_.nv);
  const std::vector<int> actuated =
      choose(config, "model.actuation.joints", config.model.actuated, names_of(robot.joints));
  for (const int joint : actuated) nominal_.gain[robot.joints[joint].idx_v] = 1;
  nominal_.thrust.resize(layout_.num_rotors);
  nominal_.moment.resize(layout_.num_rotors);
  for (int r = 0; r < layout_.num_rotors; ++r) {
    nominal_.thrust[r] = config.model.rotors[r].thrust;
    nominal_.moment[r] = config.model.rotors[r].moment;
  }
}

void ParameterSet::add_inertia(const Robot& robot, const Config& config) {
  std::vector<bool> estimated(robot.links.size(), false);
  const std::vector<std::string> names = names_of(robot.links);
  InertiaPriorConfig none;
  none.links.all = false;
  const InertiaPriorConfig given = config.parameters.inertia.value_or(none);
  for (const auto& [name, std] : config.parameters.inertia_by_link) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw_unknown(config, "parameters.inertia.by_link", name, names);
  }
  for (const int index : choose_links(robot, config, given.links)) {
    const Link& link = robot.links[index];
    const InertiaCoordinates prior = link_prior(robot, link);
    const InertiaCoordinates prior_std = link_std(config, inertia_std_of(config, link.name), prior);
    estimated[index] = true;
    links_.push_back({link.name, link.body - 1, static_cast<int>(all_.size()),
                      inertia_transform(link.rotation, link.translation)});
    for (int i = 0; i < 10; ++i) {
      add({.name = "inertia." + link.name + "." + coordinate_names[i],
           .prior = prior[i],
           .std = prior_std[i],
           .is_logarithm = i == 0 || i >= 7,
           .physical = i == 0 ? "mass." + link.name : ""});
    }
  }
  // The rest of each body stays as it is.
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const Link& link = robot.links[i];
    if (estimated[i]) continue;
    nominal_.pi.col(link.body - 1) += inertia_transform(link.rotation, link.translation) * link.pi;
  }
}

void ParameterSet::add_friction(const Robot& robot, const Config& config) {
  if (!config.parameters.friction) return;
  const FrictionPriorConfig& given = *config.parameters.friction;
  const std::array<bool, 7> active{given.stiction, given.stiction, given.stiction,  given.coulomb,
                                   given.coulomb,  given.viscous,  given.presliding};
  const FrictionPrior prior_std = friction_std(config, given);
  const int num_joints = static_cast<int>(robot.joints.size());
  const std::vector<std::string> names = names_of(drives_);
  const std::vector<int> chosen = choose(config, "parameters.friction.joints", given.joints, names);
  for (const int d : chosen) {
    const FrictionPrior prior =
        friction_prior(config, given, d < num_joints ? &robot.joints[d] : nullptr);
    FrictionBlock block{d, {-1, -1, -1, -1, -1, -1, -1}};
    const std::string name = "friction." + drives_[d].name;
    for (int i = 0; i < 7; ++i) {
      if (!active[i]) continue;
      block.index[i] = add({.name = name + ".mu" + std::to_string(i),
                            .prior = i == 2 ? prior[i] : std::log(prior[i]),
                            .std = prior_std[i],
                            .is_logarithm = i != 2,
                            .physical = name + "." + friction_names[i]});
    }
    friction_.push_back(block);
  }
  if (!given.presliding) return;
  const std::string key = "parameters.friction.presliding.distance";
  const std::vector<double> distance = read_numbers(
      config, key,
      {given.presliding_distance, defaults::presliding_distance, names, chosen, num_joints});
  presliding_smoothing_ = given.presliding_smoothing;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    presliding_.push_back({chosen[i], positive(config, key, distance[i])});
    presliding_blocks_.push_back({static_cast<int>(i), friction_[i].index[6]});
  }
  layout_.num_presliding = static_cast<int>(chosen.size());
  nominal_.presliding.setZero(layout_.num_presliding);
}

std::vector<ParameterSet::ScalarBlock> ParameterSet::add_family(const Config& config,
                                                                const Family& family) {
  const std::string key = "parameters." + family.name + ".";
  const auto numbers = [&](const std::string& what, const PerJoint& given, double otherwise) {
    return read_numbers(config, key + what,
                        {given, otherwise, family.candidates, family.chosen, family.num_joints});
  };
  const std::vector<double> prior = numbers("prior", family.config.prior, family.otherwise.mean);
  const std::vector<double> prior_std = numbers("std", family.config.std, family.otherwise.std);
  std::vector<ScalarBlock> out;
  for (std::size_t k = 0; k < family.chosen.size(); ++k) {
    const int target = family.chosen[k];
    const std::string name = family.name + "." + family.candidates[target];
    const double mean =
        family.is_logarithm ? std::log(positive(config, key + "prior", prior[k])) : prior[k];
    out.push_back({target, add({.name = name,
                                .prior = mean,
                                .std = positive(config, key + "std", prior_std[k]),
                                .is_logarithm = family.is_logarithm,
                                .physical = name})});
  }
  return out;
}

void ParameterSet::add_sensor(Parameter parameter) {
  parameter.physical = parameter.name;
  sensor_names_.push_back(parameter.name);
  sensors_.push_back({layout_.num_sensors++, add(std::move(parameter))});
}

void ParameterSet::add_sensors(const Config& config) {
  const ParametersConfig& given = config.parameters;
  for (const auto& [name, imu] : config.measurements.imus) {
    if (!given.imu_bias) break;
    const std::string prefix = "imu_bias." + name + ".";
    for (const char* axis : {"ax", "ay", "az"}) {
      if (imu.acceleration)
        add_sensor({.name = prefix + axis, .std = given.imu_bias->acceleration});
    }
    for (const char* axis : {"wx", "wy", "wz"}) {
      if (imu.rate) add_sensor({.name = prefix + axis, .std = given.imu_bias->rate});
    }
  }
  for (const auto& [name, wrench] : config.measurements.wrenches) {
    if (!given.wrench_offset) break;
    const std::string prefix = "wrench_offset." + name + ".";
    for (const char* axis : {"fx", "fy", "fz"}) {
      if (wrench.force) add_sensor({.name = prefix + axis, .std = given.wrench_offset->force});
    }
    for (const char* axis : {"tx", "ty", "tz"}) {
      if (wrench.torque) add_sensor({.name = prefix + axis, .std = given.wrench_offset->torque});
    }
  }
  for (const auto& [group, delay] : given.delay) {
    add_sensor({.name = "delay." + group,
                .prior = delay.prior,
                .std = delay.std.value_or(1),
                .fixed = !delay.std});
  }
  nominal_.sensor.setZero(layout_.num_sensors);
}

int ParameterSet::sensor_index(const std::string& name) const {
  const auto found = std::find(sensor_names_.begin(), sensor_names_.end(), name);
  return found == sensor_names_.end() ? -1 : static_cast<int>(found - sensor_names_.begin());
}

void ParameterSet::add_efforts(const Robot& robot, const Config& config) {
  const std::vector<std::string> names = names_of(robot.joints);
  const int num_joints = static_cast<int>(names.size());
  std::vector<EffortBlock> blocks(names.size());
  for (int j = 0; j < num_joints; ++j) blocks[j].joint = robot.joints[j].idx_v;
  const auto family = [&](const std::string& name, const std::optional<JointPriorConfig>& given,
                          defaults::Prior otherwise, bool is_logarithm, int EffortBlock::* member) {
    if (!given) return;
    const std::vector<int> chosen = choose_actuated(config, "parameters." + name + ".joints",
                                                    given->joints, robot, nominal_.gain);
    for (const ScalarBlock& block :
         add_family(config, {name, *given, otherwise, is_logarithm, names, chosen, num_joints})) {
      blocks[block.target].*member = block.index;
    }
  };
  const ParametersConfig& given = config.parameters;
  family("effort_gain", given.effort_gain, defaults::effort_gain, false, &EffortBlock::gain);
  family("effort_offset", given.effort_offset, defaults::effort_offset, false,
         &EffortBlock::offset);
  family("gear_ratio", given.gear_ratio, defaults::gear_ratio, true, &EffortBlock::ratio);
  for (const EffortBlock& block : blocks) {
    if (nominal_.gain[block.joint] != 0) efforts_.push_back(block);
  }
}

}  // namespace bayesid
