// SPDX-License-Identifier: BSD-3-Clause
// Innovations and expected residuals against one dense Gaussian of all unknowns.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/Dense>
#include <random>

#include "solver/innovation_filter.hpp"
#include "solver/riccati_sweep.hpp"
#include "solver/smoothed_rows.hpp"

namespace bayesid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(std::mt19937& random, Index rows, Index cols) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); });
}

struct Shape {
  const char* name;
  StageSize size;
  int node_rows = 2;
  int arrival_rows = 0;      // equalities of the first state; the last repeats the first
  bool singular = false;     // nothing disturbs the first state coordinate
  bool varied = false;       // stages use fewer columns than there are, some have no noise
  bool tight_noise = false;  // seven orders of magnitude below the prior
};

/// Stages 0 … N, the last one a node alone, with the rows of their sensors.
struct Trajectory {
  std::vector<Stage> stages;
  std::vector<SensorRows> rows;
  ArrivalConstraints arrival;
  MatrixXd prior_Q;
  VectorXd prior_q;
};

Trajectory random_trajectory(const Shape& shape, std::mt19937& random) {
  const StageSize& n = shape.size;
  Trajectory out;
  for (int k = 0; k <= n.num_stages; ++k) {
    Stage& s = out.stages.emplace_back(n, 0);
    SensorRows& rows = out.rows.emplace_back();
    s.A = MatrixXd::Identity(n.nx, n.nx) + 0.2 * random_matrix(random, n.nx, n.nx);
    s.N = (shape.tight_noise ? 1e-7 : 0.3) * random_matrix(random, n.nx, n.nw);
    if (shape.singular) s.N.row(0).setZero();
    if (shape.varied) {
      s.nw = k % (n.nw + 1);
      s.N.rightCols(n.nw - s.nw).setConstant(1e9);  // must not be read
    }
    s.d = random_matrix(random, n.nx, 1);
    s.nr = n.nr > 0 && k < n.num_stages ? (k + 1) % (n.nr + 1) : 0;
    s.R_x = random_matrix(random, n.nr, n.nx);
    s.R_y = random_matrix(random, n.nr, n.nx);
    s.r = random_matrix(random, n.nr, 1);
    for (int i = 0; i < s.nr; ++i) rows.stage.push_back({0, i});
    rows.inputs = {{1, 0}, {1, 1}};
    rows.by_noise = random_matrix(random, s.nr + 2, s.nw);
    rows.by_rows = random_matrix(random, s.nr + 2, s.nr);
    const int node_rows = k == 0 || (shape.varied && k % 2) ? 0 : shape.node_rows;
    rows.R = random_matrix(random, node_rows, n.nx);
    rows.r = random_matrix(random, node_rows, 1);
    for (int i = 0; i < node_rows; ++i) rows.node.push_back({2, i});
    s.Q = rows.R.transpose() * rows.R;
    s.q = rows.R.transpose() * rows.r;
  }
  Stage& first = out.stages[0];
  const MatrixXd factor = random_matrix(random, n.nx, n.nx + 2);
  first.Q += factor * factor.transpose();
  first.q += random_matrix(random, n.nx, 1);
  out.arrival = {random_matrix(random, shape.arrival_rows, n.nx),
                 random_matrix(random, shape.arrival_rows, 1)};
  if (shape.arrival_rows > 1) {
    out.arrival.E.row(shape.arrival_rows - 1) = out.arrival.E.row(0);
    out.arrival.e[shape.arrival_rows - 1] = out.arrival.e[0];
  }
  return out;
}

/// All states as x = mean + root z and all rows as y = mean + root z + noise, z and noise of unit
/// variance, y = 0 observed; functionals u = root z − by_noise · noise of the rows.
struct Dense {
  MatrixXd root;  // of the rows, in the order in which they are known
  VectorXd mean;
  MatrixXd u_root, u_noise;  // of the residuals, in the same order
};

Dense make_dense(const Trajectory& from) {
  const Index nx = from.stages[0].q.size();
  // The first state on its constraints, by the nullspace from singular values.
  MatrixXd Z = MatrixXd::Identity(nx, nx);
  VectorXd shift = VectorXd::Zero(nx);
  if (from.arrival.E.rows() > 0) {
    Eigen::JacobiSVD<MatrixXd> svd(from.arrival.E, Eigen::ComputeFullV | Eigen::ComputeFullU);
    svd.setThreshold(1e-10);
    Z = svd.matrixV().rightCols(nx - svd.rank());
    shift = svd.solve(-from.arrival.e);
  }
  const Stage& first = from.stages[0];
  const MatrixXd P = (Z.transpose() * first.Q * Z).inverse();
  Index num_noises = Z.cols(), num_rows = 0;
  for (size_t k = 0; k < from.stages.size(); ++k) {
    num_rows += static_cast<Index>(from.rows[k].node.size());
    if (k + 1 == from.stages.size()) break;
    num_noises += from.stages[k].nw;
    num_rows += from.stages[k].nr;
  }
  MatrixXd x_root = MatrixXd::Zero(nx, num_noises);
  x_root.leftCols(Z.cols()) = Z * MatrixXd(P.llt().matrixL());
  VectorXd x_mean = shift - Z * P * Z.transpose() * (first.q + first.Q * shift);
  Dense out{MatrixXd(num_rows, num_noises), VectorXd(num_rows), MatrixXd(0, num_noises),
            MatrixXd(0, num_rows)};
  Index row = 0, noise = Z.cols();
  const auto add_functional = [&](const Eigen::RowVectorXd& by_z, const Eigen::RowVectorXd& by_v) {
    out.u_root.conservativeResize(out.u_root.rows() + 1, Eigen::NoChange);
    out.u_noise.conservativeResize(out.u_noise.rows() + 1, Eigen::NoChange);
    out.u_root.bottomRows(1) = by_z;
    out.u_noise.bottomRows(1) = by_v;
  };
  for (size_t k = 0; k < from.stages.size(); ++k) {
    const SensorRows& rows = from.rows[k];
    const Index n = rows.R.rows();
    out.root.middleRows(row, n) = rows.R * x_root;
    out.mean.segment(row, n) = rows.r + rows.R * x_mean;
    for (Index i = 0; i < n; ++i)
      add_functional(Eigen::RowVectorXd::Zero(num_noises),
                     Eigen::RowVectorXd::Unit(num_rows, row + i));
    row += n;
    if (k + 1 == from.stages.size()) break;
    const Stage& s = from.stages[k];
    MatrixXd next_root = s.A * x_root;
    next_root.middleCols(noise, s.nw) += s.N.leftCols(s.nw);
    const VectorXd next_mean = s.A * x_mean + s.d;
    const auto R_x = s.R_x.topRows(s.nr), R_y = s.R_y.topRows(s.nr);
    out.root.middleRows(row, s.nr) = R_x * x_root + R_y * next_root;
    out.mean.segment(row, s.nr) = s.r.head(s.nr) + R_x * x_mean + R_y * next_mean;
    for (Index i = 0; i < rows.by_noise.rows(); ++i) {
      Eigen::RowVectorXd by_z = Eigen::RowVectorXd::Zero(num_noises),
                         by_v = Eigen::RowVectorXd::Zero(num_rows);
      by_z.segment(noise, s.nw) = rows.by_noise.row(i);
      by_v.segment(row, s.nr) = rows.by_rows.row(i);
      add_functional(by_z, by_v);
    }
    row += s.nr;
    noise += s.nw;
    x_root = next_root;
    x_mean = next_mean;
  }
  return out;
}

const Shape shapes[] = {
    {"plain", {4, 1, 4, 0, 6, 0}},
    {"N = 0", {4, 1, 4, 0, 0, 2}},
    {"N = 1", {4, 1, 4, 0, 1, 2}},
    {"rows that see both ends", {4, 1, 4, 0, 7, 3}},
    {"only rows that see both ends", {4, 1, 4, 0, 7, 3}, 0},
    {"a state that nothing disturbs", {5, 1, 5, 0, 6, 2}, 2, 0, true},
    {"fewer noises than states", {6, 1, 2, 0, 8, 2}},
    {"stages without noise or rows", {5, 1, 4, 0, 9, 2}, 2, 0, false, true},
    {"first state on constraints", {5, 1, 5, 0, 6, 2}, 2, 3},
    {"constraints and no noise across them", {5, 1, 3, 0, 8, 2}, 1, 2, true, true},
    {"noise far below the prior", {4, 1, 4, 0, 8, 2}, 2, 2, true, false, true},
};

}  // namespace

BOOST_AUTO_TEST_CASE(innovations_are_those_of_a_dense_gaussian) {
  for (const Shape& shape : shapes) {
    for (int seed = 0; seed < 4; ++seed) {
      BOOST_TEST_CONTEXT(shape.name << ", seed " << seed) {
        std::mt19937 random(seed);
        const Trajectory trajectory = random_trajectory(shape, random);
        const Dense dense = make_dense(trajectory);
        const Index n = dense.mean.size();
        const MatrixXd cov = dense.root * dense.root.transpose() + MatrixXd::Identity(n, n);
        const MatrixXd L = cov.llt().matrixL();
        const VectorXd normalised = L.triangularView<Eigen::Lower>().solve(dense.mean);
        InnovationFilter filter(trajectory.stages[0], trajectory.arrival);
        Index row = 0;
        double worst_value = 0, worst_std = 0;
        const auto compare = [&](const Innovations& found) {
          for (Index i = 0; i < found.value.size(); ++i, ++row) {
            worst_value =
                std::max(worst_value, std::abs(found.value[i] / found.std[i] - normalised[row]));
            worst_std = std::max(worst_std, std::abs(found.std[i] / L(row, row) - 1));
          }
        };
        for (size_t k = 0; k < trajectory.stages.size(); ++k) {
          compare(filter.observe(trajectory.rows[k]));
          if (k + 1 < trajectory.stages.size())
            compare(filter.step(trajectory.stages[k], trajectory.rows[k]));
        }
        BOOST_TEST(row == n);
        BOOST_TEST(worst_value < 1e-9);
        BOOST_TEST(worst_std < 1e-9);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(expected_residuals_are_those_of_a_dense_gaussian) {
  for (const Shape& shape : shapes) {
    for (int seed = 0; seed < 4; ++seed) {
      BOOST_TEST_CONTEXT(shape.name << ", seed " << seed) {
        std::mt19937 random(seed);
        const Trajectory trajectory = random_trajectory(shape, random);
        const Dense dense = make_dense(trajectory);
        const Index n = dense.mean.size();
        const MatrixXd cov = dense.root * dense.root.transpose() + MatrixXd::Identity(n, n);
        // var E[u | y] = cov(u, y) cov(y)⁻¹ cov(y, u); noise of a row is minus its residual.
        const MatrixXd cross = dense.u_root * dense.root.transpose() - dense.u_noise;
        const VectorXd expected = (cross * cov.llt().solve(cross.transpose())).diagonal().eval();

        const int num_stages = shape.size.num_stages;
        RiccatiSweep sweep(shape.size, 0);
        sweep.begin(trajectory.stages[num_stages]);
        for (int k = num_stages - 1; k >= 0; --k) sweep.step(k, trajectory.stages[k]);
        sweep.finish();
        sweep.eliminate_arrival(trajectory.arrival);
        const MatrixXd none;
        MatrixXd P = sweep.arrival_covariance();
        VectorXd found(expected.size());
        Index row = 0;
        const auto append = [&](const VectorXd& part) {
          found.segment(row, part.size()) = part;
          row += part.size();
        };
        for (int k = 0; k <= num_stages; ++k) {
          append(node_residual_variance(trajectory.rows[k], P, none, none));
          if (k == num_stages) break;
          const Stage& s = trajectory.stages[k];
          const NoiseSolution noise(sweep, k, s, none, none);
          append(stage_residual_variance(s, trajectory.rows[k], noise, {P, none, none, none}));
          const MatrixXd closed = sweep.closed_loop(k);
          P = closed * P * closed.transpose() + sweep.noise_covariance(k);
        }
        BOOST_TEST(row == expected.size());
        const VectorXd scale = expected.array() + 1;
        BOOST_TEST((found - expected).cwiseQuotient(scale).lpNorm<Eigen::Infinity>() < 1e-8);
      }
    }
  }
}

}  // namespace bayesid
