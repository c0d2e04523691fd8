// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/motion_start.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>

#include "bayesid/error.hpp"
#include "bayesid/problem.hpp"
#include "math/did_you_mean.hpp"
#include "math/text.hpp"
#include "simulation/reference.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Closed contacts, their forces in the axes of the world: cones stand on the ground.
std::vector<MotionConstraint> closed_contacts(const MotionConstraints& all, const Config& config) {
  std::vector<std::string> names;
  for (const MotionConstraint& contact : all.contacts) names.push_back(contact.name);
  const std::vector<std::string> closed = config.excitation.contacts.value_or(names);
  for (const std::string& name : closed) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw InputError(location_of(config, "excitation.contacts") + ": model.contacts has no " +
                     name + did_you_mean(name, names));
  }
  std::vector<MotionConstraint> out;
  for (MotionConstraint contact : all.contacts) {
    if (std::ranges::find(closed, contact.name) == closed.end()) continue;
    const bool holds_all = std::ranges::includes(contact.rows, std::vector{0, 1, 2});
    if (holds_all && contact.num_rows() % 3 == 0) contact.axes = Axes::world_aligned;
    out.push_back(std::move(contact));
  }
  return out;
}

/// Numbers of the joints at the start: given, or as a simulation starts.
VectorXd start_numbers(const Robot& robot, const Config& config, bool is_held) {
  VectorXd out = VectorXd::Zero(robot.nv());
  std::vector<std::string> names;
  for (const Joint& joint : robot.joints) {
    names.push_back("q." + joint.name);
    const bool limited = std::isfinite(joint.lower) && std::isfinite(joint.upper);
    if (limited && !is_held) out[joint.idx_v] = 0.5 * (joint.lower + joint.upper);
    const auto posture = config.simulation.posture.find(joint.name);
    if (posture != config.simulation.posture.end()) out[joint.idx_v] = posture->second;
    const auto given = config.excitation.start.find(names.back());
    if (given != config.excitation.start.end()) out[joint.idx_v] = given->second;
  }
  for (const auto& [name, value] : config.excitation.start) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw InputError(location_of(config, "excitation.start." + name) + ": there is no joint " +
                     name.substr(2) + " in " + config.model.urdf + did_you_mean(name, names));
  }
  return out;
}

std::string text_of(double number) {
  return rounded(number, 4);
}

/// "self_collision of a–b is 0.01 m …; so are c–d (0.02 m)": all links that are too near, the
/// nearest first.
std::string near_links(const std::vector<MotionLimit>& limits, const MotionInstant& at) {
  std::map<std::string, double> least;
  double lower = 0;
  for (const MotionLimit& limit : limits) {
    const double value = limit_value(limit, at);
    if (limit.kind != MotionLimit::Kind::distance || value >= limit.lower) continue;
    lower = limit.lower;
    const auto [found, is_new] = least.try_emplace(limit.of, value);
    found->second = std::min(found->second, value);
  }
  std::vector<std::pair<double, std::string>> sorted;
  for (const auto& [links, value] : least) sorted.emplace_back(value, links);
  std::ranges::sort(sorted);
  std::string out = "self_collision of " + sorted[0].second + " is " + text_of(sorted[0].first) +
                    " m there, below " + text_of(lower) + " m, the smallest distance allowed";
  for (std::size_t i = 1; i < sorted.size(); ++i)
    out +=
        (i == 1 ? "; so are " : ", ") + sorted[i].second + " (" + text_of(sorted[i].first) + " m)";
  return out +
         "; change excitation.start, or list links that cannot collide in "
         "excitation.ignore_pairs";
}

/// Every motion needs forces that motors and held rows can make.
void check_motors(const InstantModel& model, const MotionInstant& at, const Config& config) {
  const std::vector<int>& passive = model.passive();
  if (passive.empty()) return;
  const MatrixXd B = at.J(Eigen::all, passive).transpose();
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(B.transpose());
  const auto count = static_cast<Eigen::Index>(passive.size());
  if (B.cols() > 0 && qr.rank() == count) return;
  const Robot& robot = model.dynamics().robot();
  const int place =
      B.cols() > 0 ? passive[static_cast<std::size_t>(qr.colsPermutation().indices()[qr.rank()])]
                   : passive[0];
  const std::string name =
      place < robot.base_nv()
          ? base_name
          : robot.joints[static_cast<std::size_t>(place - robot.base_nv())].name;
  throw InputError(location_of(config, "excitation") + ": the motion of " + name +
                   " cannot be chosen: it is not actuated, and neither a loop nor a contact "
                   "constrains it");
}

}  // namespace

MotionStart make_motion_start(const Dynamics& dynamics, const Config& config) {
  const Robot& robot = dynamics.robot();
  if (dynamics.num_rotors() > 0)
    throw InputError(location_of(config, "model.rotors") +
                     ": excite does not support flying robots");
  const MotionConstraints all = make_constraints(robot, config);
  const Mode loops{all.loops};
  MotionStart out{loops, {}};
  for (MotionConstraint& contact : closed_contacts(all, config))
    out.mode.constraints.push_back(std::move(contact));
  if (robot.floating && out.mode.constraints.size() == all.loops.size()) {
    throw InputError(location_of(config, "excitation") +
                     ": a floating base moves through its contacts, and none is closed: add "
                     "model.contacts");
  }
  const VectorXd numbers = start_numbers(robot, config, !all.empty());
  out.q =
      close_loops(dynamics, loops, make_configuration(robot, numbers), VectorXd::Zero(robot.nv()));
  return out;
}

void check_motion_start(const InstantModel& model, const std::vector<MotionLimit>& limits,
                        const Config& config) {
  InstantModel::Workspace workspace = model.make_workspace();
  const VectorXd rest = VectorXd::Zero(model.motion().size());
  MotionInstant at;
  model.evaluate(rest, rest, rest, workspace, at);
  check_motors(model, at, config);
  for (const MotionLimit& limit : limits) {
    const double value = limit_value(limit, at), margin = limit_margin(limit, value);
    if (margin >= 0) continue;
    const bool is_low = value < limit.lower;
    if (limit.kind == MotionLimit::Kind::distance)
      throw InputError(location_of(config, "excitation.start") + ": " + near_links(limits, at));
    const std::string bound = text_of(is_low ? limit.lower : limit.upper) + " " + limit.unit;
    throw InputError(location_of(config, "excitation.start") + ": " + limit.name + " of " +
                     limit.of + " is " + text_of(value) + " " + limit.unit + " at rest there, " +
                     text_of(-margin * limit.scale) + " " + limit.unit +
                     (is_low ? " below " : " above ") + bound + ", the " +
                     (is_low ? "smallest" : "largest") + " value allowed");
  }
}

}  // namespace bayesid
