// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/inertia_block.hpp"

#include <array>

namespace bayesid::blocks {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

/// <family>.<link>.<entry> is the name of a feature; the mass has its own.
struct FeatureName {
  const char* family;
  const char* entry;
  int feature;
};

constexpr std::array<FeatureName, 9> named_features{{{"com", "x", com_feature},
                                                     {"com", "y", com_feature + 1},
                                                     {"com", "z", com_feature + 2},
                                                     {"inertia", "ixx", central_feature},
                                                     {"inertia", "ixy", central_feature + 1},
                                                     {"inertia", "ixz", central_feature + 3},
                                                     {"inertia", "iyy", central_feature + 2},
                                                     {"inertia", "iyz", central_feature + 4},
                                                     {"inertia", "izz", central_feature + 5}}};

std::string full_name(const FeatureName& one, const std::string& link) {
  return one.family + ("." + link + ".") + one.entry;
}

}  // namespace

InertiaBlock::InertiaBlock(const InertiaChart& chart, const std::string& link, int eta,
                           const Matrix10& to_body, std::vector<Parameter> parameters)
    : ParameterBlock(std::move(parameters)),
      chart_(chart),
      link_(link),
      eta_(eta),
      to_body_(to_body),
      pattern_(link_features_pattern(chart)) {}

void InertiaBlock::write_physical(const Values& x, VectorXd& eta) const {
  eta.segment<10>(eta_) += to_body_ * chart_.inertia(x);
}

void InertiaBlock::write_jacobian(const Values& x, Eigen::Ref<MatrixXd> deta_dx) const {
  deta_dx.middleRows<10>(eta_) = to_body_ * chart_.jacobian(x);
}

void InertiaBlock::write_curvature(const Values& x, const VectorXd& s,
                                   Eigen::Ref<MatrixXd> out) const {
  const InertialParameters s_link = to_body_.transpose() * s.segment<10>(eta_);
  out = chart_.curvature(x, s_link);
}

void InertiaBlock::mark_active(const std::vector<bool>& is_free, std::vector<bool>& active) const {
  Eigen::Matrix<double, 10, 1> moves = Eigen::Matrix<double, 10, 1>::Zero();  // in the link
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 10; ++j) {
      if (is_free[j] && pattern_(i, j)) moves[i] = 1;
    }
  }
  const Eigen::Matrix<double, 10, 1> in_body = to_body_.cwiseAbs() * moves;
  for (int i = 0; i < 10; ++i) {
    if (in_body[i] > 0) active[eta_ + i] = true;
  }
}

VectorXd InertiaBlock::scaling(std::span<const Parameter> own) const {
  InertiaCoordinates prior;
  for (int i = 0; i < 10; ++i) prior[i] = own[i].prior;
  return chart_.scaling(prior);
}

VectorXd InertiaBlock::nearest_equivalent(const Values& x, std::span<const Parameter> own) const {
  InertiaPrior prior;
  for (int i = 0; i < 10; ++i) {
    prior.mean[i] = own[i].prior;
    prior.std[i] = own[i].fixed ? 1.0 : own[i].std;
    prior.is_free[i] = !own[i].fixed;
  }
  return chart_.nearest_equivalent(x, prior);
}

std::vector<PhysicalValue> InertiaBlock::values(const Values& x) const {
  const LinkFeatures value = link_features(chart_, x);
  const Eigen::Matrix<double, 19, 10> jacobian = link_features_jacobian(chart_, x);
  std::vector<PhysicalValue> out{{"mass." + link_, value[0], jacobian.row(0)}};
  for (const FeatureName& one : named_features)
    out.push_back({full_name(one, link_), value[one.feature], jacobian.row(one.feature)});
  return out;
}

std::vector<std::string> InertiaBlock::feature_names() const {
  std::vector<std::string> out(19);
  for (const FeatureName& one : named_features) out[one.feature] = full_name(one, link_);
  return out;
}

Features InertiaBlock::features(const Values& x) const {
  return {link_features(chart_, x), link_features_jacobian(chart_, x)};
}

MatrixXd InertiaBlock::features_curvature(const Values& x, const VectorXd& s) const {
  return link_features_curvature(chart_, x, s);
}

std::vector<EstimatedLink> estimated_links(const ParameterList& list) {
  std::vector<EstimatedLink> out;
  for (std::size_t b = 0; b < list.blocks.size(); ++b) {
    const auto* inertia = dynamic_cast<const InertiaBlock*>(list.blocks[b].block.get());
    if (inertia) out.push_back({inertia, static_cast<int>(b), list.blocks[b].first});
  }
  return out;
}

}  // namespace bayesid::blocks
