// SPDX-License-Identifier: BSD-3-Clause
// Each parameter is an entry of η, itself or the exponential of a multiple.
#include <cmath>
#include <limits>

#include "bayesid/block.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

double Parameter::value(double theta) const {
  return is_logarithm() ? std::exp(rate * theta) : theta;
}

double Parameter::first_derivative(double theta) const {
  return is_logarithm() ? rate * std::exp(rate * theta) : 1;
}

double Parameter::second_derivative(double theta) const {
  return is_logarithm() ? rate * rate * std::exp(rate * theta) : 0;
}

ParameterBlock::ParameterBlock(const std::vector<Entry>& entries) {
  for (const Entry& one : entries) {
    parameters_.push_back(one.parameter);
    eta_.push_back(one.eta);
  }
}

void ParameterBlock::write_physical(const Values& x, VectorXd& eta) const {
  for (std::size_t i = 0; i < eta_.size(); ++i)
    eta[eta_[i]] = parameters_[i].value(x[static_cast<Index>(i)]);
}

void ParameterBlock::write_jacobian(const Values& x, Eigen::Ref<MatrixXd> deta_dx) const {
  for (Index i = 0; i < std::ssize(eta_); ++i)
    deta_dx(eta_[i], i) = parameters_[i].first_derivative(x[i]);
}

void ParameterBlock::write_curvature(const Values& x, const VectorXd& s,
                                     Eigen::Ref<MatrixXd> out) const {
  for (Index i = 0; i < std::ssize(eta_); ++i)
    out(i, i) = s[eta_[i]] * parameters_[i].second_derivative(x[i]);
}

void ParameterBlock::mark_active(const std::vector<bool>& is_free,
                                 std::vector<bool>& active) const {
  for (std::size_t i = 0; i < eta_.size(); ++i) {
    if (is_free[i]) active[eta_[i]] = true;
  }
}

VectorXd ParameterBlock::scaling(std::span<const Parameter> own) const {
  VectorXd out(own.size());
  for (std::size_t i = 0; i < own.size(); ++i)
    out[static_cast<Index>(i)] = own[i].is_logarithm() ? 1 / own[i].rate : infinity;
  return out;
}

VectorXd ParameterBlock::trust_bound(const Values& x) const {
  return VectorXd::Constant(x.size(), infinity);
}

VectorXd ParameterBlock::nearest_equivalent(const Values& x, std::span<const Parameter>) const {
  return x;
}

std::vector<PhysicalValue> ParameterBlock::values(const Values& x) const {
  std::vector<PhysicalValue> out;
  for (Index i = 0; i < x.size(); ++i) {
    const Parameter& one = parameters_[i];
    out.push_back({one.physical, one.value(x[i]),
                   one.first_derivative(x[i]) * RowVectorXd::Unit(x.size(), i)});
  }
  return out;
}

Features ParameterBlock::features(const Values& x) const {
  return {VectorXd(0), MatrixXd(0, x.size())};
}

MatrixXd ParameterBlock::features_curvature(const Values& x, const VectorXd&) const {
  return MatrixXd::Zero(x.size(), x.size());
}

Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> ParameterBlock::feature_pattern() const {
  return {0, size()};
}

}  // namespace bayesid
