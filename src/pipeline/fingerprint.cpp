// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/fingerprint.hpp"

#include <cstdint>
#include <cstring>

#include "problem/model_digest.hpp"

namespace bayesid::pipeline {
namespace {

void put(std::string& out, const std::string& text) {
  out += std::to_string(text.size()) + ":" + text;
}

template <typename Matrix>
void put_matrix(std::string& out, const Matrix& matrix) {
  const auto size = sizeof(double) * static_cast<std::size_t>(matrix.size());
  put(out, std::to_string(matrix.rows()));
  put(out, {reinterpret_cast<const char*>(matrix.data()), size});
}

/// Settings alone: neither where files are, nor what the estimate does not depend on.
Config settings_of(const Config& config) {
  Config out = config;
  out.model.urdf = "model.urdf";
  out.parameters.prior_from.clear();
  for (LogConfig& log : out.logs) {
    log.file = "log";
    log.model.clear();
  }
  out.solver.max_iterations = SolverConfig{}.max_iterations;
  out.solver.tolerance = SolverConfig{}.tolerance;
  out.simulation = {};
  out.excitation = {};
  return out;
}

/// Contacts that a log tells, beside those of the configuration.
void put_schedule(std::string& out, const Recording& recording) {
  for (const PhaseConfig& phase : recording.phases) {
    put_matrix(out, Eigen::Vector2d(phase.from, phase.to));
    for (const std::string& contact : phase.contacts) put(out, contact);
  }
  for (const ImpactConfig& impact : recording.impacts) {
    put_matrix(out, Eigen::Vector4d(impact.time, impact.restitution, impact.slip, impact.twist));
    for (const std::string& contact : impact.contacts) put(out, contact);
  }
}

std::string measurements_of(const Recording& recording) {
  std::string out;
  put_matrix(out, recording.time);
  put_matrix(out, recording.position);
  put_matrix(out, recording.velocity);
  put_matrix(out, recording.effort);
  put_matrix(out, recording.thrust);
  put_matrix(out, recording.presliding);
  for (const auto& [frame, pose] : recording.poses) {
    put(out, frame);
    put_matrix(out, pose);
  }
  for (const auto& [group, series] : recording.series) {
    put(out, group);
    put_matrix(out, series.time);
    put_matrix(out, series.values);
  }
  put_schedule(out, recording);
  return out;
}

}  // namespace

std::string fingerprint(const Config& config, const RobotProblem& problem) {
  std::string out;
  put(out, config_yaml(settings_of(config), "."));
  put(out, file_digest(config.model.urdf));
  if (!config.parameters.prior_from.empty()) put(out, file_digest(config.parameters.prior_from));
  for (const Recording& recording : problem.recordings())
    put(out, digest(measurements_of(recording)));
  return digest(out);
}

}  // namespace bayesid::pipeline
