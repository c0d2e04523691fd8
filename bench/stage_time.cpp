// SPDX-License-Identifier: BSD-3-Clause
// Question: what does a stage cost in one iteration, where does the time go, and is it linear in
// the number of stages?
//
//   bench_stage_time --robot panda --stages 1000 --threads 1 --effort noisy
//   [--iterations 4] [--repeats 3]
//
// One line of results for each call: the peak of the memory belongs to the process.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>

#include "bayesid/solve.hpp"
#include "scene.hpp"

namespace bayesid {
namespace {

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// Seconds of one iteration and its parts; minima over repeats, because other work only adds.
struct Split {
  double iteration = std::numeric_limits<double>::infinity();
  double cpu = iteration;  // of all threads, untouched by other programs that want the same cores
  double linearise = iteration, recursion = iteration, step = iteration, evaluate = iteration;
  double bytes_per_stage = 0;
  size_t iterations = 0;

  void take(const Solution& solution) {
    const auto least = [](double& out, double value) { out = std::min(out, value); };
    const auto steps = static_cast<double>(solution.history.size());
    iterations = solution.history.size();
    // The first row includes the first evaluation.
    for (size_t i = 1; i < iterations; ++i) {
      least(iteration, solution.history[i].seconds - solution.history[i - 1].seconds);
    }
    // One more linearisation gives the covariance; one more evaluation is that of the start.
    least(linearise, solution.timing.linearise / (steps + 1));
    least(recursion, solution.timing.recursion / (steps + 1));
    least(step, solution.timing.step / steps);
    least(evaluate, solution.timing.evaluate / (steps + 1));
    bytes_per_stage = solution.timing.bytes_per_stage;
  }
};

int run(int argc, char** argv) {
  const bench::Scene scene = bench::make_scene(bench::option(argc, argv, "robot", "panda"));
  const int num_stages = std::stoi(bench::option(argc, argv, "stages", "1000"));
  const int num_threads = std::stoi(bench::option(argc, argv, "threads", "1"));
  const int repeats = std::stoi(bench::option(argc, argv, "repeats", "3"));
  const std::string effort = bench::option(argc, argv, "effort", "noisy");
  SolverOptions options{.tolerance = 0, .num_threads = num_threads};
  options.max_iterations = std::stoi(bench::option(argc, argv, "iterations", "4"));

  const RobotProblem problem =
      bench::make_problem(scene, {.num_stages = num_stages, .effort_exact = effort == "exact"});
  Split split;
  std::clock_t last = 0;
  options.on_iteration = [&](const Iteration& row) {
    const std::clock_t now = std::clock();
    if (row.number > 1) {
      split.cpu = std::min(split.cpu, static_cast<double>(now - last) / CLOCKS_PER_SEC);
    }
    last = now;
  };
  for (int i = 0; i < repeats; ++i) split.take(solve(problem, options));

  const double microseconds = 1e6 / num_stages;
  std::printf("%-9s %-6s %8s %8s %5s %6s %9s %9s %10s %10s %7s %9s %9s %9s\n", "robot", "effort",
              "stages", "threads", "ntheta", "nzeta", "us/stage", "cpu_us", "linearise",
              "recursion", "step", "evaluate", "B/stage", "peak_MB");
  std::printf("%-9s %-6s %8d %8d %5d %6d %9.2f %9.2f %10.2f %10.2f %7.2f %9.2f %9.0f %9.0f\n",
              scene.name.c_str(), effort.c_str(), num_stages, num_threads,
              scene.dynamics->parameters().ntheta(), scene.dynamics->nzeta(),
              microseconds * split.iteration, microseconds * split.cpu,
              microseconds * split.linearise, microseconds * split.recursion,
              microseconds * split.step, microseconds * split.evaluate, split.bytes_per_stage,
              peak_megabytes());
  return 0;
}

}  // namespace
}  // namespace bayesid

int main(int argc, char** argv) {
  return bayesid::run(argc, argv);
}
