// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/base_coordinates.hpp"

#include <Eigen/QR>
#include <random>

#include "dynamics/rigid_body.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Columns of ∂h/∂η for inertias and armatures, at random motions, one below the other.
MatrixXd random_regressor(const Robot& robot, const ParameterSet& parameters,
                          const std::vector<int>& entries) {
  const PhysicalLayout& layout = parameters.layout();
  const int nv = robot.nv();
  const int samples = 10 + 4 * static_cast<int>(entries.size()) / nv;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(-3.0, 3.0), rate(-2.0, 2.0);
  RigidBodyData data(*robot.model);
  MatrixXd out(samples * nv, static_cast<Eigen::Index>(entries.size()));
  for (int s = 0; s < samples; ++s) {
    const VectorXd q =
        make_configuration(robot, VectorXd::NullaryExpr(nv, [&] { return angle(random); }));
    const VectorXd v = VectorXd::NullaryExpr(nv, [&] { return rate(random); });
    const VectorXd a = VectorXd::NullaryExpr(nv, [&] { return 5.0 * rate(random); });
    body_motions(*robot.model, data, q, robot.mimic * v, robot.mimic * a);
    const MatrixXd regressor = robot.mimic.transpose() * torque_regressor(*robot.model, data);
    for (size_t i = 0; i < entries.size(); ++i) {
      auto block = out.block(s * nv, static_cast<Eigen::Index>(i), nv, 1);
      if (entries[i] < layout.gamma(0)) {
        block = regressor.col(entries[i]);
      } else {
        const Drive& drive = parameters.drives()[entries[i] - layout.armature(0)];
        block = drive.row.transpose() * drive.row.dot(a);
      }
    }
  }
  return out;
}

}  // namespace

BaseCoordinates make_base_coordinates(const Robot& robot, const ParameterSet& parameters,
                                      bool shows_link_efforts) {
  const PhysicalLayout& layout = parameters.layout();
  std::vector<int> reducible, others;
  for (const int entry : parameters.active_entries()) {
    const bool is_inertia = entry < layout.gamma(0);
    const bool is_armature = entry >= layout.armature(0) && entry < layout.gain(0);
    (is_inertia || (is_armature && !shows_link_efforts) ? reducible : others).push_back(entry);
  }
  BaseCoordinates out;
  int rank = 0;
  if (!reducible.empty()) {
    const MatrixXd Y = random_regressor(robot, parameters, reducible);
    // Columns that no motion determines are round-off: scaling must not amplify them.
    const VectorXd norms = Y.colwise().norm();
    const VectorXd scale = norms.cwiseMax(std::max(1e-12, 1e-6 * norms.maxCoeff()));
    Eigen::ColPivHouseholderQR<MatrixXd> qr(Y * scale.cwiseInverse().asDiagonal());
    // Dependent columns leave round-off (1e-13), independent ones at least 1e-5 at random motions.
    qr.setThreshold(1e-9);
    rank = static_cast<int>(qr.rank());
    const MatrixXd R = qr.matrixR().topRows(rank).triangularView<Eigen::Upper>();
    // Y_dependent = Y_basis · R11⁻¹ R12
    const MatrixXd mixing = R.leftCols(rank).triangularView<Eigen::Upper>().solve(R);
    out.K = MatrixXd::Zero(rank + static_cast<int>(others.size()), layout.size());
    const auto order = qr.colsPermutation().indices();
    for (int i = 0; i < rank; ++i) out.entries.push_back(reducible[order[i]]);
    for (size_t j = 0; j < reducible.size(); ++j) {
      for (int i = 0; i < rank; ++i) {
        const double value =
            mixing(i, static_cast<Eigen::Index>(j)) * scale[order[j]] / scale[order[i]];
        out.K(i, reducible[order[j]]) =
            std::abs(value) > 1e-10 * scale[order[j]] / scale[order[i]] ? value : 0.0;
      }
    }
  } else {
    out.K = MatrixXd::Zero(static_cast<Eigen::Index>(others.size()), layout.size());
  }
  for (size_t i = 0; i < others.size(); ++i) {
    out.entries.push_back(others[i]);
    out.K(rank + static_cast<Eigen::Index>(i), others[i]) = 1.0;
  }
  return out;
}

}  // namespace bayesid
