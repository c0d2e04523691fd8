// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/parameters/parameter_set.hpp"

#include <cassert>
#include <cmath>
#include <limits>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

VectorXd stack(const PhysicalParameters& physical) {
  VectorXd out(physical.pi.size() + physical.gamma.size() + physical.armature.size() +
               physical.gain.size() + physical.offset.size() + physical.thrust.size() +
               physical.moment.size() + physical.presliding.size() + physical.sensor.size());
  out << physical.pi.reshaped(), physical.gamma.reshaped(), physical.armature, physical.gain,
      physical.offset, physical.thrust, physical.moment, physical.presliding, physical.sensor;
  return out;
}

std::vector<std::string> ParameterSet::names() const {
  std::vector<std::string> out;
  out.reserve(free_.size());
  for (const int i : free_) out.push_back(all_[i].name);
  return out;
}

VectorXd ParameterSet::prior() const {
  VectorXd out(ntheta());
  for (int k = 0; k < ntheta(); ++k) out[k] = all_[free_[k]].prior;
  return out;
}

VectorXd ParameterSet::prior_std() const {
  VectorXd out(ntheta());
  for (int k = 0; k < ntheta(); ++k) out[k] = all_[free_[k]].std;
  return out;
}

VectorXd ParameterSet::all_values(const VectorXd& theta) const {
  assert(theta.size() == ntheta());
  VectorXd out(all_.size());
  for (std::size_t i = 0; i < all_.size(); ++i) {
    out[i] = theta_index_[i] < 0 ? all_[i].prior : theta[theta_index_[i]];
  }
  return out;
}

double ParameterSet::decode(int i, const VectorXd& values) const {
  return all_[i].is_logarithm ? std::exp(values[i]) : values[i];
}

double ParameterSet::decode_derivative(int i, const VectorXd& values) const {
  return all_[i].is_logarithm ? std::exp(values[i]) : 1;
}

RowVectorXd ParameterSet::free_part(const RowVectorXd& gradient) const {
  return gradient(free_);
}

PhysicalParameters ParameterSet::physical(const VectorXd& theta) const {
  const VectorXd values = all_values(theta);
  PhysicalParameters out = nominal_;
  for (const LinkBlock& block : links_) {
    out.pi.col(block.body) +=
        block.to_body * inertia_from_coordinates(values.segment<10>(block.first));
  }
  for (const FrictionBlock& block : friction_) {
    for (int i = 0; i < 6; ++i) {
      if (block.index[i] >= 0) out.gamma(i, block.drive) = decode(block.index[i], values);
    }
  }
  for (const ScalarBlock& block : armature_)
    out.armature[block.target] = decode(block.index, values);
  for (const ScalarBlock& block : sensors_) out.sensor[block.target] = values[block.index];
  for (const EffortBlock& block : efforts_) {
    const double ratio = block.ratio < 0 ? 1 : decode(block.ratio, values);
    out.gain[block.joint] = ratio * (block.gain < 0 ? 1 : values[block.gain]);
    out.offset[block.joint] = ratio * (block.offset < 0 ? 0 : values[block.offset]);
  }
  for (const ScalarBlock& block : thrust_) out.thrust[block.target] = decode(block.index, values);
  for (const ScalarBlock& block : moment_) out.moment[block.target] = decode(block.index, values);
  for (const ScalarBlock& block : presliding_blocks_)
    out.presliding[block.target] = decode(block.index, values);
  return out;
}

MatrixXd ParameterSet::physical_jacobian(const VectorXd& theta) const {
  const VectorXd values = all_values(theta);
  const PhysicalParameters at = physical(theta);
  MatrixXd out =
      MatrixXd::Zero(layout_.size(), values.size());  // columns of fixed ones go at the end
  for (const LinkBlock& block : links_) {
    out.block<10, 10>(layout_.pi(block.body), block.first) =
        block.to_body * inertia_jacobian(values.segment<10>(block.first));
  }
  for (const FrictionBlock& block : friction_) {
    for (int i = 0; i < 6; ++i) {
      const int p = block.index[i];
      if (p >= 0) out(layout_.gamma(block.drive) + i, p) = decode_derivative(p, values);
    }
  }
  for (const ScalarBlock& block : armature_) {
    out(layout_.armature(block.target), block.index) = decode_derivative(block.index, values);
  }
  for (const ScalarBlock& block : sensors_) out(layout_.sensor(block.target), block.index) = 1;
  for (const EffortBlock& block : efforts_) {
    const double ratio = block.ratio < 0 ? 1 : decode(block.ratio, values);
    const int gain = layout_.gain(block.joint);
    const int offset = layout_.offset(block.joint);
    if (block.gain >= 0) out(gain, block.gain) = ratio;
    if (block.offset >= 0) out(offset, block.offset) = ratio;
    if (block.ratio < 0) continue;
    out(gain, block.ratio) = at.gain[block.joint];  // the ratio is an exponential
    out(offset, block.ratio) = at.offset[block.joint];
  }
  for (const ScalarBlock& block : thrust_) {
    out(layout_.thrust(block.target), block.index) = decode_derivative(block.index, values);
  }
  for (const ScalarBlock& block : moment_) {
    out(layout_.moment(block.target), block.index) = decode_derivative(block.index, values);
  }
  for (const ScalarBlock& block : presliding_blocks_) {
    out(layout_.presliding(block.target), block.index) = decode_derivative(block.index, values);
  }
  return out(Eigen::all, free_);
}

MatrixXd ParameterSet::physical_curvature(const VectorXd& theta, const VectorXd& s) const {
  assert(s.size() == layout_.size());
  const VectorXd values = all_values(theta);
  const PhysicalParameters at = physical(theta);
  MatrixXd out = MatrixXd::Zero(values.size(), values.size());
  const auto add_exponential = [&](int p, double covector) {
    if (p >= 0 && all_[p].is_logarithm) out(p, p) += covector * decode(p, values);
  };
  for (const LinkBlock& block : links_) {
    const InertialParameters s_link =
        block.to_body.transpose() * s.segment<10>(layout_.pi(block.body));
    out.block<10, 10>(block.first, block.first) =
        inertia_curvature(values.segment<10>(block.first), s_link);
  }
  for (const FrictionBlock& block : friction_) {
    for (int i = 0; i < 6; ++i) {
      add_exponential(block.index[i], s[layout_.gamma(block.drive) + i]);
    }
  }
  for (const ScalarBlock& block : armature_) {
    add_exponential(block.index, s[layout_.armature(block.target)]);
  }
  for (const EffortBlock& block : efforts_) {
    if (block.ratio < 0) continue;
    const double s_gain = s[layout_.gain(block.joint)];
    const double s_offset = s[layout_.offset(block.joint)];
    const double ratio = decode(block.ratio, values);
    out(block.ratio, block.ratio) =
        s_gain * at.gain[block.joint] + s_offset * at.offset[block.joint];
    const auto add_product = [&](int p, double covector) {
      if (p >= 0) out(p, block.ratio) = out(block.ratio, p) = covector * ratio;
    };
    add_product(block.gain, s_gain);
    add_product(block.offset, s_offset);
  }
  for (const ScalarBlock& block : thrust_) {
    add_exponential(block.index, s[layout_.thrust(block.target)]);
  }
  for (const ScalarBlock& block : presliding_blocks_) {
    add_exponential(block.index, s[layout_.presliding(block.target)]);
  }
  return out(free_, free_);
}

Eigen::Matrix<bool, 10, 1> ParameterSet::moving_entries(const LinkBlock& block) const {
  // In the link: m moves with its logarithm, h with itself, I with anything.
  Eigen::Matrix<double, 10, 1> moves = Eigen::Matrix<double, 10, 1>::Zero();
  for (int i = 0; i < 10; ++i) {
    if (!is_free(block.first + i)) continue;
    if (i < 4) moves[i] = 1;
    moves.tail<6>().setOnes();
  }
  return (block.to_body.cwiseAbs() * moves).array() > 0;
}

bool ParameterSet::is_free(int parameter) const {
  return parameter >= 0 && theta_index_[parameter] >= 0;
}

std::vector<int> ParameterSet::active_entries() const {
  std::vector<bool> active(layout_.size(), false);
  for (const LinkBlock& block : links_) {
    const Eigen::Matrix<bool, 10, 1> moves = moving_entries(block);
    for (int i = 0; i < 10; ++i) {
      if (moves[i]) active[layout_.pi(block.body) + i] = true;
    }
  }
  for (const FrictionBlock& block : friction_) {
    for (int i = 0; i < 6; ++i) {
      if (is_free(block.index[i])) active[layout_.gamma(block.drive) + i] = true;
    }
  }
  for (const ScalarBlock& block : armature_) {
    if (is_free(block.index)) active[layout_.armature(block.target)] = true;
  }
  for (const ScalarBlock& block : sensors_) {
    if (is_free(block.index)) active[layout_.sensor(block.target)] = true;
  }
  for (const EffortBlock& block : efforts_) {
    if (is_free(block.gain) || is_free(block.ratio)) active[layout_.gain(block.joint)] = true;
    const bool scaled = block.offset >= 0 && is_free(block.ratio);
    if (is_free(block.offset) || scaled) active[layout_.offset(block.joint)] = true;
  }
  for (const ScalarBlock& block : thrust_) {
    if (is_free(block.index)) active[layout_.thrust(block.target)] = true;
  }
  for (const ScalarBlock& block : moment_) {
    if (is_free(block.index)) active[layout_.moment(block.target)] = true;
  }
  for (const ScalarBlock& block : presliding_blocks_) {
    if (is_free(block.index)) active[layout_.presliding(block.target)] = true;
  }
  std::vector<int> out;
  for (int i = 0; i < layout_.size(); ++i) {
    if (active[i]) out.push_back(i);
  }
  return out;
}

Eigen::VectorXd ParameterSet::nearest_equivalent(const Eigen::VectorXd& theta) const {
  Eigen::VectorXd out = theta;
  for (const LinkBlock& block : links_) {
    InertiaCoordinates now, mean, std;
    bool all_free = true;
    for (int i = 0; i < 10; ++i) {
      const Parameter& parameter = all_[block.first + i];
      // Only axes and second moments change; they must all be free.
      all_free = all_free && (i < 4 || !parameter.fixed);
      now[i] = parameter.fixed ? parameter.prior : theta[theta_index_[block.first + i]];
      mean[i] = parameter.prior;
      std[i] = parameter.fixed ? 1.0 : parameter.std;
    }
    if (!all_free) continue;
    const InertiaCoordinates best = bayesid::nearest_equivalent(now, mean, std);
    for (int i = 4; i < 10; ++i) out[theta_index_[block.first + i]] = best[i];
  }
  return out;
}

Eigen::VectorXd ParameterSet::natural_step() const {
  Eigen::VectorXd out =
      Eigen::VectorXd::Constant(ntheta(), std::numeric_limits<double>::infinity());
  for (int i = 0; i < static_cast<int>(all_.size()); ++i) {
    const char first = all_[i].name[all_[i].name.rfind('.') + 1];
    const bool is_turn = all_[i].name.rfind("inertia.", 0) == 0 && first == 'w';
    const bool is_slope = all_[i].name.rfind("friction.", 0) == 0 && !all_[i].is_logarithm;
    if (theta_index_[i] < 0) continue;
    if (all_[i].is_logarithm || is_turn) out[theta_index_[i]] = 1.0;
    if (is_slope) out[theta_index_[i]] = std::max(1.0, 0.5 * std::abs(all_[i].prior));
  }
  return out;
}

Eigen::VectorXd ParameterSet::reach(const Eigen::VectorXd& theta) const {
  constexpr double share = 0.3;         // of the slope
  constexpr double delay_reach = 0.01;  // s
  Eigen::VectorXd out =
      Eigen::VectorXd::Constant(ntheta(), std::numeric_limits<double>::infinity());
  for (const FrictionBlock& block : friction_) {
    for (const int slope : {1, 2, 4}) {
      const int i = block.index[slope] < 0 ? -1 : theta_index_[block.index[slope]];
      if (i < 0) continue;
      out[i] =
          all_[block.index[slope]].is_logarithm ? share : share * std::max(1.0, std::abs(theta[i]));
    }
  }
  for (const ScalarBlock& block : sensors_) {
    const int i = theta_index_[block.index];
    if (i >= 0 && all_[block.index].name.starts_with("delay.")) out[i] = delay_reach;
  }
  return out;
}

}  // namespace bayesid
