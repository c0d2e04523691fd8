// SPDX-License-Identifier: BSD-3-Clause
// Inertial measurement unit: specific force, body rate and orientation, each where it was measured.
// docs/math/observation.md (5), (6)
//   r_a = (Rᵀ(p̈ − g) + b_a − f̂) / σ_a,   r_ω = (Rᵀω + b_ω − ω̂) / σ_ω,   r_R = Log(R̂ᵀ R) / σ_R
#include <array>
#include <cmath>
#include <utility>

#include "sensors/kinds.hpp"
#include "sensors/orientation.hpp"
#include "sensors/vector_numbers.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr std::array<const char*, 9> row_names{"ax", "ay", "az", "wx", "wy",
                                               "wz", "rx", "ry", "rz"};

class Imu final : public Sensor {
 public:
  /// Where the sensor is, what is known of it, and its biases among the sensors' parameters:
  /// ax … wz, −1 where there is none.
  struct Description {
    std::string kind;
    FramePlacement frame;
    ImuConfig std;
    Vector3d gravity;
    std::array<int, 6> bias;
  };
  /// `measured`: ax … az, wx … wz, qx … qw, 10 × samples, NaN where not measured.
  Imu(Description description, MatrixXd measured);
  std::string kind() const override { return is_.kind; }
  int max_rows() const override { return 9; }
  std::string channel_name(int channel) const override { return row_names[channel]; }
  Reads reads() const override {
    return acceleration_weight_ > 0 ? Reads::acceleration : Reads::state;
  }
  std::vector<int> parameters() const override { return parameters_; }
  void evaluate(const Instant& at, Order order, Residual& out) const override;

 private:
  void add_acceleration(const Instant& at, Order order, Residual& out) const;
  void add_rate(const Instant& at, Order order, Residual& out) const;
  void add_bias(const Instant& at, int first, double weight, int row, Residual& out) const;

  Description is_;
  MatrixXd measured_;
  double acceleration_weight_, rate_weight_, orientation_weight_;  // 1/σ; 0: not used
  std::vector<MotionConstraint> point_, turn_;  // motions whose rows are what the sensor measures
  std::vector<int> parameters_;
  std::array<int, 6> columns_{};  // of dr_dparameters; −1: none
};

/// A place that moves against the world, seen in its own axes.
MotionConstraint constraint_at(const FramePlacement& frame, ConstraintType type,
                               std::vector<int> rows) {
  MotionConstraint out;
  out.type = type;
  out.axes = Axes::local;
  out.first = frame;
  out.second = {0, Matrix3d::Identity(), Vector3d::Zero()};
  out.rows = std::move(rows);
  return out;
}

double weight_of(const std::optional<double>& std) {
  return std ? 1 / *std : 0;
}

std::array<int, 6> biases_of(const ParameterSet& parameters, const std::string& name) {
  std::array<int, 6> out{};
  for (int i = 0; i < 6; ++i)
    out[i] = parameters.layout().sensor_index("imu_bias." + name + "." + row_names[i]);
  return out;
}

Imu::Imu(Description description, Eigen::MatrixXd measured)
    : is_(std::move(description)),
      measured_(std::move(measured)),
      acceleration_weight_(weight_of(is_.std.acceleration)),
      rate_weight_(weight_of(is_.std.rate)),
      orientation_weight_(weight_of(is_.std.orientation)),
      point_{constraint_at(is_.frame, ConstraintType::point, {0, 1, 2})},
      turn_{constraint_at(is_.frame, ConstraintType::frame, {3, 4, 5})} {
  normalise_quaternions(measured_);
  for (int i = 0; i < 6; ++i) {
    columns_[i] = is_.bias[i] < 0 ? -1 : static_cast<int>(parameters_.size());
    if (is_.bias[i] >= 0) parameters_.push_back(is_.bias[i]);
  }
}

void Imu::evaluate(const Instant& at, Order order, Residual& out) const {
  out.rows = 0;
  const auto measured = measured_.col(at.sample);
  if (acceleration_weight_ > 0 && measured.head<3>().allFinite()) {
    mark_channels(0, out);
    add_acceleration(at, order, out);
  }
  if (rate_weight_ > 0 && measured.segment<3>(3).allFinite()) {
    mark_channels(3, out);
    add_rate(at, order, out);
  }
  if (orientation_weight_ > 0 && measured.tail<4>().allFinite()) {
    mark_channels(6, out);
    add_orientation(at, is_.frame, measured.tail<4>(), orientation_weight_, order, out);
  }
}

/// ∂(−Rᵀg)/∂q = −[Rᵀg]ₓ Rᵀ J_angular
void Imu::add_acceleration(const Instant& at, Order order, Residual& out) const {
  const int row = out.rows;
  const double w = acceleration_weight_;
  out.rows += 3;
  const Matrix3d R = at.kinematics->pose(at.q, is_.frame).rotation;
  const Vector3d g = R.transpose() * is_.gravity;
  const ConstraintRows& rows = at.kinematics->rows(at.q, at.v, at.a, point_, Level::acceleration);
  out.r.segment<3>(row) = w * (rows.r.head<3>() - g - measured_.col(at.sample).head<3>());
  if (order == Order::derivatives) {
    const Eigen::Index nv = at.v.size();
    out.dr_dx.block(row, 0, 3, nv) = w * rows.dr_dq.topRows<3>();
    out.dr_dx.block(row, nv, 3, nv) = w * rows.dr_dv.topRows<3>();
    out.dr_da.middleRows<3>(row) = w * rows.J.topRows<3>();
    const Eigen::MatrixXd& J = at.kinematics->jacobian(at.q, is_.frame);
    for (Eigen::Index j = 0; j < nv; ++j) {
      const Vector3d turn = R.transpose() * J.col(j).tail<3>();
      out.dr_dx.block<3, 1>(row, j) -= w * g.cross(turn);
    }
    out.dr_dparameters.middleRows<3>(row).setZero();
  }
  add_bias(at, 0, w, row, out);
}

void Imu::add_rate(const Instant& at, Order order, Residual& out) const {
  const int row = out.rows;
  const double w = rate_weight_;
  out.rows += 3;
  const ConstraintRows& rows = at.kinematics->rows(at.q, at.v, at.a, turn_, Level::velocity);
  out.r.segment<3>(row) = w * (rows.r.head<3>() - measured_.col(at.sample).segment<3>(3));
  if (order == Order::derivatives) {
    const Eigen::Index nv = at.v.size();
    out.dr_dx.block(row, 0, 3, nv) = w * rows.dr_dq.topRows<3>();
    out.dr_dx.block(row, nv, 3, nv) = w * rows.J.topRows<3>();
    out.dr_da.middleRows<3>(row).setZero();
    out.dr_dparameters.middleRows<3>(row).setZero();
  }
  add_bias(at, 3, w, row, out);
}

void Imu::add_bias(const Instant& at, int first, double weight, int row, Residual& out) const {
  for (int i = 0; i < 3; ++i) {
    if (columns_[first + i] < 0) continue;
    out.r[row + i] += weight * at.parameters[is_.bias[first + i]];
    out.dr_dparameters(row + i, columns_[first + i]) = weight;
  }
}

class ImuKind final : public SensorKind {
 public:
  std::string prefix() const override { return "imu."; }
  Reads reads() const override { return Reads::acceleration; }
  SampledAt sampled_at() const override { return SampledAt::own_times; }
  std::vector<std::string> channels(const Robot&, const std::string& group) const override {
    std::vector<std::string> out;
    for (const char* axis : {"ax", "ay", "az", "wx", "wy", "wz", "qx", "qy", "qz", "qw"})
      out.push_back(group + "." + axis);
    return out;
  }
  std::vector<std::pair<int, int>> vectors() const override { return {{0, 3}, {3, 3}, {6, 4}}; }
  std::string unit(const Robot&, const std::string& channel) const override {
    return channel.starts_with('a') ? "m/s²" : channel.starts_with('w') ? "rad/s" : "rad";
  }
  std::vector<std::string> groups(const Noise& noise) const override {
    std::vector<std::string> out;
    for (const auto& [name, imu] : noise.imus) out.push_back(prefix() + name);
    return out;
  }
  VectorXd noise_std(const Noise& noise, const std::string& group) const override {
    const ImuConfig& imu = noise.imus.at(group.substr(prefix().size())).std;
    VectorXd out(10);
    out.head<3>().setConstant(imu.acceleration.value_or(std::nan("")));
    out.segment<3>(3).setConstant(imu.rate.value_or(std::nan("")));
    out.tail<4>().setConstant(quaternion_std(imu.orientation));
    return out;
  }
  std::vector<NoiseNumber> numbers(const Robot&, const std::string& group,
                                   Noise& noise) const override {
    ImuConfig& imu = noise.imus.at(group.substr(prefix().size())).std;
    std::vector<NoiseNumber> out;
    add_vector_number(group, "acceleration", {"ax", "ay", "az"}, 0, imu.acceleration, out);
    add_vector_number(group, "rate", {"wx", "wy", "wz"}, 3, imu.rate, out);
    add_rotation_number(group, 6, imu.orientation, out);
    return out;
  }
  std::unique_ptr<Sensor> make(const SensorSetting& setting, const std::string& group,
                               MatrixXd measured) const override {
    const std::string name = group.substr(prefix().size());
    return std::make_unique<Imu>(describe(setting, name, setting.noise.imus.at(name).std),
                                 std::move(measured));
  }
  VectorXd simulate(const SensorSetting& setting, const std::string& group, const Instant& at,
                    const Draw& draw) const override {
    const std::string name = group.substr(prefix().size());
    const ImuNoise& noise = setting.noise.imus.at(name);
    // The residual of a sensor of unit weight that measured nothing is what it would measure.
    const Imu unit(describe(setting, name, {.place = {}, .acceleration = 1, .rate = 1}),
                   VectorXd::Zero(10));
    Residual residual(unit.max_rows(), 2 * setting.robot.nv(),
                      static_cast<int>(unit.parameters().size()));
    Instant first = at;
    first.sample = 0;
    unit.evaluate(first, Order::value, residual);
    VectorXd out = VectorXd::Constant(10, std::nan(""));
    const auto add = [&](int row, const std::optional<double>& std) {
      if (std) out.segment<3>(row) = residual.r.segment<3>(row) + draw(VectorXd::Constant(3, *std));
    };
    add(0, noise.std.acceleration);
    add(3, noise.std.rate);
    if (noise.std.orientation) {
      const FramePose pose = at.kinematics->pose(at.q, noise.frame);
      out.tail<4>() = simulate_orientation(pose.rotation, *noise.std.orientation, draw).coeffs();
    }
    return out;
  }

 private:
  Imu::Description describe(const SensorSetting& setting, const std::string& name,
                            const ImuConfig& std) const {
    return {.kind = prefix() + name,
            .frame = setting.noise.imus.at(name).frame,
            .std = std,
            .gravity = setting.robot.gravity(),
            .bias = biases_of(setting.parameters, name)};
  }
};

}  // namespace

const SensorKind& imu_kind() {
  static const ImuKind kind;
  return kind;
}

}  // namespace bayesid
