// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/inertia_chart.hpp"

namespace bayesid::blocks {

InertiaCoordinates InertiaChart::nearest_equivalent(const InertiaCoordinates& theta,
                                                    const InertiaPrior&) const {
  return theta;
}

const std::vector<NamedChart>& inertia_charts() {
  static const std::vector<NamedChart> table{{"ee", inertia_ee},
                                             {"log_cholesky", inertia_log_cholesky}};
  return table;
}

}  // namespace bayesid::blocks
