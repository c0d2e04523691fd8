// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <map>

#include "bayesid/dynamics.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/random_mode.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::moved;

void check(const char* name, const MatrixXd& analytic, const MatrixXd& numeric) {
  if (analytic.cwiseAbs().maxCoeff() < 1e-12 && numeric.cwiseAbs().maxCoeff() < 1e-7) return;
  // Constraints that a random robot obeys with difficulty have large derivatives and round-off.
  const DerivativeCheck result = check_derivatives(analytic, numeric, 1e-2);
  BOOST_TEST_CONTEXT(name << ": " << result.worst_entry) {
    BOOST_TEST(result.max_error < 1e-6);
  }
}

/// Steps of θ within which nothing bends much.
VectorXd small(const Dynamics& dynamics) {
  return 1e-3 * dynamics.parameters().prior_std();
}

void check_theta(const Dynamics& dynamics, const MatrixXd& analytic, const MatrixXd& numeric) {
  check("dtheta", test::heavy_links(dynamics, analytic), test::heavy_links(dynamics, numeric));
}

/// Constraints that the robot can obey, and not barely.
bool is_well_posed(const Dynamics& dynamics, const Mode& mode, const test::Instant& at) {
  if (mode.num_rows() == 0) return true;
  if (mode.num_rows() >= dynamics.nv()) return false;
  const MatrixXd J = dynamics.rows_at(mode, at.q, at.v, Level::velocity).J;
  return J.jacobiSvd().singularValues().minCoeff() > 0.05;
}

/// A robot in constraints at an instant, and room to compute.
struct Case {
  Case(const test::Scene& scene, Mode given, int seed)
      : dynamics(*scene.dynamics),
        mode(std::move(given)),
        at(test::random_instant(scene, seed)),
        nv(dynamics.nv()),
        zero(VectorXd::Zero(nv)),
        no_noise(VectorXd::Zero(dynamics.num_efforts())),
        workspace(dynamics),
        stage(nv, dynamics.nzeta(), mode.num_rows()),
        other(nv, dynamics.nzeta(), mode.num_rows()),
        model(dynamics.at(at.theta)) {}

  const Dynamics& dynamics;
  Mode mode;
  test::Instant at;
  int nv;
  VectorXd zero, no_noise;
  Dynamics::Workspace workspace;
  StageDynamics stage, other;  // what is tested, what differences are taken of
  std::shared_ptr<const DynamicsAt> model;
};

/// Calls test(case) for every kind of constraint on several robots.
template <typename Test>
void for_all(const Test& test) {
  std::map<std::string, int> count;
  for (const test::Scene& scene : test::all_scenes()) {
    const int num_seeds = scene.dynamics->nv() > 12 ? 1 : 4;
    for (int seed = 1; seed <= num_seeds; ++seed) {
      for (const test::ModeCase& given : test::modes_of(scene, seed)) {
        Case one(scene, given.mode, seed);
        int& done = count[given.name];
        if (!is_well_posed(one.dynamics, one.mode, one.at)) continue;
        ++done;
        BOOST_TEST_CONTEXT(scene.name << ", seed " << seed << ", " << given.name) {
          test(one);
        }
      }
    }
  }
  for (const auto& [name, done] : count) BOOST_TEST(done >= 2, name << " was tested " << done);
}

/// Derivatives of the stage's a against those of a(θ, q, v).
template <typename Function>
void check_stage(const Case& one, const Function& a) {
  const Dynamics& dynamics = one.dynamics;
  const test::Instant& at = one.at;
  const StageDynamics& stage = one.stage;
  check(
      "da_dq", stage.da_dq,
      precise_jacobian(
          [&](const VectorXd& dq) { return a(at.theta, moved(dynamics.robot(), at.q, dq), at.v); },
          one.zero));
  check("da_dv", stage.da_dv,
        precise_jacobian([&](const VectorXd& v) { return a(at.theta, at.q, v); }, at.v));
  const MatrixXd Z = stage.kkt->Z(), T = dynamics.dzeta_dtheta(at.theta);
  check_theta(dynamics, -Z * (Z.transpose() * stage.balance.dh_dzeta * T),
              precise_jacobian([&](const VectorXd& theta) { return a(theta, at.q, at.v); },
                               at.theta, small(dynamics)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_of_constraints_agree_with_central_differences) {
  for_all([](Case& one) {
    const Dynamics& dynamics = one.dynamics;
    const test::Instant& at = one.at;
    if (one.mode.constraints.empty()) return;
    for (const Level level : {Level::position, Level::velocity}) {
      const ConstraintRows rows = dynamics.rows_at(one.mode, at.q, at.v, level);
      const auto moved_rows = [&](const VectorXd& dq) {
        return dynamics.rows_at(one.mode, moved(dynamics.robot(), at.q, dq), at.v, level).r;
      };
      check("dr_dq", rows.dr_dq, precise_jacobian(moved_rows, one.zero));
      if (level == Level::position) continue;
      BOOST_TEST((rows.J * at.v - rows.r).norm() < 1e-11 * (1 + rows.r.norm()));
    }
  });
}

BOOST_AUTO_TEST_CASE(constrained_accelerations_agree_with_central_differences) {
  for_all([](Case& one) {
    const Dynamics& dynamics = one.dynamics;
    const test::Instant& at = one.at;
    StageDynamics& stage = one.stage;
    const auto a = [&](const VectorXd& theta, const VectorXd& q, const VectorXd& v) {
      dynamics.solve(*dynamics.at(theta), one.mode, q, v, at.tau, one.workspace, one.other);
      return VectorXd(one.other.a);
    };
    const auto linearise = [&](const VectorXd& from) {
      dynamics.linearise(*one.model, one.mode, at.q, at.v, from, at.tau, one.no_noise,
                         one.workspace, stage);
    };
    const VectorXd exact = a(at.theta, at.q, at.v), lambda = one.other.lambda;
    linearise(exact);
    const double size = 1 + exact.norm() + lambda.norm();
    BOOST_TEST((stage.a - exact).norm() < 1e-9 * size);
    BOOST_TEST((stage.lambda - lambda).norm() < 1e-9 * size);
    BOOST_TEST(stage.rows.r.norm() < 1e-9 * size);
    const VectorXd force = stage.balance.h - stage.rows.J.transpose() * lambda;
    BOOST_TEST(force.norm() < 1e-9 * (1 + stage.balance.h.norm()));
    check_stage(one, a);

    // From another acceleration, one linear step leads to the same solution.
    linearise(at.a);
    BOOST_TEST((stage.a - exact).norm() < 1e-8 * (size + at.a.norm()));
  });
}

BOOST_AUTO_TEST_CASE(impacts_agree_with_central_differences) {
  for_all([](Case& one) {
    const Dynamics& dynamics = one.dynamics;
    const test::Instant& at = one.at;
    if (one.mode.constraints.empty()) return;
    for (const double restitution : {0.0, 0.5}) {
      one.mode.constraints[0].restitution = restitution;
      const auto jump = [&](const VectorXd& theta, const VectorXd& q, const VectorXd& v) {
        dynamics.solve_impact(*dynamics.at(theta), one.mode, q, v, one.workspace, one.other);
        return VectorXd(one.other.a);
      };
      const VectorXd exact = jump(at.theta, at.q, at.v), impulse = one.other.lambda;
      // J v⁺ = −ε J v⁻, M (v⁺ − v⁻) = Jᵀ Λ
      const ConstraintRows before = dynamics.rows_at(one.mode, at.q, at.v, Level::velocity);
      const ConstraintRows after = dynamics.rows_at(one.mode, at.q, at.v + exact, Level::velocity);
      const int n = one.mode.constraints[0].num_rows();
      BOOST_TEST((after.r.head(n) + restitution * before.r.head(n)).norm() <
                 1e-9 * (1 + before.r.norm()));
      BOOST_TEST((one.other.balance.mass * exact - before.J.transpose() * impulse).norm() <
                 1e-9 * (1 + impulse.norm()));
      dynamics.linearise_impact(*one.model, one.mode, at.q, at.v, exact, one.workspace, one.stage);
      BOOST_TEST((one.stage.a - exact).norm() < 1e-9 * (1 + exact.norm()));
      check_stage(one, jump);
    }
  });
}

BOOST_AUTO_TEST_CASE(projected_disturbances_agree_with_central_differences) {
  for_all([](Case& one) {
    const Dynamics& dynamics = one.dynamics;
    const test::Instant& at = one.at;
    const int nv = one.nv;
    if (one.mode.constraints.empty()) return;
    const VectorXd w = at.a;
    for (const Projection projection : {Projection::dynamic, Projection::kinematic}) {
      // The printed formula, 1 − M⁻¹Jᵀ(J M⁻¹Jᵀ)⁻¹J.
      const auto project = [&](const VectorXd& theta, const VectorXd& q) {
        dynamics.solve(*dynamics.at(theta), one.mode, q, at.v, at.tau, one.workspace, one.other);
        MatrixXd inverse = MatrixXd::Identity(nv, nv);
        if (projection == Projection::dynamic) inverse = one.other.balance.mass.inverse();
        const MatrixXd J = one.other.rows.J;
        return VectorXd(w - inverse * J.transpose() * (J * inverse * J.transpose()).inverse() *
                                (J * w));
      };
      StageDynamics& stage = one.stage;
      dynamics.linearise(*one.model, one.mode, at.q, at.v, at.a, at.tau, one.no_noise,
                         one.workspace, stage);
      KktFactorisation unit(nv, one.mode.num_rows());
      unit.factor(MatrixXd::Identity(nv, nv), stage.rows.J);
      KktFactorisation& metric = projection == Projection::dynamic ? *stage.kkt : unit;
      ProjectedNoise out(nv, dynamics.nzeta());
      dynamics.project(*one.model, one.mode, w, projection, metric, stage, one.workspace, out);
      BOOST_TEST((out.w - project(at.theta, at.q)).norm() < 1e-9 * w.norm());
      check("dw_dq", out.dw_dq,
            precise_jacobian(
                [&](const VectorXd& dq) {
                  return project(at.theta, moved(dynamics.robot(), at.q, dq));
                },
                one.zero));
      const MatrixXd Z = stage.kkt->Z(), T = dynamics.dzeta_dtheta(at.theta);
      check_theta(dynamics, -Z * (Z.transpose() * out.momentum * T),
                  precise_jacobian([&](const VectorXd& theta) { return project(theta, at.q); },
                                   at.theta, small(dynamics)));
      const VectorXd dzeta = VectorXd::Random(dynamics.nzeta());
      VectorXd along(nv);
      dynamics.momentum_along(*one.model, at.q, out.excess, dzeta, one.workspace, along);
      if (projection == Projection::dynamic)
        BOOST_TEST((along - out.momentum * dzeta).norm() < 1e-9 * (1 + along.norm()));
    }
  });
}

BOOST_AUTO_TEST_CASE(dependent_rows_are_left_out_and_named) {
  const test::Scene& scene = test::scenes()[1];
  const Dynamics& dynamics = *scene.dynamics;
  const test::Instant at = test::random_instant(scene, 1);
  Mode once = test::random_modes(dynamics.robot(), 3)[0].mode, twice = once;
  twice.constraints.push_back(once.constraints[0]);
  twice.constraints[1].name = "again";
  Dynamics::Workspace workspace(dynamics);
  StageDynamics one(dynamics.nv(), dynamics.nzeta(), 3), two(dynamics.nv(), dynamics.nzeta(), 6);
  const auto model = dynamics.at(at.theta);
  dynamics.solve(*model, once, at.q, at.v, at.tau, workspace, one);
  dynamics.solve(*model, twice, at.q, at.v, at.tau, workspace, two);
  BOOST_TEST((one.a - two.a).norm() < 1e-9 * one.a.norm());
  BOOST_TEST(two.kkt->rank() == 3);
  BOOST_TEST(two.kkt->dependent_rows().size() == 3U);
  BOOST_TEST(row_names(twice)[3] == "again.x");
}

}  // namespace bayesid
