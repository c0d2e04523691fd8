// SPDX-License-Identifier: BSD-3-Clause
#include "solver/active_set.hpp"

#include <limits>
#include <proxsuite/proxqp/dense/dense.hpp>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<int> guess_active_rows(const VectorXd& target, const MatrixXd& E, const VectorXd& e,
                                   const MatrixXd& G, const VectorXd& g) {
  if (!target.allFinite() || !E.allFinite() || !e.allFinite() || !G.allFinite() || !g.allFinite())
    return {};
  const Eigen::Index n = target.size();
  proxsuite::proxqp::dense::QP<double> qp(n, E.rows(), G.rows());
  qp.settings.eps_abs = 1e-9;
  qp.settings.eps_rel = 0;
  qp.settings.max_iter = 1000;
  qp.settings.max_iter_in = 200;
  const VectorXd upper = VectorXd::Constant(G.rows(), 1e20);
  qp.init(MatrixXd::Identity(n, n), -target, E, -e, G, -g, upper);
  qp.solve();
  std::vector<int> active;
  const double scale = std::max(1.0, qp.results.z.lpNorm<Eigen::Infinity>());
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    if (std::abs(qp.results.z[i]) > 1e-7 * scale) active.push_back(static_cast<int>(i));
  }
  return active;
}

}  // namespace bayesid
