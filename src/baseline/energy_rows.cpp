// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "baseline/regression_rows.hpp"
#include "bayesid/integrator.hpp"
#include "problem/inputs.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Energy and powers along a motion, each as [∂/∂ζ; value].
class EnergyMeter {
 public:
  EnergyMeter(const RegressionData& data, const DynamicsAt& model)
      : data_(data),
        dynamics_(data.problem.dynamics()),
        model_(model),
        workspace_(dynamics_),
        energy_(dynamics_.nv(), dynamics_.nzeta()),
        lost_(dynamics_.nv(), dynamics_.nzeta()),
        rotors_(dynamics_.nv(), dynamics_.nzeta()) {}

  /// Energy, plus what left the motion since the first sample of the segment: constant where the
  /// balance holds. A column for each sample.                     docs/math/baselines.md (12)
  MatrixXd balance(int trajectory, Index first, Index count) {
    const VectorXd& time = data_.problem.recordings()[trajectory].time;
    MatrixXd out(dynamics_.nzeta() + 1, count);
    VectorXd lost = VectorXd::Zero(dynamics_.nzeta() + 1), before, now, next_power;
    for (Index i = 0; i < count; ++i) {
      const auto k = static_cast<int>(first + i);
      now = outflow(trajectory, k, k);
      if (i > 0)
        lost += 0.5 * (time[k] - time[k - 1]) * (before + outflow(trajectory, k, effort_of_end(k)));
      before = now;
      out.col(i) = energy(trajectory, k) + lost;
    }
    return out;
  }

 private:
  /// Efforts are constant over a stage, or vary from sample to sample: as in the transition.
  int effort_of_end(int sample) const {
    const bool is_held = rule_of(data_.problem.integrator()).acceleration_at > 0;
    return is_held ? sample - 1 : sample;
  }

  VectorXd energy(int trajectory, int k) {
    const SampledMotion& motion = data_.motions[trajectory];
    dynamics_.energy(model_, configuration_at(dynamics_.robot(), motion.motion, k),
                     motion.mid_speed.col(k), Order::derivatives, workspace_, energy_);
    VectorXd out(dynamics_.nzeta() + 1);
    out << energy_.dE_dzeta, energy_.value;
    return out;
  }

  /// Power of friction minus that of motors and rotors, with the efforts of a sample.
  VectorXd outflow(int trajectory, int k, int effort_sample) {
    const SampledMotion& motion = data_.motions[trajectory];
    const Recording& recording = data_.problem.recordings()[trajectory];
    const VectorXd v = motion.mid_speed.col(k), tau = recording.effort.col(effort_sample);
    const PhysicalLayout& layout = dynamics_.parameters().layout();
    VectorXd z(dynamics_.num_presliding());
    if (z.size() > 0) z = recording.presliding.col(k);
    dynamics_.dissipation(model_, v, z, Order::derivatives, lost_);
    VectorXd out(dynamics_.nzeta() + 1);
    out << lost_.dP_dzeta, lost_.value;
    out[dynamics_.nzeta()] -= v.dot(model_.eta.gain.cwiseProduct(tau) + model_.eta.offset);
    for (int i = 0; i < dynamics_.nzeta(); ++i) {
      const int entry = dynamics_.coordinates().entries[i];
      if (entry < layout.gain(0) || entry >= layout.thrust(0)) continue;
      const bool is_gain = entry < layout.offset(0);
      const int j = entry - (is_gain ? layout.gain(0) : layout.offset(0));
      out[i] -= is_gain ? v[j] * tau[j] : v[j];
    }
    if (dynamics_.num_rotors() > 0) {
      dynamics_.rotor_power(model_, configuration_at(dynamics_.robot(), motion.motion, k), v,
                            recording.thrust.col(effort_sample), Order::derivatives, workspace_,
                            rotors_);
      out.head(dynamics_.nzeta()) -= rotors_.dP_dzeta;
      out[dynamics_.nzeta()] -= rotors_.value;
    }
    return out;
  }

  const RegressionData& data_;
  const Dynamics& dynamics_;
  const DynamicsAt& model_;
  Dynamics::Workspace workspace_;
  Energy energy_;
  Dissipation lost_;
  RotorPower rotors_;
};

/// First and last + 1 of the samples of a segment that count.
std::pair<Index, Index> used_part(const SampledMotion& motion, size_t segment) {
  Index first = motion.cuts[segment], last = motion.cuts[segment + 1];
  while (first < last && motion.mode[first] < 0) ++first;
  while (last > first && motion.mode[last - 1] < 0) --last;
  return {first, last};
}

}  // namespace

RegressionRows energy_rows(const RegressionData& data, const DynamicsAt& model, int interval) {
  const int nzeta = data.problem.dynamics().nzeta();
  EnergyMeter meter(data, model);
  std::vector<MatrixXd> segments;
  Index total = 0;
  for (int t = 0; t < static_cast<int>(data.motions.size()); ++t) {
    const SampledMotion& motion = data.motions[t];
    for (size_t i = 0; i + 1 < motion.cuts.size(); ++i) {
      const auto [first, last] = used_part(motion, i);
      if (last - first <= interval) continue;
      const MatrixXd balance = meter.balance(t, first, last - first);
      const Index rows = (last - first - interval + data.stride - 1) / data.stride;
      MatrixXd differences(rows, nzeta + 1);
      for (Index k = 0; k < rows; ++k) {
        differences.row(k) =
            (balance.col(k * data.stride + interval) - balance.col(k * data.stride)).transpose();
      }
      total += rows;
      segments.push_back(std::move(differences));
    }
  }
  MatrixXd all(total, nzeta + 1);
  Index at = 0;
  for (const MatrixXd& segment : segments) {
    all.middleRows(at, segment.rows()) = segment;
    at += segment.rows();
  }
  RegressionRows out;
  out.folds.assign(data.num_folds, std::vector<CondensedRows>(1, CondensedRows(nzeta + 1)));
  for (int f = 0; f < data.num_folds; ++f) {
    const Index first = total * f / data.num_folds, last = total * (f + 1) / data.num_folds;
    out.folds[f][0].add(all.middleRows(first, last - first));
  }
  return out;
}

}  // namespace bayesid
