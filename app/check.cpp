// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <nlohmann/json.hpp>

#include "check_log.hpp"
#include "console.hpp"
#include "run.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {

using nlohmann::json;

namespace {

constexpr double least_motion = 1e-3;  // rad or m: a joint that moves less stands still

/// How much one joint was moved and pushed in all recordings.
struct Excitation {
  std::string joint;
  double lowest = INFINITY, highest = -INFINITY;  // position
  double fastest = 0;
  double effort = 0;                                  // root mean square
  double samples = 0, positions = 0, velocities = 0;  // how many were measured
};

Excitation excitation_of(const RobotProblem& problem, const Joint& joint) {
  Excitation out{.joint = joint.name};
  const int j = joint.idx_v;
  for (const Recording& recording : problem.recordings()) {
    const MotionGuess guess = guess_motion(problem.dynamics().robot(), recording);
    out.lowest = std::min(out.lowest, guess.position.row(j).minCoeff());
    out.highest = std::max(out.highest, guess.position.row(j).maxCoeff());
    out.fastest = std::max(out.fastest, guess.velocity.row(j).cwiseAbs().maxCoeff());
    out.effort += recording.effort.row(j).squaredNorm();
    out.samples += recording.num_samples();
    out.positions += static_cast<double>((recording.position.row(j).array().isFinite()).count());
    out.velocities += static_cast<double>((recording.velocity.row(j).array().isFinite()).count());
  }
  out.effort = std::sqrt(out.effort / out.samples);
  return out;
}

/// What would make the identification fail or say nothing.
std::vector<std::string> find_problems(const RobotProblem& problem,
                                       const std::vector<Excitation>& joints,
                                       const Eigen::VectorXd& gain, const Posterior& forecast) {
  std::vector<std::string> out;
  const Eigen::VectorXd joint_gain = gain.tail(static_cast<Eigen::Index>(joints.size()));
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Excitation& e = joints[j];
    if (e.highest - e.lowest < least_motion) {
      out.push_back("joint " + e.joint + " does not move");
    }
    if (joint_gain[static_cast<Eigen::Index>(j)] != 0 && e.effort == 0) {
      out.push_back("tau." + e.joint + " is zero in every sample");
    }
  }
  for (int r = 0; r < problem.dynamics().num_rotors(); ++r) {
    const bool rests = std::ranges::all_of(
        problem.recordings(), [&](const Recording& log) { return log.thrust.row(r).isZero(0); });
    if (rests) {
      out.push_back("thrust." + problem.dynamics().parameters().rotors()[r].name +
                    " is zero in every sample");
    }
  }
  if (forecast.rank == 0) out.emplace_back("the data determine no parameter");
  return out;
}

json model_json(const Dynamics& dynamics) {
  json links = json::object();
  double total = 0;
  for (const Link& link : dynamics.robot().links) {
    links[link.name] = link.pi[0];
    total += link.pi[0];
  }
  json joints = json::array();
  for (const Joint& joint : dynamics.robot().joints) joints.push_back(joint.name);
  return {{"name", dynamics.robot().name},
          {"joints", joints},
          {"masses", links},
          {"moving_mass", total},
          {"parameters", dynamics.parameters().names()}};
}

json logs_json(const LoadedProblem& loaded, const std::vector<LogDoubts>& doubts) {
  json out = json::array();
  std::size_t piece = 0;
  for (const LogUse& log : loaded.logs) {
    double duration = 0;
    int steps = 0;
    for (int i = 0; i < log.pieces; ++i, ++piece) {
      const Recording& recording = loaded.problem->recordings()[piece];
      duration += recording.time[recording.num_samples() - 1] - recording.time[0];
      steps += recording.num_samples() - 1;
    }
    json one = log_json(*loaded.problem, log, doubts[out.size()]);
    one.update({{"file", log.file},
                {"samples", log.samples},
                {"dropped", log.dropped},
                {"pieces", log.pieces},
                {"duration", duration},
                {"rate", steps / duration}});
    out.push_back(std::move(one));
  }
  return out;
}

json document(const LoadedProblem& loaded, const std::vector<LogDoubts>& doubts,
              const std::vector<Excitation>& joints, const Posterior& forecast,
              const Identifiability& identifiability) {
  json excitation = json::object();
  for (const Excitation& e : joints) {
    excitation[e.joint] = {{"range", {e.lowest, e.highest}},
                           {"fastest", e.fastest},
                           {"effort_rms", e.effort},
                           {"position_missing", 1 - e.positions / e.samples},
                           {"velocity_missing", 1 - e.velocities / e.samples}};
  }
  json seen = json::parse(identifiability_json(forecast, identifiability));
  for (const Estimate& one : forecast.parameters) {
    if (one.prior_std == 0) seen["parameters"].erase(one.name);
  }
  return {{"schema", 1},
          {"version", BAYESID_VERSION},
          {"model", model_json(loaded.problem->dynamics())},
          {"logs", logs_json(loaded, doubts)},
          {"excitation", excitation},
          {"identifiability", seen},
          {"unseen", unseen_names(forecast.physical)},
          {"warnings", loaded.all_warnings()}};
}

void print_model(const Console& console, const LoadedProblem& loaded, const json& doc) {
  const Dynamics& dynamics = loaded.problem->dynamics();
  console.print("robot " + dynamics.robot().name + ": " +
                std::to_string(dynamics.robot().joints.size()) +
                (dynamics.robot().floating ? " joints on a floating base, " : " joints, ") +
                std::to_string(dynamics.robot().links.size()) + " moving links, " +
                number(doc["model"]["moving_mass"]) + " kg, " +
                std::to_string(dynamics.parameters().ntheta()) + " unknown parameters\n");
  std::vector<Row> rows;
  for (const Link& link : dynamics.robot().links) {
    rows.push_back({link.name, number(link.pi[0]) + " kg"});
  }
  console.print(table_text({"link", "mass"}, rows) + "\n");
  for (const json& log : doc["logs"]) {
    console.print(log["file"].get<std::string>() + ": " + log["samples"].dump() + " samples, " +
                  number(log["rate"]) + " Hz, " + number(log["duration"]) + " s, " +
                  log["pieces"].dump() + (log["pieces"] == 1 ? " piece, " : " pieces, ") +
                  log["dropped"].dump() + " dropped\n");
    print_log(console, log);
  }
}

void print_excitation(const Console& console, const std::vector<Excitation>& joints) {
  if (joints.empty()) return;
  std::vector<Row> rows;
  rows.reserve(joints.size());
  for (const Excitation& e : joints) {
    rows.push_back({e.joint, number(e.lowest) + " … " + number(e.highest), number(e.fastest),
                    number(e.effort), percent(1 - e.positions / e.samples),
                    e.velocities > 0 ? percent(1 - e.velocities / e.samples) : "no sensor"});
  }
  console.print(
      table_text({"joint", "position", "fastest", "effort rms", "q missing", "v missing"}, rows));
}

void print_forecast(const Console& console, const Posterior& forecast,
                    const Identifiability& identifiability) {
  console.print("\nidentifiability, linearised at the prior: the data determine " +
                std::to_string(forecast.rank) + " combinations of " +
                std::to_string(forecast.names.size()) + " parameters\n" +
                identifiability_summary(identifiability, "--json"));
  const std::vector<std::string> unseen = unseen_names(forecast.physical);
  if (unseen.empty()) return;
  console.print(std::to_string(unseen.size()) +
                " values the data will not see (less than 10 % of the prior variance removed):\n" +
                wrapped(unseen));
}

}  // namespace

Signature check_signature() {
  return {.name = "check",
          .positional = "CONFIG",
          .summary = "model, logs, excitation and what can be identified; writes nothing",
          .options = {}};
}

int check(const Arguments& arguments) {
  Console console(arguments);
  const Config config = read_config(arguments.positional);
  LoadedProblem loaded = make_problem(config);
  check_conflicts(config, *loaded.problem);
  check_enough_samples(loaded, config);
  const std::vector<LogDoubts> doubts = doubt_logs(config, loaded);
  console.warn(loaded.all_warnings());
  SolverConfig once = config.solver;
  once.max_iterations = 0;  // only the information at the start
  const Solution solution = solve_with_progress(*loaded.problem, once, arguments, console);
  const Dynamics& dynamics = loaded.problem->dynamics();
  const Posterior forecast = make_posterior(dynamics.parameters(), solution);
  const Identifiability identifiability = make_identifiability(*loaded.problem, solution);

  std::vector<Excitation> joints;
  joints.reserve(dynamics.robot().joints.size());
  for (const Joint& joint : dynamics.robot().joints)
    joints.push_back(excitation_of(*loaded.problem, joint));
  const std::vector<std::string> problems = find_problems(
      *loaded.problem, joints, dynamics.parameters().physical(solution.point.theta).gain, forecast);
  json doc = document(loaded, doubts, joints, forecast, identifiability);
  doc["problems"] = problems;

  print_model(console, loaded, doc);
  print_excitation(console, joints);
  print_forecast(console, forecast, identifiability);
  for (const std::string& one : problems) console.print("problem: " + one + "\n");
  console.print(problems.empty() ? "no problem found\n" : "");
  console.document(doc.dump(2, ' ', false, json::error_handler_t::replace));
  return problems.empty() ? exit_done : exit_problems;
}

}  // namespace bayesid::app
