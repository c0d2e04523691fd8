// SPDX-License-Identifier: BSD-3-Clause
// Force of one contact, and its moment about the origin of the contact's frame, in the axes of that
// frame. docs/math/observation.md (7)
//   r = (R₁ᵀ(f, n) + b − ŷ) / σ
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <utility>

#include "dynamics/contact_wrench.hpp"
#include "sensors/kinds.hpp"
#include "sensors/vector_numbers.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::RowVector3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr std::array<const char*, 6> axes{"fx", "fy", "fz", "tx", "ty", "tz"};

/// Offsets of a sensor among the sensors' parameters, −1 where there is none.
std::array<int, 6> offsets_of(const ParameterSet& parameters, const std::string& name) {
  std::array<int, 6> out{};
  for (int i = 0; i < 6; ++i)
    out[i] = parameters.layout().sensor_index("wrench_offset." + name + "." + axes[i]);
  return out;
}

/// What the forces of an instant are in the contact's frame.
struct Wrench {
  ContactRows contact;
  bool turns;  // its rows are in the axes of the world
  Matrix3d to_frame;
  ContactWrench value;

  Wrench(const Instant& at, const std::string& name)
      : contact(find_contact(*at.mode, name)),
        turns(contact.constraint && contact.constraint->axes == Axes::world_aligned),
        to_frame(turns ? to_frame_axes(*contact.constraint, at.q, *at.kinematics)
                       : Matrix3d(Matrix3d::Identity())),
        value(contact_wrench(contact, at.lambda, to_frame)) {}
};

class WrenchSensor final : public Sensor {
 public:
  WrenchSensor(std::string kind, const WrenchConfig& config, const std::array<int, 6>& offset,
               MatrixXd measured)
      : kind_(std::move(kind)),
        contact_(config.contact),
        offset_(offset),
        measured_(std::move(measured)) {
    for (int i = 0; i < 6; ++i) {
      const std::optional<double>& std = i < 3 ? config.force : config.torque;
      weight_[i] = std ? 1 / *std : 0;
      columns_[i] = offset_[i] < 0 ? -1 : static_cast<int>(parameters_.size());
      if (offset_[i] >= 0) parameters_.push_back(offset_[i]);
    }
  }
  std::string kind() const override { return kind_; }
  int max_rows() const override { return static_cast<int>((weight_.array() > 0).count()); }
  std::string channel_name(int channel) const override { return axes[channel]; }
  Reads reads() const override { return Reads::forces; }
  std::vector<int> parameters() const override { return parameters_; }
  void evaluate(const Instant& at, Order order, Residual& out) const override;

 private:
  std::string kind_, contact_;
  std::array<int, 6> offset_;
  MatrixXd measured_;                   // 6 × samples, NaN where not measured
  Eigen::Matrix<double, 6, 1> weight_;  // 1/σ; 0: not used
  std::vector<int> parameters_;
  std::array<int, 6> columns_{};  // of dr_dparameters; −1: none
};

void WrenchSensor::evaluate(const Instant& at, Order order, Residual& out) const {
  out.rows = 0;
  const Wrench wrench(at, contact_);
  for (int i = 0; i < 6; ++i) {
    const double measured = measured_(i, at.sample), w = weight_[i];
    if (w == 0 || std::isnan(measured)) continue;
    const int row = out.rows++;
    const double offset = offset_[i] < 0 ? 0 : at.parameters[offset_[i]];
    out.channel[row] = i;
    out.r[row] = w * (wrench.value[i] + offset - measured);
    contact_wrench_row(wrench.contact, wrench.to_frame, i, out.dr_dlambda.row(row));
    out.dr_dlambda.row(row) *= w;
    if (order == Order::value) continue;
    out.dr_dx.row(row).setZero();
    out.dr_da.row(row).setZero();
    out.dr_dparameters.row(row).setZero();
    if (columns_[i] >= 0) out.dr_dparameters(row, columns_[i]) = w;
    if (!wrench.turns) continue;
    // A row of [Rᵀf]ₓ Rᵀ J_angular
    const Vector3d part = wrench.value.segment<3>(3 * (i / 3));
    const RowVector3d turn =
        w * (wrench.to_frame.transpose() * Vector3d(Vector3d::Unit(i % 3).cross(part))).transpose();
    const MatrixXd& J = at.kinematics->jacobian(at.q, wrench.contact.constraint->first);
    out.dr_dx.row(row).head(J.cols()).noalias() = turn * J.bottomRows<3>();
  }
}

class WrenchKind final : public SensorKind {
 public:
  std::string prefix() const override { return "wrench."; }
  Reads reads() const override { return Reads::forces; }
  SampledAt sampled_at() const override { return SampledAt::stage_starts; }
  std::vector<std::string> channels(const Robot&, const std::string& group) const override {
    std::vector<std::string> out;
    for (const char* axis : axes) out.push_back(group + "." + axis);
    return out;
  }
  std::string unit(const Robot&, const std::string& channel) const override {
    return channel.starts_with('f') ? "N" : "N·m";
  }
  std::vector<std::string> groups(const Noise& noise) const override {
    std::vector<std::string> out;
    for (const auto& [name, config] : noise.wrenches) out.push_back(prefix() + name);
    return out;
  }
  VectorXd noise_std(const Noise& noise, const std::string& group) const override {
    const WrenchConfig& wrench = noise.wrenches.at(group.substr(prefix().size()));
    VectorXd out(6);
    out.head<3>().setConstant(wrench.force.value_or(std::nan("")));
    out.tail<3>().setConstant(wrench.torque.value_or(std::nan("")));
    return out;
  }
  std::vector<NoiseNumber> numbers(const Robot&, const std::string& group,
                                   Noise& noise) const override {
    WrenchConfig& wrench = noise.wrenches.at(group.substr(prefix().size()));
    std::vector<NoiseNumber> out;
    add_vector_number(group, "force", {"fx", "fy", "fz"}, 0, wrench.force, out);
    add_vector_number(group, "torque", {"tx", "ty", "tz"}, 3, wrench.torque, out);
    return out;
  }
  std::unique_ptr<Sensor> make(const SensorSetting& setting, const std::string& group,
                               MatrixXd measured) const override {
    const std::string name = group.substr(prefix().size());
    return std::make_unique<WrenchSensor>(group, setting.noise.wrenches.at(name),
                                          offsets_of(setting.parameters, name),
                                          std::move(measured));
  }
  VectorXd simulate(const SensorSetting& setting, const std::string& group, const Instant& at,
                    const Draw& draw) const override {
    const std::string name = group.substr(prefix().size());
    const WrenchConfig& config = setting.noise.wrenches.at(name);
    VectorXd out = Wrench(at, config.contact).value;
    const std::array<int, 6> offset = offsets_of(setting.parameters, name);
    for (int i = 0; i < 6; ++i) {
      if (offset[i] >= 0) out[i] += at.parameters[offset[i]];
    }
    const auto add_noise = [&](int first, const std::optional<double>& std) {
      out.segment<3>(first) +=
          std ? draw(VectorXd::Constant(3, *std)) : VectorXd(VectorXd::Constant(3, std::nan("")));
    };
    add_noise(0, config.force);
    add_noise(3, config.torque);
    return out;
  }
};

}  // namespace

const SensorKind& wrench_kind() {
  static const WrenchKind kind;
  return kind;
}

}  // namespace bayesid
