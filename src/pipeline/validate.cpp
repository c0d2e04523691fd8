// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/validate.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "bayesid/compare.hpp"
#include "bayesid/error.hpp"
#include "bayesid/identify.hpp"
#include "math/did_you_mean.hpp"
#include "pipeline/config_stamp.hpp"
#include "pipeline/load.hpp"
#include "pipeline/page_files.hpp"
#include "report/csv_cell.hpp"
#include "report/document.hpp"
#include "report/number.hpp"
#include "report/provenance.hpp"
#include "report/verdict.hpp"

namespace bayesid {

using nlohmann::json;

namespace {

/// Throws InputError when the configuration and the result have other parameters.
void check_names(const Config& config, const std::vector<Parameter>& parameters,
                 const IdentifiedParameters& identified) {
  const std::map<std::string, double>& values = identified.values;
  std::vector<std::string> in_config, in_result;
  for (const Parameter& parameter : parameters) in_config.push_back(parameter.name);
  for (const auto& [name, value] : values) in_result.push_back(name);
  const auto missing =
      std::ranges::find_if(in_config, [&](const auto& name) { return !values.contains(name); });
  if (missing != in_config.end()) {
    throw InputError(identified.source + ": has no parameter " + *missing + ", which " +
                     config.file + " has" + did_you_mean(*missing, in_result));
  }
  const auto unknown = std::ranges::find_if(in_result, [&](const auto& name) {
    return std::ranges::find(in_config, name) == in_config.end();
  });
  if (unknown != in_result.end()) {
    throw InputError(identified.source + ": has the parameter " + *unknown + ", which " +
                     config.file + " does not have: use the parameters of the identification" +
                     did_you_mean(*unknown, in_config));
  }
}

/// η with all parameters at `values`, those that are fixed included.
PhysicalParameters physical_at(const Robot& robot, Config config, const ParameterSet& parameters,
                               const std::map<std::string, double>& values) {
  for (const Parameter& parameter : parameters.all()) {
    if (!parameter.fixed) continue;
    ParameterOverride& one = config.parameters.set[parameter.name];
    one.prior = values.at(parameter.name);
    one.fixed = true;
  }
  Eigen::VectorXd theta(parameters.ntheta());
  const std::vector<std::string> names = parameters.names();
  for (std::size_t i = 0; i < names.size(); ++i)
    theta[static_cast<Eigen::Index>(i)] = values.at(names[i]);
  return ParameterSet(robot, config).physical(theta);
}

std::vector<double> list_of(const Eigen::VectorXd& values) {
  return {values.begin(), values.end()};
}

/// Measured effort and the predictions of both models, sample by sample.
std::string prediction_csv(const Validation& from) {
  constexpr int digits = 10;
  const auto num_joints = static_cast<Eigen::Index>(from.joints.size());
  const std::vector<Recording>& recordings = from.loaded.problem->recordings();
  std::string out = "log,time";
  for (const std::string& joint : from.joints) {
    for (const char* which : {"", ".nominal", ".identified"})
      out += "," + csv_cell("tau." + joint + which);
  }
  for (std::size_t t = 0; t < recordings.size(); ++t) {
    const Recording& recording = recordings[t];
    const EffortPrediction& efforts = from.efforts.recordings[t];
    const Eigen::Index first = recording.effort.rows() - num_joints;  // after a floating base
    for (Eigen::Index k = 0; k < recording.num_samples(); ++k) {
      out += "\n" + std::to_string(t) + "," + shortest(recording.time[k]);
      for (Eigen::Index j = first; j < first + num_joints; ++j) {
        for (const Eigen::MatrixXd* effort :
             {&recording.effort, &efforts.nominal, &efforts.identified}) {
          out += ',';
          append_number(out, (*effort)(j, k), digits);
        }
      }
    }
  }
  return out + "\n";
}

PackedSeries series_of(const Validation& from) {
  const RobotProblem& problem = *from.loaded.problem;
  std::vector<TrajectoryTable> tables;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    tables.push_back(prediction_table(problem.dynamics().robot(), problem.recordings()[t],
                                      from.efforts.recordings[t]));
  }
  number_segments(tables);
  return pack_series(tables, {});
}

std::string document(const Validation& from, const std::string& folder,
                     const PackedSeries* series) {
  const json doc{{"schema", 1},
                 {"version", BAYESID_VERSION},
                 {"joints", from.joints},
                 {"range", list_of(from.efforts.nominal.range)},
                 {"nominal", {{"rmse", list_of(from.efforts.nominal.rmse)}}},
                 {"identified", {{"rmse", list_of(from.efforts.identified.rmse)}}},
                 {"samples", from.loaded.num_samples()},
                 {"warnings", from.loaded.all_warnings()}};
  const ModelFacts facts = make_model_facts(from.loaded.problem->dynamics().robot());
  const Provenance provenance = pipeline::with_config(
      from.provenance, pipeline::stamped_config(from.config, folder, from.provenance.seed));
  return with_facts(doc.dump(-1, ' ', false, json::error_handler_t::replace),
                    {.model = &facts,
                     .verdict = &from.verdict,
                     .provenance = &provenance,
                     .logs = &from.loaded.logs,
                     .series = series});
}

}  // namespace

IdentifiedParameters identified_parameters(const Run& run) {
  IdentifiedParameters out{.source = "the identified model", .values = {}};
  for (const Estimate& one : run.result.posterior.parameters) out.values[one.name] = one.value;
  return out;
}

IdentifiedParameters read_identified(const std::string& result) {
  std::filesystem::path file = result;
  if (std::filesystem::is_directory(file)) file /= "result.json";
  IdentifiedParameters out{.source = file.string(), .values = {}};
  const json doc = json::parse(pipeline::read_text(out.source), nullptr, false);
  const auto fail = [&](const std::string& what) -> void {
    throw InputError(out.source + ": " + what + ", expected the result.json of bayesid identify");
  };
  if (doc.is_discarded()) fail("is not JSON");
  if (!doc.is_object() || !doc.contains("parameters") || !doc["parameters"].is_object())
    fail("has no parameters");
  for (const auto& [name, entry] : doc["parameters"].items()) {
    const bool has_value =
        entry.is_object() && entry.contains("value") && entry["value"].is_number();
    if (!has_value) fail("parameters." + name + " has no value");
    out.values[name] = entry["value"].get<double>();
  }
  return out;
}

Validation validate(const Config& config, const IdentifiedParameters& identified,
                    const RunOptions& options) {
  LoadedProblem loaded = make_problem(config);
  const RobotProblem& problem = *loaded.problem;
  const Dynamics& nominal = problem.dynamics();
  check_names(config, nominal.parameters().all(), identified);
  const std::vector<std::string> warnings = loaded.all_warnings();
  pipeline::warn(options, warnings);
  const PhysicalParameters eta =
      physical_at(nominal.robot(), config, nominal.parameters(), identified.values);
  Validation out{.config = config,
                 .loaded = loaded,
                 .joints = {},
                 .efforts = predict_with_both(problem, *nominal.at(problem.space().prior_mean()),
                                              *model_of(nominal, eta)),
                 .verdict = {},
                 .provenance = pipeline::provenance_of(config, options)};
  for (const Joint& joint : nominal.robot().joints) out.joints.push_back(joint.name);
  out.verdict =
      validation_verdict(out.joints, out.efforts.nominal, out.efforts.identified, warnings);
  return out;
}

std::string document_of(const Validation& validation, const std::string& folder) {
  if (folder.empty()) return document(validation, ".", nullptr);
  const PackedSeries series = series_of(validation);
  return document(validation, folder, &series);
}

Files files_of(const Validation& validation, const std::string& folder) {
  const PackedSeries series = series_of(validation);
  Files out{{"validation.json", document(validation, folder, &series)},
            {"prediction.csv", prediction_csv(validation)},
            {"series.bin", series.bytes}};
  pipeline::add_page("validate", folder,
                     {.name = {},
                      .document = bytes_of(out, "validation.json"),
                      .scene = pipeline::scene_of(validation.config),
                      .series = series.bytes},
                     out);
  return out;
}

}  // namespace bayesid
