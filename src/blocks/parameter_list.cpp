// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/block.hpp"

#include <algorithm>
#include <cassert>

namespace bayesid {

using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

template <class Matches>
int index_of(const std::vector<Parameter>& all, const Matches& matches) {
  const auto found = std::find_if(all.begin(), all.end(), matches);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

}  // namespace

void ParameterList::add(std::shared_ptr<const ParameterBlock> block) {
  const auto first = static_cast<int>(all.size());
  all.insert(all.end(), block->parameters().begin(), block->parameters().end());
  blocks.push_back({std::move(block), first});
}

void ParameterList::number_free() {
  theta_index.assign(all.size(), -1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].fixed) continue;
    theta_index[i] = ntheta();
    free.push_back(static_cast<int>(i));
  }
}

std::vector<bool> ParameterList::free_of(const Placed& placed) const {
  std::vector<bool> out;
  for (int i = 0; i < placed.block->size(); ++i) out.push_back(is_free(placed.first + i));
  return out;
}

std::span<const Parameter> ParameterList::own(const Placed& placed) const {
  return {all.data() + placed.first, static_cast<std::size_t>(placed.block->size())};
}

int ParameterList::find(const std::string& name) const {
  return index_of(all, [&](const Parameter& p) { return p.name == name; });
}

int ParameterList::find_physical(const std::string& physical) const {
  return index_of(all, [&](const Parameter& p) { return p.physical == physical; });
}

std::vector<std::string> ParameterList::value_names() const {
  std::vector<std::string> out;
  out.reserve(all.size());
  for (const Parameter& p : all) out.push_back(p.name);
  for (const Parameter& p : all) {
    if (!p.physical.empty() && p.physical != p.name) out.push_back(p.physical);
  }
  for (const Placed& placed : blocks) {
    for (const std::string& name : placed.block->feature_names()) {
      if (!name.empty()) out.push_back(name);
    }
  }
  return out;
}

VectorXd ParameterList::prior() const {
  VectorXd out(ntheta());
  for (int k = 0; k < ntheta(); ++k) out[k] = all[free[k]].prior;
  return out;
}

VectorXd ParameterList::std() const {
  VectorXd out(ntheta());
  for (int k = 0; k < ntheta(); ++k) out[k] = all[free[k]].std;
  return out;
}

VectorXd ParameterList::values(const VectorXd& theta) const {
  assert(theta.size() == ntheta());
  VectorXd out(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    out[static_cast<Eigen::Index>(i)] = theta_index[i] < 0 ? all[i].prior : theta[theta_index[i]];
  return out;
}

RowVectorXd ParameterList::in_theta(const Placed& placed, const RowVectorXd& gradient) const {
  RowVectorXd out = RowVectorXd::Zero(static_cast<Eigen::Index>(all.size()));
  out.segment(placed.first, placed.block->size()) = gradient;
  return out(free);
}

}  // namespace bayesid
