// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/identify.hpp"

#include <optional>
#include <utility>

#include "pipeline/checkpoint.hpp"
#include "pipeline/config_stamp.hpp"
#include "pipeline/load.hpp"
#include "pipeline/make_run.hpp"
#include "pipeline/page_files.hpp"
#include "pipeline/search.hpp"

namespace bayesid {
namespace {

Run identify_from(const Config& config, const std::optional<std::string>& checkpoint,
                  const RunOptions& options) {
  LoadedProblem loaded = pipeline::load(config).loaded;
  std::optional<Point> start;
  if (checkpoint) {
    TunedProblem saved = pipeline::read_checkpoint(*checkpoint, config, *loaded.problem);
    loaded.problem = saved.problem;
    start = std::move(saved.start);
  }
  pipeline::warn(options, loaded.all_warnings());
  Solution solution = start
                          ? pipeline::search_once(*loaded.problem, config.solver, options, &*start)
                          : pipeline::search_tuned(loaded, config.solver, options);
  return pipeline::make_run(config, std::move(loaded), std::move(solution), options);
}

}  // namespace

Run identify(const Config& config, const RunOptions& options) {
  return identify_from(config, std::nullopt, options);
}

Run resume(const Config& config, const std::string& checkpoint, const RunOptions& options) {
  return identify_from(config, checkpoint, options);
}

Files files_of(const Run& run, const std::string& folder) {
  Files out =
      pipeline::result_files(run, pipeline::stamped_config(run.config, folder, run.result.seed));
  pipeline::add_page("identify", folder,
                     {.name = {},
                      .document = bytes_of(out, "result.json"),
                      .scene = pipeline::scene_of(run.config),
                      .series = run.result.details->series.bytes},
                     out);
  if (run.solution.status == Status::interrupted) {
    out.push_back(
        {pipeline::checkpoint_name,
         pipeline::checkpoint_bytes(run.config, *run.loaded.problem, run.solution.point)});
  }
  return out;
}

void write_run(const Run& run, const std::string& folder) {
  OutputFolder out(folder, input_files(run.config));
  publish(files_of(run, folder), out);
}

}  // namespace bayesid
