// SPDX-License-Identifier: BSD-3-Clause
// Pose of a frame in the world, position and orientation each where it was measured.
// docs/math/observation.md (3), (4)
//   r_p = (p − p̂) / σ_p in world axes,   r_R = Log(R̂ᵀ R) / σ_R
#include <array>
#include <utility>

#include "sensors/kinds.hpp"
#include "sensors/orientation.hpp"
#include "sensors/vector_numbers.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

class Pose final : public Sensor {
 public:
  /// `measured`: px, py, pz, qx, qy, qz, qw, 7 × samples, NaN where not measured; quaternions of
  /// any length but zero. A part without a standard deviation is not used.
  Pose(std::string kind, const FramePlacement& frame, MatrixXd measured, const PoseConfig& std)
      : kind_(std::move(kind)),
        frame_(frame),
        measured_(std::move(measured)),
        position_weight_(std.position ? 1 / *std.position : 0),
        orientation_weight_(std.orientation ? 1 / *std.orientation : 0) {
    normalise_quaternions(measured_);
  }
  std::string kind() const override { return kind_; }
  int max_rows() const override { return 6; }
  std::string channel_name(int channel) const override {
    constexpr std::array<const char*, 6> names{"px", "py", "pz", "rx", "ry", "rz"};
    return names[channel];
  }
  void evaluate(const Instant& at, Order order, Residual& out) const override;

 private:
  void add_position(const Instant& at, Order order, Residual& out) const;

  std::string kind_;
  FramePlacement frame_;
  MatrixXd measured_;
  double position_weight_, orientation_weight_;  // 1/σ; 0: not used
};

void Pose::evaluate(const Instant& at, Order order, Residual& out) const {
  out.rows = 0;
  const auto measured = measured_.col(at.sample);
  if (position_weight_ > 0 && measured.head<3>().allFinite()) {
    mark_channels(0, out);
    add_position(at, order, out);
  }
  if (orientation_weight_ > 0 && measured.tail<4>().allFinite()) {
    mark_channels(3, out);
    add_orientation(at, frame_, measured.tail<4>(), orientation_weight_, order, out);
  }
}

/// ∂r_p/∂q = J_linear / σ_p
void Pose::add_position(const Instant& at, Order order, Residual& out) const {
  const int row = out.rows;
  out.rows += 3;
  const Vector3d error =
      at.kinematics->pose(at.q, frame_).translation - measured_.col(at.sample).head<3>();
  out.r.segment<3>(row) = position_weight_ * error;
  if (order == Order::value) return;
  const MatrixXd& J = at.kinematics->jacobian(at.q, frame_);
  out.dr_dx.middleRows<3>(row).setZero();
  out.dr_dx.block(row, 0, 3, J.cols()) = position_weight_ * J.topRows<3>();
}

class PoseKind final : public SensorKind {
 public:
  std::string prefix() const override { return "pose."; }
  SampledAt sampled_at() const override { return SampledAt::states; }
  std::vector<std::string> channels(const Robot&, const std::string& group) const override {
    std::vector<std::string> out;
    for (const char* axis : {"px", "py", "pz", "qx", "qy", "qz", "qw"})
      out.push_back(group + "." + axis);
    return out;
  }
  std::vector<std::pair<int, int>> vectors() const override { return {{0, 3}, {3, 4}}; }
  std::string unit(const Robot&, const std::string& channel) const override {
    return channel.starts_with('p') ? "m" : "rad";
  }
  std::vector<std::string> groups(const Noise& noise) const override {
    std::vector<std::string> out;
    for (const auto& [name, pose] : noise.poses) out.push_back(prefix() + name);
    return out;
  }
  VectorXd noise_std(const Noise& noise, const std::string& group) const override {
    const PoseConfig& pose = noise.poses.at(group.substr(prefix().size()));
    VectorXd out(7);
    out.head<3>().setConstant(pose.position.value_or(std::nan("")));
    out.tail<4>().setConstant(quaternion_std(pose.orientation));
    return out;
  }
  std::vector<NoiseNumber> numbers(const Robot&, const std::string& group,
                                   Noise& noise) const override {
    PoseConfig& pose = noise.poses.at(group.substr(prefix().size()));
    std::vector<NoiseNumber> out;
    add_vector_number(group, "position", {"px", "py", "pz"}, 0, pose.position, out);
    add_rotation_number(group, 3, pose.orientation, out);
    return out;
  }
  std::unique_ptr<Sensor> make(const SensorSetting& setting, const std::string& group,
                               MatrixXd measured) const override {
    const std::string name = group.substr(prefix().size());
    return std::make_unique<Pose>(group, find_frame(setting.robot, name).value(),
                                  std::move(measured), setting.noise.poses.at(name));
  }
  VectorXd simulate(const SensorSetting& setting, const std::string& group, const Instant& at,
                    const Draw& draw) const override {
    const std::string name = group.substr(prefix().size());
    const FramePose pose = at.kinematics->pose(at.q, find_frame(setting.robot, name).value());
    const PoseConfig& std = setting.noise.poses.at(name);
    VectorXd out(7);
    out.head<3>() =
        pose.translation + draw(VectorXd::Constant(3, std.position.value_or(0))).head<3>();
    out.tail<4>() = simulate_orientation(pose.rotation, std.orientation.value_or(0), draw).coeffs();
    return out;
  }
};

}  // namespace

const SensorKind& pose_kind() {
  static const PoseKind kind;
  return kind;
}

}  // namespace bayesid
