// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "bayesid/error.hpp"
#include "bayesid/report/document.hpp"
#include "console.hpp"
#include "math/did_you_mean.hpp"
#include "page.hpp"
#include "report/csv_cell.hpp"
#include "report/number.hpp"
#include "run.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {

using nlohmann::json;

namespace {

using Values = std::map<std::string, double>;

/// Estimation coordinates of a result, by name.
Values read_values(const std::string& file) {
  const json doc = json::parse(read_text(file), nullptr, false);
  const auto fail = [&](const std::string& what) -> void {
    throw InputError(file + ": " + what + ", expected the result.json of bayesid identify");
  };
  if (doc.is_discarded()) fail("is not JSON");
  if (!doc.is_object() || !doc.contains("parameters") || !doc["parameters"].is_object()) {
    fail("has no parameters");
  }
  Values out;
  for (const auto& [name, entry] : doc["parameters"].items()) {
    const bool has_value =
        entry.is_object() && entry.contains("value") && entry["value"].is_number();
    if (!has_value) fail("parameters." + name + " has no value");
    out[name] = entry["value"].get<double>();
  }
  return out;
}

void check_names(const Config& config, const std::vector<Parameter>& parameters,
                 const Values& values, const std::string& file) {
  std::vector<std::string> in_config, in_result;
  for (const Parameter& parameter : parameters) in_config.push_back(parameter.name);
  for (const auto& [name, value] : values) in_result.push_back(name);
  const auto missing = std::find_if(in_config.begin(), in_config.end(),
                                    [&](const auto& name) { return !values.count(name); });
  if (missing != in_config.end()) {
    throw InputError(file + ": has no parameter " + *missing + ", which " + config.file + " has" +
                     did_you_mean(*missing, in_result));
  }
  const auto unknown = std::find_if(in_result.begin(), in_result.end(), [&](const auto& name) {
    return std::find(in_config.begin(), in_config.end(), name) == in_config.end();
  });
  if (unknown != in_result.end()) {
    throw InputError(file + ": has the parameter " + *unknown + ", which " + config.file +
                     " does not have: use the parameters of the identification" +
                     did_you_mean(*unknown, in_config));
  }
}

/// A model whose parameters all stand at `values`.
struct Model {
  Dynamics dynamics;
  Eigen::VectorXd theta;
};

Model make_model(const Robot& robot, Config config, const ParameterSet& parameters,
                 const Values& values) {
  for (const Parameter& parameter : parameters.all()) {
    if (!parameter.fixed) continue;
    ParameterOverride& one = config.parameters.set[parameter.name];
    one.prior = values.at(parameter.name);
    one.fixed = true;
  }
  Model out{Dynamics(robot, ParameterSet(robot, config)), parameters.prior()};
  const std::vector<std::string> names = parameters.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    out.theta[static_cast<Eigen::Index>(i)] = values.at(names[i]);
  }
  return out;
}

std::vector<double> list_of(const Eigen::VectorXd& values) {
  return {values.begin(), values.end()};
}

/// prediction.csv: measured effort and what both models say, sample by sample.
std::string prediction_csv(const std::vector<std::string>& joints,
                           const std::vector<Recording>& recordings,
                           const std::vector<Eigen::MatrixXd>& before,
                           const std::vector<Eigen::MatrixXd>& after) {
  constexpr int digits = 10;
  const auto num_joints = static_cast<Eigen::Index>(joints.size());
  std::string out = "log,time";
  for (const std::string& joint : joints) {
    for (const char* which : {"", ".nominal", ".identified"}) {
      out += "," + csv_cell("tau." + joint + which);
    }
  }
  for (std::size_t t = 0; t < recordings.size(); ++t) {
    const Recording& recording = recordings[t];
    const Eigen::Index first = recording.effort.rows() - num_joints;  // after a floating base
    for (Eigen::Index k = 0; k < recording.num_samples(); ++k) {
      out += "\n" + std::to_string(t) + "," + shortest(recording.time[k]);
      for (Eigen::Index j = first; j < first + num_joints; ++j) {
        for (const Eigen::MatrixXd* effort : {&recording.effort, &before[t], &after[t]}) {
          out += ',';
          append_number(out, (*effort)(j, k), digits);
        }
      }
    }
  }
  return out + "\n";
}

}  // namespace

Signature validate_signature() {
  return {.name = "validate",
          .positional = "CONFIG",
          .summary = "predict the efforts of held-out logs with nominal and identified model",
          .options = {{"--model", "RESULT", "folder or result.json of bayesid identify"},
                      {"--out", "DIR", "folder for the predicted efforts (default: none)"}}};
}

int validate(const Arguments& arguments) {
  if (!arguments.has("--model")) {
    throw InputError(
        "validate needs --model RESULT, the folder or result.json of bayesid identify");
  }
  const Console console(arguments);
  const Config config = read_config(arguments.positional);
  std::filesystem::path file = arguments.values.at("--model");
  if (std::filesystem::is_directory(file)) file /= "result.json";
  const Values values = read_values(file.string());
  std::vector<std::string> inputs = input_files(config);
  inputs.push_back(file.string());
  std::optional<OutputFolder> folder;
  if (arguments.has("--out")) folder.emplace(arguments.values.at("--out"), inputs);
  const LoadedProblem loaded = make_problem(config);
  const Dynamics& nominal = loaded.problem->dynamics();
  check_names(config, nominal.parameters().all(), values, file.string());
  console.warn(loaded.all_warnings());

  const Model model = make_model(nominal.robot(), config, nominal.parameters(), values);
  std::vector<Eigen::MatrixXd> before, after;
  std::vector<TrajectoryTable> tables;
  for (int t = 0; t < loaded.problem->num_trajectories(); ++t) {
    const Recording& recording = loaded.problem->recordings()[t];
    const Timeline& timeline = loaded.problem->timeline(t);
    // From motion sensors alone: the efforts are what is predicted.
    const MotionGuess motion =
        smooth_motion(nominal.robot(), recording, loaded.problem->noise(), timeline);
    before.push_back(
        predict_effort(nominal, nominal.parameters().prior(), motion, recording, timeline));
    after.push_back(predict_effort(model.dynamics, model.theta, motion, recording, timeline));
    tables.push_back(
        prediction_table(nominal.robot(), recording, {motion, before.back(), after.back()}));
  }
  const EffortError error_before =
      effort_error(nominal.robot(), loaded.problem->recordings(), before);
  const EffortError error_after =
      effort_error(nominal.robot(), loaded.problem->recordings(), after);

  std::vector<std::string> joints;
  for (const Joint& joint : nominal.robot().joints) joints.push_back(joint.name);
  console.print("effort prediction on held-out logs, root mean square error:\n" +
                effort_table(joints, error_before, error_after));
  const json doc{{"schema", 1},
                 {"version", BAYESID_VERSION},
                 {"joints", joints},
                 {"range", list_of(error_before.range)},
                 {"nominal", {{"rmse", list_of(error_before.rmse)}}},
                 {"identified", {{"rmse", list_of(error_after.rmse)}}},
                 {"samples", loaded.num_samples()},
                 {"warnings", loaded.all_warnings()}};
  const std::vector<Verdict> verdict =
      validation_verdict(joints, error_before, error_after, loaded.all_warnings());
  console.print("\n" + verdict_text(verdict, loaded.all_warnings()));
  const ModelFacts facts = make_model_facts(nominal.robot());
  const Provenance provenance = provenance_of(
      arguments, config, stamped_config(config, arguments.value("--out", "."), arguments.seed));
  number_pieces(tables);
  const PackedSeries series = pack_series(tables, {});
  const std::string text = with_facts(doc.dump(-1, ' ', false, json::error_handler_t::replace),
                                      {.model = &facts,
                                       .verdict = &verdict,
                                       .provenance = &provenance,
                                       .logs = &loaded.logs,
                                       .series = folder ? &series : nullptr});
  if (folder) {
    folder->write("validation.json", text);
    folder->write("prediction.csv",
                  prediction_csv(joints, loaded.problem->recordings(), before, after));
    folder->write("series.bin", series.bytes);
    write_page(page_of("validate", arguments.values.at("--out"),
                       {.document = text, .scene = scene_of(config), .series = series.bytes}),
               *folder);
    folder->publish();
  }
  console.document(text);
  return exit_done;
}

}  // namespace bayesid::app
