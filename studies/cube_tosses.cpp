// SPDX-License-Identifier: BSD-3-Clause
// Question: what do tosses of a cube say about its moments of inertia by mass, and with which std?
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "support/cube_toss.hpp"

using namespace bayesid;
using test::CubeInertia;
using test::CubeModel;
using test::CubeToss;
using Tosses = std::vector<CubeToss>;

namespace {

constexpr double gravity = 9.81;

/// The joint estimate of several tosses.
struct Together {
  CubeInertia inertia;
  double cost = 0;
  bool converged = false;
  double twist = 0;               // root mean square of the moments of the impulses, N·m·s
  double friction = 0, most = 0;  // tangential by normal impulse: mean, largest
};

std::size_t impact_stage(const Timeline& timeline) {
  std::size_t k = 0;
  while (k < timeline.stages.size() && !timeline.stages[k].impact) ++k;
  return k;
}

Together estimate(const Tosses& tosses, const CubeModel& model) {
  const RobotProblem problem = test::cube_problem(test::cube_dynamics(model), tosses, model);
  const Solution solution = solve(problem, {.num_threads = 2});
  Together out{.inertia = test::cube_inertia(problem.dynamics().parameters(), solution),
               .cost = solution.cost,
               .converged = solution.converged()};
  if (!model.with_impact) return out;
  const auto n = static_cast<double>(tosses.size());
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const PathDetails details = problem.details(solution.point.theta, t, solution.point.paths[t]);
    const auto k = static_cast<Eigen::Index>(impact_stage(problem.timeline(t)));
    const double ratio = details.slip.col(k).head<2>().norm() / details.force(0, k);
    out.friction += ratio / n;
    out.most = std::max(out.most, ratio);
    if (model.twist > 0) out.twist += details.slip.col(k).tail<3>().squaredNorm() / (3 * n);
  }
  out.twist = std::sqrt(out.twist);
  return out;
}

void find_impacts(Tosses& tosses, const CubeModel& model, bool free_restitution) {
  for (CubeToss& toss : tosses) test::find_impact(model, free_restitution, toss);
}

/// The scatter of the contact's place: moments of the impulses that the joint estimate needs.
CubeModel with_twist(const Tosses& tosses, CubeModel model) {
  model.twist = 3e-4;
  // Some of the moments is absorbed by the nine parameters that all tosses share.
  const double share = 1 - 9.0 / (3.0 * static_cast<double>(tosses.size()));
  for (int round = 0; round < 6; ++round)
    model.twist = estimate(tosses, model).twist / std::sqrt(share);
  return model;
}

void print(const char* format, auto... values) {
  std::printf(format, values...);
  std::fflush(stdout);
}

void print_joint(const std::string& name, const Together& one) {
  const CubeInertia& i = one.inertia;
  print(
      "| %s | %.3f ± %.3f | %.3f ± %.3f | %.3f ± %.3f | %.3f ± %.3f | %.2f, %.2f, %.2f ± %.2f | "
      "%.0f%s |\n",
      name.c_str(), 1e3 * i.ratio[0], 1e3 * i.ratio_std[0], 1e3 * i.ratio[1], 1e3 * i.ratio_std[1],
      1e3 * i.ratio[2], 1e3 * i.ratio_std[2], 1e3 * i.mean, 1e3 * i.mean_std, 1e3 * i.centre[0],
      1e3 * i.centre[1], 1e3 * i.centre[2], 1e3 * i.centre_std[2], one.cost,
      one.converged ? "" : ", not converged");
}

void print_joint_head(const char* what) {
  print(
      "\n| %s | I₁/m | I₂/m | I₃/m | mean | centre of mass, mm | cost "
      "|\n|---|---|---|---|---|---|---|\n",
      what);
}

Tosses every_second(const Tosses& tosses, std::size_t first) {
  Tosses out;
  for (std::size_t i = first; i < tosses.size(); i += 2) out.push_back(tosses[i]);
  return out;
}

void print_tosses(const Tosses& tosses, const CubeModel& model) {
  print(
      "\n| toss | samples | impact, s | restitution | I₁/m | I₂/m | I₃/m | mean |\n"
      "|---|---|---|---|---|---|---|---|\n");
  std::vector<CubeInertia> all;
  for (const CubeToss& toss : tosses) {
    const CubeInertia i = estimate({toss}, model).inertia;
    all.push_back(i);
    print(
        "| %s | %d + %d | %.5f | %.3f | %.2f ± %.2f | %.2f ± %.2f | %.2f ± %.2f | %.2f ± %.2f |\n",
        toss.name.c_str(), toss.num_before, toss.num_after, toss.impact, toss.restitution,
        1e3 * i.ratio[0], 1e3 * i.ratio_std[0], 1e3 * i.ratio[1], 1e3 * i.ratio_std[1],
        1e3 * i.ratio[2], 1e3 * i.ratio_std[2], 1e3 * i.mean, 1e3 * i.mean_std);
  }
  double weight = 0, mean = 0, scatter = 0;
  for (const CubeInertia& i : all) {
    weight += 1 / (i.mean_std * i.mean_std);
    mean += i.mean / (i.mean_std * i.mean_std);
  }
  mean /= weight;
  for (const CubeInertia& i : all) scatter += std::pow((i.mean - mean) / i.mean_std, 2);
  print(
      "\nScatter of the means about their weighted mean %.2f, in units of their std: %.2f (rms).\n",
      1e3 * mean, std::sqrt(scatter / static_cast<double>(all.size() - 1)));
}

}  // namespace

/// argv[1]: folder with the recordings. Prints the tables, ratios in 1e-3 m².
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto [raw, raw_error] = test::fall(test::read_cube_tosses(argv[1], 1.0));
  const double scale = gravity / raw;
  print("Fall of the raw log: %.3f ± %.3f m/s²; lengths times %.4f.\n", raw, raw_error, scale);
  Tosses tosses = test::read_cube_tosses(argv[1], scale);

  CubeModel model{.rounding = 3e-3};
  std::tie(model.position, model.orientation) = test::camera_noise(tosses);
  print("Tosses: %zu. Camera: %.1f µm, %.3f mrad.\n", tosses.size(), 1e6 * model.position,
        1e3 * model.orientation);
  for (CubeToss& toss : tosses) toss.restitution = 0.26;
  find_impacts(tosses, model, true);
  model = with_twist(tosses, model);
  print("Moments of the impulses: %.2e N·m·s.\n", model.twist);
  print_tosses(tosses, model);

  print_joint_head("tosses together");
  CubeModel flights = model;
  flights.with_impact = false;
  print_joint("first flights alone", estimate(tosses, flights));
  const Together all = estimate(tosses, model);
  print_joint("all", all);
  print_joint("every second, from the first", estimate(every_second(tosses, 0), model));
  print_joint("every second, from the second", estimate(every_second(tosses, 1), model));
  CubeModel points = model;
  points.twist = 0;
  print_joint("all, contact at a point (no twist)", estimate(tosses, points));
  for (const double rounding : {0.0, 5.5e-3}) {
    CubeModel other = model;
    other.rounding = rounding;
    other = with_twist(tosses, other);
    char name[100];
    std::snprintf(name, sizeof(name), "all, corners rounded by %.1f mm, moments %.2e N·m·s",
                  1e3 * rounding, other.twist);
    print_joint(name, estimate(tosses, other));
  }
  CubeModel centred = model;
  centred.first_moment = 1e-9;
  centred = with_twist(tosses, centred);
  char name[100];
  std::snprintf(name, sizeof(name), "all, centre of mass in the middle, moments %.2e N·m·s",
                centred.twist);
  print_joint(name, estimate(tosses, centred));
  Tosses stated = tosses;
  for (CubeToss& toss : stated) toss.restitution = 0.125;
  find_impacts(stated, model, false);
  print_joint("all, restitution as stated, 0.125", estimate(stated, model));
  print("\nFriction, tangential by normal impulse: mean %.3f, largest %.3f.\n", all.friction,
        all.most);
  return 0;
}
