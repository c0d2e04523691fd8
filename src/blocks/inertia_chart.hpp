// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bayesid/parameters.hpp"

namespace bayesid::blocks {

/// Ten coordinates of the inertia of a link, in the order of the chart.
using InertiaCoordinates = Eigen::Matrix<double, 10, 1>;

/// Prior std by physical meaning, the same words for every chart. docs/math/parameters.md (28)
struct InertiaSpread {
  double log_mass, first_moment;       // first moment in kg·m
  double rotation, log_second_moment;  // rad; of the principal second moments
};

/// Prior of the ten coordinates, and which of them are free.
struct InertiaPrior {
  InertiaCoordinates mean, std;
  std::array<bool, 10> is_free;
};

/// One way to write an inertia in ten numbers without any bound: a file with the functions below,
/// and a line in the table of charts. The first coordinate alone tells the mass, exp(rate · θ_0).
class InertiaChart {
 public:
  struct Coordinate {
    const char* name;
    double rate = 0;  // a second moment or the mass goes with exp(rate · θ); 0: no logarithm
  };

  virtual ~InertiaChart() = default;
  virtual const std::array<Coordinate, 10>& coordinates() const = 0;
  /// The first of three coordinates that are zero when the frame stands in the centre of mass, and
  /// that move it without a change of the inertia about it.
  virtual int first_of_center() const = 0;

  virtual InertialParameters inertia(const InertiaCoordinates& theta) const = 0;
  virtual Matrix10 jacobian(const InertiaCoordinates& theta) const = 0;
  /// Σ_i s_i ∂²π_i/∂θ².
  virtual Matrix10 curvature(const InertiaCoordinates& theta,
                             const InertialParameters& s) const = 0;
  /// θ(π); nothing when π is not consistent (mass or a second moment not positive, or a number not
  /// finite).
  virtual std::optional<InertiaCoordinates> inverse(const InertialParameters& pi) const = 0;

  /// Of the coordinates at the nominal inertia.
  virtual InertiaCoordinates prior_std(const InertialParameters& nominal,
                                       const InertiaSpread& spread) const = 0;
  /// Change of each coordinate within which the map is close to linear; infinite for some.
  virtual InertiaCoordinates scaling(const InertiaCoordinates& prior) const = 0;
  /// Among all θ with the same π the one whose prior cost is least.
  virtual InertiaCoordinates nearest_equivalent(const InertiaCoordinates& theta,
                                                const InertiaPrior& prior) const;
};

/// The exponential–eigenvalue map.                                  docs/math/parameters.md (1)-(9)
const InertiaChart& inertia_ee();
/// The triangular factor of the pseudo-inertia.                     docs/math/parameters.md
/// (24)-(28)
const InertiaChart& inertia_log_cholesky();

/// A chart and its name in `parameters.inertia.parametrisation`.
struct NamedChart {
  std::string name;
  const InertiaChart& (*chart)();
};
/// The table of charts.
const std::vector<NamedChart>& inertia_charts();

}  // namespace bayesid::blocks
