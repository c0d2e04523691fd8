// SPDX-License-Identifier: BSD-3-Clause
// What people use today beside this program, on the same logs: one table.
#include <nlohmann/json.hpp>

#include "bayesid/error.hpp"
#include "bayesid/report/document.hpp"
#include "compare_methods.hpp"
#include "console.hpp"
#include "interrupt.hpp"
#include "math/did_you_mean.hpp"
#include "method_fit.hpp"
#include "page.hpp"
#include "run.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {
namespace {

using Eigen::Index;
using nlohmann::json;

/// θ of a truth.json. Throws InputError.
Eigen::VectorXd read_truth(const std::string& file, const ParameterSet& parameters) {
  const json doc = json::parse(read_text(file), nullptr, false);
  if (doc.is_discarded() || !doc.is_object() || !doc.contains("parameters") ||
      !doc["parameters"].is_object()) {
    throw InputError(file + " has no parameters, expected the truth.json of bayesid simulate");
  }
  std::vector<std::string> known;
  for (const auto& [name, value] : doc["parameters"].items()) known.push_back(name);
  Eigen::VectorXd out(parameters.ntheta());
  const std::vector<std::string> names = parameters.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = doc["parameters"].find(names[i]);
    if (found == doc["parameters"].end() || !found->is_number()) {
      throw InputError(file + ": has no parameter " + names[i] + ", which the configuration has" +
                       did_you_mean(names[i], known));
    }
    out[static_cast<Index>(i)] = found->get<double>();
  }
  return out;
}

/// Logs that no method was shown, of the same robot with the same parameters.
LoadedProblem read_held_out(const std::string& file, const ParameterSet& parameters) {
  LoadedProblem out = make_problem(read_config(file));
  if (out.problem->dynamics().parameters().names() != parameters.names()) {
    throw InputError("--validate " + file +
                     ": has other unknown parameters than the configuration, expected the same");
  }
  return out;
}

int read_window(const Arguments& arguments) {
  if (!arguments.has("--window")) return 0;
  const std::string& text = arguments.values.at("--window");
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
  const int window = is_number && text.size() < 7 ? std::stoi(text) : 0;
  if (window >= 5 && window % 2 == 1) return window;
  throw InputError("--window is " + text + ", must be an odd number of samples from 5 on");
}

std::string share(const std::optional<double>& value) {
  return value ? percent(*value) : "-";
}

std::string method_table(const std::vector<MethodFit>& fits, bool has_truth) {
  std::vector<Row> rows;
  for (const MethodFit& fit : fits) {
    const BaselineResult& found = fit.found;
    Row row{fit.name,
            to_string(found.status),
            std::to_string(found.iterations),
            found.window > 0 ? std::to_string(found.window) : "-",
            std::to_string(num_impossible_bodies(found.eta)),
            number(fit.seconds)};
    if (has_truth) {
      for (const std::string& cell : {percent(fit.error->base), percent(fit.error->effort),
                                      share(fit.error->friction), share(fit.error->mass)}) {
        row.push_back(cell);
      }
    }
    rows.push_back(std::move(row));
  }
  Row header{"method", "status", "iterations", "window", "impossible", "seconds"};
  if (has_truth) header.insert(header.end(), {"base error", "in efforts", "friction", "masses"});
  return table_text(header, rows);
}

/// Root mean square errors of efforts as shares of their range: joints × methods.
std::string rmse_table(const std::vector<std::string>& joints, const std::vector<MethodFit>& fits,
                       const EffortError& (*of)(const MethodFit&)) {
  Row header{"joint", "range"};
  for (const MethodFit& fit : fits) header.push_back(fit.name);
  std::vector<Row> rows;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto i = static_cast<Index>(j);
    const double range = of(fits[0]).range[i];
    Row row{joints[j], number(range)};
    for (const MethodFit& fit : fits) {
      row.push_back(range > 0 ? percent(of(fit).rmse[i] / range) : "-");
    }
    rows.push_back(std::move(row));
  }
  return table_text(header, rows);
}

json document_of(const MethodFit& fit, const ParameterSet& parameters) {
  const BaselineResult& found = fit.found;
  const auto list = [](const Eigen::VectorXd& v) {
    return std::vector<double>(v.begin(), v.end());
  };
  json out{{"status", to_string(found.status)},
           {"iterations", found.iterations},
           {"seconds", fit.seconds},
           {"impossible_bodies", num_impossible_bodies(found.eta)},
           {"effort", {{"rmse", list(fit.effort.rmse)}, {"range", list(fit.effort.range)}}}};
  if (found.window > 0) out["smoothing"] = {{"window", found.window}, {"order", found.order}};
  if (fit.held_out) {
    out["held_out"] = {{"rmse", list(fit.held_out->rmse)}, {"range", list(fit.held_out->range)}};
  }
  for (const auto& [name, value] : found.values) out["physical"][name] = value;
  const std::vector<std::string> names = parameters.names();
  for (Index i = 0; i < found.theta.size(); ++i) {
    out["parameters"][names[static_cast<std::size_t>(i)]] = found.theta[i];
  }
  for (const BaseEstimate& one : found.base) {
    json terms = json::object();
    for (const auto& [name, factor] : one.terms) terms[name] = factor;
    out["base"].push_back(
        {{"name", one.terms[0].first}, {"terms", terms}, {"value", one.value}, {"std", one.std}});
  }
  if (!fit.error) return out;
  out["error"] = {{"base", fit.error->base}, {"effort", fit.error->effort}};
  if (fit.error->friction) out["error"]["friction"] = *fit.error->friction;
  if (fit.error->mass) out["error"]["mass"] = *fit.error->mass;
  return out;
}

}  // namespace

int compare_methods(const Config& config, const Arguments& arguments, const Console& console) {
  const std::vector<Method> methods = read_methods(arguments.values.at("--methods"));
  const int window = read_window(arguments);
  std::optional<OutputFolder> folder;
  if (arguments.has("--out")) folder.emplace(arguments.values.at("--out"), input_files(config));
  const LoadedProblem loaded = make_problem(config);
  check_enough_samples(loaded, config);
  const Dynamics& dynamics = loaded.problem->dynamics();
  std::optional<ParameterTruth> truth;
  if (arguments.has("--truth")) {
    truth.emplace(*loaded.problem,
                  read_truth(arguments.values.at("--truth"), dynamics.parameters()));
  }
  std::optional<LoadedProblem> held_out;
  if (arguments.has("--validate")) {
    held_out = read_held_out(arguments.values.at("--validate"), dynamics.parameters());
  }
  console.warn(loaded.all_warnings());

  std::vector<MethodFit> fits;
  bool all_converged = true;
  for (const Method& method : methods) {
    MethodFit fit = fit_method(method, config, loaded, window, arguments);
    if (fit.found.status == Status::interrupted || interrupt() != 0) {
      return exit_code(Status::interrupted);
    }
    if (held_out) fit.held_out = predict_with(*held_out->problem, fit.found.eta);
    if (truth) {
      fit.error = truth->error(fit.found.eta, {fit.found.values.begin(), fit.found.values.end()});
    }
    all_converged = all_converged && fit.found.status == Status::converged;
    console.print("  " + fit.name + ": " + to_string(fit.found.status) + ", " +
                  number(fit.seconds) + " s\n");
    fits.push_back(std::move(fit));
  }
  std::vector<std::string> joints;
  for (const Joint& joint : dynamics.robot().joints) joints.push_back(joint.name);
  console.print(
      "\n" + method_table(fits, truth.has_value()) +
      "\nroot mean square error of efforts, as a share of their range:\n" +
      rmse_table(joints, fits, [](const MethodFit& f) -> const EffortError& { return f.effort; }));
  if (held_out) {
    console.print("\nthe same on held-out logs:\n" +
                  rmse_table(joints, fits,
                             [](const MethodFit& f) -> const EffortError& { return *f.held_out; }));
  }
  json document{{"schema", 1},
                {"version", BAYESID_VERSION},
                {"joints", joints},
                {"samples", loaded.num_samples()},
                {"warnings", loaded.all_warnings()}};
  for (const MethodFit& fit : fits) {
    document["methods"][fit.name] = document_of(fit, dynamics.parameters());
  }
  std::vector<MethodVerdict> methods_seen;
  for (const MethodFit& fit : fits) {
    methods_seen.push_back({.name = fit.name,
                            .converged = fit.found.status == Status::converged,
                            .effort = fit.held_out ? *fit.held_out : fit.effort,
                            .impossible_bodies = num_impossible_bodies(fit.found.eta)});
  }
  const std::vector<Verdict> verdict =
      comparison_verdict(methods_seen, held_out ? "on held-out logs" : "on the logs used");
  console.print("\n" + verdict_text(verdict, {}));
  const ModelFacts model = make_model_facts(dynamics.robot());
  const Provenance provenance = provenance_of(
      arguments, config, stamped_config(config, arguments.value("--out", "."), arguments.seed));
  const std::string text = with_facts(
      document.dump(-1, ' ', false, json::error_handler_t::replace),
      {.model = &model, .verdict = &verdict, .provenance = &provenance, .logs = &loaded.logs});
  if (folder) {
    folder->write("comparison.json", text);
    ReportData page{.kind = "compare", .title = arguments.values.at("--out"), .results = {}};
    page.comparison = text;
    write_page(page, *folder);
    folder->publish();
  }
  console.document(text);
  return all_converged ? exit_done : exit_not_converged;
}

}  // namespace bayesid::app
