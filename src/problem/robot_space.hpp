// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "bayesid/dynamics.hpp"
#include "bayesid/trajectory.hpp"

namespace bayesid {

/// The parameters of a robot as the solver sees them.
class RobotSpace final : public ParameterSpace {
 public:
  /// The robot's model at θ.
  struct RobotAt final : At {
    explicit RobotAt(std::shared_ptr<const DynamicsAt> at) : dynamics(std::move(at)) {}
    std::shared_ptr<const DynamicsAt> dynamics;
  };

  explicit RobotSpace(std::shared_ptr<const Dynamics> dynamics) : dynamics_(std::move(dynamics)) {}

  Eigen::VectorXd prior_mean() const override { return parameters().prior(); }
  Eigen::VectorXd prior_std() const override { return parameters().prior_std(); }
  PriorAt prior(const Eigen::VectorXd& theta) const override {
    return parameters().prior_at(theta);
  }
  std::shared_ptr<const At> at(const Eigen::VectorXd& theta) const override {
    return std::make_shared<RobotAt>(dynamics_->at(theta));
  }
  Eigen::VectorXd zeta(const Eigen::VectorXd& theta) const override {
    return dynamics_->zeta(theta);
  }
  Eigen::MatrixXd dzeta_dtheta(const Eigen::VectorXd& theta) const override {
    return dynamics_->dzeta_dtheta(theta);
  }
  Eigen::MatrixXd zeta_curvature(const Eigen::VectorXd& theta,
                                 const Eigen::VectorXd& s) const override {
    return dynamics_->zeta_curvature(theta, s);
  }
  int ncurvature() const override { return 6 * static_cast<int>(parameters().drives().size()); }
  Eigen::MatrixXd stage_curvature(const Eigen::VectorXd& sums) const override;
  Eigen::VectorXd nearest_equivalent(const Eigen::VectorXd& theta) const override {
    return parameters().nearest_equivalent(theta);
  }
  Eigen::VectorXd scaling() const override { return parameters().scaling(); }
  Eigen::VectorXd trust_region(const Eigen::VectorXd& theta) const override {
    return parameters().trust_bound(theta);
  }
  LinearConstraints constraints(const Eigen::VectorXd& theta) const override;
  std::vector<std::string> constraint_names() const override;
  Eigen::MatrixXd constraint_curvature(const Eigen::VectorXd& theta,
                                       const Eigen::VectorXd& equality_weights,
                                       const Eigen::VectorXd& inequality_weights) const override {
    return parameters().constraints().curvature(theta, equality_weights, inequality_weights);
  }

 private:
  const ParameterSet& parameters() const { return dynamics_->parameters(); }

  std::shared_ptr<const Dynamics> dynamics_;
};

}  // namespace bayesid
