// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/trajectory.hpp"

namespace bayesid {

Problem::Problem(std::shared_ptr<const ParameterSpace> parameters,
                 std::vector<std::shared_ptr<const Trajectory>> trajectories)
    : space_(std::move(parameters)), trajectories_(std::move(trajectories)) {}

std::vector<std::string> Problem::cost_parts() const {
  if (trajectories_.empty()) return {};
  return trajectories_[0]->cost_parts();
}

bool Problem::has_inequalities() const {
  return !trajectories_.empty() && trajectories_[0]->has_inequalities();
}

Point Problem::start() const {
  Point out{.theta = space_->prior_mean(), .paths = {}};
  const std::shared_ptr<const ProblemAt> at = this->at(out.theta);
  for (std::size_t t = 0; t < trajectories_.size(); ++t)
    out.paths.push_back(trajectories_[t]->start(*at->trajectories[t]));
  return out;
}

std::shared_ptr<const ProblemAt> Problem::at(const Eigen::VectorXd& theta) const {
  auto out = std::make_shared<ProblemAt>();
  out->parameters = space_->at(theta);
  for (const auto& trajectory : trajectories_)
    out->trajectories.push_back(trajectory->at(out->parameters));
  return out;
}

}  // namespace bayesid
