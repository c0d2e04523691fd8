// SPDX-License-Identifier: BSD-3-Clause
// Joint positions, any subset at any sample. docs/math/observation.md (1)
//   r_j = (q_j ⊖ q̂_j) / σ_j
#include <cmath>
#include <utility>

#include "sensors/joint_channels.hpp"
#include "sensors/kinds.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

class EncoderPosition final : public Sensor {
 public:
  /// `measured`: angle or length, nv × samples, NaN where not measured. `std`: of each row.
  EncoderPosition(const Robot& robot, MatrixXd measured, const VectorXd& std)
      : joints_(robot.joints), measured_(std::move(measured)), weight_(std.cwiseInverse()) {}
  std::string kind() const override { return "position"; }
  int max_rows() const override { return static_cast<int>(measured_.rows()); }
  void evaluate(const Instant& at, Order order, Residual& out) const override;

 private:
  std::vector<Joint> joints_;
  MatrixXd measured_;
  VectorXd weight_;  // 1/σ
};

void EncoderPosition::evaluate(const Instant& at, Order order, Residual& out) const {
  out.rows = 0;
  for (const Joint& joint : joints_) {
    const int j = joint.idx_v;
    const double measured = measured_(j, at.sample);
    if (std::isnan(measured)) continue;
    double error = at.q[joint.idx_q] - measured;
    if (joint.continuous) {
      // Angle of the rotation from the measured direction to (cos, sin).
      const double c = std::cos(measured), s = std::sin(measured);
      const double q_cos = at.q[joint.idx_q], q_sin = at.q[joint.idx_q + 1];
      error = std::atan2(q_sin * c - q_cos * s, q_cos * c + q_sin * s);
    }
    out.r[out.rows] = weight_[j] * error;
    out.channel[out.rows] = j;
    if (order == Order::derivatives) {
      out.dr_dx.row(out.rows).setZero();
      out.dr_dx(out.rows, j) = weight_[j];
    }
    ++out.rows;
  }
}

class PositionKind final : public SensorKind {
 public:
  std::string prefix() const override { return "q."; }
  std::string group() const override { return "position"; }
  SampledAt sampled_at() const override { return SampledAt::states; }
  std::vector<std::string> channels(const Robot& robot, const std::string&) const override {
    return joint_channels(robot, prefix());
  }
  std::string unit(const Robot& robot, const std::string& channel) const override {
    return joint_unit(robot, channel);
  }
  std::vector<std::string> groups(const Noise&) const override { return {group()}; }
  VectorXd noise_std(const Noise& noise, const std::string&) const override {
    return noise.position;
  }
  std::vector<NoiseNumber> numbers(const Robot& robot, const std::string& group,
                                   Noise& noise) const override {
    return joint_numbers(robot, group, noise.position);
  }
  std::unique_ptr<Sensor> make(const SensorSetting& setting, const std::string&,
                               MatrixXd measured) const override {
    return std::make_unique<EncoderPosition>(setting.robot, std::move(measured),
                                             setting.noise.position);
  }
  VectorXd simulate(const SensorSetting& setting, const std::string&, const Instant& at,
                    const Draw& draw) const override {
    VectorXd out = joint_angles(setting.robot, at.q) + draw(setting.noise.position);
    out.head(setting.robot.base_nv()).setConstant(std::nan(""));
    return out;
  }
};

}  // namespace

const SensorKind& position_kind() {
  static const PositionKind kind;
  return kind;
}

}  // namespace bayesid
