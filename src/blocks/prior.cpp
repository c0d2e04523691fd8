// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/parameters.hpp"

#include <Eigen/Cholesky>

#include "bayesid/error.hpp"
#include "blocks/choice.hpp"
#include "blocks/earlier_result.hpp"
#include "blocks/inertia_block.hpp"
#include "blocks/inertia_distance.hpp"

namespace bayesid {

using Eigen::Matrix4d;
using Eigen::VectorXd;

namespace {

// Keeps coordinates that an inertia does not depend on (turns of a body with equal moments).
constexpr double ridge = 1e-6;

}  // namespace

Prior::Prior(const Config& config, std::shared_ptr<const ParameterList> list,
             std::vector<std::string>& warnings)
    : list_(std::move(list)) {
  precision_ = list_->std().cwiseAbs2().cwiseInverse().asDiagonal();
  if (!config.parameters.prior_from.empty() &&
      !blocks::set_earlier_precision(config, *list_, precision_)) {
    warnings.push_back("parameters.prior_from has no effect: everything in " +
                       config.parameters.prior_from + " is fixed or has a prior in parameters.set");
  }
  if (config.parameters.inertia && config.parameters.inertia->is_geometric) add_distances(config);
}

void Prior::add_distances(const Config& config) {
  if (!config.parameters.prior_from.empty()) {
    throw InputError(blocks::key_location(config, "parameters.inertia.prior") +
                     " is geometric, and parameters.prior_from has a prior too: choose one");
  }
  for (const blocks::EstimatedLink& link : blocks::estimated_links(*list_)) {
    blocks::InertiaCoordinates mean;
    for (int i = 0; i < 10; ++i) mean[i] = list_->all[link.first + i].prior;
    const Matrix4d nominal = pseudo_inertia(link.inertia->chart().inertia(mean));
    const InertiaStdConfig& given = blocks::inertia_std_of(config, link.inertia->link());
    distances_.push_back(
        {link.block, nominal.llt().matrixL().solve(Matrix4d::Identity().eval()),
         blocks::positive(config, "parameters.inertia.std.distance", given.distance)});
    for (int i = 0; i < 10; ++i) {
      const int at = list_->theta_index[link.first + i];
      if (at >= 0) precision_(at, at) *= ridge;
    }
  }
}

void Prior::add_distance(const Distance& one, const VectorXd& values, PriorAt& out) const {
  const ParameterList::Placed& placed = list_->blocks[one.block];
  const auto& inertia = static_cast<const blocks::InertiaBlock&>(*placed.block);
  const blocks::InertiaDistance distance =
      blocks::inertia_distance(inertia.chart(), list_->slice(placed, values), one.whiten);
  const double weight = 1 / (one.std * one.std);
  out.cost += 0.5 * weight * distance.r.squaredNorm();
  const blocks::InertiaCoordinates gradient = weight * distance.dr_dtheta.transpose() * distance.r;
  const Matrix10 hessian = weight * distance.dr_dtheta.transpose() * distance.dr_dtheta;
  for (int i = 0; i < 10; ++i) {
    const int row = list_->theta_index[placed.first + i];
    if (row < 0) continue;
    out.gradient[row] += gradient[i];
    for (int j = 0; j < 10; ++j) {
      const int column = list_->theta_index[placed.first + j];
      if (column >= 0) out.hessian(row, column) += hessian(i, j);
    }
  }
}

PriorAt Prior::at(const VectorXd& theta) const {
  const VectorXd off = theta - list_->prior();
  PriorAt out{0, precision_ * off, precision_};
  out.cost = 0.5 * off.dot(out.gradient);
  if (distances_.empty()) return out;
  const VectorXd values = list_->values(theta);
  for (const Distance& one : distances_) add_distance(one, values, out);
  return out;
}

}  // namespace bayesid
