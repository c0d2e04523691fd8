// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/constraint.hpp"
#include "bayesid/dynamics.hpp"
#include "bayesid/problem.hpp"
#include "bayesid/robot.hpp"
#include "bayesid/run.hpp"

namespace bayesid {

/// A motion that a robot shall follow, a column for each instant.
struct MotionTable {
  Eigen::VectorXd time;           // s, from 0
  Eigen::MatrixXd q;              // nq, configurations
  Eigen::MatrixXd v, a;           // nv
  Eigen::MatrixXd tau;            // nv, efforts without errors to correct; empty: not known
  Eigen::MatrixXd lambda;         // forces of the rows; empty: not known
  std::vector<std::string> rows;  // names of the forces
  // By contact: closed all the time, or open; those not named are closed.
  std::map<std::string, bool> closed;

  int num_samples() const { return static_cast<int>(time.size()); }
};

/// time, q.<joint>, v.<joint>, a.<joint>, tau.<joint>, of a floating base q.base.px … qw, v.base.vx
/// … wz and a.base.vx …, contact.<name> (1: closed), lambda.<name>.<axis>.
std::string motion_csv(const Robot& robot, const MotionTable& motion);

/// The same back; forces are not read. Throws InputError naming file, line and column.
MotionTable read_motion(const Robot& robot, const std::string& file);

/// A synthetic log and the truth behind it.
struct Simulation {
  Recording measured;
  Eigen::MatrixXd configuration;         // nq × samples, true
  Eigen::MatrixXd position, velocity;    // nv × samples, true; numbers as make_configuration's
  Eigen::MatrixXd acceleration, effort;  // nv × (samples − 1), true
  Eigen::MatrixXd thrust;                // rotors × (samples − 1), true
  Eigen::MatrixXd closed;                // contacts × samples: 1 from a touchdown to the lift-off
  double drift = 0;                      // largest distance of loops from closed, m or rad
};

/// The robot follows a sum of sines or a given motion, walks, or flies on its rotors, under a
/// computed-torque controller; the discrete dynamics are those the estimator assumes, x' = Ψ(x, a)
/// ⊕ P w, with forces and constraints exact at θ, and touchdowns as inelastic impacts. Noise as
/// given; the same seed gives the same log, and without one nothing has an error.
Simulation simulate(const Dynamics& dynamics, const Eigen::VectorXd& theta, const Noise& noise,
                    Integrator integrator, const SimulationConfig& options,
                    std::optional<unsigned> seed, const MotionConstraints& constraints = {},
                    Projection projection = Projection::kinematic,
                    const MotionTable* motion = nullptr);

/// Logs whose truth is known: the priors of a configuration.
struct SyntheticLogs {
  Config config;
  std::shared_ptr<const Dynamics> dynamics;
  std::vector<Simulation> logs;
  std::vector<std::string> warnings;
  unsigned seed = 0;
  bool interrupted = false;
};

/// As many logs as simulation.logs says, each with a seed of its own. Throws InputError.
SyntheticLogs simulate(const Config& config, const RunOptions& options = {});

/// What `bayesid simulate` leaves: config.yaml, whose priors are simulation.prior_error away from
/// the truth, truth.json, robot.urdf, log1.csv, truth_trajectory1.csv …, scene.json.
Files files_of(const SyntheticLogs& synthetic, const std::string& folder);

/// Writes them. Throws InputError when the folder cannot be written or contains other files.
void write_logs(const SyntheticLogs& synthetic, const std::string& folder);

/// Names of the files, seed and warnings as one JSON document.
std::string document_of(const SyntheticLogs& synthetic, const std::string& folder,
                        const Files& files);

}  // namespace bayesid
