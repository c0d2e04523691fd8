// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/make_run.hpp"

#include <memory>
#include <utility>

#include "pipeline/config_stamp.hpp"
#include "report/noise_report.hpp"
#include "report/verdict.hpp"

namespace bayesid::pipeline {

namespace {

/// Of all that the result says, where the noise is not white or the model lacks something.
void set_honest_error_bars(const RobotProblem& problem, const Solution& solution,
                           const std::vector<PathStatistics>& statistics, Result& result) {
  if (solution.theta_cov.size() == 0) return;
  const Eigen::MatrixXd cov = robust_covariance(problem, solution, statistics);
  set_error_bars(problem.dynamics().parameters(), solution.point.theta, cov, result.posterior);
  result.identifiability = make_identifiability(problem, solution, cov);
}

}  // namespace

Run make_run(const Config& config, LoadedProblem loaded, Solution solution,
             const RunOptions& options) {
  const RobotProblem& problem = *loaded.problem;
  Result result = make_result(problem, solution, loaded.logs);
  result.num_threads = options.num_threads;
  result.seed = options.seed;
  result.warnings = loaded.all_warnings();
  EstimatedMotion motion =
      make_estimated_motion(problem, solution, result.paths, options.num_threads);
  set_honest_error_bars(problem, solution, motion.statistics, result);
  result.details = std::make_shared<const ResultDetails>(
      make_details(problem, solution, result, std::move(motion)));
  result.noise = make_noise_report(problem, result.details->residuals);
  solution.sweeps.reset();  // not needed again
  result.verdict = make_verdict(result);
  result.provenance = provenance_of(config, options);
  return {.config = config,
          .loaded = std::move(loaded),
          .solution = std::move(solution),
          .result = std::move(result)};
}

Files result_files(const Run& run, const std::string& config_text) {
  Result result = run.result;
  result.provenance->config = config_text;
  const Dynamics& dynamics = run.loaded.problem->dynamics();
  return {{"result.json", result_json(result)},
          {"identified.urdf",
           rewrite_urdf(dynamics.robot().urdf_file,
                        dynamics.parameters().link_inertias(run.solution.point.theta))},
          {"actuation.yaml", actuation_yaml(result)},
          {"trajectory.csv", trajectory_csv(result.details->motion.tables)},
          {"series.bin", result.details->series.bytes},
          {"config.yaml", config_text}};
}

}  // namespace bayesid::pipeline
