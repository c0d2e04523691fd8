// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <optional>

#include "bayesid/posterior/log_doubts.hpp"
#include "checkpoint.hpp"
#include "console.hpp"
#include "interrupt.hpp"
#include "page.hpp"
#include "run.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {
namespace {

void print_summary(const Console& console, const LoadedProblem& loaded, const Result& result,
                   const std::string& folder) {
  console.print("\n" + parameter_summary(loaded.problem->dynamics().robot(), result.posterior));
  console.print("\n" + identifiability_summary(result.identifiability, "result.json"));
  console.print("\neffort prediction, root mean square error on the logs used:\n" +
                effort_table(result.joints, result.nominal, result.identified));
  std::vector<std::string> printed = result.warnings;
  printed.insert(printed.end(), result.findings.begin(), result.findings.end());
  console.print("\n" + verdict_text(result.verdict, printed) + status_line(result) + "files in " +
                folder + ", report.html shows them\n");
}

}  // namespace

Signature identify_signature() {
  return {.name = "identify",
          .positional = "CONFIG",
          .summary = "estimate the parameters of a robot from its logs",
          .options = {{"--out", "DIR", "folder of the result (default: <config>_result)"},
                      {"--resume", "", "go on from where the run into DIR was interrupted"}}};
}

int identify(const Arguments& arguments) {
  Console console(arguments);
  const Config config = read_config(arguments.positional);
  const std::string out =
      arguments.value("--out", std::filesystem::path(config.file).stem().string() + "_result");
  LoadedProblem loaded = make_problem(config);
  check_conflicts(config, *loaded.problem);
  check_enough_samples(loaded, config);
  doubt_logs(config, loaded);
  std::optional<Point> start;
  if (arguments.has("--resume")) {
    start =
        read_checkpoint((std::filesystem::path(out) / checkpoint_name).string(), *loaded.problem);
  }
  catch_interrupts();
  OutputFolder folder(out, input_files(config));
  console.warn(loaded.all_warnings());

  const Solution solution =
      start ? solve_with_progress(*loaded.problem, config.solver, arguments, console, &*start)
            : solve_from_both(*loaded.problem, config.solver, arguments, console);
  Result result = make_run_result(loaded, solution, arguments);
  const std::string config_text = stamped_config(config, out, arguments.seed);
  result.provenance = provenance_of(arguments, config, config_text);
  console.warn(result.findings);
  const std::string document = result_json(result);
  write_result(loaded, solution, result, document, folder);
  folder.write("config.yaml", config_text);
  write_page(page_of("identify", out,
                     {.document = document,
                      .scene = scene_of(config),
                      .series = result.details->series.bytes}),
             folder);
  if (solution.status == Status::interrupted) {
    folder.write(checkpoint_name, checkpoint_bytes(*loaded.problem, solution.point));
  }
  folder.publish();
  print_summary(console, loaded, result, out);
  console.document(document);
  return exit_code(solution.status);
}

}  // namespace bayesid::app
