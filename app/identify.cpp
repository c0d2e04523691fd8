// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/identify.hpp"

#include <filesystem>

#include "console.hpp"
#include "parameter_text.hpp"
#include "table.hpp"
#include "verbs.hpp"
#include "verdict_text.hpp"

namespace bayesid::app {
namespace {

std::string noise_table(const std::vector<NoiseReport>& noise) {
  std::vector<Row> rows;
  for (const NoiseReport& one : noise)
    rows.push_back(
        {one.name, one.configured ? number(*one.configured) : "auto", number(one.found), one.unit});
  return table_text({"std of noise", "configured", "found", "unit"}, rows);
}

void print_summary(Console& console, const Run& run, const std::string& folder) {
  const Result& result = run.result;
  console.print("\n" + parameter_summary(run.loaded.problem->dynamics().robot(), result.posterior));
  console.print("\n" + identifiability_summary(result.identifiability, "result.json"));
  console.print("\neffort prediction, root mean square error on the logs used:\n" +
                effort_table(result.joints, result.nominal, result.identified));
  if (!result.noise.empty()) console.print("\n" + noise_table(result.noise));
  std::vector<std::string> printed = result.warnings;
  printed.insert(printed.end(), result.findings.begin(), result.findings.end());
  console.print("\n" + verdict_text(result.verdict, printed) + status_line(result) + "files in " +
                folder + ", plots in report.html\n");
}

}  // namespace

Signature identify_signature() {
  return {.name = "identify",
          .positional = "CONFIG",
          .summary = "estimate the parameters of a robot from its logs",
          .options = {{"--out", "DIR", "folder of the result (default: <config>_result)"},
                      {"--resume", "", "continue the interrupted run of DIR"},
                      {"--no-retry", "", "a search that stalls is not tried once more"}}};
}

int identify(const Arguments& arguments) {
  Console console(arguments);
  const Config config = read_config(arguments.positional);
  const std::string out =
      arguments.value("--out", std::filesystem::path(config.file).stem().string() + "_result");
  const std::string checkpoint = (std::filesystem::path(out) / "checkpoint.bin").string();
  OutputFolder folder(out, input_files(config));
  RunOptions options = run_options(arguments, console);
  options.retry = !arguments.has("--no-retry");
  const Run run = arguments.has("--resume") ? resume(config, checkpoint, options)
                                            : bayesid::identify(config, options);
  console.warn(run.result.findings);
  const Files files = files_of(run, out);
  publish(files, folder);
  print_summary(console, run, out);
  console.document(bytes_of(files, "result.json"));
  return exit_code(run.solution.status);
}

}  // namespace bayesid::app
