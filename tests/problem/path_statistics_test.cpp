// SPDX-License-Identifier: BSD-3-Clause
// Expected readings of sensors: against the inverse of the whole information matrix, and as
// statistics of simulated logs.
#define BOOST_TEST_DYN_LINK
#include "bayesid/solve.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>
#include <map>

#include "support/energy.hpp"
#include "support/identification.hpp"
#include "support/legged.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Numbers of all channels of one sensor over what is expected of them.
struct Pooled {
  double n = 0, squares = 0;
  double free = 0, residuals = 0;                      // Σ expected variance, Σ residual²
  std::map<int, std::vector<double>> by_channel = {};  // innovations

  double mean_square() const { return squares / n; }
  /// Largest autocorrelation of a channel at lags 1 … 5, in units of chance.
  double colour() const {
    double worst = 0;
    for (const auto& [channel, r] : by_channel) {
      double own = 0;
      for (const double one : r) own += one * one;
      for (size_t lag = 1; lag <= 5; ++lag) {
        double sum = 0;
        for (size_t k = lag; k < r.size(); ++k) sum += r[k] * r[k - lag];
        worst = std::max(worst, std::abs(sum / own) * std::sqrt(static_cast<double>(r.size())));
      }
    }
    return worst;
  }
};

std::map<std::string, Pooled> pooled(const RobotProblem& problem, const Solution& solution) {
  std::map<std::string, Pooled> out;
  for (const PathStatistics& path : path_statistics(problem, solution, 2)) {
    for (const SampleStatistics& one : path.samples) {
      Pooled& sensor = out[problem.channel_name(one.name).sensor];
      sensor.free += one.residual_std * one.residual_std;
      sensor.residuals += one.residual * one.residual;
      if (!(one.innovation_std > 0)) continue;
      const double normalised = one.innovation / one.innovation_std;
      sensor.n += 1;
      sensor.squares += normalised * normalised;
      sensor.by_channel[one.name.channel].push_back(normalised);
    }
  }
  return out;
}

/// Innovations of the right noise have a mean square of 1 within chance and are white; residuals
/// of the solution are as large as expected, those of efforts too.
void check_right_noise(const test::Identification& identification,
                       const std::vector<std::string>& sensors) {
  const Solution solution = solve(*identification.problem, {.num_threads = 2});
  BOOST_TEST_REQUIRE(solution.converged());
  const auto found = pooled(*identification.problem, solution);
  for (const std::string& name : sensors) {
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST_REQUIRE(found.contains(name));
      const Pooled& one = found.at(name);
      BOOST_TEST_MESSAGE(name << ": " << one.n << " innovations, mean square " << one.mean_square()
                              << ", colour " << one.colour() << "; residuals "
                              << one.residuals / one.free << " of expected, " << one.free
                              << " free");
      BOOST_TEST(std::abs(one.residuals / one.free - 1) < 5 * std::sqrt(2 / one.free));
      if (one.n == 0) continue;  // efforts and commands
      BOOST_TEST(std::abs(one.mean_square() - 1) < 4 * std::sqrt(2 / one.n));
      BOOST_TEST(one.colour() < 4.5);
    }
  }
}

/// The same log with other configured noises.
std::map<std::string, Pooled> pooled_with(const test::Identification& identification,
                                          const Noise& stated) {
  const RobotProblem& right = *identification.problem;
  const RobotProblem problem(identification.dynamics, right.recordings(), stated,
                             right.integrator(), right.options());
  return pooled(problem, solve(problem, {.num_threads = 2}));
}

/// One noise configured two times too small: the mean square is far from 1, and below 4 because the
/// prediction has errors of its own, with the right std.
void check_small_noise(const test::Identification& identification, const std::string& sensor,
                       const Noise& stated) {
  const double found = pooled_with(identification, stated)[sensor].mean_square();
  BOOST_TEST_MESSAGE(sensor << " configured too small: mean square " << found);
  BOOST_TEST(found > 1.8);
  BOOST_TEST(found < 4.2);
}

/// All noises configured two times too small: 4 within chance.
void check_all_small(const test::Identification& identification,
                     const std::vector<std::string>& sensors) {
  Noise stated = identification.problem->noise();
  for (VectorXd* std : {&stated.position, &stated.velocity, &stated.effort, &stated.thrust,
                        &stated.disturbance_position, &stated.disturbance_velocity,
                        &stated.initial_position, &stated.initial_velocity})
    *std *= 0.5;
  for (auto& [name, pose] : stated.poses)
    pose = {.position = 0.5 * *pose.position, .orientation = 0.5 * *pose.orientation};
  for (auto& [name, imu] : stated.imus) {
    imu.std.acceleration = 0.5 * *imu.std.acceleration;
    imu.std.rate = 0.5 * *imu.std.rate;
  }
  auto found = pooled_with(identification, stated);
  for (const std::string& sensor : sensors) {
    const Pooled& one = found[sensor];
    BOOST_TEST_MESSAGE("all configured too small: mean square of " << sensor << " "
                                                                   << one.mean_square());
    BOOST_TEST(std::abs(one.mean_square() - 4) < 16 * std::sqrt(2 / one.n));
  }
}

test::Identification arm() {
  test::IdentificationOptions options = test::arm_options();
  options.prior_error = 0.1;
  return test::make_identification(test::panda_config(), options, 3);
}

test::Identification quadruped() {
  return test::make_identification(test::with_gait(test::standing_anymal(), "stand"), 0.1);
}

/// Iris with a camera, and an inertial sensor with biases at half the rate.
test::Identification quadrotor() {
  Config config = test::iris_config();
  config.parameters.imu_bias.emplace();
  config.simulation.duration = 3;
  config.simulation.rate = 200;
  config.simulation.base_frequency = 0.3;
  config.simulation.rates = {{"imu.one", 100}};
  const std::string base = "iris__base_link";
  config.measurements.poses[base] = {.position = 1e-3, .orientation = 1e-3};
  config.measurements.imus["one"] = {
      .place = {base, {0.05, 0, 0.02}, {0, 0, 0}}, .acceleration = 0.05, .rate = 0.005};
  const Robot robot = read_robot(config.model);
  test::IdentificationOptions options;
  options.simulation = config.simulation;
  options.noise = test::make_noise(6, {});
  options.noise.effort.resize(0);
  options.noise.thrust = VectorXd::Constant(4, 0.04);
  options.noise.poses = config.measurements.poses;
  options.noise.imus = make_noise(robot, config, {}).imus;
  options.noise.initial_position.setConstant(1e-2);
  options.noise.initial_velocity.setConstant(1.0);
  options.prior_error = 0.1;
  return test::make_identification(config, options, 1);
}

/// ANYmal that trots, with a force sensor in each foot; only its friction is unknown.
test::Identification sensed_quadruped(bool exact) {
  Config config = test::with_gait(test::standing_anymal(), "trot");
  config.parameters.inertia.reset();
  for (const ContactConfig& contact : config.model.contacts)
    config.measurements.wrenches["foot_" + contact.name] = {.contact = contact.name, .force = 0.5};
  config.simulation.duration = 0.55;  // ends before the second touchdown
  test::IdentificationOptions options;
  options.simulation = config.simulation;
  options.noise = test::make_noise(read_robot(config.model).nv(), {.effort = exact ? 0.0 : 0.5});
  options.noise.poses = config.measurements.poses;
  options.noise.wrenches = config.measurements.wrenches;
  options.noise.initial_position.head<6>().setConstant(1e-2);
  options.noise.initial_velocity.head<6>().setConstant(1.0);
  options.prior_error = 0.1;
  return test::make_identification(config, options, 4);
}

/// ½ Σ r² of every sensor is its part of the cost, which is computed without any linearisation.
void check_cost_parts(const RobotProblem& problem) {
  const Solution solution = solve(problem, {.tolerance = 1e-8, .num_threads = 2});
  std::map<std::string, double> found;
  for (const auto& [name, one] : pooled(problem, solution))
    found[name == "thrust" ? "effort" : name] += 0.5 * one.residuals;
  const std::vector<std::string> parts = problem.cost_parts();
  size_t compared = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!found.contains(parts[i])) continue;
    ++compared;
    const double expected = solution.cost_parts[i];
    BOOST_TEST(std::abs(found[parts[i]] - expected) < 1e-5 * (1 + expected),
               parts[i] << ": " << found[parts[i]] << " of " << expected);
  }
  BOOST_TEST(compared == found.size());
}

/// What the whole covariance of (θ, x₀ … x_N) makes of a problem without constraints.
class Whole {
 public:
  Whole(const RobotProblem& problem, const Solution& solution)
      : problem_(problem),
        size_(problem.trajectory(0).size()),
        nt_(solution.point.theta.size()),
        T_(problem.space().dzeta_dtheta(solution.point.theta)) {
    const Index n = nt_ + size_.nx * (size_.num_stages + 1);
    MatrixXd information = MatrixXd::Zero(n, n);
    information.diagonal().head(nt_) = problem.space().prior_std().cwiseAbs2().cwiseInverse();
    const auto at = problem.at(solution.point.theta);
    const auto workspace = problem.trajectory(0).make_workspace();
    for (int k = 0; k <= size_.num_stages; ++k) {
      Stage& s = stages.emplace_back(size_, problem.space().ncurvature());
      problem.trajectory(0).linearise(*at->trajectories[0], k, solution.point.paths[0], *workspace,
                                      s, nullptr, &rows.emplace_back());
      information.block(x(k), x(k), size_.nx, size_.nx) += s.Q;
      if (k == size_.num_stages) break;
      const MatrixXd noise = noise_of(k), seen = rows_of(k);
      information += noise.transpose() * noise + seen.transpose() * seen;
    }
    cov = information.inverse();
  }

  Index x(int k) const { return nt_ + k * size_.nx; }
  /// ε of stage k, and its rows, by all unknowns.
  MatrixXd noise_of(int k) const {
    const Stage& s = stages[k];
    MatrixXd row = MatrixXd::Zero(size_.nx, nt_ + size_.nx * (size_.num_stages + 1));
    row.leftCols(nt_) = -s.D.leftCols(s.nd) * s.K.topRows(s.nd) * T_;
    row.middleCols(x(k), size_.nx) = -s.A;
    row.middleCols(x(k + 1), size_.nx).setIdentity();
    return s.N.leftCols(s.nw).colPivHouseholderQr().solve(row);
  }
  MatrixXd rows_of(int k) const {
    const Stage& s = stages[k];
    MatrixXd row = MatrixXd::Zero(s.nr, nt_ + size_.nx * (size_.num_stages + 1));
    row.leftCols(nt_) = s.R_zeta.topRows(s.nr) * T_;
    row.middleCols(x(k), size_.nx) = s.R_x.topRows(s.nr);
    row.middleCols(x(k + 1), size_.nx) = s.R_y.topRows(s.nr);
    return row;
  }

  std::vector<Stage> stages;
  std::vector<SensorRows> rows;
  MatrixXd cov;

 private:
  const RobotProblem& problem_;
  StageSize size_;
  Index nt_;
  MatrixXd T_;
};

void check_against_whole(const RobotProblem& problem) {
  const Solution solution = solve(problem, {});
  const Whole whole(problem, solution);
  const std::vector<SampleStatistics> samples = path_statistics(problem, solution, 1)[0].samples;
  size_t i = 0;
  double worst = 0;
  const auto compare = [&](const MatrixXd& by_unknowns, const VectorXd& before) {
    for (Index row = 0; row < before.size(); ++row, ++i) {
      const Eigen::RowVectorXd f = by_unknowns.row(row);
      const double expected = before[row] - (f * whole.cov).dot(f);
      worst = std::max(worst, std::abs(std::pow(samples[i].residual_std, 2) - expected));
    }
  };
  for (int k = 0; k <= problem.trajectory(0).size().num_stages; ++k) {
    const SensorRows& rows = whole.rows[k];
    MatrixXd of_node = MatrixXd::Zero(rows.R.rows(), whole.cov.cols());
    if (rows.R.rows() > 0) of_node.middleCols(whole.x(k), rows.R.cols()) = rows.R;
    compare(of_node, VectorXd::Ones(rows.R.rows()));
    if (k == problem.trajectory(0).size().num_stages) break;
    compare(rows.by_noise * whole.noise_of(k) + rows.by_rows * whole.rows_of(k),
            rows.by_noise.rowwise().squaredNorm() + rows.by_rows.rowwise().squaredNorm());
  }
  BOOST_TEST(i == samples.size());
  BOOST_TEST(worst < 1e-6);
}

}  // namespace

BOOST_AUTO_TEST_CASE(expected_residuals_equal_those_of_the_whole_information_matrix) {
  test::IdentificationOptions options = test::two_joint_options();
  options.simulation.duration = 0.1;
  check_against_whole(*test::make_identification(test::two_joint_config(), options, 2).problem);
  test::Identification flight = quadrotor();
  Recording cut = flight.problem->recordings()[0];
  const RobotProblem& problem = *flight.problem;
  // A tenth of a second of the flight: the inverse of all at once is dense.
  const Index n = 20;
  cut.time = cut.time.head(n).eval();
  for (MatrixXd* part : {&cut.position, &cut.velocity, &cut.effort, &cut.thrust})
    *part = part->leftCols(n).eval();
  for (auto& [name, pose] : cut.poses) pose = pose.leftCols(n).eval();
  for (auto& [name, series] : cut.series) {
    series.time = series.time.head(n / 2).eval();
    series.values = series.values.leftCols(n / 2).eval();
  }
  check_against_whole(RobotProblem(flight.dynamics, {cut}, problem.noise(), problem.integrator()));
}

BOOST_AUTO_TEST_CASE(residuals_of_every_sensor_are_its_part_of_the_cost) {
  check_cost_parts(*quadrotor().problem);
  for (const bool exact : {true, false}) check_cost_parts(*sensed_quadruped(exact).problem);
  const test::Identification two_joints =
      test::make_identification(test::two_joint_config(), test::two_joint_options(), 2);
  for (const int window : {1, 5}) check_cost_parts(test::with_energy(two_joints, window));
}

BOOST_AUTO_TEST_CASE(residuals_of_efforts_are_the_inputs_of_the_solution) {
  for (const bool constrained : {false, true}) {
    test::IdentificationOptions options = test::two_joint_options();
    options.simulation.duration = 0.2;
    Config leg = read_config(std::string(BAYESID_SOURCE) + "/data/models/four_bar_leg.yaml");
    leg.simulation.duration = 0.1;
    const test::Identification identification =
        constrained ? test::make_identification(leg, 0.1)
                    : test::make_identification(test::two_joint_config(), options, 2);
    const RobotProblem& problem = *identification.problem;
    const Solution solution = solve(problem, {.tolerance = 1e-9});
    const int nv = problem.dynamics().nv();
    int count = 0;
    const std::vector<PathStatistics> statistics = path_statistics(problem, solution, 1);
    for (const SampleStatistics& one : statistics[0].samples) {
      if (problem.channel_name(one.name).sensor != "effort") continue;
      ++count;
      const int j = one.name.channel;
      const double n = solution.point.paths[0].u(nv + j, one.node) / problem.noise().effort[j];
      BOOST_TEST(std::abs(one.residual - n) < 1e-5);
      BOOST_TEST(one.innovation_std == 0.0);
    }
    BOOST_TEST(count >= 40);
  }
}

BOOST_AUTO_TEST_CASE(the_last_linearisation_of_the_search_serves_the_statistics) {
  const test::Identification arm =
      test::make_identification(test::two_joint_config(), test::two_joint_options(), 2);
  Solution solution = solve(*arm.problem, {.num_threads = 2, .keep_sweeps = true});
  BOOST_TEST_REQUIRE(solution.converged());
  BOOST_TEST(solution.sweeps != nullptr);
  const PathStatistics kept = path_statistics(*arm.problem, solution, 2)[0];
  solution.sweeps.reset();
  const PathStatistics anew = path_statistics(*arm.problem, solution, 2)[0];
  // Inputs were made consistent with the states since.
  BOOST_TEST((kept.state_std - anew.state_std).cwiseAbs().maxCoeff() <
             1e-9 * anew.state_std.maxCoeff());
  BOOST_TEST_REQUIRE(kept.samples.size() == anew.samples.size());
  for (std::size_t i = 0; i < kept.samples.size(); ++i) {
    BOOST_TEST(kept.samples[i].residual == anew.samples[i].residual);
    BOOST_TEST(std::abs(kept.samples[i].residual_std - anew.samples[i].residual_std) < 1e-8);
  }
}

BOOST_AUTO_TEST_CASE(statistics_do_not_depend_on_the_number_of_threads) {
  const test::Identification identification =
      test::make_identification(test::two_joint_config(), test::two_joint_options(), 2);
  const Solution solution = solve(*identification.problem, {});
  const PathStatistics one = path_statistics(*identification.problem, solution, 1)[0];
  const PathStatistics three = path_statistics(*identification.problem, solution, 3)[0];
  BOOST_TEST((one.state_std.array() == three.state_std.array()).all());
  BOOST_TEST_REQUIRE(one.samples.size() == three.samples.size());
  for (size_t i = 0; i < one.samples.size(); ++i) {
    BOOST_TEST_REQUIRE(one.samples[i].innovation == three.samples[i].innovation);
    BOOST_TEST_REQUIRE(one.samples[i].residual_std == three.samples[i].residual_std);
  }
}

BOOST_AUTO_TEST_CASE(innovations_of_an_arm_separate_right_noise_from_wrong) {
  const test::Identification identification = arm();
  check_right_noise(identification, {"position", "velocity", "effort"});
  check_all_small(identification, {"position", "velocity"});
  Noise small = identification.problem->noise();
  small.velocity *= 0.5;
  check_small_noise(identification, "velocity", small);
  small = identification.problem->noise();
  small.position *= 0.5;
  check_small_noise(identification, "position", small);
}

BOOST_AUTO_TEST_CASE(innovations_of_a_standing_quadruped_separate_right_noise_from_wrong,
                     *boost::unit_test::label("slow")) {
  const test::Identification identification = quadruped();
  check_right_noise(identification, {"position", "velocity", "effort", "pose.base"});
  check_all_small(identification, {"position", "velocity", "pose.base"});
  Noise small = identification.problem->noise();
  small.poses["base"] = {.position = 5e-4, .orientation = 5e-4};
  check_small_noise(identification, "pose.base", small);
  small = identification.problem->noise();
  small.velocity *= 0.5;
  check_small_noise(identification, "velocity", small);
}

/// With impacts, contacts that open and close, and forces that share the noise of the efforts.
BOOST_AUTO_TEST_CASE(innovations_of_force_sensors_separate_right_noise_from_wrong,
                     *boost::unit_test::label("slow")) {
  const test::Identification identification = sensed_quadruped(false);
  check_right_noise(identification, {"position", "velocity", "effort", "pose.base",
                                     "wrench.foot_LF", "wrench.foot_RH"});
  Noise small = identification.problem->noise();
  for (auto& [name, wrench] : small.wrenches) wrench.force = 0.25;
  check_small_noise(identification, "wrench.foot_LF", small);
}

BOOST_AUTO_TEST_CASE(innovations_of_a_quadrotor_separate_right_noise_from_wrong) {
  const test::Identification identification = quadrotor();
  check_right_noise(identification, {"pose.iris__base_link", "imu.one", "thrust"});
  check_all_small(identification, {"pose.iris__base_link", "imu.one"});
  Noise small = identification.problem->noise();
  small.imus["one"].std.acceleration = 0.025;
  small.imus["one"].std.rate = 0.0025;
  check_small_noise(identification, "imu.one", small);
}

}  // namespace bayesid
