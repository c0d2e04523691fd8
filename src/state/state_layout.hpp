// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/robot.hpp"

namespace bayesid {

/// A part of the state: where its numbers stand in x, and its directions in δx.
struct StateSegment {
  std::string name;
  int first = 0, size = 0;         // in x
  int first_tangent = 0, ndx = 0;  // in δx
};

/// Segments of the state, one behind the other: q, v, and any others. A segment may have a
/// direction without a number: what it stands for is then a function of the rest.
class StateLayout {
 public:
  explicit StateLayout(const Robot& robot);

  /// At the end; returns its index.
  int add(std::string name, int size, int ndx);
  int nx() const { return segments_.back().first + segments_.back().size; }
  int ndx() const { return segments_.back().first_tangent + segments_.back().ndx; }
  int nq() const { return segments_[0].size; }
  int nv() const { return segments_[0].ndx; }
  const std::vector<StateSegment>& segments() const { return segments_; }
  /// null: there is none.
  const StateSegment* find(const std::string& name) const;

 private:
  std::vector<StateSegment> segments_;
};

}  // namespace bayesid
