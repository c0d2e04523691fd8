// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bayesid {

/// A number for each joint: one for all, a list in joint order, or a map by name (unnamed joints
/// keep the default). Of a standard deviation of noise, NaN: it is found from the data.
struct PerJoint {
  std::optional<double> all;
  std::vector<double> list;
  std::map<std::string, double> by_name;
  bool empty() const { return !all && list.empty() && by_name.empty(); }
};

/// Which links or joints a family of parameters covers.
struct Selection {
  bool all = true;
  std::vector<std::string> names;  // when not all
};

/// A motor that turns with several joints: its speed is Σ coefficient · joint velocity.
struct DriveConfig {
  std::string name;
  std::map<std::string, double> joints;
};

/// A thruster at a frame of the robot: command u pushes along the axis with thrust · u and turns
/// about it with moment · u.
struct RotorConfig {
  std::string name, frame;
  std::array<double, 3> axis{0, 0, 1};  // in the frame, of any length
  double thrust = 1;                    // N for each unit of the command, positive
  double moment = 0;                    // N·m for each unit; its sign is that of the turn
};

enum class ConstraintType { point, frame };  // three rows, or six
enum class Axes { local, world_aligned };    // local: of the (first) body
enum class Projection { dynamic, kinematic, none };
enum class Formulation { inverse, forward };

/// A place fixed to a link.
struct AttachmentConfig {
  std::string link;
  std::array<double, 3> xyz{}, rpy{};
};

/// A frame of the robot that stands still on the ground while the contact is closed.
struct ContactConfig {
  std::string name, frame;
  ConstraintType type = ConstraintType::point;
  Axes axes = Axes::world_aligned;
  std::vector<std::string> keep = {};  // of x, y, z, rx, ry, rz; empty: all rows of the type
  double kp = 0, kd = 0;               // Baumgarte, 1/s² and 1/s
};

/// Two places that coincide.
struct LoopConfig {
  std::string name;
  ConstraintType type = ConstraintType::point;
  AttachmentConfig body1, body2;
  Axes axes = Axes::local;
  std::vector<std::string> keep;  // of x, y, z, rx, ry, rz; empty: all rows of the type
  double kp = 0, kd = 0;
};

struct ModelConfig {
  std::string urdf;  // path, already resolved against the folder of the config file
  bool floating_base = false;
  std::array<double, 3> gravity{0, 0, -9.81};  // m/s²
  std::map<std::string, double> lock;          // joint → value it is frozen at (rad or m)
  Selection actuated;                          // the rest are passive
  std::vector<DriveConfig> drives;
  std::vector<RotorConfig> rotors = {};
  std::vector<ContactConfig> contacts;
  std::vector<LoopConfig> loops;
  bool repair_inertias = true;  // project an inconsistent nominal inertia to the nearest consistent
                                // one, with a warning
};

/// Foreign name → canonical channel: value = sign · scale · column + offset.
struct ColumnConfig {
  std::string source;
  double scale = 1.0;
  double offset = 0.0;
  double sign = 1.0;
};

/// Contacts closed from one time to another.
struct PhaseConfig {
  double from = 0, to = 0;  // s
  std::vector<std::string> contacts;
};

struct ImpactConfig {
  double time = 0;  // s
  std::vector<std::string> contacts;
  double restitution = 0;
  // Std of the impulses along the rows that a contact does not keep; 0: there are none.
  double slip = 0;   // N·s, linear rows
  double twist = 0;  // N·m·s, angular rows
};

struct LogConfig {
  std::string file;        // path, resolved
  std::string model = {};  // description it was recorded with, resolved; "": unknown
  std::map<std::string, ColumnConfig> columns;  // canonical channel → where it comes from
  std::vector<std::string> joint_order;  // for columns given as arrays without names: q[0], q[1] …
  std::optional<double> rate;            // Hz, estimation grid; absent: every sample
  std::vector<PhaseConfig> phases;       // absent: from the channels contact.<name>
  std::vector<ImpactConfig> impacts;
};

/// Pose of a frame in the world, measured from outside.
struct PoseConfig {
  std::optional<double> position;     // m; absent: not used
  std::optional<double> orientation;  // rad; absent: not used
};

/// Inertial measurement unit: what is measured of specific force, body rate and orientation.
struct ImuConfig {
  AttachmentConfig place;              // of the sensor, and its axes
  std::optional<double> acceleration;  // m/s²; absent: not used
  std::optional<double> rate;          // rad/s; absent: not used
  std::optional<double> orientation;   // rad; absent: not used
};

/// Sensor of the force of the ground on the robot in a contact, in the axes of the contact's frame.
struct WrenchConfig {
  std::string contact;           // of model.contacts
  std::optional<double> force;   // N; absent: not used
  std::optional<double> torque;  // N·m, about the frame's origin; absent: not used
};

/// One standard deviation each, SI units; NaN, and what is not stated for a joint or rotor, is
/// found from the data.
struct MeasurementConfig {
  PerJoint position;          // rad or m
  PerJoint velocity;          // rad/s or m/s
  PerJoint effort;            // N·m or N
  bool effort_exact = false;  // efforts are a known input
  PerJoint thrust = {};       // of each rotor's command
  bool thrust_exact = false;  // rotor commands are a known input
  // Sensors that some joints have, by group: torque (behind the gear, N·m or N).
  std::map<std::string, PerJoint> joint_sensors = {};
  std::map<std::string, PoseConfig> poses;            // by frame
  std::map<std::string, ImuConfig> imus;              // by name
  std::map<std::string, WrenchConfig> wrenches = {};  // by name
  std::optional<double> energy;  // J, of the balance of energy of a window; absent: not used
  int energy_window = 1;         // stages
};

struct DisturbanceConfig {
  PerJoint position;  // process noise per step, rad or m; NaN or not stated: found from the data
  PerJoint velocity;  // process noise per step, rad/s or m/s; the same
  Projection projection = Projection::kinematic;
};

struct InitialStateConfig {
  PerJoint position;                   // std of the arrival prior; default 1e-2
  PerJoint velocity;                   // default 1e-1
  std::map<std::string, double> mean;  // q.<joint>, v.<joint>: replaces the first sample
  bool on_constraints = true;          // loop and contact constraints are exact at the first sample
};

/// Prior std of the inertia of a link, in estimation coordinates.
struct InertiaStdConfig {
  double log_mass = 0.7;
  double first_moment = 0.7;  // relative to m·√(|c|² + tr L/m) when relative, else kg·m
  bool first_moment_is_relative = true;
  double rotation = 0.7;  // rad
  double log_second_moment = 0.7;
  double distance = 0.7;  // of a geometric prior
};

struct InertiaPriorConfig : InertiaStdConfig {
  Selection links;
  std::string parametrisation = "ee";  // a chart of blocks/: ee, log_cholesky
  // On the distance of each inertia from the nominal one, instead of its coordinates.
  bool is_geometric = false;
};

/// The names of the friction values, in the order of γ0…γ6.
inline constexpr std::array<const char*, 7> friction_names{
    "stiction", "stribeck1", "stribeck2", "coulomb", "coulomb_slope", "viscous", "presliding"};

struct FrictionPriorConfig {
  Selection joints;  // joints and drives
  bool stiction = true;
  bool coulomb = true;
  bool viscous = true;
  bool presliding = false;
  PerJoint presliding_distance = {};   // rad or m; default of parameters/
  double presliding_smoothing = 0.01;  // s, of the positions that determine its deflection
  // Physical values of the prior mean. stribeck1 ≥ stribeck2; slopes in s/rad.
  std::map<std::string, double>
      prior;  // by friction name; absent: URDF <dynamics>, else defaults of parameters/
  std::map<std::string, double>
      std;  // by friction name, in estimation coordinates (logarithms; stribeck2 itself)
};

/// A family with one value for each joint.
struct JointPriorConfig {
  Selection joints;
  PerJoint prior;  // physical value
  PerJoint std;    // in estimation coordinates
};

/// Constant biases of every inertial measurement unit: prior std around zero.
struct ImuBiasConfig {
  double acceleration = 0.2;  // m/s²
  double rate = 0.02;         // rad/s
};

/// Constant offsets of every sensor of contact forces: prior std around zero.
struct WrenchOffsetConfig {
  double force = 5.0;   // N
  double torque = 0.5;  // N·m
};

/// Time delay of a sensor group.
struct DelayConfig {
  double prior = 0;           // s
  std::optional<double> std;  // absent: known
};

/// Prior std of the coefficients of every rotor; absent: the coefficient is known.
struct RotorPriorConfig {
  std::optional<double> thrust = 0.1;  // of its logarithm
  std::optional<double> moment = 0.1;  // times the nominal moment; N·m per unit where that is zero
};

/// Override of one parameter, in estimation coordinates.
struct ParameterOverride {
  std::optional<double> prior;
  std::optional<double> std;
  bool fixed = false;
};

struct ParametersConfig {
  std::optional<InertiaPriorConfig> inertia;
  std::optional<FrictionPriorConfig> friction;
  std::optional<JointPriorConfig> armature;
  std::optional<JointPriorConfig> effort_gain;
  std::optional<JointPriorConfig> effort_offset;
  std::optional<JointPriorConfig> gear_ratio;
  std::optional<ImuBiasConfig> imu_bias;
  std::optional<WrenchOffsetConfig> wrench_offset = {};
  std::map<std::string, DelayConfig> delay;  // by group: position, velocity, effort, pose.<frame>,
                                             // imu.<name>
  std::optional<RotorPriorConfig> rotor = {};
  std::map<std::string, InertiaStdConfig> inertia_by_link = {};  // in the place of inertia's
  std::vector<std::string> frozen = {};  // parameters or families that keep their prior
  std::string prior_from = {};           // result.json of an earlier run, resolved; "": none
  std::map<std::string, ParameterOverride> set;
};

/// From lower to upper, both included; one number when they are equal, infinite: open.
struct RangeConfig {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool is_number() const { return lower == upper; }
};

/// Mass of some links together.
struct MassConfig {
  std::vector<std::string> links;
  RangeConfig range;
};

/// Links and drives with `left` in their names mirror those with `right` in its place.
struct SymmetryConfig {
  std::string left, right;
  std::string plane;  // xy, xz or yz of the base, at the zero of all joints
};

/// Σ weight · value of coordinates or physical values.
struct LinearConfig {
  std::map<std::string, double> terms;
  RangeConfig range;
};

/// Where the centre of mass of a link may be, in the link's frame.
struct CenterConfig {
  std::optional<std::array<RangeConfig, 3>> box;
  std::vector<std::array<double, 3>> hull;  // inside the convex hull of these points
};

/// Ranges of a number of each joint: those of the URDF, and others in their place.
struct JointLimitsConfig {
  bool from_urdf = false;
  std::map<std::string, RangeConfig> by_joint = {};
  bool empty() const { return !from_urdf && by_joint.empty(); }
};

/// Inequalities of every state and stage.
struct StageConstraintsConfig {
  std::optional<double> mu = {};  // friction cone of all contacts
  std::map<std::string, double> mu_by_contact = {};
  std::optional<Selection> unilateral = {};  // contacts that only push
  JointLimitsConfig position = {}, velocity = {}, effort = {};
  bool empty() const {
    return !mu && mu_by_contact.empty() && !unilateral && position.empty() && velocity.empty() &&
           effort.empty();
  }
};

struct ConstraintsConfig {
  std::optional<RangeConfig> total_mass = {};  // of everything that moves
  std::vector<MassConfig> mass = {};
  std::vector<SymmetryConfig> symmetry = {};
  std::vector<std::vector<std::string>> equal = {};  // parameters, or families friction.<joint> …
  std::vector<LinearConfig> linear = {};
  std::map<std::string, CenterConfig> com = {};  // by link
  // Name of an estimation coordinate or of a physical value → [lower, upper].
  std::map<std::string, std::pair<double, double>> bounds;
  StageConstraintsConfig stage = {};
};

enum class Integrator { semi_implicit_euler, constant_acceleration, midpoint };

struct SolverConfig {
  Formulation dynamics = Formulation::inverse;
  Integrator integrator = Integrator::midpoint;
  int max_iterations = 100;
  double tolerance =
      1e-6;  // on the step, in posterior standard deviations, and on the scaled violation
};

/// How a floating-base robot with contacts moves in `bayesid simulate`.
struct GaitConfig {
  // stand: the body sways with all contacts closed; trot: diagonal pairs of feet swing in turn.
  std::string type = "stand";
  double period = 0.6;        // s
  double step_length = 0.05;  // m
  double step_height = 0.05;  // m
  double body_motion = 0.03;  // m and rad, amplitude of the sway
};

/// What `bayesid simulate` makes: joints follow sums of sines around the middle of their range,
/// unless there is a gait.
struct SimulationConfig {
  double duration = 10.0;  // s
  double rate = 500.0;     // Hz
  int substeps = 1;        // integration steps between two samples, with constant efforts
  int logs = 1;
  int harmonics = 5;
  double base_frequency = 0.1;  // Hz
  double amplitude = 0.5;       // rad or m, of the sum of sines; cut to 0.8 of the joint's range
  double prior_error = 0.0;     // the written config's prior is this far (relative) from the truth
  std::map<std::string, double>
      rates;  // Hz, of groups slower than the rest: pose.<frame>, imu.<name>, wrench.<name>
  std::map<std::string, double> posture;  // joint → where it starts; others at the middle, or 0
                                          // with loops and contacts
  std::optional<GaitConfig> gait;
  std::string trajectory = {};  // CSV that the robot follows instead, resolved; "": none
};

/// information: log det of prior and data together. condition: of the base regressor with columns
/// of equal length.
enum class Criterion { information, condition };

/// What `bayesid excite` searches: a motion of Fourier series that starts and ends at rest.
struct ExcitationConfig {
  double duration = 10.0;  // s, the period
  int harmonics = 5;
  double rate = 500.0;  // Hz, of the trajectory that is written
  int starts = 5;       // random ones; the best result is kept
  int max_iterations = 200;
  Criterion criterion = Criterion::information;
  double velocity_reward = 0;           // nats for each (rad/s)² of the mean square of v
  std::map<std::string, double> start;  // q.<joint>; others as in simulation.posture
  // Shares of the robot's limits that the motion may use.
  double position = 0.9, velocity = 0.9, effort = 0.8;
  std::optional<double> self_collision = {};  // m, smallest distance of links; absent: not checked
  std::vector<std::array<std::string, 2>> ignore_pairs = {};  // links that may come nearer
  std::optional<double> mu = {};                              // of all contacts
  double least_force = 1;                                     // N, that every contact pushes with
  std::optional<std::vector<std::string>> contacts = {};      // closed ones; absent: all
};

struct Config {
  std::string file;  // where it was read from, for messages
  ModelConfig model;
  std::vector<LogConfig> logs;
  MeasurementConfig measurements;
  DisturbanceConfig disturbance;
  InitialStateConfig initial_state;
  ParametersConfig parameters;
  ConstraintsConfig constraints;
  SolverConfig solver;
  SimulationConfig simulation;
  ExcitationConfig excitation = {};
  std::map<std::string, int>
      lines;  // dotted key → line in `file`, for messages about values found wrong later
};

/// Reads and validates a configuration; throws InputError with file, line and key.
Config read_config(const std::string& path);

/// A configuration as text that read_config gives back; paths are written relative to `folder`,
/// where it will stand.
std::string config_yaml(const Config& config, const std::string& folder);

/// "file:line: key" of a dotted key of this config, for messages.
std::string location_of(const Config& config, const std::string& key);

/// The JSON Schema (draft 2020-12) that configurations are checked against.
std::string_view config_schema();

}  // namespace bayesid
