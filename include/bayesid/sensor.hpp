// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/dynamics.hpp"
#include "bayesid/robot.hpp"

namespace bayesid {

/// Where an inertial measurement unit sits, and how well it measures.
struct ImuNoise {
  FramePlacement frame;
  ImuConfig std;
};

/// Standard deviations of everything but the parameters, one for each velocity.
struct Noise {
  Eigen::VectorXd position, velocity;                          // sensors
  Eigen::VectorXd effort;                                      // empty: efforts are exact
  Eigen::VectorXd disturbance_position, disturbance_velocity;  // per step
  Eigen::VectorXd initial_position, initial_velocity;          // of the arrival prior
  std::map<std::string, PoseConfig> poses = {};                // by frame
  std::map<std::string, ImuNoise> imus = {};                   // by name
  std::optional<double> energy = {};                           // J, of a window of stages
  Eigen::VectorXd thrust = {};  // of the command of each rotor; empty: commands are exact
  int energy_window = 1;        // stages
  std::map<std::string, WrenchConfig> wrenches = {};  // by name
  // Sensors that some joints have, by group: torque; 0: this joint has none.
  std::map<std::string, Eigen::VectorXd> joint_sensors = {};
  // NoiseNumber::name of what nobody has stated, and "disturbance.<joint>": found from the data.
  std::set<std::string> automatic = {};
  bool is_found = false;  // all of these are
  // Friction of each drive that nobody knows near standstill; empty: efforts are as noisy there as
  // elsewhere.                                                       docs/math/noise.md (7)
  Eigen::VectorXd standstill_friction = {};
  // The std it adds to each effort, nv × samples of each recording; null: none.
  std::shared_ptr<const std::vector<Eigen::MatrixXd>> standstill = {};
};

/// One standard deviation of the samples of a group.
struct NoiseNumber {
  std::string sensor;                 // the group
  std::string key;                    // below `measurements`: position, imu.<name>.rate
  std::string of;                     // joint or rotor, where the key has a number for each
  std::vector<std::string> channels;  // as ChannelName has them
  std::vector<int> numbers;           // of a sample
  double* std = nullptr;
  double share = 1;  // of the std that each of the numbers has: ½ of quaternions

  std::string name() const { return of.empty() ? key : key + "." + of; }
};

/// Everything a sensor may read at one instant.
struct Instant {
  Eigen::VectorXd q, v;
  Eigen::VectorXd a = {};            // within a stage; a node has none
  Eigen::VectorXd tau = {};          // efforts of joints, then commands of rotors, of a stage
  Eigen::VectorXd lambda = {};       // forces of the rows of `mode`
  const Mode* mode = nullptr;        // of a stage
  const LinkEffort* link = nullptr;  // of a stage, where a sensor reads it
  Eigen::VectorXd parameters = {};   // of sensors: values of ParameterSet::sensor_names
  int sample = 0;                    // of the sensor
  Kinematics* kinematics = nullptr;  // of the calling thread; knows any motion
};

/// What of an instant a sensor reads: the more, the less often it can be evaluated. The last reads
/// forces too.
enum class Reads { state, acceleration, forces, link_efforts };

/// Whitened residual of one sensor at one instant, with its derivatives; the first `rows` rows
/// count.
struct Residual {
  int rows = 0;
  Eigen::VectorXd r;
  Eigen::VectorXi channel;         // of each row: see Sensor::channel_name
  Eigen::MatrixXd dr_dx;           // rows × 2 nv, tangent of (q, v)
  Eigen::MatrixXd dr_da;           // rows × nv, of a sensor that reads accelerations
  Eigen::MatrixXd dr_dparameters;  // rows × parameters of the sensor
  // Of a sensor that reads forces, with the value already: the noise of efforts moves them.
  Eigen::MatrixXd dr_dlambda;
  Eigen::MatrixXd dr_dlink;  // rows × nv, of a sensor that reads the efforts of links

  Residual(int max_rows, int ndx, int num_parameters = 0, int max_lambda = 0, int max_link = 0)
      : r(Eigen::VectorXd::Zero(max_rows)),
        channel(Eigen::VectorXi::Zero(max_rows)),
        dr_dx(Eigen::MatrixXd::Zero(max_rows, ndx)),
        dr_da(Eigen::MatrixXd::Zero(max_rows, ndx / 2)),
        dr_dparameters(Eigen::MatrixXd::Zero(max_rows, num_parameters)),
        dr_dlambda(Eigen::MatrixXd::Zero(max_rows, max_lambda)),
        dr_dlink(Eigen::MatrixXd::Zero(max_rows, max_link)) {}
};

/// The three rows to come belong to the channels from `first` on.
inline void mark_channels(int first, Residual& out) {
  for (int i = 0; i < 3; ++i) out.channel[out.rows + i] = first + i;
}

/// What a sensor says about the motion along one recording.
class Sensor {
 public:
  virtual ~Sensor() = default;
  virtual std::string kind() const = 0;  // name in the configuration and in the results
  virtual int max_rows() const = 0;
  /// Of Residual::channel; an encoder's are the robot's velocities, which it cannot name: "".
  virtual std::string channel_name(int /*channel*/) const { return ""; }
  virtual Reads reads() const { return Reads::state; }
  /// Its own parameters: indices in Instant::parameters, in the order of the columns of
  /// dr_dparameters.
  virtual std::vector<int> parameters() const { return {}; }
  /// No allocation.
  virtual void evaluate(const Instant& at, Order order, Residual& out) const = 0;
};

/// What sensors are made from.
struct SensorSetting {
  const Robot& robot;
  const ParameterSet& parameters;
  const Noise& noise;
};

/// Normal numbers of the given standard deviations.
using Draw = std::function<Eigen::VectorXd(const Eigen::VectorXd& std)>;

/// When a kind of sensor is sampled: with the states of the estimation unless its clock is another
/// one; always by a clock of its own, within stages; or at the start of the nearest stage.
enum class SampledAt { states, own_times, stage_starts };

/// Everything the program knows of a kind of sensor. Its samples are columns of numbers, one for
/// each channel; a group is one sensor of the kind, as the configuration and the logs name it.
class SensorKind {
 public:
  virtual ~SensorKind() = default;
  /// Of its channels in logs: "q." of q.<joint>, "imu." of imu.<name>.ax.
  virtual std::string prefix() const = 0;
  /// "position", or empty where every name has a group of its own, prefix and name.
  virtual std::string group() const { return ""; }
  virtual SampledAt sampled_at() const = 0;
  /// The most that a sensor of the kind reads.
  virtual Reads reads() const { return Reads::state; }
  /// Names of the channels of a group, one for each number of a sample; "": it has none.
  virtual std::vector<std::string> channels(const Robot& robot, const std::string& group) const = 0;
  /// Numbers of a sample that are vectors, measured together or not at all: first and count.
  virtual std::vector<std::pair<int, int>> vectors() const { return {}; }
  /// Of a channel as Sensor::channel_name has it, or of a joint.
  virtual std::string unit(const Robot& robot, const std::string& channel) const = 0;

  /// Groups that have a standard deviation.
  virtual std::vector<std::string> groups(const Noise& noise) const = 0;
  /// That of each number of a sample of a group; NaN: not fitted.
  virtual Eigen::VectorXd noise_std(const Noise& noise, const std::string& group) const = 0;
  /// The standard deviations of a group that can be found from its data, and where they stand.
  virtual std::vector<NoiseNumber> numbers(const Robot& /*robot*/, const std::string& /*group*/,
                                           Noise& /*noise*/) const {
    return {};
  }
  virtual std::unique_ptr<Sensor> make(const SensorSetting& setting, const std::string& group,
                                       Eigen::MatrixXd measured) const = 0;
  /// One sample of a group at a true instant.
  virtual Eigen::VectorXd simulate(const SensorSetting& setting, const std::string& group,
                                   const Instant& at, const Draw& draw) const = 0;
};

/// All kinds, in the order of the results.
const std::vector<const SensorKind*>& sensor_kinds();
/// The kind a group belongs to; null: none.
const SensorKind* kind_of_group(const std::string& group);
/// "imu.base" of "imu.base.ax", "position" of "q.elbow"; "": no channel of a sensor.
std::string group_of_channel(const std::string& channel);

/// Adds a kind of your own to sensor_kinds(), for every log, problem and simulation of this process
/// that is made later; from any thread. It has a clock of its own or is read where stages begin,
/// and it knows its standard deviations itself: Noise has no place for them. Throws InputError
/// where its channels could be those of another kind.
void register_sensor_kind(std::unique_ptr<const SensorKind> kind);

}  // namespace bayesid
