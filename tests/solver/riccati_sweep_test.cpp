// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/Dense>
#include <random>

#include "solver/parameter_qp.hpp"
#include "solver/riccati_sweep.hpp"
#include "support/dense_kkt.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(std::mt19937& random, int rows, int cols) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); });
}

/// A trajectory in the form of the sweep, and the same as a general problem whose inputs are the
/// noise ε.
struct Twins {
  std::vector<Stage> stages;  // the last one is the last node
  LqTrajectory general;
  ArrivalConstraints arrival;
};

struct Shape {
  StageSize size;
  bool missing_observations = false;
  bool singular_noise = false;  // nothing disturbs the first state
  bool varied = false;          // stages use fewer columns than there are
  int arrival_rows = 0;         // equalities of the first state; the last repeats the first
};

Twins random_twins(const Shape& shape, std::mt19937& random) {
  const StageSize& n = shape.size;
  Twins out;
  for (int k = 0; k <= n.num_stages; ++k) {
    Stage s(n, 0);
    const bool observed = !shape.missing_observations || k % 2 == 0;
    const MatrixXd seen = (observed ? 1.0 : 0.0) * random_matrix(random, 2, n.nx);
    s.Q = seen.transpose() * seen;
    if (k == 0) s.Q.diagonal().array() += 1.0;
    s.q = seen.transpose() * random_matrix(random, 2, 1);
    s.A = MatrixXd::Identity(n.nx, n.nx) + 0.2 * random_matrix(random, n.nx, n.nx);
    s.D = random_matrix(random, n.nx, n.nd);
    s.K = random_matrix(random, n.nd, n.nzeta);
    s.N = 0.1 * random_matrix(random, n.nx, n.nw);
    if (shape.varied) {
      s.nd = k % (n.nd + 1);
      s.nw = k % (n.nw + 1);
      s.D.rightCols(n.nd - s.nd).setConstant(1e9);  // must not be read
      s.N.rightCols(n.nw - s.nw).setConstant(1e9);
    }
    if (shape.singular_noise) s.N.row(0).setZero();
    s.nr = n.nr > 0 ? k % (n.nr + 1) : 0;
    s.R_x = random_matrix(random, n.nr, n.nx);
    s.R_y = random_matrix(random, n.nr, n.nx);
    s.R_zeta = random_matrix(random, n.nr, n.nzeta);
    s.r = random_matrix(random, n.nr, 1);
    s.d = random_matrix(random, n.nx, 1);
    s.gamma = random_matrix(random, n.nx, 1);
    out.stages.push_back(s);
    if (k == n.num_stages) {
      out.general.last_Q = MatrixXd::Zero(n.nx + n.nzeta, n.nx + n.nzeta);
      out.general.last_Q.topLeftCorner(n.nx, n.nx) = s.Q;
      out.general.last_q = VectorXd::Zero(n.nx + n.nzeta);
      out.general.last_q.head(n.nx) = s.q;
      break;
    }
    LqStage g;
    const int size = n.nx + s.nw + n.nzeta, rows = k == 0 ? shape.arrival_rows : 0;
    g.A = s.A;
    g.B = s.N.leftCols(s.nw);
    g.C = s.D.leftCols(s.nd) * s.K.topRows(s.nd);
    g.c = s.d;
    g.h_x = random_matrix(random, rows, n.nx);
    g.h = random_matrix(random, rows, 1);
    if (rows > 1) {
      g.h_x.row(rows - 1) = g.h_x.row(0);
      g.h[rows - 1] = g.h[0];
    }
    if (k == 0) out.arrival = {g.h_x, g.h};
    g.h_u = MatrixXd::Zero(rows, s.nw);
    g.h_zeta = MatrixXd::Zero(rows, n.nzeta);
    g.Q = MatrixXd::Zero(size, size);
    g.Q.topLeftCorner(n.nx, n.nx) = s.Q;
    g.Q.block(n.nx, n.nx, s.nw, s.nw).setIdentity();
    g.q = VectorXd::Zero(size);
    g.q.head(n.nx) = s.q;
    // Rows, with x' written out.
    const MatrixXd R_y = s.R_y.topRows(s.nr);
    MatrixXd J(s.nr, size);
    J << s.R_x.topRows(s.nr) + R_y * g.A, R_y * g.B, s.R_zeta.topRows(s.nr) + R_y * g.C;
    g.Q += J.transpose() * J;
    g.q += J.transpose() * (s.r.head(s.nr) + R_y * g.c);
    out.general.stages.push_back(g);
  }
  return out;
}

void first_pass(RiccatiSweep& sweep, const Twins& twins) {
  const int num_stages = sweep.size().num_stages;
  sweep.begin(twins.stages[num_stages]);
  for (int k = num_stages - 1; k >= 0; --k) sweep.step(k, twins.stages[k]);
  sweep.finish();
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_pass_sweep_equals_dense_kkt_whatever_the_multipliers_it_starts_from) {
  struct Case {
    const char* name;
    Shape shape;
    int num_trajectories = 1, equalities = 0, inequalities = 0;
  };
  const Case cases[] = {
      {"plain", {{6, 3, 6, 5, 7}}},
      {"more stages than a batch", {{6, 3, 6, 5, 100}}},
      {"several trajectories", {{4, 2, 4, 6, 5}}, 3},
      {"missing observations", {{6, 3, 6, 5, 9}, true}},
      {"noise of lower rank", {{6, 3, 6, 5, 7}, false, true}},
      {"parameter equalities and inequalities", {{4, 2, 4, 6, 5}}, 2, 1, 3},
      {"N = 0", {{4, 2, 4, 6, 0}}},
      {"N = 1", {{4, 2, 4, 6, 1}}},
      {"fewer noises than states", {{6, 3, 4, 5, 7}}},
      {"sizes that differ from stage to stage", {{6, 3, 6, 5, 9}, false, false, true}},
      {"first state on constraints", {{6, 3, 6, 5, 4}, false, false, false, 2}, 2},
      {"no parameters, on constraints", {{4, 2, 4, 0, 5}, false, false, true, 3}},
      {"no parameters", {{4, 2, 4, 0, 5}}},
      {"rows that see both ends", {{6, 3, 6, 5, 9, 3}}},
      {"rows, more than a batch", {{4, 2, 4, 6, 100, 6}}},
      {"rows, first state on constraints", {{6, 3, 4, 5, 6, 2}, false, false, true, 2}, 2, 1, 2},
      {"rows, no parameters", {{4, 2, 4, 0, 5, 2}}},
  };
  for (const Case& c : cases) {
    for (int seed = 0; seed < 5; ++seed) {
      BOOST_TEST_CONTEXT(c.name << ", seed " << seed) {
        std::mt19937 random(seed);
        const int nzeta = c.shape.size.nzeta, ntheta = nzeta == 0 ? 0 : nzeta + 2;
        LqProblem problem;
        problem.nx = c.shape.size.nx;
        problem.T = random_matrix(random, nzeta, ntheta);
        problem.prior_hessian = MatrixXd::Identity(ntheta, ntheta);
        problem.prior_gradient = random_matrix(random, ntheta, 1);
        problem.constraints = {random_matrix(random, c.equalities, ntheta),
                               random_matrix(random, c.equalities, 1),
                               random_matrix(random, c.inequalities, ntheta),
                               random_matrix(random, c.inequalities, 1)};
        MatrixXd H = problem.prior_hessian;
        VectorXd g = problem.prior_gradient;
        std::vector<Twins> twins;
        std::vector<RiccatiSweep> sweeps;
        for (int t = 0; t < c.num_trajectories; ++t) {
          twins.push_back(random_twins(c.shape, random));
          problem.trajectories.push_back(twins.back().general);
          RiccatiSweep& sweep = sweeps.emplace_back(c.shape.size, 0);
          first_pass(sweep, twins.back());
          sweep.eliminate_arrival(twins.back().arrival);
          H += problem.T.transpose() * sweep.condensed_hessian() * problem.T;
          g += problem.T.transpose() * sweep.condensed_gradient();
        }
        const LqSolution dense = test::solve_dense(problem);
        const ParameterQpSolution qp = solve_parameter_qp(H, g, problem.constraints, {});
        BOOST_REQUIRE_EQUAL(qp.solved, dense.solved);
        if (!dense.solved) continue;
        if (ntheta > 0) BOOST_TEST((qp.dtheta - dense.theta).lpNorm<Eigen::Infinity>() < 1e-9);
        const VectorXd dzeta = problem.T * qp.dtheta;
        for (int t = 0; t < c.num_trajectories; ++t) {
          const std::vector<Stage>& stages = twins[t].stages;
          for (int k = 0; k < c.shape.size.num_stages; ++k)
            sweeps[t].shift(k) =
                stages[k].D.leftCols(stages[k].nd) * (stages[k].K.topRows(stages[k].nd) * dzeta);
          for (int k = 0; k < c.shape.size.num_stages; ++k)
            sweeps[t].row_shift(k) = stages[k].R_zeta.topRows(stages[k].nr) * dzeta;
          sweeps[t].solve_states();
          for (int k = 0; k <= c.shape.size.num_stages; ++k) {
            BOOST_TEST((sweeps[t].dx(k) - dense.x[t][k]).lpNorm<Eigen::Infinity>() < 1e-9);
            if (k == c.shape.size.num_stages) continue;
            // The noise follows from the new multiplier: ε = −Nᵀ(γ + δγ).
            const VectorXd noise = -stages[k].N.leftCols(stages[k].nw).transpose() *
                                   (stages[k].gamma + sweeps[t].dgamma(k));
            BOOST_TEST((noise - dense.u[t][k]).lpNorm<Eigen::Infinity>() < 1e-9);
          }
        }
      }
    }
  }
}

}  // namespace bayesid
