// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/simulate.hpp"

#include <filesystem>

#include "console.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {

Signature simulate_signature() {
  return {.name = "simulate",
          .positional = "CONFIG",
          .summary = "synthetic logs with known true parameters: the priors of the configuration",
          .options = {{"--out", "DIR", "folder of the logs (default: <config>_simulated)"}}};
}

int simulate(const Arguments& arguments) {
  Console console(arguments);
  const Config config = read_config(arguments.positional);
  const std::filesystem::path out =
      arguments.value("--out", std::filesystem::path(config.file).stem().string() + "_simulated");
  OutputFolder folder(out.string(), input_files(config));
  const SyntheticLogs logs = bayesid::simulate(config, run_options(arguments, console));
  if (logs.interrupted) return exit_code(Status::interrupted);
  const Files files = files_of(logs, out.string());
  publish(files, folder);
  console.print(std::to_string(logs.logs.size()) +
                (logs.logs.size() == 1 ? " log of " : " logs of ") +
                number(config.simulation.duration) + " s in " + out.string() +
                "\nnext: bayesid identify " + (out / "config.yaml").string() + "\n");
  console.document(document_of(logs, out.string(), files));
  return exit_done;
}

}  // namespace bayesid::app
