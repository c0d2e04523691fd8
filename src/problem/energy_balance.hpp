// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem.hpp"
#include "bayesid/trajectory.hpp"
#include "stage/stage_record.hpp"
#include "stage/stage_setting.hpp"

namespace bayesid {

/// Slopes of the balance of energy: by both ends of a stage, and by ζ.
struct EnergySlopes {
  EnergySlopes(int nv, int nzeta)
      : x(Eigen::VectorXd::Zero(2 * nv)), y(x), zeta(Eigen::VectorXd::Zero(nzeta)) {}
  void clear() {
    x.setZero();
    y.setZero();
    zeta.setZero();
  }
  Eigen::VectorXd x, y, zeta;
};

/// The log whose energy is balanced, and the windows its stages stand in.
struct EnergyLog {
  const Recording& recording;
  const Timeline& timeline;
  const std::vector<EnergyWindow>& windows;
};

/// The balance of energy over windows of stages. Memory of one thread; nothing allocates after the
/// constructor.                                                       docs/math/energy.md (8)-(11)
class EnergyBalance {
 public:
  explicit EnergyBalance(const StageSetting& setting);

  /// The row of a window, at its last stage; slopes are left for `carry`. (10)
  void add_row(const DynamicsAt& model, const EnergyLog& log, int k, const Path& path,
               Dynamics::Workspace& workspace, Stage& out);
  double cost(const DynamicsAt& model, const EnergyLog& log, int k, const Path& path,
              Dynamics::Workspace& workspace);
  /// The rest of the window's stages hand on what they add, with the slopes add_row left. (9)
  void carry(const EnergyLog& log, int k, Stage& out, StageRecord& kept) const;

 private:
  double measured_work(const DynamicsAt& model, const EnergyLog& log, int k, EnergySlopes* slopes);
  double rotor_work(const DynamicsAt& model, const EnergyLog& log, int k, const Path& path,
                    Dynamics::Workspace& workspace, EnergySlopes* slopes);
  void add_outflow(const DynamicsAt& model, const EnergyLog& log, int k, const Path& path,
                   Dynamics::Workspace& workspace, double& sum, EnergySlopes* slopes);
  double gain(const DynamicsAt& model, const EnergyLog& log, int k, const Path& path, Order order,
              Dynamics::Workspace& workspace);
  bool evaluate(const DynamicsAt& model, const EnergyLog& log, int k, const Path& path, Order order,
                Dynamics::Workspace& workspace);

  const StageSetting& setting_;
  const StateSegment* open_;  // of the window that is open; null: windows of one stage
  Energy energy_, energy_next_;
  Dissipation dissipation_;
  RotorPower rotor_power_;
  double r_ = 0;
  EnergySlopes slopes_, slopes_before_;          // the last of the stage before
  Eigen::VectorXd q_, v_, mean_v_, presliding_;  // the last two in the middle of a stage
  Eigen::VectorXd motor_speed_;
};

}  // namespace bayesid
