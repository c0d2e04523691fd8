// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/posterior.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "posterior/base_parameters.hpp"
#include "posterior/identifiability_words.hpp"
#include "posterior/motion_hints.hpp"
#include "posterior/readable_coordinates.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

constexpr double nothing = 1e-10;  // information beside the largest, in units without a prior

/// Every set of constraints of the logs once, and the robot without contacts.
MotionSpace motion_space(const RobotProblem& problem, const Point& point) {
  MotionSpace out{{Mode{problem.options().constraints.loops}}, {}};
  out.q = point.paths[0].x.col(0).head(problem.dynamics().robot().nq());
  std::set<std::vector<std::string>> known{row_names(out.modes[0])};
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    for (const Mode& mode : problem.timeline(t).modes) {
      if (known.insert(row_names(mode)).second) out.modes.push_back({mode.constraints});
    }
  }
  return out;
}

/// From the base to the tips, then what is no inertia.
std::vector<int> base_first(const ReadableCoordinates& r) {
  std::vector<int> out(r.names.size());
  std::iota(out.begin(), out.end(), 0);
  std::ranges::stable_sort(out, {}, [&](int i) {
    return r.bodies[i] < 0 ? std::numeric_limits<int>::max() : r.bodies[i];
  });
  return out;
}

/// Information and prior in base parameters β = G r.             docs/math/identifiability.md (6)
struct Information {
  MatrixXd H;          // of the data
  MatrixXd L;          // prior covariance L Lᵀ
  VectorXd std;        // of the prior
  VectorXd strength;   // eigenvalues of Lᵀ H L, smallest first
  MatrixXd direction;  // their eigenvectors
  int rank = 0;        // number of eigenvalues above 1

  /// How β moves when β_j moves by one standard deviation, given data and prior.
  /// docs/math/identifiability.md (10)
  VectorXd drift(Index j) const {
    const VectorXd shrink = (1 + strength.array().max(0.0)).inverse();
    const MatrixXd basis = L * direction;
    const VectorXd along = basis.row(j).transpose();
    return basis * shrink.cwiseProduct(along) / std::sqrt(along.cwiseAbs2().dot(shrink));
  }
  /// Standard deviation of covector · β from the data alone; it must be determined.
  double data_std(const RowVectorXd& covector) const {
    const RowVectorXd along = covector * L * direction.rightCols(rank);
    return std::sqrt(along.cwiseAbs2().dot(strength.tail(rank).cwiseInverse()));
  }
};

Information make_information(const MatrixXd& H, const MatrixXd& prior_cov) {
  Information out{.H = H, .std = prior_cov.diagonal().cwiseSqrt()};
  const MatrixXd correlation =
      out.std.cwiseInverse().asDiagonal() * prior_cov * out.std.cwiseInverse().asDiagonal();
  constexpr double jitter = 1e-12;
  const Eigen::LLT<MatrixXd> chol(correlation + jitter * MatrixXd::Identity(H.rows(), H.cols()));
  out.L = out.std.asDiagonal() * MatrixXd(chol.matrixL());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(out.L.transpose() * H * out.L);
  out.strength = eigen.eigenvalues();
  out.direction = eigen.eigenvectors();
  out.rank = static_cast<int>((out.strength.array() > 1.0).count());
  return out;
}

/// What the log determines of β, in reduced form: rows C with C β determined, the identity on the
/// pivots. docs/math/identifiability.md (7)
struct DeterminedRows {
  std::vector<Index> pivots, others;
  MatrixXd C;
};

DeterminedRows determined_rows(const Information& information) {
  const Index n = information.H.rows(), k = information.rank;
  DeterminedRows out{.C = MatrixXd::Identity(n, n)};
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (k < n) {
    // vᵀ L⁻¹, in prior standard deviations.
    const MatrixXd rows = information.L.transpose()
                              .triangularView<Eigen::Upper>()
                              .solve(information.direction.rightCols(k))
                              .transpose();
    const MatrixXd scaled = rows * information.std.asDiagonal();
    if (k > 0) {
      const Eigen::ColPivHouseholderQR<MatrixXd> qr(scaled);
      for (Index i = 0; i < n; ++i) order[i] = qr.colsPermutation().indices()[i];
    }
    std::sort(order.begin(), order.begin() + k);
    std::sort(order.begin() + k, order.end());
    const MatrixXd square = rows(Eigen::all, std::vector<Index>(order.begin(), order.begin() + k));
    out.C = k > 0 ? MatrixXd(square.partialPivLu().solve(rows)) : MatrixXd(0, n);
  }
  out.pivots.assign(order.begin(), order.begin() + k);
  out.others.assign(order.begin() + k, order.end());
  for (Index i = 0; i < k; ++i) out.C.col(out.pivots[i]) = VectorXd::Unit(k, i);
  return out;
}

/// Finds all of it, step by step.
class Finder {
 public:
  Finder(const RobotProblem& problem, const Solution& solution, const MatrixXd& theta_cov)
      : problem_(problem),
        solution_(solution),
        theta_cov_(theta_cov),
        r_(readable_coordinates(problem.dynamics().parameters(), solution.point.theta)),
        dzeta_dr_(problem.dynamics().coordinates().K * r_.deta_dr),
        base_(base_parameters(random_regressor(problem.dynamics(), solution.point.theta,
                                               motion_space(problem, solution.point), dzeta_dr_),
                              base_first(r_))),
        prior_std_(r_.prior_cov.diagonal().cwiseSqrt()) {
    // G is the identity on the kept ones, hence H_β is their block of H_r.
    const MatrixXd kept = dzeta_dr_(Eigen::all, base_.kept);
    information_ = make_information(kept.transpose() * solution.zeta_hessian * kept,
                                    base_.G * r_.prior_cov * base_.G.transpose());
    seen_ = determined_rows(information_);
  }

  Identifiability find() const {
    Identifiability out{.num_parameters = static_cast<int>(r_.names.size()),
                        .structural_rank = static_cast<int>(base_.kept.size()),
                        .numerical_rank = numerical_rank(),
                        .log_rank = information_.rank};
    for (Index i = 0; i < information_.rank; ++i) out.base_parameters.push_back(base_parameter(i));
    add_undetermined_here(out);
    add_undetermined_anywhere(out);
    add_correlations(out);
    out.coordinates = r_.names;
    out.cov = r_.dr_dtheta * theta_cov_ * r_.dr_dtheta.transpose();
    return out;
  }

 private:
  /// Units in which each base parameter moves efforts alike.      docs/math/identifiability.md (8)
  int numerical_rank() const {
    const VectorXd unit = base_.effect.cwiseInverse();
    const MatrixXd scaled = unit.asDiagonal() * information_.H * unit.asDiagonal();
    if (scaled.rows() == 0) return 0;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scaled, Eigen::EigenvaluesOnly);
    const VectorXd& values = eigen.eigenvalues();
    return static_cast<int>((values.array() > nothing * values.tail(1)[0]).count());
  }

  BaseParameter base_parameter(Index i) const {
    BaseParameter out;
    const RowVectorXd covector = seen_.C.row(i), row = covector * base_.G;
    const RowVectorXd gradient = row * r_.dr_dtheta;
    const int first = base_.kept[seen_.pivots[i]];
    out.value = row.dot(r_.value);
    out.std = std::sqrt(std::max(0.0, gradient.dot(gradient * theta_cov_)));
    out.data_std = information_.data_std(covector);
    // What a term adds, when the prior lets it move, against the error bar and the first term.
    const double least = std::max(1e-6 * prior_std_[first], 0.01 * out.data_std);
    out.terms =
        terms_of(row, first, [&](Index j) { return std::abs(row[j]) * prior_std_[j] > least; });
    out.text = base_parameter_text(terms_of(
        row, first, [&](Index j) { return std::abs(row[j]) * prior_std_[j] > out.data_std; }));
    return out;
  }

  /// The first term, then the others by their weight in prior standard deviations.
  template <typename Keep>
  std::vector<ParameterTerm> terms_of(const RowVectorXd& row, int first, Keep keep) const {
    std::vector<Index> order;
    for (Index j = 0; j < row.size(); ++j) {
      if (j != first && row[j] != 0 && keep(j)) order.push_back(j);
    }
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](Index j) { return std::abs(row[j]) * prior_std_[j]; });
    order.insert(order.begin(), first);
    std::vector<ParameterTerm> out;
    for (const Index j : order) out.push_back({r_.names[j], row[j]});
    return out;
  }

  /// β_j by 1 and what it takes to leave C β as it is.            docs/math/identifiability.md (9)
  void add_undetermined_here(Identifiability& out) const {
    constexpr double takes_part = 0.1;  // of a prior standard deviation, when the first moves one
    const auto count = static_cast<Index>(seen_.others.size());
    MatrixXd drifts(information_.H.rows(), count);
    for (Index n = 0; n < count; ++n) {
      const Index j = seen_.others[n];
      const int first = base_.kept[j];
      RowVectorXd row = RowVectorXd::Zero(r_.value.size());
      row[first] = 1;
      for (Index i = 0; i < information_.rank; ++i)
        row[base_.kept[seen_.pivots[i]]] = -seen_.C(i, j);
      UndeterminedDirection& one = out.undetermined.emplace_back();
      one.terms = terms_of(row, first, [&](Index k) {
        return std::abs(row[k]) * prior_std_[first] > takes_part * prior_std_[k];
      });
      one.text = undetermined_text(one);
      drifts.col(n) = information_.drift(j);
    }
    const std::vector<std::string> hints =
        motion_hints(problem_, solution_.point, dzeta_dr_(Eigen::all, base_.kept) * drifts);
    for (Index n = 0; n < count; ++n) {
      const bool of_sensor = is_sensor(base_.kept[seen_.others[n]]);
      out.undetermined[n].motion = of_sensor          ? "move faster and in other orientations"
                                   : hints[n].empty() ? too_small_to_measure
                                                      : hints[n];
    }
  }

  bool is_sensor(int coordinate) const {
    const std::vector<std::string>& names = problem_.dynamics().parameters().layout().sensor_names;
    return std::ranges::find(names, r_.names[coordinate]) != names.end();
  }

  /// r_j by 1 and what it takes to leave G r as it is.
  void add_undetermined_anywhere(Identifiability& out) const {
    for (Index j = 0; j < base_.G.cols(); ++j) {
      if (std::ranges::find(base_.kept, static_cast<int>(j)) != base_.kept.end()) continue;
      RowVectorXd row = RowVectorXd::Zero(base_.G.cols());
      row[j] = 1;
      for (size_t i = 0; i < base_.kept.size(); ++i)
        row[base_.kept[i]] = -base_.G(static_cast<Index>(i), j);
      UndeterminedDirection one{.is_structural = true};
      one.terms = terms_of(row, static_cast<int>(j), [](Index) { return true; });
      one.text = undetermined_text(one);
      out.undetermined.push_back(std::move(one));
    }
  }

  /// Of estimation coordinates, whose priors are independent: what is correlated, the data made so.
  void add_correlations(Identifiability& out) const {
    constexpr double strong = 0.9;
    constexpr size_t most = 10;
    const std::vector<std::string> names = problem_.dynamics().parameters().names();
    const MatrixXd& cov = theta_cov_;
    std::vector<std::pair<Index, Index>> pairs;
    for (Index i = 0; i < cov.rows(); ++i) {
      for (Index j = i + 1; j < cov.cols(); ++j) {
        const double value = cov(i, j) / std::sqrt(cov(i, i) * cov(j, j));
        if (std::abs(value) <= strong) continue;
        out.correlations.push_back({names[i], names[j], value, {}});
        pairs.emplace_back(i, j);
      }
    }
    add_data_correlations(pairs, out.correlations);
    std::ranges::stable_sort(out.correlations, std::greater<>(),
                             [](const Correlation& one) { return std::abs(one.value); });
    if (out.correlations.size() > most) out.correlations.resize(most);
  }

  void add_data_correlations(const std::vector<std::pair<Index, Index>>& pairs,
                             std::vector<Correlation>& out) const {
    constexpr double leak = 1e-6;  // share of a coordinate outside of what the data show
    const VectorXd scale = problem_.space().prior_std();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(
        scale.asDiagonal() * solution_.data_hessian * scale.asDiagonal());
    const VectorXd& strength = eigen.eigenvalues();
    const auto rank =
        static_cast<Index>((strength.array() > nothing * strength.tail(1)[0]).count());
    const MatrixXd shown = eigen.eigenvectors().rightCols(rank);
    const VectorXd variance = strength.tail(rank).cwiseInverse();
    for (size_t n = 0; n < pairs.size(); ++n) {
      const RowVectorXd a = shown.row(pairs[n].first), b = shown.row(pairs[n].second);
      if (a.squaredNorm() < 1 - leak || b.squaredNorm() < 1 - leak) continue;
      const auto product = [&](const RowVectorXd& left, const RowVectorXd& right) {
        return left.cwiseProduct(right).dot(variance);
      };
      out[n].of_data = product(a, b) / std::sqrt(product(a, a) * product(b, b));
    }
  }

  const RobotProblem& problem_;
  const Solution& solution_;
  const MatrixXd& theta_cov_;
  ReadableCoordinates r_;
  MatrixXd dzeta_dr_;
  BaseParameters base_;
  VectorXd prior_std_;  // of r
  Information information_;
  DeterminedRows seen_;
};

}  // namespace

Identifiability make_identifiability(const RobotProblem& problem, const Solution& solution,
                                     const MatrixXd& theta_cov) {
  const int ntheta = problem.dynamics().parameters().ntheta();
  const bool is_known = solution.zeta_hessian.rows() == problem.dynamics().nzeta() &&
                        theta_cov.rows() == ntheta && solution.zeta_hessian.allFinite();
  if (ntheta == 0 || !is_known) return {.num_parameters = ntheta};
  return Finder(problem, solution, theta_cov).find();
}

Identifiability make_identifiability(const RobotProblem& problem, const Solution& solution) {
  return make_identifiability(problem, solution, solution.theta_cov);
}

}  // namespace bayesid
