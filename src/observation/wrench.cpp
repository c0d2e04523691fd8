// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/observation/wrench.hpp"

#include <cmath>

namespace bayesid {

using Eigen::Matrix3d;

bool WrenchSensor::has_row(int channel, int at) const {
  return std[channel] > 0 && !std::isnan(measured(channel, at));
}

int num_rows(const std::vector<WrenchSensor>& sensors) {
  int out = 0;
  for (const WrenchSensor& sensor : sensors) {
    for (const double std : sensor.std) out += std > 0 ? 1 : 0;
  }
  return out;
}

std::array<int, 6> wrench_offsets(const ParameterSet& parameters, const std::string& name) {
  std::array<int, 6> out{};
  for (int i = 0; i < 6; ++i) {
    out[i] = parameters.layout().sensor_index("wrench_offset." + name + "." + wrench_axes[i]);
  }
  return out;
}

std::array<double, 6> wrench_std(const WrenchConfig& config) {
  std::array<double, 6> out{};
  for (int i = 0; i < 6; ++i) out[i] = (i < 3 ? config.force : config.torque).value_or(0);
  return out;
}

ContactRows find_contact(const Mode& mode, const std::string& name) {
  int first = 0;
  for (const MotionConstraint& c : mode.constraints) {
    if (c.is_contact && c.name == name) return {&c, first};
    first += c.num_rows();
  }
  return {};
}

Matrix3d to_frame_axes(const MotionConstraint& constraint, const Eigen::VectorXd& q,
                       Kinematics& kinematics) {
  if (constraint.axes == Axes::local) return Matrix3d::Identity();
  return kinematics.pose(q, constraint.first).rotation.transpose();
}

ContactWrench contact_wrench(const ContactRows& contact, const Eigen::VectorXd& lambda,
                             const Matrix3d& to_frame) {
  ContactWrench out = ContactWrench::Zero();
  if (!contact.constraint) return out;
  const std::vector<int>& rows = contact.constraint->rows;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    out.segment<3>(3 * (rows[j] / 3)) +=
        lambda[contact.first + static_cast<int>(j)] * to_frame.col(rows[j] % 3);
  }
  return out;
}

}  // namespace bayesid
