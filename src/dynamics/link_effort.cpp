// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/dynamics.hpp"
#include "dynamics/workspace.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

LinkEffort::LinkEffort(int nv, int nzeta)
    : value(VectorXd::Zero(nv)),
      dv(MatrixXd::Zero(nv, nv)),
      da(MatrixXd::Zero(nv, nv)),
      dzeta(MatrixXd::Zero(nv, nzeta)) {}

void Dynamics::link_effort(const DynamicsAt& at, const VectorXd& v, const VectorXd& a,
                           const VectorXd& tau, const StepInertia* step, Order order,
                           Workspace& workspace, LinkEffort& out) const {
  Workspace::Storage& ws = *workspace;
  out.value = at.eta.gain.cwiseProduct(tau.head(nv())) + at.eta.offset;
  if (order == Order::derivatives) {
    out.dv.setZero();
    out.dzeta.setZero();
  }
  out.da.setZero();
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    const DriveTerm& drive = drives_[d];
    const auto column = static_cast<Eigen::Index>(d);
    double inertia = at.eta.armature[column], force = inertia * drive.speed(a);
    if (step) {
      inertia += step->inertia[column];
      force += step->inertia[column] * (drive.speed(a) - drive.speed(step->a));
    }
    if (drive.has_friction) {
      ws.friction[d] = friction(drive.speed(v), at.eta.gamma.col(column));
      force += ws.friction[d].tau;
    }
    drive.add(-force, out.value);
    for (const auto& [i, c_i] : drive.joints) {
      for (const auto& [j, c_j] : drive.joints) {
        out.da(i, j) -= c_i * c_j * inertia;
        if (order == Order::derivatives && drive.has_friction)
          out.dv(i, j) -= c_i * c_j * ws.friction[d].dtau_dv;
      }
    }
  }
  for (int p = 0; p < num_presliding(); ++p) {
    const double force = at.eta.presliding[p] * tau[num_efforts() + p];
    drives_[parameters_.presliding()[p].drive].add(-force, out.value);
  }
  if (order == Order::value) return;
  const PhysicalLayout& layout = parameters_.layout();
  for (int i = 0; i < nzeta(); ++i) {
    const int entry = coordinates_.entries[i];
    const bool is_rotor = entry >= layout.thrust(0) && entry < layout.presliding(0);
    if (entry < layout.gamma(0) || entry >= layout.sensor(0) || is_rotor) continue;
    // Terms on the left side of the balance do not load the links.
    add_column(at, entry, -1.0, a, tau, workspace, out.dzeta.col(i));
  }
}

}  // namespace bayesid
