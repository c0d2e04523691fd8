// SPDX-License-Identifier: BSD-3-Clause
// Impacts with impulses along the rows that contacts do not keep.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "bayesid/dynamics.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "dynamics/slip.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/random_mode.hpp"
#include "support/scene.hpp"
#include "support/slip_oracle.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Contacts of the random modes, which keep one linear row each and slip along all others; the last
/// mode has two of them.
std::vector<Mode> slipping_modes(const Robot& robot, int seed) {
  std::vector<Mode> out;
  for (const test::ModeCase& one : test::random_modes(robot, seed)) {
    MotionConstraint contact = one.mode.constraints[0];
    if (contact.second.body != 0) continue;
    contact.rows = {2};
    contact.restitution = 0.3;
    contact.slip = 0.4;
    contact.twist = 0.1;
    out.push_back({{contact}, {slipping_rows(contact)}});
  }
  Mode both = out[0];
  both.constraints.push_back(out[1].constraints[0]);
  both.slips.push_back(out[1].slips[0]);
  out.push_back(both);
  return out;
}

void check(const char* name, const MatrixXd& analytic, const MatrixXd& numeric) {
  // A free body and axes of its own: where it is does not matter.
  if (analytic.cwiseAbs().maxCoeff() < 1e-12 && numeric.cwiseAbs().maxCoeff() < 1e-7) return;
  const DerivativeCheck result = check_derivatives(analytic, numeric, 1e-2);
  BOOST_TEST_CONTEXT(name << ": " << result.worst_entry) {
    BOOST_TEST(result.max_error < 1e-6);
  }
}

void check_impact(const Dynamics& dynamics, const Mode& mode, const test::Instant& at) {
  const int nv = dynamics.nv();
  const Robot& robot = dynamics.robot();
  Dynamics::Workspace workspace(dynamics);
  StageDynamics stage(nv, dynamics.nzeta(), mode.num_rows());
  dynamics.solve_impact(*dynamics.at(at.theta), mode, at.q, at.v, workspace, stage);
  const VectorXd impulse = test::slip_impulse(stage, mode, at.a);
  const VectorXd force = stage.slip->J().transpose() * impulse;
  const MatrixXd Z = stage.kkt->Z();
  const auto jump = [&](const VectorXd& theta, const VectorXd& dq, const VectorXd& v) {
    VectorXd q(at.q.size());
    integrate(robot, at.q, dq, q);
    StageDynamics there(nv, dynamics.nzeta(), mode.num_rows());
    dynamics.solve_impact(*dynamics.at(theta), mode, q, v, workspace, there);
    return test::slipping_jump(there, mode, v, impulse);
  };
  const VectorXd zero = VectorXd::Zero(nv), exact = jump(at.theta, zero, at.v);
  BOOST_TEST((stage.a + Z * (Z.transpose() * force) - exact).norm() < 1e-9 * (1 + exact.norm()));

  dynamics.linearise_impact(*dynamics.at(at.theta), mode, at.q, at.v, exact, workspace, stage);
  BOOST_TEST((stage.slip->impulse() - impulse).norm() < 1e-9 * (1 + impulse.norm()));
  BOOST_TEST((stage.a + Z * (Z.transpose() * force) - exact).norm() < 1e-9 * (1 + exact.norm()));
  const MatrixXd J = stage.rows.J.topRows(mode.num_rows());
  BOOST_TEST((stage.balance.h - J.transpose() * stage.lambda.head(mode.num_rows())).norm() <
             1e-9 * (1 + stage.lambda.norm() + force.norm()));
  check("dq", stage.da_dq,
        precise_jacobian([&](const VectorXd& dq) { return jump(at.theta, dq, at.v); }, zero));
  check("dv", stage.da_dv,
        precise_jacobian([&](const VectorXd& v) { return jump(at.theta, zero, v); }, at.v));
  check("dtheta", -Z * (Z.transpose() * stage.balance.dh_dzeta * dynamics.dzeta_dtheta(at.theta)),
        precise_jacobian([&](const VectorXd& theta) { return jump(theta, zero, at.v); }, at.theta,
                         1e-3 * dynamics.parameters().prior_std()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(slipping_impacts_agree_with_central_differences) {
  for (const test::Scene& scene : test::all_scenes()) {
    if (scene.dynamics->nv() < 4) continue;  // nothing would be left to slip
    // Links of a few grams have first moments that differences cannot resolve.
    if (scene.dynamics->nv() > 12) continue;
    int number = 0;
    for (const Mode& mode : slipping_modes(scene.dynamics->robot(), 2)) {
      BOOST_TEST_CONTEXT(scene.name << ", mode " << number++) {
        check_impact(*scene.dynamics, mode, test::random_instant(scene, 2));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(slipping_rows_are_those_that_the_contact_does_not_keep) {
  MotionConstraint contact;
  contact.rows = {2};
  BOOST_TEST(slipping_rows(contact).rows.empty());
  contact.slip = 1;
  BOOST_TEST((slipping_rows(contact).rows == std::vector<int>{0, 1}));
  contact.twist = 1;
  BOOST_TEST((slipping_rows(contact).rows == std::vector<int>{0, 1, 3, 4, 5}));
  contact.slip = 0;
  BOOST_TEST((slipping_rows(contact).rows == std::vector<int>{3, 4, 5}));
  BOOST_TEST((slipping_rows(contact).type == ConstraintType::frame));
}

}  // namespace bayesid
