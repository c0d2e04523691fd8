// SPDX-License-Identifier: BSD-3-Clause
// Accelerations, forces and impulses against Pinocchio's own constrained dynamics.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/SVD>
#include <map>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/impulse-dynamics.hpp>
#include <pinocchio/algorithm/kinematics.hpp>

#include "bayesid/dynamics.hpp"
#include "support/legged.hpp"
#include "support/random_mode.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

pinocchio::SE3 placement(const FramePlacement& frame) {
  return {frame.rotation, frame.translation};
}

/// Moves the second frame of every constraint to the first one.
void close(const pinocchio::Model& model, const VectorXd& q, Mode& mode) {
  pinocchio::Data data(model);
  pinocchio::forwardKinematics(model, data, q);
  for (MotionConstraint& c : mode.constraints) {
    const pinocchio::SE3 there =
        data.oMi[c.second.body].actInv(data.oMi[c.first.body].act(placement(c.first)));
    c.second.rotation = there.rotation();
    c.second.translation = there.translation();
  }
}

/// The same constraints in Pinocchio; all rows.
struct Reference {
  Reference(const pinocchio::Model& robot, const Mode& mode) : model(robot), data(model) {
    for (const MotionConstraint& c : mode.constraints) {
      const bool point = c.type == ConstraintType::point;
      const bool local = c.axes == Axes::local;
      models.emplace_back(point ? pinocchio::CONTACT_3D : pinocchio::CONTACT_6D, model,
                          c.first.body, placement(c.first), c.second.body, placement(c.second),
                          local ? pinocchio::LOCAL : pinocchio::LOCAL_WORLD_ALIGNED);
      datas.emplace_back(models.back());
    }
    pinocchio::initConstraintDynamics(model, data, models, datas);
  }
  pinocchio::Model model;
  pinocchio::Data data;
  std::vector<pinocchio::RigidConstraintModel> models;
  std::vector<pinocchio::RigidConstraintData> datas;
};

}  // namespace

BOOST_AUTO_TEST_CASE(constrained_dynamics_equal_those_of_pinocchio) {
  std::map<std::string, int> compared;
  for (const test::Scene& scene : test::all_scenes()) {
    Config config = scene.config;  // forces of the joints alone: no friction, no armature
    config.parameters = {};
    config.parameters.inertia.emplace();
    config.model.drives.clear();
    config.model.rotors.clear();
    const Robot robot = read_robot(config.model);
    if (robot.has_mimic()) continue;
    const Dynamics dynamics(robot, ParameterSet(robot, config));
    const int nv = dynamics.nv();
    Dynamics::Workspace workspace(dynamics);
    const VectorXd theta = dynamics.parameters().prior();
    const auto model = dynamics.at(theta);
    for (test::ModeCase one : test::modes_of(scene, 5)) {
      if (one.name.starts_with("some rows") || one.name.starts_with("loop and")) continue;
      // Pinocchio writes the force of a loop in local axes only.
      const bool is_free = one.mode.constraints.empty();
      const bool is_loop = !is_free && one.mode.constraints[0].second.body > 0;
      if (is_loop && one.mode.constraints[0].axes != Axes::local) continue;
      const test::Instant at = test::random_instant(scene, 7);
      for (MotionConstraint& c : one.mode.constraints) c.kp = c.kd = 0;
      close(*model->model, at.q, one.mode);
      const int num_rows = one.mode.num_rows();
      VectorXd v = at.v;
      if (!is_free) {
        const MatrixXd J = dynamics.rows_at(one.mode, at.q, at.v, Level::velocity).J;
        const Eigen::JacobiSVD<MatrixXd> svd(J, Eigen::ComputeThinU | Eigen::ComputeThinV);
        if (num_rows >= nv || svd.singularValues().minCoeff() < 0.01) continue;
        v -= svd.solve(J * at.v);
      }
      VectorXd tau = at.tau.head(nv);
      tau.head(robot.base_nv()).setZero();
      StageDynamics stage(nv, dynamics.nzeta(), num_rows);
      Reference reference(*model->model, one.mode);
      pinocchio::ProximalSettings settings(1e-14, 1e-14, 0.0, 1);
      BOOST_TEST_CONTEXT(scene.name << ", " << one.name) {
        dynamics.solve(*model, one.mode, at.q, v, tau, workspace, stage);
        const VectorXd a =
            pinocchio::constraintDynamics(reference.model, reference.data, at.q, v, tau,
                                          reference.models, reference.datas, settings);
        const double size = 1 + a.norm() + stage.lambda.norm();
        BOOST_TEST((stage.a - a).norm() < 1e-9 * size);
        BOOST_TEST((stage.lambda - reference.data.lambda_c).norm() < 1e-9 * size);
        ++compared[scene.name];
        if (is_loop || is_free) continue;  // Pinocchio has no impulses of loops
        for (const double restitution : {0.0, 0.5}) {
          Mode mode = one.mode;
          for (MotionConstraint& c : mode.constraints) c.restitution = restitution;
          dynamics.solve_impact(*model, mode, at.q, at.v, workspace, stage);
          const VectorXd after =
              pinocchio::impulseDynamics(reference.model, reference.data, at.q, at.v,
                                         reference.models, reference.datas, restitution, settings);
          const double scale = 1 + after.norm() + stage.lambda.norm();
          BOOST_TEST((at.v + stage.a - after).norm() < 1e-9 * scale);
          BOOST_TEST((stage.lambda - reference.data.impulse_c).norm() < 1e-9 * scale);
        }
      }
    }
  }
  int total = 0;
  for (const auto& [name, count] : compared) total += count;
  BOOST_TEST(total >= 35);
  for (const test::Scene& scene : test::standing_scenes()) BOOST_TEST(compared[scene.name] == 2);
}

}  // namespace bayesid
