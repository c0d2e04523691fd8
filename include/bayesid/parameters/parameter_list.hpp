// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bayesid/block.hpp"

namespace bayesid {

/// The parameters of all blocks, one block after the other, and which of them are free: θ.
struct ParameterList {
  struct Placed {
    std::shared_ptr<const ParameterBlock> block;
    int first;  // of its parameters in `all`
  };
  std::vector<Placed> blocks;
  std::vector<Parameter> all;
  std::vector<int> free;         // the parameter of each number of θ
  std::vector<int> theta_index;  // of each parameter; −1: fixed

  void add(std::shared_ptr<const ParameterBlock> block);
  /// Numbers the free parameters, when it is known which are fixed.
  void number_free();

  int ntheta() const { return static_cast<int>(free.size()); }
  bool is_free(int parameter) const { return theta_index[parameter] >= 0; }
  std::vector<bool> free_of(const Placed& placed) const;
  std::span<const Parameter> own(const Placed& placed) const;
  int find(const std::string& name) const;               // −1 when absent
  int find_physical(const std::string& physical) const;  // −1 when absent
  /// Everything a relation can name.
  std::vector<std::string> value_names() const;

  Eigen::VectorXd prior() const;  // of θ
  Eigen::VectorXd std() const;    // of θ
  /// Of all parameters; fixed ones keep their prior.
  Eigen::VectorXd values(const Eigen::VectorXd& theta) const;
  /// The slice of a block.
  auto slice(const Placed& placed, const Eigen::VectorXd& values) const {
    return values.segment(placed.first, placed.block->size());
  }
  /// A block's gradient as one in θ.
  Eigen::RowVectorXd in_theta(const Placed& placed, const Eigen::RowVectorXd& gradient) const;
};

}  // namespace bayesid
