// SPDX-License-Identifier: BSD-3-Clause
// Torque sensor behind the gear of a joint: the load of its links, without friction and armature of
// the motor. docs/math/observation.md (13)
//   r_j = (τ_l,j − τ̂_l,j) / σ_j
#include <cmath>
#include <utility>

#include "sensors/joint_channels.hpp"
#include "sensors/kinds.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

class LinkTorque final : public Sensor {
 public:
  /// `measured`: nv × samples, NaN where not measured. `std`: of each row; 0: not measured.
  LinkTorque(MatrixXd measured, const VectorXd& std)
      : measured_(std::move(measured)),
        weight_((std.array() > 0).select(std.cwiseInverse(), 0.0)) {}
  std::string kind() const override { return "torque"; }
  int max_rows() const override { return static_cast<int>((weight_.array() > 0).count()); }
  Reads reads() const override { return Reads::link_efforts; }
  void evaluate(const Instant& at, Order order, Residual& out) const override;

 private:
  MatrixXd measured_;
  VectorXd weight_;  // 1/σ; 0: not measured
};

void LinkTorque::evaluate(const Instant& at, Order order, Residual& out) const {
  out.rows = 0;
  for (Eigen::Index j = 0; j < measured_.rows(); ++j) {
    const double measured = measured_(j, at.sample);
    if (weight_[j] == 0 || std::isnan(measured)) continue;
    const int row = out.rows++;
    out.r[row] = weight_[j] * (at.link->value[j] - measured);
    out.channel[row] = static_cast<int>(j);
    out.dr_dlambda.row(row).setZero();
    out.dr_dlink.row(row).setZero();
    out.dr_dlink(row, j) = weight_[j];
    if (order == Order::derivatives) out.dr_dx.row(row).setZero();
  }
}

class TorqueKind final : public SensorKind {
 public:
  std::string prefix() const override { return "torque."; }
  std::string group() const override { return "torque"; }
  Reads reads() const override { return Reads::link_efforts; }
  SampledAt sampled_at() const override { return SampledAt::stage_starts; }
  std::vector<std::string> channels(const Robot& robot, const std::string&) const override {
    return joint_channels(robot, prefix());
  }
  std::string unit(const Robot& robot, const std::string& channel) const override {
    return joint_effort_unit(robot, channel);
  }
  std::vector<std::string> groups(const Noise& noise) const override {
    if (!noise.joint_sensors.contains(group())) return {};
    return {group()};
  }
  VectorXd noise_std(const Noise& noise, const std::string&) const override {
    const VectorXd& std = noise.joint_sensors.at(group());
    return (std.array() > 0).select(std, std::nan(""));
  }
  std::vector<NoiseNumber> numbers(const Robot& robot, const std::string& group,
                                   Noise& noise) const override {
    return joint_numbers(robot, group, noise.joint_sensors.at(group));
  }
  std::unique_ptr<Sensor> make(const SensorSetting& setting, const std::string&,
                               MatrixXd measured) const override {
    return std::make_unique<LinkTorque>(std::move(measured),
                                        setting.noise.joint_sensors.at(group()));
  }
  VectorXd simulate(const SensorSetting& setting, const std::string&, const Instant& at,
                    const Draw& draw) const override {
    const VectorXd& std = setting.noise.joint_sensors.at(group());
    const VectorXd out = at.link->value + draw(std);
    return (std.array() > 0).select(out, std::nan(""));
  }
};

}  // namespace

const SensorKind& torque_kind() {
  static const TorqueKind kind;
  return kind;
}

}  // namespace bayesid
