// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/excite.hpp"

#include <filesystem>
#include <utility>

#include "bayesid/report.hpp"
#include "pipeline/config_stamp.hpp"
#include "pipeline/load.hpp"
#include "pipeline/page_files.hpp"
#include "report/document.hpp"
#include "report/provenance.hpp"
#include "report/verdict.hpp"

namespace bayesid {
namespace {

/// Ready for `simulate`, and for `identify` once logs are named.
Config next_config(const Config& config, const std::filesystem::path& folder) {
  Config out = config;
  out.logs.clear();
  out.model.urdf = (folder / "robot.urdf").string();
  out.simulation.trajectory = (folder / "trajectory.csv").string();
  out.simulation.duration = config.excitation.duration;
  out.simulation.rate = config.excitation.rate;
  out.simulation.gait.reset();
  return out;
}

std::string config_text(const PlannedMotion& planned, const std::string& folder) {
  return pipeline::stamped_config(next_config(planned.config, folder), folder,
                                  planned.provenance.seed);
}

PackedSeries series_of(const PlannedMotion& planned) {
  return pack_series({motion_table(planned.dynamics->robot(), planned.excitation)}, {});
}

std::string document(const PlannedMotion& planned, const std::string& folder,
                     const PackedSeries& series) {
  const Excitation& found = planned.excitation;
  const ModelFacts model = make_model_facts(planned.dynamics->robot());
  const Provenance provenance =
      pipeline::with_config(planned.provenance, config_text(planned, folder));
  return with_facts(excitation_json(found, planned.config, provenance.seed),
                    {.model = &model,
                     .verdict = &planned.verdict,
                     .provenance = &provenance,
                     .series = found.found ? &series : nullptr});
}

}  // namespace

PlannedMotion excite(const Config& config, const PlanOptions& options) {
  const Robot robot = read_robot(config.model);
  PlannedMotion out{
      .config = config,
      .dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, config)),
      .excitation = {},
      .warnings = {},
      .verdict = {},
      .provenance = {}};
  out.warnings = pipeline::model_warnings(*out.dynamics);
  pipeline::warn(options.run, out.warnings);
  out.excitation = excite(*out.dynamics, config,
                          {.num_threads = options.run.num_threads,
                           .seed = options.run.seed,
                           .num_random = options.num_random,
                           .on_step = options.on_step,
                           .stop = options.run.stop});
  if (out.excitation.interrupted) return out;
  out.verdict = excitation_verdict(out.excitation);
  out.provenance = pipeline::provenance_of(config, options.run);
  return out;
}

std::string document_of(const PlannedMotion& planned, const std::string& folder) {
  return document(planned, folder, series_of(planned));
}

Files files_of(const PlannedMotion& planned, const std::string& folder) {
  if (!planned.excitation.found) return {};
  const Robot& robot = planned.dynamics->robot();
  const PackedSeries series = series_of(planned);
  Files out{{"trajectory.csv", motion_csv(robot, planned.excitation.motion)},
            {"excitation.json", document(planned, folder, series)},
            {"excitation.svg", excitation_svg(robot, planned.excitation)},
            {"robot.urdf", pipeline::read_text(planned.config.model.urdf)},
            {"config.yaml", config_text(planned, folder)},
            {"series.bin", series.bytes}};
  pipeline::add_page("excite", folder,
                     {.name = {},
                      .document = bytes_of(out, "excitation.json"),
                      .scene = pipeline::scene_of(planned.config),
                      .series = series.bytes},
                     out);
  return out;
}

}  // namespace bayesid
