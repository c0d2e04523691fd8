// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bayesid {

/// An unknown of the problem, in estimation coordinates.
struct Parameter {
  std::string name;
  double prior = 0;
  double std = 1;
  bool fixed = false;
  double rate = 0;       // the physical value is exp(rate · θ); 0: it is θ itself
  std::string physical;  // name of the value that depends on it alone; "": there is none

  bool is_logarithm() const { return rate != 0; }
  /// The physical value and its derivatives in θ.
  double value(double theta) const;
  double first_derivative(double theta) const;
  double second_derivative(double theta) const;
};

/// A value people read (mass.link1, friction.joint1.viscous …) with its gradient in θ.
struct PhysicalValue {
  std::string name;
  double value = 0;
  Eigen::RowVectorXd dvalue_dtheta;  // 1 × ntheta
};

/// Numbers that parameter constraints may refer to, with their derivatives in x.
struct Features {
  Eigen::VectorXd value;
  Eigen::MatrixXd jacobian;
};

/// Σ weights · features of blocks + Σ weights · scalars + constant, which is 0 or not negative.
struct ParameterConstraint {
  struct FeatureTerm {
    int block;
    Eigen::VectorXd weight;
  };
  struct ScalarTerm {
    int parameter;
    double weight;
    bool is_coordinate;  // of the parameter itself; else of its physical value
  };
  std::string name;
  bool is_equality = false;
  double constant = 0;
  std::vector<FeatureTerm> features = {};
  std::vector<ScalarTerm> scalars = {};
};

/// Unknowns that belong together (the inertia of a link, the friction of a drive …) and what they
/// do to η. It gets its own slice x of the coordinates, fixed ones included, and never changes
/// after it is made: priors and what is fixed belong to the set.
///
/// As it stands here, each parameter is an entry of η of its own. Others override the map.
class ParameterBlock {
 public:
  using Values = Eigen::Ref<const Eigen::VectorXd>;

  /// A parameter with the entry of η that it sets.
  struct Entry {
    Parameter parameter;
    int eta = 0;
  };
  explicit ParameterBlock(const std::vector<Entry>& entries);
  virtual ~ParameterBlock() = default;
  ParameterBlock(const ParameterBlock&) = delete;
  ParameterBlock& operator=(const ParameterBlock&) = delete;

  /// Names and priors as the block suggests them.
  const std::vector<Parameter>& parameters() const { return parameters_; }
  int size() const { return static_cast<int>(parameters_.size()); }

  /// Writes its part of η; where several blocks share an entry they add to it.
  virtual void write_physical(const Values& x, Eigen::VectorXd& eta) const;
  /// ∂η/∂x, size of η × size(); zero before.
  virtual void write_jacobian(const Values& x, Eigen::Ref<Eigen::MatrixXd> deta_dx) const;
  /// Σ_i s_i ∂²η_i/∂x²; zero before.
  virtual void write_curvature(const Values& x, const Eigen::VectorXd& s,
                               Eigen::Ref<Eigen::MatrixXd> out) const;
  /// Marks the entries of η that depend on some free parameter.
  virtual void mark_active(const std::vector<bool>& is_free, std::vector<bool>& active) const;

  /// Change of each parameter within which its map is close to linear: 1 for logarithms and turns.
  virtual Eigen::VectorXd scaling(std::span<const Parameter> own) const;
  /// Change within which effort stays close to linear in η; infinite for most.
  virtual Eigen::VectorXd trust_bound(const Values& x) const;
  /// The x with the same η whose prior cost is least.
  virtual Eigen::VectorXd nearest_equivalent(const Values& x, std::span<const Parameter> own) const;

  /// What people read, with gradients in x.
  virtual std::vector<PhysicalValue> values(const Values& x) const;

  /// What parameter constraints may refer to beside parameters and their physical values; a feature
  /// without a name cannot be named in a configuration.                     docs/math/parameters.md
  /// (17)
  virtual std::vector<std::string> feature_names() const { return {}; }
  virtual Features features(const Values& x) const;
  /// Σ_i s_i ∂²feature_i/∂x².
  virtual Eigen::MatrixXd features_curvature(const Values& x, const Eigen::VectorXd& s) const;
  /// Row i says on which parameters feature i depends.
  virtual Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> feature_pattern() const;

  /// Constraints that always apply; parameters counted from the block's first.
  virtual std::vector<ParameterConstraint> constraints() const { return {}; }
  /// The joint or drive whose mirror image has the same parameters, in a block of this kind.
  virtual std::string mirrored_drive() const { return ""; }
  /// What is odd about the priors.
  virtual std::vector<std::string> warnings(std::span<const Parameter>) const { return {}; }

 protected:
  explicit ParameterBlock(std::vector<Parameter> parameters) : parameters_(std::move(parameters)) {}

 private:
  std::vector<Parameter> parameters_;
  std::vector<int> eta_;  // entry of η of each parameter; empty: another map
};

/// The parameters of all blocks, one block after the other, and which of them are free: θ.
struct ParameterList {
  struct Placed {
    std::shared_ptr<const ParameterBlock> block;
    int first;  // of its parameters in `all`
  };
  std::vector<Placed> blocks;
  std::vector<Parameter> all;
  std::vector<int> free;         // the parameter of each number of θ
  std::vector<int> theta_index;  // of each parameter; −1: fixed

  void add(std::shared_ptr<const ParameterBlock> block);
  /// Numbers the free parameters, when it is known which are fixed.
  void number_free();

  int ntheta() const { return static_cast<int>(free.size()); }
  bool is_free(int parameter) const { return theta_index[parameter] >= 0; }
  std::vector<bool> free_of(const Placed& placed) const;
  std::span<const Parameter> own(const Placed& placed) const;
  int find(const std::string& name) const;               // −1 when absent
  int find_physical(const std::string& physical) const;  // −1 when absent
  /// Everything a parameter constraint can name.
  std::vector<std::string> value_names() const;

  Eigen::VectorXd prior() const;  // of θ
  Eigen::VectorXd std() const;    // of θ
  /// Of all parameters; fixed ones keep their prior.
  Eigen::VectorXd values(const Eigen::VectorXd& theta) const;
  /// The slice of a block.
  auto slice(const Placed& placed, const Eigen::VectorXd& values) const {
    return values.segment(placed.first, placed.block->size());
  }
  /// A block's gradient as one in θ.
  Eigen::RowVectorXd in_theta(const Placed& placed, const Eigen::RowVectorXd& gradient) const;
};

/// A motor or joint with friction and armature: speed = row · v.
struct Drive {
  std::string name;
  Eigen::RowVectorXd row;  // 1 × nv
};

/// A motor or joint whose friction remembers where it came from. docs/math/parameters.md (13a)
struct Presliding {
  int drive = 0;
  double distance = 0;  // rad or m, over which its spring gives way
};

/// A thruster: its command τ_r makes the wrench (thrust_r push + moment_r turn) τ_r on its body.
struct Rotor {
  std::string name;
  int body = 0;  // index of the Pinocchio joint that moves it
  // Force, then moment about the body's origin, in the axes of the body.
  Eigen::Matrix<double, 6, 1> push, turn;
};

/// The numbers the dynamics works with: η, in which effort and inertia are linear.
///   joint effort_j = gain_j τ̂_j + offset_j (+ what rotors do)
///                  = RNEA(q, v, a; π) + Σ_d row_d,j (τ_f(row_d v; γ_d) + armature_d row_d a)
///                    + Σ_p row_p,j presliding_p z_p
struct PhysicalParameters {
  Eigen::Matrix<double, 10, Eigen::Dynamic> pi;    // of each moving body, in its frame
  Eigen::Matrix<double, 6, Eigen::Dynamic> gamma;  // of each drive; zero columns: no friction
  Eigen::VectorXd armature;                        // of each drive
  // Of each velocity; gear ratio included; gain 0 on passive joints and on a floating base.
  Eigen::VectorXd gain, offset;
  Eigen::VectorXd thrust, moment;  // of each rotor
  Eigen::VectorXd presliding;      // γ6 of each drive of PhysicalLayout::presliding_drives
  Eigen::VectorXd named;           // of the segments that blocks added by name
  Eigen::VectorXd sensor;  // biases and delays, in the order of PhysicalLayout::sensor_names
};

/// What stands where in the stacked vector η = (π, γ, armature, gain, offset, thrust, moment,
/// presliding, named segments, sensor).
/// Body b of η is moved by Pinocchio's joint b + 1.
struct PhysicalLayout {
  /// Entries of a kind that only its block and its reader know.
  struct Segment {
    std::string name;
    int first = 0, size = 0;  // in PhysicalParameters::named
  };

  int num_bodies = 0, num_drives = 0, nv = 0, num_rotors = 0, num_presliding = 0, num_named = 0,
      num_sensors = 0;
  std::vector<Drive> drives;
  std::vector<Rotor> rotors;
  std::vector<Presliding> presliding_drives;
  double presliding_smoothing = 0;  // s
  double known_effort_delay = 0;    // s, taken off the recordings already
  std::vector<Segment> segments;
  /// Parameters of sensors, which move no robot: imu_bias.<name>.ax …,
  /// wrench_offset.<name>.fx …, delay.<group>.
  std::vector<std::string> sensor_names;

  int pi(int body) const { return 10 * body; }
  int gamma(int drive) const { return 10 * num_bodies + 6 * drive; }
  int armature(int drive) const { return 10 * num_bodies + 6 * num_drives + drive; }
  int gain(int joint) const { return 10 * num_bodies + 7 * num_drives + joint; }
  int offset(int joint) const { return 10 * num_bodies + 7 * num_drives + nv + joint; }
  int thrust(int rotor) const { return 10 * num_bodies + 7 * num_drives + 2 * nv + rotor; }
  int moment(int rotor) const { return thrust(num_rotors) + rotor; }
  int presliding(int i) const { return moment(num_rotors) + i; }
  int named(int i) const { return presliding(num_presliding) + i; }
  int sensor(int i) const { return named(num_named) + i; }
  int size() const { return sensor(num_sensors); }

  /// A new segment, before any sensor has its own; returns its first entry of η.
  int add_segment(const std::string& name, int size);
  /// The next entry of sensors.
  int add_sensor(const std::string& name);
  int sensor_index(const std::string& name) const;  // in sensor_names; −1 when absent
  /// Where a segment stands in PhysicalParameters::named; −1: there is none.
  int named_index(const std::string& segment) const;
};

/// η as one vector, in the order of PhysicalLayout, and back.
Eigen::VectorXd stack(const PhysicalParameters& physical);
PhysicalParameters unstack(const PhysicalLayout& layout, const Eigen::VectorXd& eta);

}  // namespace bayesid
