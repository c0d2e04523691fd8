// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bayesid/dynamics/dynamics.hpp"
#include "bayesid/dynamics/kinematics.hpp"

namespace bayesid {

/// Everything a term may read at one instant.
struct Knot {
  Eigen::VectorXd q, v;
  Eigen::VectorXd a = {};            // of the stage; a node has none
  Eigen::VectorXd sensor = {};       // values of PhysicalLayout::sensor_names
  int sample = 0;                    // of the sensor
  Kinematics* kinematics = nullptr;  // of the calling thread; knows any motion
};

/// Whitened residual of one sensor at one instant, with its derivatives; the first `rows` rows
/// count.
struct Residual {
  int rows = 0;
  Eigen::VectorXd r;
  Eigen::VectorXi channel;     // of each row: see Term::channel_name
  Eigen::MatrixXd dr_dx;       // rows × 2 nv, tangent of (q, v)
  Eigen::MatrixXd dr_da;       // rows × nv, of a term that sees accelerations
  Eigen::MatrixXd dr_dsensor;  // rows × parameters of the term

  Residual(int max_rows, int nx, int num_parameters = 0)
      : r(Eigen::VectorXd::Zero(max_rows)),
        channel(Eigen::VectorXi::Zero(max_rows)),
        dr_dx(Eigen::MatrixXd::Zero(max_rows, nx)),
        dr_da(Eigen::MatrixXd::Zero(max_rows, nx / 2)),
        dr_dsensor(Eigen::MatrixXd::Zero(max_rows, num_parameters)) {}
};

/// The three rows to come belong to the channels from `first` on.
inline void mark_channels(int first, Residual& out) {
  for (int i = 0; i < 3; ++i) out.channel[out.rows + i] = first + i;
}

/// What a sensor says about the motion along one recording.
class Term {
 public:
  virtual ~Term() = default;
  virtual std::string kind() const = 0;  // name in the configuration and in the results
  virtual int max_rows() const = 0;
  /// Of Residual::channel; an encoder's are the robot's velocities, which it cannot name: "".
  virtual std::string channel_name(int /*channel*/) const { return ""; }
  virtual bool sees_acceleration() const { return false; }
  /// Its own parameters: indices in Knot::sensor, in the order of the columns of dr_dsensor.
  virtual std::vector<int> parameters() const { return {}; }
  /// No allocation.
  virtual void evaluate(const Knot& at, Order order, Residual& out) const = 0;
};

}  // namespace bayesid
