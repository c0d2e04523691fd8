// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/readable_coordinates.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>

#include "blocks/inertia_block.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr std::array<const char*, 10> endings{"",     ".x",   ".y",   ".z",   ".ixx",
                                              ".ixy", ".iyy", ".ixz", ".iyz", ".izz"};

std::string entry_name(const std::string& link, int i) {
  const char* family = i == 0 ? "mass." : i < 4 ? "first_moment." : "frame_inertia.";
  return family + link + endings[i];
}

/// Fills the coordinates one after the other, in the order of θ.
class Reader {
 public:
  Reader(const ParameterSet& parameters, const VectorXd& theta)
      : parameters_(parameters), values_(parameters.all_values(theta)) {
    const Index n = parameters.ntheta();
    out_.value.resize(n);
    out_.dr_dtheta = MatrixXd::Zero(n, n);
    out_.deta_dr = MatrixXd::Zero(parameters.layout().size(), n);
    const VectorXd prior_var = parameters.prior_std().cwiseAbs2();
    const auto links = blocks::estimated_links(parameters.list());
    for (const blocks::EstimatedLink& link : links) add_link(link);
    add_others(theta, 10 * static_cast<int>(links.size()));
    out_.prior_cov = out_.dr_dtheta * prior_var.asDiagonal() * out_.dr_dtheta.transpose();
    for (const Index first : whole_inertias_) pseudo_inverse(first);
  }
  ReadableCoordinates result() { return std::move(out_); }

 private:
  bool is_free(int parameter) const { return parameters_.theta_index(parameter) >= 0; }

  /// The next coordinate: r = value, ∂r/∂θ = row · (coordinates first … first + 9).
  Index push(const std::string& name, double value, int body) {
    const auto at = static_cast<Index>(out_.names.size());
    out_.names.push_back(name);
    out_.value[at] = value;
    out_.bodies.push_back(body);
    return at;
  }

  /// Entries of π that fixed coordinates leave to the free ones are read in the place of those.
  void add_link(const blocks::EstimatedLink& link) {
    const int first = link.first;
    const blocks::InertiaBlock& inertia = *link.inertia;
    const std::string& name = inertia.link();
    const blocks::InertiaCoordinates theta = values_.segment<10>(first);
    const InertialParameters pi = inertia.chart().inertia(theta);
    const Matrix10 dpi = inertia.chart().jacobian(theta);
    const int body = inertia.eta() / 10;
    const auto pattern = inertia.pattern();
    const auto moves_others = [&](int i) {  // an entry of π that several free coordinates move
      for (int k = 0; k < 10; ++k) {
        if (k != i && pattern(i, k) && is_free(first + k)) return true;
      }
      return false;
    };
    bool whole = true;  // all six numbers of the inertia can move, with the free of the other four
    for (int i = 0; i < 10; ++i)
      whole = whole && (is_free(first + i) || (i < 4 && !moves_others(i)));
    if (whole) whole_inertias_.push_back(static_cast<Index>(out_.names.size()));
    for (int i = 0; i < 10; ++i) {
      if (!is_free(first + i)) continue;
      const bool is_entry = whole || (i < 4 && !moves_others(i));
      const Index at = push(is_entry ? entry_name(name, i) : parameters_.all()[first + i].name,
                            is_entry ? pi[i] : theta[i], body);
      if (whole && i == 4) whole_inertias_.back() = at;
      const InertialParameters column = whole      ? InertialParameters(InertialParameters::Unit(i))
                                        : is_entry ? InertialParameters(dpi.col(i) / dpi(i, i))
                                                   : InertialParameters(dpi.col(i));
      out_.deta_dr.block<10, 1>(inertia.eta(), at) = inertia.to_body() * column;
      for (int k = 0; k < 10; ++k) {
        if (!is_free(first + k)) continue;
        const double unit = i == k ? 1.0 : 0.0;
        out_.dr_dtheta(at, parameters_.theta_index(first + k)) = is_entry ? dpi(i, k) : unit;
      }
    }
  }

  /// Scalars: what people read is a function of one coordinate.
  void add_others(const VectorXd& theta, int first) {
    const std::vector<PhysicalValue> values = parameters_.values(theta);
    const MatrixXd jacobian = parameters_.physical_jacobian(theta);
    for (int i = first; i < static_cast<int>(parameters_.all().size()); ++i) {
      const int k = parameters_.theta_index(i);
      if (k < 0) continue;
      const PhysicalValue& one = values[static_cast<size_t>(i)];
      const Index at = push(one.name, one.value, -1);
      out_.dr_dtheta(at, k) = one.dvalue_dtheta[k];
      out_.deta_dr.col(at) = jacobian.col(k) / one.dvalue_dtheta[k];
    }
  }

  /// Axes of equal moments can turn without a first-order change of the inertia. Such entries get a
  /// tenth of the usual size as their prior std. docs/math/identifiability.md (3)
  void pseudo_inverse(Index first) {
    constexpr double share = 0.1, singular = 1e-6;
    auto block = out_.prior_cov.block<6, 6>(first, first);
    const double usual = block.diagonal().mean();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(MatrixXd(block), Eigen::EigenvaluesOnly);
    if (eigen.eigenvalues()[0] < singular * usual)
      block.diagonal().array() += share * share * usual;
  }

  const ParameterSet& parameters_;
  VectorXd values_;
  ReadableCoordinates out_;
  std::vector<Index> whole_inertias_;  // places of their ixx
};

}  // namespace

ReadableCoordinates readable_coordinates(const ParameterSet& parameters, const VectorXd& theta) {
  return Reader(parameters, theta).result();
}

}  // namespace bayesid
