// SPDX-License-Identifier: BSD-3-Clause
#include "report/energy_flow.hpp"

#include <algorithm>

namespace bayesid {

using Eigen::VectorXd;

namespace {

/// Power of motors as measured, and of rotors, between two states.
class Flow {
 public:
  Flow(const RobotProblem& problem, const VectorXd& theta, int trajectory)
      : dynamics_(problem.dynamics()),
        model_(dynamics_.at(theta)),
        recording_(problem.recordings()[trajectory]),
        workspace_(dynamics_),
        energy_(dynamics_.nv(), dynamics_.nzeta()),
        dissipation_(dynamics_.nv(), dynamics_.nzeta()),
        rotors_(dynamics_.nv(), dynamics_.nzeta()) {}

  double stored(const VectorXd& q, const VectorXd& v) {
    dynamics_.energy(*model_, q, v, Order::value, workspace_, energy_);
    return energy_.value;
  }
  double of_motors(const StagePlan& plan, const VectorXd& v) const {
    double power = 0;
    for (int j = 0; j < dynamics_.nv(); ++j) {
      if (model_->eta.gain[j] == 0) continue;
      power +=
          v[j] * (model_->eta.gain[j] * recording_.effort(j, plan.sample) + model_->eta.offset[j]);
    }
    return power;
  }
  double of_rotors(const StagePlan& plan, const VectorXd& q, const VectorXd& v) {
    if (dynamics_.num_rotors() == 0) return 0;
    dynamics_.rotor_power(*model_, q, v, recording_.thrust.col(plan.sample), Order::value,
                          workspace_, rotors_);
    return rotors_.value;
  }
  double of_friction(const StagePlan& plan, const VectorXd& v) {
    VectorXd z(dynamics_.num_presliding());
    if (z.size() > 0) {
      const Eigen::Index next =
          std::min<Eigen::Index>(plan.sample + 1, recording_.presliding.cols() - 1);
      z = 0.5 * (recording_.presliding.col(plan.sample) + recording_.presliding.col(next));
    }
    dynamics_.dissipation(*model_, v, z, Order::value, dissipation_);
    return dissipation_.value;
  }

 private:
  const Dynamics& dynamics_;
  std::shared_ptr<const DynamicsAt> model_;
  const Recording& recording_;
  Dynamics::Workspace workspace_;
  Energy energy_;
  Dissipation dissipation_;
  RotorPower rotors_;
};

}  // namespace

EnergyFlow make_energy_flow(const RobotProblem& problem, const VectorXd& theta, int trajectory,
                            const Path& path) {
  const int nq = problem.dynamics().robot().nq(), nv = problem.dynamics().nv();
  const Timeline& timeline = problem.timeline(trajectory);
  Flow flow(problem, theta, trajectory);
  const VectorXd zero = VectorXd::Zero(path.x.cols());
  EnergyFlow out{zero, zero, zero};
  const double first = flow.stored(path.x.col(0).head(nq), path.x.col(0).tail(nv));
  for (Eigen::Index k = 0; k < path.u.cols(); ++k) {
    const StagePlan& plan = timeline.stages[k];
    const VectorXd q = path.x.col(k).head(nq), v = path.x.col(k).tail(nv);
    const VectorXd q_next = path.x.col(k + 1).head(nq), v_next = path.x.col(k + 1).tail(nv);
    out.stored[k + 1] = flow.stored(q_next, v_next) - first;
    out.supplied[k + 1] = out.supplied[k];
    out.dissipated[k + 1] = out.dissipated[k];
    if (plan.impact) {  // what the ground takes
      out.dissipated[k + 1] += out.stored[k] - out.stored[k + 1];
      continue;
    }
    const VectorXd v_mean = 0.5 * (v + v_next);
    out.supplied[k + 1] +=
        plan.dt * (flow.of_motors(plan, v_mean) +
                   0.5 * (flow.of_rotors(plan, q, v) + flow.of_rotors(plan, q_next, v_next)));
    out.dissipated[k + 1] += plan.dt * flow.of_friction(plan, v_mean);
  }
  return out;
}

}  // namespace bayesid
