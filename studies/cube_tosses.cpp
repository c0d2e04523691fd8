// SPDX-License-Identifier: BSD-3-Clause
// Question: how well do tosses of a cube determine its moments of inertia by mass?
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

/// The joint estimate of several tosses.
struct Together {
  CubeInertia inertia;
  Eigen::VectorXd theta;
  double cost = 0;
  bool converged = false;
  double friction = 0, most = 0;  // tangential by normal impulse: mean, largest
};

std::size_t impact_stage(const Timeline& timeline) {
  std::size_t k = 0;
  while (k < timeline.stages.size() && !timeline.stages[k].impact) ++k;
  return k;
}

/// From `theta` on, when given: one toss alone has more than one optimum.
Together estimate(const Tosses& tosses, const CubeModel& model,
                  const Eigen::VectorXd* theta = nullptr) {
  const RobotProblem problem = test::cube_problem(test::cube_dynamics(model), tosses, model);
  Point start = problem.start();
  if (theta) start.theta = *theta;
  const Solution solution = solve(problem, {.num_threads = 2}, &start);
  Together out{.inertia = test::cube_inertia(problem.dynamics().parameters(), solution),
               .theta = solution.point.theta,
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
  }
  return out;
}

void find_impacts(Tosses& tosses, const CubeModel& model, bool free_restitution) {
  for (CubeToss& toss : tosses) test::find_impact(model, free_restitution, toss);
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

void print_tosses(const Tosses& tosses, const CubeModel& model, const Together& all) {
  print(
      "\n| toss | samples | impact, s | restitution | friction | I₁/m | I₂/m | I₃/m | mean |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  double scatter = 0, count = 0;
  for (const CubeToss& toss : tosses) {
    const Together one = estimate({toss}, model, &all.theta);
    const CubeInertia& i = one.inertia;
    print(
        "| %s | %d + %d | %.5f | %.3f | %.3f | %.2f ± %.2f | %.2f ± %.2f | %.2f ± %.2f | "
        "%.2f ± %.2f%s |\n",
        toss.name.c_str(), toss.num_before, toss.num_after, toss.impact, toss.restitution,
        one.friction, 1e3 * i.ratio[0], 1e3 * i.ratio_std[0], 1e3 * i.ratio[1],
        1e3 * i.ratio_std[1], 1e3 * i.ratio[2], 1e3 * i.ratio_std[2], 1e3 * i.mean,
        1e3 * i.mean_std, one.converged ? "" : ", not converged");
    if (!one.converged) continue;
    // In logarithms, since moments are positive and known to a share of themselves.
    scatter += std::pow(std::log(i.mean / all.inertia.mean) * i.mean / i.mean_std, 2);
    ++count;
  }
  print(
      "\nScatter of the converged means about that of all tosses together, in their std: %.2f "
      "(rms).\n",
      std::sqrt(scatter / count));
}

}  // namespace

/// argv[1]: folder with the recordings. Prints the tables, ratios in 1e-3 m².
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto [raw, raw_error] = test::fall(test::read_cube_tosses(argv[1], 1.0));
  const double scale = test::standard_gravity / raw;
  print("Fall of the raw log: %.3f ± %.3f m/s²; lengths times %.4f.\n", raw, raw_error, scale);
  Tosses tosses = test::read_cube_tosses(argv[1], scale);

  CubeModel model;
  std::tie(model.position, model.orientation) = test::camera_noise(tosses);
  print("Tosses: %zu. Camera: %.1f µm, %.3f mrad.\n", tosses.size(), 1e6 * model.position,
        1e3 * model.orientation);
  for (CubeToss& toss : tosses) toss.restitution = 0.26;
  find_impacts(tosses, model, true);
  const Together all = estimate(tosses, model);
  print_tosses(tosses, model, all);

  print_joint_head("tosses together");
  CubeModel flights = model;
  flights.with_impact = false;
  print_joint("first flights alone", estimate(tosses, flights));
  print_joint("all", all);
  print_joint("every second, from the first", estimate(every_second(tosses, 0), model));
  print_joint("every second, from the second", estimate(every_second(tosses, 1), model));
  const auto print_other = [&](const char* name, const CubeModel& other) {
    print_joint(name, estimate(tosses, other));
  };
  CubeModel other = model;
  other.twist = 0;
  print_other("all, contact at a point (no twist)", other);
  other.twist = 1e-3;
  print_other("all, twist of 1e-3 N·m·s", other);
  other = model;
  other.rounding = 0;
  print_other("all, sharp corners", other);
  other.rounding = 5.5e-3;
  print_other("all, corners rounded by 5.5 mm", other);
  other = model;
  other.first_moment = 1e-9;
  print_other("all, centre of mass in the middle", other);
  Tosses stated = tosses;
  for (CubeToss& toss : stated) toss.restitution = 0.125;
  find_impacts(stated, model, false);
  print_joint("all, published restitution, 0.125", estimate(stated, model));
  print("\nFriction, tangential by normal impulse: mean %.3f, largest %.3f.\n", all.friction,
        all.most);
  return 0;
}
