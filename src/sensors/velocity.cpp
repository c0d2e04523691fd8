// SPDX-License-Identifier: BSD-3-Clause
// Joint velocities, any subset at any sample. docs/math/observation.md (2)
//   r_j = (v_j − v̂_j) / σ_j
#include <cmath>
#include <utility>

#include "sensors/joint_channels.hpp"
#include "sensors/kinds.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

class EncoderVelocity final : public Sensor {
 public:
  EncoderVelocity(MatrixXd measured, const VectorXd& std)
      : measured_(std::move(measured)), weight_(std.cwiseInverse()) {}
  std::string kind() const override { return "velocity"; }
  int max_rows() const override { return static_cast<int>(measured_.rows()); }
  void evaluate(const Instant& at, Order order, Residual& out) const override;

 private:
  MatrixXd measured_;
  VectorXd weight_;  // 1/σ
};

void EncoderVelocity::evaluate(const Instant& at, Order order, Residual& out) const {
  out.rows = 0;
  const Eigen::Index nv = measured_.rows();
  for (Eigen::Index j = 0; j < nv; ++j) {
    const double measured = measured_(j, at.sample);
    if (std::isnan(measured)) continue;
    out.r[out.rows] = weight_[j] * (at.v[j] - measured);
    out.channel[out.rows] = static_cast<int>(j);
    if (order == Order::derivatives) {
      out.dr_dx.row(out.rows).setZero();
      out.dr_dx(out.rows, nv + j) = weight_[j];
    }
    ++out.rows;
  }
}

class VelocityKind final : public SensorKind {
 public:
  std::string prefix() const override { return "v."; }
  std::string group() const override { return "velocity"; }
  SampledAt sampled_at() const override { return SampledAt::states; }
  std::vector<std::string> channels(const Robot& robot, const std::string&) const override {
    return joint_channels(robot, prefix());
  }
  std::string unit(const Robot& robot, const std::string& channel) const override {
    return joint_unit(robot, channel, "/s");
  }
  std::vector<std::string> groups(const Noise&) const override { return {group()}; }
  VectorXd noise_std(const Noise& noise, const std::string&) const override {
    return noise.velocity;
  }
  std::vector<NoiseNumber> numbers(const Robot& robot, const std::string& group,
                                   Noise& noise) const override {
    return joint_numbers(robot, group, noise.velocity);
  }
  std::unique_ptr<Sensor> make(const SensorSetting& setting, const std::string&,
                               MatrixXd measured) const override {
    return std::make_unique<EncoderVelocity>(std::move(measured), setting.noise.velocity);
  }
  VectorXd simulate(const SensorSetting& setting, const std::string&, const Instant& at,
                    const Draw& draw) const override {
    VectorXd out = at.v + draw(setting.noise.velocity);
    out.head(setting.robot.base_nv()).setConstant(std::nan(""));
    return out;
  }
};

}  // namespace

const SensorKind& velocity_kind() {
  static const VelocityKind kind;
  return kind;
}

}  // namespace bayesid
