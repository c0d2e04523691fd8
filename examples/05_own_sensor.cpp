// SPDX-License-Identifier: BSD-3-Clause
// A sensor of your own: a string potentiometer from a wall to a link, range.<link>.d in logs.
//   05_own_sensor data/models
#include <bayesid/bayesid.hpp>
#include <cstdio>

using namespace bayesid;
using Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
using Columns = std::map<std::string, ColumnConfig>;
constexpr double sigma = 2e-4;                         // m
const Vector3d wall(0.5, 0.8, 0.7), hook(0.25, 0, 0);  // m, in the world and on the link

struct StringPotentiometer final : Sensor {
  StringPotentiometer(const Robot& robot, const std::string& group, MatrixXd measured = {})
      : group_(group), at_(*find_frame(robot, group.substr(6))), measured_(std::move(measured)) {
    at_.translation += at_.rotation * hook;
  }
  std::string kind() const override { return group_; }
  int max_rows() const override { return 1; }
  Vector3d line(const Instant& i) const { return i.kinematics->pose(i.q, at_).translation - wall; }
  /// r = (|s| − d) / σ and ∂r/∂q = sᵀ J / (|s| σ), with the line s of the string, d long.
  void evaluate(const Instant& at, Order order, Residual& out) const override {
    const Vector3d s = line(at);
    out.rows = 1;
    out.channel[0] = 0;
    out.r[0] = (s.norm() - measured_(0, at.sample)) / sigma;
    if (order == Order::value) return;
    const MatrixXd& J = at.kinematics->jacobian(at.q, at_);
    out.dr_dx.row(0).setZero();
    out.dr_dx.row(0).head(J.cols()) = s.transpose() * J.topRows<3>() / (s.norm() * sigma);
  }
  std::string group_;
  FramePlacement at_;
  MatrixXd measured_;  // 1 × samples
};

struct StringPotentiometers final : SensorKind {
  using Text = const std::string&;
  std::string prefix() const override { return "range."; }
  SampledAt sampled_at() const override { return SampledAt::own_times; }
  std::vector<std::string> channels(const Robot&, Text g) const override { return {g + ".d"}; }
  std::string unit(const Robot&, Text) const override { return "m"; }
  std::vector<std::string> groups(const Noise&) const override { return {"range.forearm"}; }
  VectorXd noise_std(const Noise&, Text) const override { return VectorXd::Constant(1, sigma); }
  std::unique_ptr<Sensor> make(const SensorSetting& setting, Text group,
                               MatrixXd measured) const override {
    return std::make_unique<StringPotentiometer>(setting.robot, group, std::move(measured));
  }
  VectorXd simulate(const SensorSetting& setting, Text group, const Instant& at,
                    const Draw& draw) const override {
    const Vector3d s = StringPotentiometer(setting.robot, group).line(at);
    return draw(noise_std(setting.noise, group)).array() + s.norm();
  }
};

/// Simulates a log, identifies from it, and prints the error of the estimated angles.
void try_sensors(const Config& config, const std::string& name, const Columns& columns) {
  const SyntheticLogs truth = simulate(config, {.seed = 1});
  write_logs(truth, name);
  Config given = read_config(name + "/config.yaml");
  given.logs[0].columns = columns;
  const Run run = identify(given);
  const MatrixXd error = run.solution.point.paths[0].x.topRows(2) - truth.logs[0].position;
  const VectorXd rms = error.cwiseAbs2().rowwise().mean().cwiseSqrt();
  std::printf("%s: %s, angles to %.2e and %.2e rad\n", name.c_str(), to_string(run.result.status),
              rms[0], rms[1]);
}

int main(int argc, char** argv) {
  Config config;
  config.model.urdf = std::string(argc > 1 ? argv[1] : "data/models") + "/two_joint_arm.urdf";
  config.measurements.effort.all = 0.1;     // N·m
  config.measurements.position.all = 5e-3;  // coarse encoders, rad
  config.measurements.velocity.all = 1;
  config.parameters.friction.emplace().stiction = false;
  config.simulation = {.duration = 3, .rate = 200, .base_frequency = 0.5, .prior_error = 0.3};
  try_sensors(config, "encoders_alone", {});
  register_sensor_kind(std::make_unique<StringPotentiometers>());
  try_sensors(config, "with_string", {{"range.forearm.d", {.source = "range.forearm.d"}}});
}
