// SPDX-License-Identifier: BSD-3-Clause
// Question: what do the rigid-body algorithms that a stage cannot do without cost in Pinocchio
// alone?
//
//   bench_pinocchio_calls [--robot quadruped] [--stages 2000] [--repeats 9]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/regressor.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>

#include "scene.hpp"

namespace bayesid {
namespace {

using Eigen::VectorXd;

/// Constraints of the first stage in Pinocchio.
struct Calls {
  Calls(const pinocchio::Model& robot, const Mode& mode) : model(robot), data(model) {
    for (const MotionConstraint& c : mode.constraints) {
      const bool point = c.type == ConstraintType::point;
      models.emplace_back(point ? pinocchio::CONTACT_3D : pinocchio::CONTACT_6D, model,
                          c.first.body, pinocchio::SE3(c.first.rotation, c.first.translation),
                          pinocchio::LOCAL_WORLD_ALIGNED);
      datas.emplace_back(models.back());
    }
    pinocchio::initConstraintDynamics(model, data, models, datas);
  }

  void derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    pinocchio::computeRNEADerivatives(model, data, q, v, a);  // the mass matrix too
  }
  void regressor(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    pinocchio::computeJointTorqueRegressor(model, data, q, v, a);
  }
  void constraints(const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
    if (models.empty()) return;
    pinocchio::constraintDynamics(model, data, q, v, tau, models, datas, settings);
    pinocchio::computeConstraintDynamicsDerivatives(model, data, models, datas, settings);
  }

  pinocchio::Model model;
  pinocchio::Data data;
  std::vector<pinocchio::RigidConstraintModel> models;
  std::vector<pinocchio::RigidConstraintData> datas;
  pinocchio::ProximalSettings settings{1e-12, 0.0, 1};
};

int run(int argc, char** argv) {
  const bench::Scene scene = bench::make_scene(bench::option(argc, argv, "robot", "quadruped"));
  const int num_stages = std::stoi(bench::option(argc, argv, "stages", "2000"));
  const int repeats = std::stoi(bench::option(argc, argv, "repeats", "9"));
  const RobotProblem problem = bench::make_problem(scene, {.num_stages = 32});
  const Path path = problem.start().paths[0];
  const int nq = scene.dynamics->robot().nq(), nv = scene.dynamics->nv();
  Calls calls(*scene.dynamics->robot().model, problem.timeline(0).modes[0]);

  std::vector<VectorXd> q, v, a, tau;
  for (int k = 0; k < 32; ++k) {
    q.emplace_back(path.x.col(k).head(nq));
    v.emplace_back(path.x.col(k).tail(nv));
    a.emplace_back(path.u.col(k).head(nv));
    tau.emplace_back(problem.recordings()[0].effort.col(k));
  }
  const auto least = [&](const std::function<void(int)>& work) {
    double out = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repeats; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      for (int k = 0; k < num_stages; ++k) work(k % 32);
      const auto end = std::chrono::steady_clock::now();
      out = std::min(out, std::chrono::duration<double>(end - begin).count());
    }
    return 1e6 / num_stages * out;
  };
  const double derivatives = least([&](int k) { calls.derivatives(q[k], v[k], a[k]); });
  const double regressor = least([&](int k) { calls.regressor(q[k], v[k], a[k]); });
  const double constraints = least([&](int k) { calls.constraints(q[k], v[k], tau[k]); });
  std::printf("%-9s %6s %12s %10s %12s %9s\n", "robot", "rows", "derivatives", "regressor",
              "constraints", "together");
  std::printf("%-9s %6d %12.2f %10.2f %12.2f %9.2f\n", scene.name.c_str(),
              problem.timeline(0).modes[0].num_rows(), derivatives, regressor, constraints,
              derivatives + regressor + constraints);
  return 0;
}

}  // namespace
}  // namespace bayesid

int main(int argc, char** argv) {
  return bayesid::run(argc, argv);
}
