// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/block.hpp"
#include "bayesid/config.hpp"
#include "blocks/inertia_chart.hpp"
#include "blocks/link_features.hpp"

namespace bayesid::blocks {

/// The inertia of a link in ten coordinates of a chart. Its features are those of link_features.
class InertiaBlock final : public ParameterBlock {
 public:
  /// `eta` is where π of the body begins, `to_body` maps π of the link to it.
  InertiaBlock(const InertiaChart& chart, const std::string& link, int eta, const Matrix10& to_body,
               std::vector<Parameter> parameters);

  const InertiaChart& chart() const { return chart_; }
  const std::string& link() const { return link_; }
  const Matrix10& to_body() const { return to_body_; }
  int eta() const { return eta_; }
  /// Row i says which coordinates entry i of π depends on, in the link.
  Eigen::Matrix<bool, 10, 10> pattern() const { return pattern_.topRows<10>(); }

  void write_physical(const Values& x, Eigen::VectorXd& eta) const override;
  void write_jacobian(const Values& x, Eigen::Ref<Eigen::MatrixXd> deta_dx) const override;
  void write_curvature(const Values& x, const Eigen::VectorXd& s,
                       Eigen::Ref<Eigen::MatrixXd> out) const override;
  void mark_active(const std::vector<bool>& is_free, std::vector<bool>& active) const override;
  Eigen::VectorXd scaling(std::span<const Parameter> own) const override;
  Eigen::VectorXd nearest_equivalent(const Values& x,
                                     std::span<const Parameter> own) const override;
  std::vector<PhysicalValue> values(const Values& x) const override;
  std::vector<std::string> feature_names() const override;
  Features features(const Values& x) const override;
  Eigen::MatrixXd features_curvature(const Values& x, const Eigen::VectorXd& s) const override;
  Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> feature_pattern() const override {
    return pattern_;
  }

 private:
  const InertiaChart& chart_;
  std::string link_;
  int eta_;
  Matrix10 to_body_;
  Eigen::Matrix<bool, 19, 10> pattern_;
};

/// A link whose inertia is estimated: its block and where that stands in the list.
struct EstimatedLink {
  const InertiaBlock* inertia;
  int block, first;  // first of its parameters; it tells the mass
};
std::vector<EstimatedLink> estimated_links(const ParameterList& list);

/// What is configured for a link, else for all of them.
const InertiaStdConfig& inertia_std_of(const Config& config, const std::string& link);

}  // namespace bayesid::blocks
