// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/parameters.hpp"

#include <cassert>
#include <limits>

#include "blocks/bounds.hpp"
#include "blocks/earlier_result.hpp"
#include "blocks/inertia_block.hpp"
#include "blocks/make_blocks.hpp"
#include "blocks/make_parameter_constraints.hpp"
#include "blocks/overrides.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// A number of each block's own, in the order of θ.
template <class OfBlock>
VectorXd stacked(const ParameterList& list, const OfBlock& of_block) {
  VectorXd all(static_cast<Index>(list.all.size()));
  for (const ParameterList::Placed& placed : list.blocks)
    all.segment(placed.first, placed.block->size()) = of_block(placed);
  return all(list.free);
}

}  // namespace

ParameterSet::ParameterSet(const Robot& robot, const Config& config) {
  blocks::MadeBlocks made = blocks::make_blocks(robot, config);
  layout_ = std::move(made.draft.layout);
  nominal_ = std::move(made.draft.nominal);
  ParameterList list;
  for (auto& block : made.blocks) list.add(std::move(block));
  blocks::take_earlier_result(config, list);
  blocks::apply_overrides(config, list);
  blocks::freeze(config, list);
  for (const ParameterList::Placed& placed : list.blocks) {
    for (const std::string& warning : placed.block->warnings(list.own(placed)))
      warnings_.push_back(warning);
  }
  blocks::warn_outside_bounds(config, list, warnings_);
  list.number_free();
  list_ = std::make_shared<const ParameterList>(std::move(list));
  prior_ = Prior(config, list_, warnings_);
  constraints_ = blocks::make_parameter_constraints(robot, config, list_);
}

std::vector<std::string> ParameterSet::names() const {
  std::vector<std::string> out;
  out.reserve(list_->free.size());
  for (const int i : list_->free) out.push_back(list_->all[i].name);
  return out;
}

PhysicalParameters ParameterSet::physical(const VectorXd& theta) const {
  const VectorXd values = all_values(theta);
  VectorXd eta = nominal_;
  for (const ParameterList::Placed& placed : list_->blocks)
    placed.block->write_physical(list_->slice(placed, values), eta);
  return unstack(layout_, eta);
}

MatrixXd ParameterSet::physical_jacobian(const VectorXd& theta) const {
  const VectorXd values = all_values(theta);
  MatrixXd out = MatrixXd::Zero(layout_.size(), values.size());
  for (const ParameterList::Placed& placed : list_->blocks) {
    placed.block->write_jacobian(list_->slice(placed, values),
                                 out.middleCols(placed.first, placed.block->size()));
  }
  return out(Eigen::all, list_->free);
}

MatrixXd ParameterSet::physical_curvature(const VectorXd& theta, const VectorXd& s) const {
  assert(s.size() == layout_.size());
  const VectorXd values = all_values(theta);
  MatrixXd out = MatrixXd::Zero(values.size(), values.size());
  for (const ParameterList::Placed& placed : list_->blocks) {
    const int size = placed.block->size();
    placed.block->write_curvature(list_->slice(placed, values), s,
                                  out.block(placed.first, placed.first, size, size));
  }
  return out(list_->free, list_->free);
}

std::vector<int> ParameterSet::active_entries() const {
  std::vector<bool> active(layout_.size(), false);
  for (const ParameterList::Placed& placed : list_->blocks)
    placed.block->mark_active(list_->free_of(placed), active);
  std::vector<int> out;
  for (int i = 0; i < layout_.size(); ++i) {
    if (active[i]) out.push_back(i);
  }
  return out;
}

VectorXd ParameterSet::nearest_equivalent(const VectorXd& theta) const {
  const VectorXd values = all_values(theta);
  return stacked(*list_, [&](const ParameterList::Placed& placed) {
    return placed.block->nearest_equivalent(list_->slice(placed, values), list_->own(placed));
  });
}

VectorXd ParameterSet::scaling() const {
  return stacked(*list_, [&](const ParameterList::Placed& placed) {
    return placed.block->scaling(list_->own(placed));
  });
}

VectorXd ParameterSet::trust_bound(const VectorXd& theta) const {
  const VectorXd values = all_values(theta);
  return stacked(*list_, [&](const ParameterList::Placed& placed) {
    return placed.block->trust_bound(list_->slice(placed, values));
  });
}

std::vector<PhysicalValue> ParameterSet::values(const VectorXd& theta) const {
  const VectorXd values = all_values(theta);
  std::vector<PhysicalValue> out;
  for (const ParameterList::Placed& placed : list_->blocks) {
    for (PhysicalValue& one : placed.block->values(list_->slice(placed, values))) {
      one.dvalue_dtheta = list_->in_theta(placed, one.dvalue_dtheta);
      out.push_back(std::move(one));
    }
  }
  return out;
}

std::vector<std::pair<std::string, InertialParameters>> ParameterSet::link_inertias(
    const VectorXd& theta) const {
  const VectorXd values = all_values(theta);
  std::vector<std::pair<std::string, InertialParameters>> out;
  for (const blocks::EstimatedLink& link : blocks::estimated_links(*list_)) {
    out.emplace_back(link.inertia->link(),
                     link.inertia->chart().inertia(values.segment<10>(link.first)));
  }
  return out;
}

}  // namespace bayesid
