// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/math/stage.hpp"
#include "bayesid/parameters/friction.hpp"
#include "bayesid/parameters/inertia.hpp"
#include "bayesid/parameters/relation.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// An unknown of the problem, in estimation coordinates.
struct Parameter {
  std::string name;
  double prior = 0;
  double std = 1;
  bool fixed = false;
  bool is_logarithm = false;  // the physical value is its exponential
  std::string physical;       // name of the value that depends on it alone; "": there is none
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
  Eigen::VectorXd presliding;      // γ6 of each drive of ParameterSet::presliding
  Eigen::VectorXd sensor;          // biases and delays, in the order of ParameterSet::sensor_names
};

/// Where each block stands in the stacked vector η = (π, γ, armature, gain, offset, thrust, moment,
/// presliding, sensor).
/// Body b of η is moved by Pinocchio's joint b + 1.
struct PhysicalLayout {
  int num_bodies = 0, num_drives = 0, nv = 0, num_rotors = 0, num_presliding = 0, num_sensors = 0;
  int pi(int body) const { return 10 * body; }
  int gamma(int drive) const { return 10 * num_bodies + 6 * drive; }
  int armature(int drive) const { return 10 * num_bodies + 6 * num_drives + drive; }
  int gain(int joint) const { return 10 * num_bodies + 7 * num_drives + joint; }
  int offset(int joint) const { return 10 * num_bodies + 7 * num_drives + nv + joint; }
  int thrust(int rotor) const { return 10 * num_bodies + 7 * num_drives + 2 * nv + rotor; }
  int moment(int rotor) const { return thrust(num_rotors) + rotor; }
  int presliding(int i) const { return moment(num_rotors) + i; }
  int sensor(int i) const { return presliding(num_presliding) + i; }
  int size() const { return sensor(num_sensors); }
};

/// η as one vector, in the order of PhysicalLayout.
Eigen::VectorXd stack(const PhysicalParameters& physical);

/// A value people read (mass.link1, friction.joint1.viscous …) with its gradient in θ.
struct PhysicalValue {
  std::string name;
  double value = 0;
  Eigen::RowVectorXd dvalue_dtheta;  // 1 × ntheta
};

/// All unknowns: names, priors, and the maps to what the dynamics needs and to what people read.
/// θ holds the free ones only; fixed ones keep their prior.
class ParameterSet {
 public:
  /// Throws InputError for names that do not exist and values that cannot be.
  ParameterSet(const Robot& robot, const Config& config);

  int ntheta() const { return static_cast<int>(free_.size()); }
  const std::vector<Parameter>& all() const { return all_; }
  /// Position in θ of parameter i of all(); −1 when fixed.
  int theta_index(int parameter) const { return theta_index_[parameter]; }
  std::vector<std::string> names() const;  // of θ
  Eigen::VectorXd prior() const;           // of θ
  Eigen::VectorXd prior_std() const;       // of θ
  /// Independent coordinates, or the covariance of an earlier result, or distances of inertias.
  /// docs/math/parameters.md (20)-(23)
  PriorAt prior_at(const Eigen::VectorXd& theta) const;
  /// Fixed ones included, in the order of all().
  Eigen::VectorXd all_values(const Eigen::VectorXd& theta) const;

  const std::vector<Drive>& drives() const { return drives_; }
  /// Parameters of sensors, which move no robot: imu_bias.<name>.ax …,
  /// wrench_offset.<name>.fx …, delay.<group>.
  const std::vector<std::string>& sensor_names() const { return sensor_names_; }
  int sensor_index(const std::string& name) const;  // −1 when absent
  const std::vector<Rotor>& rotors() const { return rotors_; }
  const std::vector<Presliding>& presliding() const { return presliding_; }
  double presliding_smoothing() const { return presliding_smoothing_; }  // s
  const PhysicalLayout& layout() const { return layout_; }

  /// η(θ).                                                         docs/math/parameters.md (14)
  PhysicalParameters physical(const Eigen::VectorXd& theta) const;
  /// ∂η/∂θ, size of η × ntheta.                                    docs/math/parameters.md (15)
  Eigen::MatrixXd physical_jacobian(const Eigen::VectorXd& theta) const;
  /// Σ_i s_i ∂²η_i/∂θ² for a covector s on η.                      docs/math/parameters.md (16)
  Eigen::MatrixXd physical_curvature(const Eigen::VectorXd& theta, const Eigen::VectorXd& s) const;
  /// The θ with the same η whose prior cost is least.
  Eigen::VectorXd nearest_equivalent(const Eigen::VectorXd& theta) const;
  /// Change of each parameter within which its map is close to linear: 1 for logarithms and turns.
  Eigen::VectorXd natural_step() const;
  /// Change of each parameter within which effort stays close to linear in η: finite for the slopes
  /// of friction only.
  Eigen::VectorXd reach(const Eigen::VectorXd& theta) const;
  /// Entries of η that depend on some free parameter.
  std::vector<int> active_entries() const;

  /// Physical values with gradients, for error bars: mass.<link>, com.<link>.x …,
  /// inertia.<link>.ixx … (about the centre of mass, in link axes), friction.<joint>.stiction …,
  /// armature.<joint> …
  std::vector<PhysicalValue> values(const Eigen::VectorXd& theta) const;
  /// π of each estimated link in its own frame, for the URDF.
  std::vector<std::pair<std::string, InertialParameters>> link_inertias(
      const Eigen::VectorXd& theta) const;

  /// e(θ) = 0: masses, symmetry, equal values, sums.                docs/math/parameters.md (17)
  std::vector<RelationAt> equalities(const Eigen::VectorXd& theta) const {
    return relations_at(theta, true);
  }
  /// g(θ) ≥ 0: γ1 ≥ γ2 for each free stiction, bounds, ranges, places of centres of mass.
  std::vector<RelationAt> inequalities(const Eigen::VectorXd& theta) const {
    return relations_at(theta, false);
  }
  /// Σ_i weight_i ∂²relation_i/∂θ².                                 docs/math/parameters.md (18)
  Eigen::MatrixXd relation_curvature(const Eigen::VectorXd& theta,
                                     const Eigen::VectorXd& equality_weights,
                                     const Eigen::VectorXd& inequality_weights) const;

  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct LinkBlock {  // ten parameters of all_ from `first`
    std::string name;
    int body, first;
    Matrix10 to_body;
  };
  struct FrictionBlock {  // parameters of all_ for γ0…γ6; −1: switched off
    int drive;
    std::array<int, 7> index;
  };
  struct ScalarBlock {
    int target, index;  // drive, joint or rotor; parameter of all_
  };
  struct EffortBlock {  // of an actuated joint; −1: gain 1, offset 0, ratio 1
    int joint = 0;      // its place in v
    int gain = -1, offset = -1, ratio = -1;
  };
  struct Bound {  // in estimation coordinates; infinite: none
    std::string name;
    int parameter;  // −1: the value depends on several
    double lower, upper;
  };
  struct Family;

  // Parts of the constructor.
  void make_nominal(const Robot& robot, const Config& config);
  void make_drives(const Robot& robot, const Config& config);
  void add_inertia(const Robot& robot, const Config& config);
  void add_friction(const Robot& robot, const Config& config);
  std::vector<ScalarBlock> add_family(const Config& config, const Family& family);
  void add_efforts(const Robot& robot, const Config& config);
  void add_sensors(const Config& config);
  void add_sensor(Parameter parameter);
  void make_rotors(const Robot& robot, const Config& config);
  void add_rotors(const Config& config);
  void apply_overrides(const Config& config);
  void take_earlier_result(const Config& config);
  void make_precision(const Config& config);
  void make_distances(const Config& config);
  void freeze(const Config& config);
  void check_stribeck();
  void add_bounds(const Config& config);
  Bound make_bound(const Config& config, const std::string& name,
                   std::pair<double, double> range) const;
  void warn_outside(const Bound& bound);
  // Relations between parameters, when it is known which are free.
  void add_relations(const Robot& robot, const Config& config);
  void relate_stribeck(const Config& config);
  void relate_masses(const Robot& robot, const Config& config);
  void relate_mirrored(const Robot& robot, const Config& config, int index);
  void relate_links(const Robot& robot, const LinkBlock& left, const LinkBlock& right,
                    const std::string& plane, const std::string& place);
  void relate_equal(const Config& config, int index);
  void relate_sums(const Config& config);
  void relate_centers(const Config& config);
  void relate_bounds(const Config& config);
  void add_relation(Relation relation, const std::string& place);
  void add_range(Relation sum, const RangeConfig& range, const std::string& place);
  bool add_term(const std::string& name, double weight, Relation& out) const;
  bool depends_on_free(const Relation& relation) const;
  std::vector<std::string> value_names() const;
  const LinkBlock* find_link(const std::string& name) const;
  RelationAt relation_at(const Relation& relation, const Eigen::VectorXd& values) const;
  std::vector<RelationAt> relations_at(const Eigen::VectorXd& theta, bool equalities) const;
  int add(Parameter parameter);
  int find(const std::string& name) const;  // −1 when absent

  // Physical value of parameter i, given all values, and the derivative of that value.
  double decode(int i, const Eigen::VectorXd& values) const;
  double decode_derivative(int i, const Eigen::VectorXd& values) const;
  bool is_free(int parameter) const;
  Eigen::Matrix<bool, 10, 1> moving_entries(const LinkBlock& block) const;  // of its body
  void add_link_values(const Eigen::VectorXd& values, const LinkBlock& block,
                       std::vector<PhysicalValue>& out) const;
  Eigen::RowVectorXd free_part(const Eigen::RowVectorXd& gradient) const;

  PhysicalLayout layout_;
  std::vector<Drive> drives_;
  std::vector<Rotor> rotors_;
  std::vector<Presliding> presliding_;
  double presliding_smoothing_ = 0;
  std::vector<Parameter> all_;
  std::vector<int> free_, theta_index_;
  std::vector<LinkBlock> links_;
  std::vector<FrictionBlock> friction_;
  std::vector<ScalarBlock> armature_, presliding_blocks_, sensors_;
  std::vector<std::string> sensor_names_;
  std::vector<EffortBlock> efforts_;
  std::vector<ScalarBlock> thrust_, moment_;
  PhysicalParameters
      nominal_;  // what is not estimated: rest of each body, gain 1, offset 0, rotors
  std::vector<Relation> relations_;
  Eigen::MatrixXd prior_precision_;  // of the quadratic part of the prior
  // Links whose prior is the distance of their inertia from the nominal one.
  struct DistancePrior {
    int first;               // of the ten parameters of the link
    Eigen::Matrix4d whiten;  // L⁻¹, L Lᵀ the nominal pseudo-inertia
    double std;
  };
  std::vector<DistancePrior> distances_;
  std::vector<std::string> warnings_;
};

}  // namespace bayesid
