// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/math/stage.hpp"
#include "bayesid/parameters/parameter_list.hpp"

namespace bayesid {

/// What is known of θ before the data: independent coordinates, or the covariance of an earlier
/// result, or distances of inertias.                       docs/math/parameters.md (20)-(23)
class Prior {
 public:
  Prior() = default;
  Prior(const Config& config, std::shared_ptr<const ParameterList> list,
        std::vector<std::string>& warnings);
  PriorAt at(const Eigen::VectorXd& theta) const;

 private:
  /// A link whose prior is the distance of its inertia from the nominal one.
  struct Distance {
    int block;
    Eigen::Matrix4d whiten;  // L⁻¹, L Lᵀ the nominal pseudo-inertia
    double std;
  };
  void add_distances(const Config& config);
  void add_distance(const Distance& one, const Eigen::VectorXd& values, PriorAt& out) const;

  std::shared_ptr<const ParameterList> list_;
  Eigen::MatrixXd precision_;  // of the quadratic part
  std::vector<Distance> distances_;
};

}  // namespace bayesid
