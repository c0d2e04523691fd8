// SPDX-License-Identifier: BSD-3-Clause
#include "state/state_layout.hpp"

#include <algorithm>

namespace bayesid {

StateLayout::StateLayout(const Robot& robot) {
  const int nq = robot.nq(), nv = robot.nv();
  segments_.push_back({.name = "q", .size = nq, .ndx = nv});
  add("v", nv, nv);
}

int StateLayout::add(std::string name, int size, int ndx) {
  segments_.push_back({.name = std::move(name),
                       .first = nx(),
                       .size = size,
                       .first_tangent = this->ndx(),
                       .ndx = ndx});
  return static_cast<int>(segments_.size()) - 1;
}

const StateSegment* StateLayout::find(const std::string& name) const {
  const auto found = std::ranges::find(segments_, name, &StateSegment::name);
  return found == segments_.end() ? nullptr : &*found;
}

}  // namespace bayesid
