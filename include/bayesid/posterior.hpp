// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bayesid/dynamics.hpp"
#include "bayesid/parameters.hpp"
#include "bayesid/problem.hpp"
#include "bayesid/solve.hpp"

namespace bayesid {

/// A number with its error bar, before and after the data.
struct Estimate {
  std::string name;
  double prior = 0, prior_std = 0;  // prior_std 0: fixed
  double value = 0, std = 0;
  double determined = 0;  // share of the prior variance that the data removed, 0…1
  double std_white = 0;   // if all noise were white and as stated: at most std; 0: not computed
};

/// What is known after the data.
struct Posterior {
  std::vector<Estimate> parameters;  // estimation coordinates, fixed ones included
  std::vector<Estimate> physical;    // what people read
  std::vector<std::string> names;    // of theta_cov
  Eigen::MatrixXd theta_cov;
  int rank = 0;  // number of parameter combinations that the data determine better than the prior
};

/// Share of the prior variance below which the data determine nothing.
inline constexpr double least_determined = 0.1;

/// Names of the free ones among them that the data do not determine.
std::vector<std::string> names_not_determined(const std::vector<Estimate>& estimates);

Posterior make_posterior(const ParameterSet& parameters, const Solution& solution);

/// The same values with error bars of another covariance, such as robust_covariance; what they were
/// stays as std_white.
void set_error_bars(const ParameterSet& parameters, const Eigen::VectorXd& theta,
                    const Eigen::MatrixXd& cov, Posterior& out);

/// Covariance of θ where what the model lacks lasts: from how the gradient of the cost scatters
/// along the logs, with its correlation in time. Along no direction it is less than white noise
/// makes it; the same as the solution's where the scatter is that of white noise.
/// docs/math/noise.md (4)-(6)
Eigen::MatrixXd robust_covariance(const RobotProblem& problem, const Solution& solution,
                                  const std::vector<PathStatistics>& statistics);

/// A parameter with its factor in a sum or in a direction.
struct ParameterTerm {
  std::string name;  // mass.<link>, first_moment.<link>.x, frame_inertia.<link>.ixx, friction. …
  double coefficient = 0;
};

/// A sum of parameters that the data determine better than the prior.
struct BaseParameter {
  std::vector<ParameterTerm> terms;  // the first one has the coefficient 1
  double value = 0, std = 0;         // at the estimate, prior and data
  double data_std = 0;               // of the data alone
  std::string text;                  // without terms that matter less than that
};

/// Instead of a motion that would excite it.
inline constexpr const char* too_small_to_measure =
    "too small to measure with this sensor; any value fits";

/// A change of parameters that does not affect the data.
struct UndeterminedDirection {
  std::vector<ParameterTerm> terms;  // what changes together, the first one by 1
  bool is_structural = false;        // not identifiable by any motion; false: not by this log
  std::string motion;                // what would excite it; "" when structural
  std::string text;
};

/// Two strongly correlated estimation coordinates.
struct Correlation {
  std::string a, b;
  double value = 0;               // posterior
  std::optional<double> of_data;  // without the prior; absent: the data alone determine not both
};

/// Identifiability of a robot by a log, with and without the prior. docs/math/identifiability.md
struct Identifiability {
  int num_parameters = 0;
  int structural_rank = 0;  // identifiable base parameters
  int numerical_rank = 0;   // of them, those this log excites at all, however badly: no prior
  int log_rank = 0;         // of them, those the log alone determines better than the prior alone
  std::vector<BaseParameter> base_parameters;       // log_rank of them
  std::vector<UndeterminedDirection> undetermined;  // of this log first, then structural ones
  std::vector<Correlation> correlations;            // |ρ| > 0.9, at most ten, the worst first
  std::vector<std::string> coordinates;             // whose sums the base parameters are …
  Eigen::MatrixXd cov;                              // … and their posterior covariance
};

/// Empty when the solution has no information matrix.
Identifiability make_identifiability(const RobotProblem& problem, const Solution& solution);
/// With the error bars of another covariance, such as robust_covariance.
Identifiability make_identifiability(const RobotProblem& problem, const Solution& solution,
                                     const Eigen::MatrixXd& theta_cov);

/// Motion from position and velocity sensors alone, smoothed: each joint is a triple integrator
/// driven by white jerk whose intensity predicts left-out samples best. Does not use efforts.
/// docs/math/prediction.md (1)-(3)
MotionGuess smooth_motion(const Recording& recording, const Eigen::VectorXd& position_std,
                          const Eigen::VectorXd& velocity_std);

/// The same, and a floating base by its pose sensor: at rest at the origin when there is none.
MotionGuess smooth_motion(const Robot& robot, const Recording& recording, const Noise& noise);

/// The same, segment by segment between impacts and lift-offs, where velocities or accelerations
/// jump.
MotionGuess smooth_motion(const Robot& robot, const Recording& recording, const Noise& noise,
                          const Timeline& timeline);

/// Covariance of a smoothed motion at every sample; errors of different joints are independent.
/// Each joint has six numbers, those of (q, v, a): qq, qv, qa, vv, va, aa; and so has each of the
/// seven numbers of the pose of a floating base.
struct MotionCov {
  Eigen::MatrixXd joints;     // 6 nv × samples; of a base zero, see there
  Eigen::MatrixXd base = {};  // 42 × samples; empty when it is fixed
};

/// The same motion, with the covariance that the smoother's model gives it.
struct SmoothedMotion {
  MotionGuess motion;
  MotionCov cov;
};
SmoothedMotion smooth_motion_with_cov(const Robot& robot, const Recording& recording,
                                      const Noise& noise, const Timeline& timeline);

/// Every recording of a problem.
std::vector<SmoothedMotion> smooth_motions(const RobotProblem& problem);

/// Effort the sensors should have shown along a motion: (RNEA + friction + armature − offset −
/// rotors) / gain. Rotor commands (rotors × samples) are known, zero when not given.
Eigen::MatrixXd predict_effort(const Dynamics& dynamics, const Eigen::VectorXd& theta,
                               const MotionGuess& motion, const Eigen::MatrixXd& thrust = {});

/// The same for a robot in constraints: the effort nearest to the measured one with which the
/// motion obeys them. Equal to the above where there are none.
Eigen::MatrixXd predict_effort(const Dynamics& dynamics, const Eigen::VectorXd& theta,
                               const MotionGuess& motion, const Recording& recording,
                               const Timeline& timeline);

/// The same for a model that need not come from any θ.
Eigen::MatrixXd predict_effort(const Dynamics& dynamics, const DynamicsAt& model,
                               const MotionGuess& motion, const Recording& recording,
                               const Timeline& timeline);

/// What the error bar of a predicted effort is made of.
struct EffortStdSources {
  const MotionGuess& motion;
  const MotionCov& motion_cov;
  const Eigen::MatrixXd& predicted;  // by predict_effort
  const Recording& recording;
  const Timeline& timeline;
  const Eigen::MatrixXd& zeta_cov;    // ∂ζ/∂θ Σ_θ ∂ζ/∂θᵀ
  const Eigen::VectorXd& effort_std;  // of the sensors; empty: exact
};
/// One standard deviation of measured − predicted effort, to first order: the sensor's noise, what
/// the parameters' covariance leaves open, and errors of the smoothed motion. Of long recordings
/// every k-th sample is computed, and lines lie between.           docs/math/prediction.md (13),
/// (14)
Eigen::MatrixXd effort_std(const Dynamics& dynamics, const Eigen::VectorXd& theta,
                           const EffortStdSources& from);

/// How well efforts are predicted, joint by joint.
struct EffortError {
  Eigen::VectorXd rmse;   // N·m
  Eigen::VectorXd range;  // largest − smallest measured effort
};
EffortError effort_error(const Robot& robot, const std::vector<Recording>& recordings,
                         const std::vector<Eigen::MatrixXd>& predicted);

/// Efforts of every recording of a problem along its smoothed motion: nv × samples each.
std::vector<Eigen::MatrixXd> predict_efforts(const RobotProblem& problem,
                                             const std::vector<SmoothedMotion>& motions,
                                             const DynamicsAt& model);

/// Efforts along a motion that no effort has influenced: nv × samples of a recording.
struct EffortPrediction {
  MotionGuess motion;
  Eigen::MatrixXd nominal, identified;
  MotionCov motion_cov = {};
};

/// What two models predict for the same recordings.
struct EffortPredictions {
  std::vector<EffortPrediction> recordings;
  EffortError nominal, identified;
};
EffortPredictions predict_with_both(const RobotProblem& problem, const DynamicsAt& nominal,
                                    const DynamicsAt& identified);

/// Mean of a residual in bins of a variable; bins without samples are left out.
struct BinnedCurve {
  std::string variable;           // angle, speed, time, phase: of the ripple that was found
  std::string unit;               // of the variable
  Eigen::VectorXd at, mean, std;  // middle of the samples in a bin, their mean and std
  std::vector<int> counts;
};

/// Amplitudes over a frequency.
struct ResidualSpectrum {
  std::string unit;  // Hz, or periods per turn (per m)
  Eigen::VectorXd frequency, amplitude;
};

/// The share of a residual's mean square that a curve over a variable explains, fitted on other
/// blocks of the log than it is judged on. docs/math/model_error.md (1)-(3)
struct ResidualDependence {
  std::string variable;     // angle, ripple, speed, acceleration, effort, time, angle of joint2, …
  double share = 0;         // negative: nothing but chance
  double significance = 0;  // gain of all blocks over what chance does
};

/// A usual suspect behind a residual.
struct ModelErrorFinding {
  std::string joint, unit;
  std::string kind;   // ripple, elasticity, stribeck, friction, direction, friction_drift, drift,
                      // offset, gravity, sign, ratio, gain, inertia, cable, coupling
  double share = 0;   // of the residual's mean square, beyond what larger findings explain
  double size = 0;    // in the unit of the effort
  std::string other;  // joint, of a coupling
  std::map<std::string, double> numbers;  // periods_per_turn, frequency, …
  std::string text, next;                 // one sentence; what to do
};

/// Measured minus predicted effort of a joint, and where it comes from.
struct JointResidual {
  std::string joint, unit;
  int samples = 0;
  double rms = 0, expected_rms = 0;  // of the residual, and as noise and error bars have it
  std::optional<bool> is_white;      // absent: too few samples
  std::vector<ResidualDependence> dependences;
  std::vector<ModelErrorFinding> findings;  // in the order they were found, the largest first
  std::vector<BinnedCurve> curves;
  std::vector<ResidualSpectrum> spectra;
};

/// Locates what the model lacks: effort residuals of every actuated joint against its angle, speed,
/// acceleration, effort, time, the other angles, and frequency. `expected_std`: effort_std of each
/// recording. docs/math/model_error.md
std::vector<JointResidual> locate_model_error(const RobotProblem& problem,
                                              const std::vector<EffortPrediction>& predictions,
                                              const std::vector<Eigen::MatrixXd>& expected_std);

}  // namespace bayesid
