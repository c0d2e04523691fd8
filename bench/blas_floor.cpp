// SPDX-License-Identifier: BSD-3-Clause
// Question: how far is the recursion from the same matrix products done bare, on data in the cache?
//
//   bench_blas_floor [--robot panda] [--effort noisy] [--stages 2000] [--repeats 9]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>

#include "math/blas.hpp"
#include "scene.hpp"
#include "solver/riccati_sweep.hpp"

namespace bayesid {
namespace {

using blas::Op;
using Eigen::MatrixXd;

double least_seconds(int repeats, const std::function<void()>& work) {
  double out = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const auto end = std::chrono::steady_clock::now();
    out = std::min(out, std::chrono::duration<double>(end - begin).count());
  }
  return out;
}

/// The products of RiccatiSweep::step and flush with the same shapes; their results mean nothing.
class BareProducts {
 public:
  explicit BareProducts(const StageSize& s)
      : nx_(s.nx),
        nd_(s.nd),
        nw_(s.nw),
        nz_(s.nzeta + 1),
        batch_(std::max(1, 256 / std::max(s.nw, s.nd))),
        square_(MatrixXd::Random(s.nx, s.nx)),
        other_(MatrixXd::Random(s.nx, s.nx)),
        out_(s.nx, s.nx),
        D_(MatrixXd::Random(s.nx, s.nd)),
        VD_(s.nx, s.nd),
        N_(MatrixXd::Random(s.nx, s.nw)),
        Dt_(D_.transpose()),
        E_(N_.transpose()),
        VN_(s.nx, s.nw),
        F_(s.nw, s.nw),
        K_(MatrixXd::Random(s.nd, nz_)),
        H_(MatrixXd::Random(s.nx, nz_)),
        G_(s.nx, nz_),
        rows_E_(MatrixXd::Random(batch_ * s.nw, nz_)),
        rows_K_(MatrixXd::Random(batch_ * s.nd, nz_)),
        rows_Z_(MatrixXd::Random(batch_ * s.nd, nz_)),
        hessian_(MatrixXd::Zero(nz_, nz_)) {}

  void stage(int k) {
    const int i = k % batch_;
    blas::multiply(1.0, square_, Op::plain, D_, Op::plain, 0.0, VD_);  // V'D
    blas::multiply(1.0, VD_, Op::plain, K_, Op::plain, 0.0, G_);       // H
    blas::multiply(1.0, square_, Op::plain, N_, Op::plain, 0.0, VN_);  // V'N
    blas::multiply(1.0, E_, Op::plain, VN_, Op::plain, 0.0, F_);       // F
    blas::multiply(1.0, N_, Op::plain, E_, Op::plain, 0.0, out_);      // S
    for (int n = 0; n < 3; ++n)                                        // V'A, S V'A, V
      blas::multiply(1.0, square_, Op::plain, other_, Op::plain, 0.0, out_);
    blas::multiply(1.0, E_, Op::plain, H_, Op::plain, 0.0, rows_E_.middleRows(i * nw_, nw_));
    blas::multiply(0.5, Dt_, Op::plain, H_, Op::plain, 0.0, rows_Z_.middleRows(i * nd_, nd_));
    blas::multiply(1.0, square_, Op::plain, H_, Op::plain, 0.0, G_);  // G
    if (i + 1 < batch_) return;
    blas::add_gram(-1.0, rows_E_, hessian_);
    blas::add_symmetric_product(rows_K_, rows_Z_, hessian_);
  }

  double flops() const {
    const double nx = nx_, nd = nd_, nw = nw_, nz = nz_;
    const double states = 2 * nx * (nx * nd + 2 * nx * nw + nw * nw + 3 * nx * nx);
    return states + 2 * nx * nz * (2 * nd + nw + nx) + nz * nz * (nw + 2 * nd);
  }

 private:
  int nx_, nd_, nw_, nz_, batch_;
  MatrixXd square_, other_, out_, D_, VD_, N_, Dt_, E_, VN_, F_, K_, H_, G_, rows_E_, rows_K_,
      rows_Z_;
  MatrixXd hessian_;
};

int run(int argc, char** argv) {
  const bench::Scene scene = bench::make_scene(bench::option(argc, argv, "robot", "panda"));
  const std::string effort = bench::option(argc, argv, "effort", "noisy");
  const int num_stages = std::stoi(bench::option(argc, argv, "stages", "2000"));
  const int repeats = std::stoi(bench::option(argc, argv, "repeats", "9"));
  blas::use_one_thread();

  // Thirty-two real stages of the robot, gone through again and again: in the cache, as the solver
  // has them.
  const RobotProblem problem =
      bench::make_problem(scene, {.num_stages = 32, .effort_exact = effort == "exact"});
  Point start = problem.start();
  start.paths[0].gamma.setRandom();  // as after the first step: noise that moves with θ
  const auto at = problem.at(start.theta);
  const auto workspace = problem.trajectory(0).make_workspace();
  StageSize size = problem.trajectory(0).size();
  const auto records = problem.trajectory(0).make_records();
  std::vector<Stage> stages(33, Stage(size, problem.space().ncurvature()));
  for (int k = 0; k <= 32; ++k) {
    problem.trajectory(0).linearise(*at->trajectories[0], k, start.paths[0], *workspace, stages[k],
                                    records.get());
  }
  size.num_stages = num_stages;
  RiccatiSweep sweep(size, problem.space().ncurvature());
  size.nd = stages[1].nd;  // what the mode of the stages uses
  size.nw = stages[1].nw;
  BareProducts bare(size);
  double recursion = std::numeric_limits<double>::infinity(), floor = recursion;
  for (int i = 0; i < repeats; ++i) {  // in turns, so that both have the same load of the machine
    recursion = std::min(recursion, least_seconds(1, [&] {
                           sweep.begin(stages[32]);
                           for (int k = num_stages - 1; k >= 0; --k)
                             sweep.step(k, stages[1 + k % 31]);
                           sweep.finish();
                         }));
    floor = std::min(floor, least_seconds(1, [&] {
                       for (int k = 0; k < num_stages; ++k) bare.stage(k);
                     }));
  }
  const double microseconds = 1e6 / num_stages;
  std::printf("%-9s %-6s %4s %4s %4s %6s %10s %9s %6s %10s\n", "robot", "effort", "nx", "nd", "nw",
              "nzeta", "recursion", "floor", "ratio", "GFlop/s");
  std::printf("%-9s %-6s %4d %4d %4d %6d %10.2f %9.2f %6.2f %10.2f\n", scene.name.c_str(),
              effort.c_str(), size.nx, size.nd, size.nw, size.nzeta, microseconds * recursion,
              microseconds * floor, recursion / floor, bare.flops() * num_stages / floor * 1e-9);
  return 0;
}

}  // namespace
}  // namespace bayesid

int main(int argc, char** argv) {
  return bayesid::run(argc, argv);
}
