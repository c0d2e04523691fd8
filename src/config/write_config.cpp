// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <filesystem>
#include <optional>

#include "bayesid/config.hpp"
#include "config/words.hpp"
#include "config/yaml_text.hpp"

namespace bayesid {
namespace {

using bayesid::text_of;  // beside the ones below

std::string text_of(const PerJoint& values) {
  if (values.all) return text_of(*values.all);
  return values.list.empty() ? text_of(values.by_name) : text_of(values.list);
}

std::string text_of(const Selection& selection) {
  return selection.all ? "all" : text_of(selection.names);
}

std::string text_of(const ColumnConfig& column) {
  return "{source: " + text_of(column.source) + ", scale: " + text_of(column.scale) +
         ", offset: " + text_of(column.offset) + ", sign: " + text_of(column.sign) + "}";
}

std::string text_of(const ParameterOverride& one) {
  std::string out;
  if (one.prior) out += "prior: " + text_of(*one.prior);
  if (one.std) out += (out.empty() ? "" : ", ") + ("std: " + text_of(*one.std));
  if (one.fixed) out += (out.empty() ? "" : ", ") + std::string("fixed: true");
  return "{" + out + "}";
}

std::string text_of(const DriveConfig& drive) {
  return "{name: " + text_of(drive.name) + ", joints: " + text_of(drive.joints) + "}";
}

std::string text_of(const RotorConfig& rotor) {
  return "{name: " + text_of(rotor.name) + ", frame: " + text_of(rotor.frame) +
         ", axis: " + text_of(rotor.axis) + ", thrust: " + text_of(rotor.thrust) +
         ", moment: " + text_of(rotor.moment) + "}";
}

std::string text_of(const RotorPriorConfig& rotor) {
  const auto text = [](const std::optional<double>& std) { return std ? text_of(*std) : "fixed"; };
  return "{thrust: " + text(rotor.thrust) + ", moment: " + text(rotor.moment) + "}";
}

std::string text_of(const ContactConfig& contact) {
  return "{name: " + text_of(contact.name) + ", frame: " + text_of(contact.frame) +
         ", type: " + word_of(contact.type) + ", axes: " + word_of(contact.axes) +
         (contact.keep.empty() ? "" : ", keep: " + text_of(contact.keep)) +
         ", kp: " + text_of(contact.kp) + ", kd: " + text_of(contact.kd) + "}";
}

std::string text_of(const AttachmentConfig& attachment) {
  return "{link: " + text_of(attachment.link) + ", xyz: " + text_of(attachment.xyz) +
         ", rpy: " + text_of(attachment.rpy) + "}";
}

std::string text_of(const PhaseConfig& phase) {
  return "{from: " + text_of(phase.from) + ", to: " + text_of(phase.to) +
         ", contacts: " + text_of(phase.contacts) + "}";
}

std::string text_of(const ImpactConfig& impact) {
  return "{time: " + text_of(impact.time) + ", contacts: " + text_of(impact.contacts) +
         ", restitution: " + text_of(impact.restitution) +
         (impact.slip > 0 ? ", slip: " + text_of(impact.slip) : "") +
         (impact.twist > 0 ? ", twist: " + text_of(impact.twist) : "") + "}";
}

std::string text_of(const PoseConfig& pose) {
  std::string out;
  if (pose.position) out += "position: " + text_of(*pose.position);
  if (pose.orientation) {
    out += (out.empty() ? "" : ", ") + ("orientation: " + text_of(*pose.orientation));
  }
  return "{" + out + "}";
}

std::string text_of(const ImuConfig& imu) {
  std::string out = "link: " + text_of(imu.place.link) + ", xyz: " + text_of(imu.place.xyz) +
                    ", rpy: " + text_of(imu.place.rpy);
  if (imu.acceleration) out += ", acceleration: " + text_of(*imu.acceleration);
  if (imu.rate) out += ", rate: " + text_of(*imu.rate);
  if (imu.orientation) out += ", orientation: " + text_of(*imu.orientation);
  return "{" + out + "}";
}

std::string text_of(const WrenchConfig& wrench) {
  std::string out = "contact: " + text_of(wrench.contact);
  if (wrench.force) out += ", force: " + text_of(*wrench.force);
  if (wrench.torque) out += ", torque: " + text_of(*wrench.torque);
  return "{" + out + "}";
}

std::string text_of(const DelayConfig& delay) {
  if (!delay.std) return text_of(delay.prior);
  return "{prior: " + text_of(delay.prior) + ", std: " + text_of(*delay.std) + "}";
}

std::string text_of(const RangeConfig& range) {
  if (range.is_number()) return text_of(range.lower);
  std::string out;
  if (std::isfinite(range.lower)) out = "min: " + text_of(range.lower);
  if (std::isfinite(range.upper)) out += (out.empty() ? "max: " : ", max: ") + text_of(range.upper);
  return "{" + out + "}";
}

std::string text_of(const MassConfig& mass) {
  return "{links: " + text_of(mass.links) + ", is: " + text_of(mass.range) + "}";
}

std::string text_of(const SymmetryConfig& symmetry) {
  return "{left: " + text_of(symmetry.left) + ", right: " + text_of(symmetry.right) +
         ", plane: " + symmetry.plane + "}";
}

std::string text_of(const LinearConfig& linear) {
  return "{terms: " + text_of(linear.terms) + ", is: " + text_of(linear.range) + "}";
}

std::string text_of(const CenterConfig& com) {
  std::string box, hull;
  if (com.box) {
    for (const RangeConfig& side : *com.box)
      box += (box.empty() ? "" : ", ") + text_of(std::vector<double>{side.lower, side.upper});
  }
  for (const std::array<double, 3>& point : com.hull)
    hull += (hull.empty() ? "" : ", ") + text_of(point);
  std::string out = com.box ? "box: [" + box + "]" : "";
  if (!hull.empty()) out += (out.empty() ? "hull: [" : ", hull: [") + hull + "]";
  return "{" + out + "}";
}

/// Lines of the text, each indented by its depth.
class Writer {
 public:
  void line(int depth, const std::string& text) {
    out_ += std::string(2 * depth, ' ') + text + '\n';
  }
  void value(int depth, const std::string& key, const std::string& text) {
    line(depth, text_of(key) + ": " + text);
  }
  /// Only what was given.
  void per_joint(int depth, const std::string& key, const PerJoint& values) {
    if (!values.empty()) value(depth, key, text_of(values));
  }
  /// A list with one line for each item.
  template <typename Item>
  void items(int depth, const std::string& key, const std::vector<Item>& list) {
    if (!list.empty()) line(depth, key + ":");
    for (const Item& one : list) line(depth + 1, "- " + text_of(one));
  }
  std::string text() const { return out_; }

 private:
  std::string out_;
};

std::string path_from(const std::string& folder, const std::string& file) {
  namespace fs = std::filesystem;
  const auto resolved = [](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path));
  };
  return resolved(file).lexically_proximate(resolved(folder)).string();
}

void write_loop(Writer& w, const LoopConfig& loop) {
  w.line(2, "- name: " + text_of(loop.name));
  w.value(3, "type", word_of(loop.type));
  w.value(3, "body1", text_of(loop.body1));
  w.value(3, "body2", text_of(loop.body2));
  w.value(3, "axes", word_of(loop.axes));
  if (!loop.keep.empty()) w.value(3, "keep", text_of(loop.keep));
  w.value(3, "kp", text_of(loop.kp));
  w.value(3, "kd", text_of(loop.kd));
}

void write_model(Writer& w, const ModelConfig& model, const std::string& folder) {
  w.line(0, "model:");
  w.value(1, "urdf", text_of(path_from(folder, model.urdf)));
  w.value(1, "base", model.floating_base ? "floating" : "fixed");
  w.value(1, "gravity", text_of(model.gravity));
  if (!model.lock.empty()) w.value(1, "lock", text_of(model.lock));
  w.items(1, "contacts", model.contacts);
  if (!model.loops.empty()) w.line(1, "loops:");
  for (const LoopConfig& loop : model.loops) write_loop(w, loop);
  w.value(1, "repair_inertias", model.repair_inertias ? "true" : "false");
  w.line(1, "actuation:");
  w.value(2, "joints", text_of(model.actuated));
  w.items(2, "drives", model.drives);
  w.items(2, "rotors", model.rotors);
}

void write_logs(Writer& w, const std::vector<LogConfig>& logs, const std::string& folder) {
  if (logs.empty()) return;
  w.line(0, "logs:");
  for (const LogConfig& log : logs) {
    w.line(1, "- file: " + text_of(path_from(folder, log.file)));
    if (!log.model.empty()) w.value(2, "model", text_of(path_from(folder, log.model)));
    if (!log.columns.empty()) w.line(2, "columns:");
    for (const auto& [channel, column] : log.columns) w.value(3, channel, text_of(column));
    if (!log.joint_order.empty()) w.value(2, "joint_order", text_of(log.joint_order));
    if (const std::optional<double> rate = log.rate) w.value(2, "rate", text_of(*rate));
    w.items(2, "phases", log.phases);
    w.items(2, "impacts", log.impacts);
  }
}

void write_noise(Writer& w, const Config& config) {
  w.line(0, "measurements:");
  w.per_joint(1, "position", config.measurements.position);
  w.per_joint(1, "velocity", config.measurements.velocity);
  w.per_joint(1, "effort", config.measurements.effort);
  if (config.measurements.effort_exact) w.value(1, "effort", "exact");
  w.per_joint(1, "thrust", config.measurements.thrust);
  if (config.measurements.thrust_exact) w.value(1, "thrust", "exact");
  for (const auto& [frame, pose] : config.measurements.poses) {
    w.value(1, "pose." + frame, text_of(pose));
  }
  for (const auto& [name, imu] : config.measurements.imus) {
    w.value(1, "imu." + name, text_of(imu));
  }
  for (const auto& [name, wrench] : config.measurements.wrenches) {
    w.value(1, "wrench." + name, text_of(wrench));
  }
  if (const std::optional<double> energy = config.measurements.energy)
    w.value(1, "energy",
            "{std: " + text_of(*energy) +
                ", window: " + std::to_string(config.measurements.energy_window) + "}");
  w.line(0, "disturbance:");
  w.per_joint(1, "position", config.disturbance.position);
  w.per_joint(1, "velocity", config.disturbance.velocity);
  w.value(1, "projection", word_of(config.disturbance.projection));
  w.line(0, "initial_state:");
  w.per_joint(1, "position", config.initial_state.position);
  w.per_joint(1, "velocity", config.initial_state.velocity);
  if (!config.initial_state.mean.empty()) w.value(1, "mean", text_of(config.initial_state.mean));
  w.value(1, "on_constraints", config.initial_state.on_constraints ? "true" : "false");
}

std::string text_of(const InertiaStdConfig& std) {
  return "{log_mass: " + text_of(std.log_mass) + ", first_moment: " + text_of(std.first_moment) +
         (std.first_moment_is_relative ? " rel" : "") + ", rotation: " + text_of(std.rotation) +
         ", log_second_moment: " + text_of(std.log_second_moment) +
         ", distance: " + text_of(std.distance) + "}";
}

void write_inertia(Writer& w, const InertiaPriorConfig& inertia) {
  w.line(1, "inertia:");
  w.value(2, "links", text_of(inertia.links));
  w.value(2, "parametrisation", inertia.parametrisation);
  w.value(2, "prior", inertia.is_geometric ? "geometric" : "coordinates");
  w.value(2, "std", text_of(static_cast<const InertiaStdConfig&>(inertia)));
}

void write_friction(Writer& w, const FrictionPriorConfig& friction) {
  std::vector<std::string> terms;
  if (friction.stiction) terms.emplace_back("stiction");
  if (friction.coulomb) terms.emplace_back("coulomb");
  if (friction.viscous) terms.emplace_back("viscous");
  if (friction.presliding) terms.emplace_back("presliding");
  w.line(1, "friction:");
  w.value(2, "joints", text_of(friction.joints));
  w.value(2, "terms", text_of(terms));
  if (friction.presliding) {
    const bool given = !friction.presliding_distance.empty();
    w.value(2, "presliding",
            "{" + (given ? "distance: " + text_of(friction.presliding_distance) + ", " : "") +
                "smoothing: " + text_of(friction.presliding_smoothing) + "}");
  }
  if (!friction.prior.empty()) w.value(2, "prior", text_of(friction.prior));
  if (!friction.std.empty()) w.value(2, "std", text_of(friction.std));
}

void write_family(Writer& w, const std::string& name,
                  const std::optional<JointPriorConfig>& family) {
  if (!family) return;
  w.line(1, name + ":");
  w.value(2, "joints", text_of(family->joints));
  w.per_joint(2, "prior", family->prior);
  w.per_joint(2, "std", family->std);
}

void write_parameters(Writer& w, const ParametersConfig& parameters, const std::string& folder) {
  w.line(0, "parameters:");
  if (!parameters.prior_from.empty())
    w.value(1, "prior_from", text_of(path_from(folder, parameters.prior_from)));
  if (!parameters.frozen.empty()) w.value(1, "frozen", text_of(parameters.frozen));
  if (parameters.inertia) write_inertia(w, *parameters.inertia);
  if (!parameters.inertia_by_link.empty()) w.line(2, "by_link:");
  for (const auto& [link, std] : parameters.inertia_by_link) w.value(3, link, text_of(std));
  if (parameters.friction) write_friction(w, *parameters.friction);
  write_family(w, "armature", parameters.armature);
  write_family(w, "effort_gain", parameters.effort_gain);
  write_family(w, "effort_offset", parameters.effort_offset);
  write_family(w, "gear_ratio", parameters.gear_ratio);
  if (const std::optional<ImuBiasConfig>& bias = parameters.imu_bias) {
    w.value(
        1, "imu_bias",
        "{acceleration: " + text_of(bias->acceleration) + ", rate: " + text_of(bias->rate) + "}");
  }
  if (const std::optional<WrenchOffsetConfig>& offset = parameters.wrench_offset) {
    w.value(1, "wrench_offset",
            "{force: " + text_of(offset->force) + ", torque: " + text_of(offset->torque) + "}");
  }
  if (!parameters.delay.empty()) w.line(1, "delay:");
  for (const auto& [group, delay] : parameters.delay) w.value(2, group, text_of(delay));
  if (parameters.rotor) w.value(1, "rotor", text_of(*parameters.rotor));
  if (!parameters.set.empty()) w.line(1, "set:");
  for (const auto& [name, one] : parameters.set) w.value(2, name, text_of(one));
}

/// `is_size`: ranges around zero are written as their size.
void write_joint_limits(Writer& w, const char* key, const JointLimitsConfig& limits, bool is_size) {
  if (limits.from_urdf) w.value(2, key, "true");
  if (limits.by_joint.empty()) return;
  w.line(2, std::string(key) + ":");
  for (const auto& [joint, range] : limits.by_joint) {
    w.value(
        3, joint,
        is_size ? text_of(range.upper) : text_of(std::vector<double>{range.lower, range.upper}));
  }
}

void write_stage_constraints(Writer& w, const StageConstraintsConfig& stage) {
  if (stage.empty()) return;
  w.line(1, "stage:");
  if (stage.mu) w.value(2, "friction_cone", "{mu: " + text_of(*stage.mu) + "}");
  if (!stage.mu_by_contact.empty())
    w.value(2, "friction_cone", "{mu: " + text_of(stage.mu_by_contact) + "}");
  if (stage.unilateral)
    w.value(2, "unilateral", stage.unilateral->all ? "true" : text_of(stage.unilateral->names));
  write_joint_limits(w, "position_limits", stage.position, false);
  write_joint_limits(w, "velocity_limits", stage.velocity, true);
  write_joint_limits(w, "effort_limits", stage.effort, true);
}

void write_constraints(Writer& w, const ConstraintsConfig& constraints) {
  w.line(0, "constraints:");
  if (constraints.total_mass) w.value(1, "total_mass", text_of(*constraints.total_mass));
  w.items(1, "mass", constraints.mass);
  w.items(1, "symmetry", constraints.symmetry);
  w.items(1, "equal", constraints.equal);
  w.items(1, "linear", constraints.linear);
  if (!constraints.com.empty()) w.line(1, "com:");
  for (const auto& [link, com] : constraints.com) w.value(2, link, text_of(com));
  if (!constraints.bounds.empty()) w.line(1, "bounds:");
  for (const auto& [name, range] : constraints.bounds) {
    w.value(2, name, text_of(std::vector<double>{range.first, range.second}));
  }
  write_stage_constraints(w, constraints.stage);
}

void write_excitation(Writer& w, const ExcitationConfig& excitation) {
  w.line(0, "excitation:");
  w.value(1, "duration", text_of(excitation.duration));
  w.value(1, "harmonics", std::to_string(excitation.harmonics));
  w.value(1, "rate", text_of(excitation.rate));
  w.value(1, "starts", std::to_string(excitation.starts));
  w.value(1, "max_iterations", std::to_string(excitation.max_iterations));
  w.value(1, "criterion", word_of(excitation.criterion));
  w.value(1, "velocity_reward", text_of(excitation.velocity_reward));
  if (!excitation.start.empty()) w.value(1, "start", text_of(excitation.start));
  w.line(1, "limits:");
  w.value(2, "position", text_of(excitation.position));
  w.value(2, "velocity", text_of(excitation.velocity));
  w.value(2, "effort", text_of(excitation.effort));
  if (excitation.self_collision) w.value(2, "self_collision", text_of(*excitation.self_collision));
  if (!excitation.ignore_pairs.empty()) {
    std::string pairs;
    for (const auto& [first, second] : excitation.ignore_pairs)
      pairs += (pairs.empty() ? "" : ", ") + text_of(std::vector{first, second});
    w.value(1, "ignore_pairs", "[" + pairs + "]");
  }
  if (excitation.mu) w.value(1, "mu", text_of(*excitation.mu));
  w.value(1, "least_force", text_of(excitation.least_force));
  if (excitation.contacts) w.value(1, "contacts", text_of(*excitation.contacts));
}

void write_rest(Writer& w, const Config& config, const std::string& folder) {
  write_constraints(w, config.constraints);
  write_excitation(w, config.excitation);
  w.line(0, "solver:");
  w.value(1, "dynamics", word_of(config.solver.dynamics));
  w.value(1, "integrator", word_of(config.solver.integrator));
  w.value(1, "max_iterations", std::to_string(config.solver.max_iterations));
  w.value(1, "tolerance", text_of(config.solver.tolerance));
  const SimulationConfig& simulation = config.simulation;
  w.line(0, "simulation:");
  w.value(1, "duration", text_of(simulation.duration));
  w.value(1, "rate", text_of(simulation.rate));
  w.value(1, "substeps", std::to_string(simulation.substeps));
  w.value(1, "logs", std::to_string(simulation.logs));
  w.value(1, "harmonics", std::to_string(simulation.harmonics));
  w.value(1, "base_frequency", text_of(simulation.base_frequency));
  w.value(1, "amplitude", text_of(simulation.amplitude));
  w.value(1, "prior_error", text_of(simulation.prior_error));
  if (!simulation.rates.empty()) w.value(1, "rates", text_of(simulation.rates));
  if (!simulation.posture.empty()) w.value(1, "posture", text_of(simulation.posture));
  if (!simulation.trajectory.empty())
    w.value(1, "trajectory", text_of(path_from(folder, simulation.trajectory)));
  if (!simulation.gait) return;
  w.line(1, "gait:");
  w.value(2, "type", simulation.gait->type);
  w.value(2, "period", text_of(simulation.gait->period));
  w.value(2, "step_length", text_of(simulation.gait->step_length));
  w.value(2, "step_height", text_of(simulation.gait->step_height));
  w.value(2, "body_motion", text_of(simulation.gait->body_motion));
}

}  // namespace

std::string config_yaml(const Config& config, const std::string& folder) {
  Writer w;
  w.line(0, "schema: 1");
  write_model(w, config.model, folder);
  write_logs(w, config.logs, folder);
  write_noise(w, config);
  write_parameters(w, config.parameters, folder);
  write_rest(w, config, folder);
  return w.text();
}

}  // namespace bayesid
