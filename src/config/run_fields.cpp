// SPDX-License-Identifier: BSD-3-Clause
#include "config/sections.hpp"

namespace bayesid::config {

void describe(Fields<SolverConfig>& f) {
  f.add("dynamics", &SolverConfig::dynamics, word<Formulation>(),
        {"", "`inverse`: efforts from accelerations; `forward`: accelerations from efforts"});
  f.add("integrator", &SolverConfig::integrator, word<Integrator>(),
        {"",
         "or `constant_acceleration`, or `midpoint`, of second order: **for logs of real robots**, "
         "see below"});
  f.add("max_iterations", &SolverConfig::max_iterations, whole(1, 1000000), {"", "at least 1"});
  f.add("tolerance", &SolverConfig::tolerance, positive(),
        {"", "on the step, in posterior standard deviations, and on the scaled violation"});
}

void describe(Fields<SimulationConfig>& f) {
  using S = SimulationConfig;
  f.add("duration", &S::duration, positive(), {"s", "of each log"});
  f.add("rate", &S::rate, positive(), {"Hz", "samples per second"});
  f.add("substeps", &S::substeps, whole(1, 10000),
        {"",
         "integration steps between two samples, with constant effort: 1 is the model of the "
         "estimator, many are closer to a real robot"});
  f.add("logs", &S::logs, whole(1, 10000), {"", "number of logs"});
  f.add("harmonics", &S::harmonics, whole(1, 1000), {"", "number of sines"});
  f.add("base_frequency", &S::base_frequency, positive(), {"Hz", "of the slowest sine"});
  f.add("amplitude", &S::amplitude, positive(),
        {"rad, m", "of the sum; cut to 0.8 of the joint's range"});
  f.add("prior_error", &S::prior_error, at_least(0),
        {"1", "relative error of the prior in the written configuration"});
  f.add("rates", &S::rates, map_of("<group>", positive()).if_any(),
        {"Hz",
         "of slower sensor groups: `{pose.base: 30, imu.trunk: 400}`; delayed by the prior of "
         "their delay",
         "none"});
  f.add("posture", &S::posture, map_of("<joint>", number()).if_any(),
        {"rad, m",
         "joint → initial position and centre of the motion; other joints: the middle of their "
         "range, or 0 on robots with loops or contacts",
         "none"});
  f.add("gait", &S::gait, table<GaitConfig>(),
        {"", "gait of a floating-base robot with contacts", "none"});
  f.add("trajectory", &S::trajectory, path(),
        {"", "file of a reference motion instead, relative to the configuration", "none"});
}

void describe(Fields<GaitConfig>& f) {
  f.add("type", &GaitConfig::type, one_of({"stand", "trot"}),
        {"", "`stand` sways with all contacts closed, `trot` swings diagonal pairs of feet"});
  f.add("period", &GaitConfig::period, positive(), {"s", "of one stride, both pairs"});
  f.add("step_length", &GaitConfig::step_length, at_least(0), {"m", "forward, at least 0"});
  f.add("step_height", &GaitConfig::step_height, positive(), {"m", "of a swinging foot, > 0"});
  f.add("body_motion", &GaitConfig::body_motion, at_least(0),
        {"m, rad", "amplitude of the body's sway, at least 0"});
}

void describe(Fields<ExcitationConfig>& f) {
  using E = ExcitationConfig;
  f.add("duration", &E::duration, positive(), {"s", "of the motion: the period of the series"});
  f.add("harmonics", &E::harmonics, whole(2, 100), {"", "of each series, at least 2"});
  f.add("rate", &E::rate, positive(), {"Hz", "of `trajectory.csv` and of the predicted log"});
  f.add("starts", &E::starts, whole(1, 10000),
        {"", "number of random starts; the best result is kept"});
  f.add("max_iterations", &E::max_iterations, whole(1, 1000000), {"", "for each start"});
  f.add(
      "criterion", &E::criterion, word<Criterion>(),
      {"", "or `condition`: condition number of the base-parameter regressor, columns normalised"});
  f.add("velocity_reward", &E::velocity_reward, at_least(0),
        {"nats s²/rad²", "weight of the mean square of the velocities"});
  f.add("start", &E::start, keyed<double>({{"q.<joint>", number()}}).if_any(),
        {"rad, m",
         "`q.<joint>` → position at the start and end of the motion; others as in "
         "`simulation.posture`, else the middle of their range, or 0 on robots with loops or "
         "contacts",
         "none"});
  f.add(
      "limits", group<E>([](Fields<E>& g) {
        g.add("position", &E::position, share(),
              {"1",
               "share of the URDF's limits that the motion may use, around the middle of the "
               "range"});
        g.add("velocity", &E::velocity, share(), {"1", "the same for velocities"});
        g.add("effort", &E::effort, share(), {"1", "the same for efforts"});
        g.add(
            "self_collision", &E::self_collision, positive(),
            {"m",
             "smallest distance between links. Shapes are those of `<collision>`, meshes as their "
             "convex hulls. Links joined rigidly, by one moving joint or by a loop are not "
             "compared",
             "not checked"});
      }),
      {});
  f.add("ignore_pairs", &E::ignore_pairs, list_of(array_of<2>(name())).if_any(),
        {"",
         "`[[link, link], …]`: pairs of links that are not checked, for example because their "
         "hulls overlap but the links cannot collide",
         "none"});
  f.add("mu", &E::mu, positive(),
        {"1", "coefficient of friction of all contacts",
         "that of `constraints.stage.friction_cone`"});
  f.add("least_force", &E::least_force, at_least(0),
        {"N", "smallest normal force of every contact"});
  f.add("contacts", &E::contacts, list_of(name()), {"", "names of the closed contacts", "all"});
}

}  // namespace bayesid::config
