// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace bayesid {

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
};

/// η as one vector, in the order of PhysicalLayout, and back.
Eigen::VectorXd stack(const PhysicalParameters& physical);
PhysicalParameters unstack(const PhysicalLayout& layout, const Eigen::VectorXd& eta);

}  // namespace bayesid
