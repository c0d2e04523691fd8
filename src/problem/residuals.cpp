// SPDX-License-Identifier: BSD-3-Clause
// What each sensor says about a path, channel by channel, for people.
#include <map>
#include <string>

#include "bayesid/problem/robot_problem.hpp"
#include "problem/scratch.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

/// Collects residuals by sensor and channel, in the order in which they were first seen.
class Collected {
 public:
  explicit Collected(const Robot& robot) : robot_(robot) {}

  /// `velocity`: of a channel that belongs to a joint, which then names it.
  void add(const std::string& sensor, const std::string& channel, int velocity, double r,
           int node) {
    const int index = static_cast<int>(out_.size());
    const auto [found, is_new] = places_.try_emplace({sensor, channel, velocity}, index);
    if (is_new) {
      const std::string name =
          velocity >= 0 ? robot_.joints[velocity - robot_.base_nv()].name : channel;
      out_.push_back({.sensor = sensor, .channel = name, .velocity = velocity});
    }
    out_[found->second].r.push_back(r);
    out_[found->second].node.push_back(node);
  }
  void add(const Term& term, const Residual& residual, int node) {
    for (int i = 0; i < residual.rows; ++i) {
      const std::string channel = term.channel_name(residual.channel[i]);
      add(term.kind(), channel, channel.empty() ? residual.channel[i] : -1, residual.r[i], node);
    }
  }
  std::vector<ChannelResiduals> take() { return std::move(out_); }

 private:
  const Robot& robot_;
  std::map<std::tuple<std::string, std::string, int>, int> places_;
  std::vector<ChannelResiduals> out_;
};

/// Forces of a contact beside what its sensor measured in a stage.
void add_wrench(const WrenchSensor& sensor, int k, const ContactWrench& wrench,
                const VectorXd& offsets, Collected& out) {
  const int sample = sensor.sample[k];
  for (int channel = 0; channel < 6; ++channel) {
    if (!sensor.has_row(channel, sample)) continue;
    double error = wrench[channel] - sensor.measured(channel, sample);
    if (sensor.offset[channel] >= 0) error += offsets[sensor.offset[channel]];
    out.add(sensor.kind(), wrench_axes[channel], -1, error / sensor.std[channel], k);
  }
}

}  // namespace

std::vector<ChannelResiduals> RobotProblem::residuals(const VectorXd& theta, int trajectory,
                                                      const Path& path) const {
  Scratch s(*this);
  const std::shared_ptr<const At> at = this->at(theta);
  const DynamicsAt& model = dynamics_at(*at);
  const Trajectory& own = trajectories_[trajectory];
  const Schedule& schedule = this->schedule(*at, trajectory);
  const auto num_stages = static_cast<int>(path.u.cols());
  Collected out(dynamics_->robot());
  for (int k = 1; k <= num_stages; ++k) {
    read(trajectory, k, path, s);
    if (s.knot.sample < 0) continue;
    for (size_t i = 0; i < own.sensors.size(); ++i) {
      if (own.sensors[i].is_timed) continue;
      own.sensors[i].term->evaluate(s.knot, Order::value, s.residuals[i]);
      out.add(*own.sensors[i].term, s.residuals[i], k);
    }
  }
  for (int k = 0; k < num_stages; ++k) {
    for (int i = schedule.first[k]; i < schedule.first[k + 1]; ++i) {
      const Seen& seen = schedule.seen[i];
      if (look(*at, trajectory, k, path, seen, Order::value, s))
        out.add(*own.sensors[seen.sensor].term, s.residuals[seen.sensor], k);
    }
    if (noise_.energy && look_at_energy(*at, trajectory, k, path, Order::value, s))
      out.add("energy", "balance", -1, s.r_energy, k);
    if (plan(trajectory, k).impact) continue;
    for (int j = 0; j < effort_std_.size(); ++j) {
      if (!(effort_std_[j] > 0)) continue;
      const bool is_joint = j < dynamics_->nv();
      if (is_joint && model.eta.gain[j] == 0) continue;
      const double r = path.u(dynamics_->nv() + j, k) / effort_std_[j];
      const int rotor = j - dynamics_->nv();
      out.add(is_joint ? "effort" : "thrust",
              is_joint ? "" : dynamics_->parameters().rotors()[rotor].name, is_joint ? j : -1, r,
              k);
    }
    for (const WrenchSensor& sensor : own.wrenches) {
      if (sensor.sample[k] < 0) continue;
      examine(model, trajectory, k, path, s);
      const ContactRows contact = find_contact(mode(trajectory, k), sensor.contact);
      Eigen::Matrix3d to_frame = Eigen::Matrix3d::Identity();
      if (contact.constraint) to_frame = to_frame_axes(*contact.constraint, s.q, s.kinematics);
      add_wrench(sensor, k, contact_wrench(contact, s.stage.lambda, to_frame), model.eta.sensor,
                 out);
    }
  }
  return out.take();
}

}  // namespace bayesid
