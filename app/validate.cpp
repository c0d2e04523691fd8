// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/validate.hpp"

#include <optional>

#include "bayesid/error.hpp"
#include "console.hpp"
#include "table.hpp"
#include "verbs.hpp"
#include "verdict_text.hpp"

namespace bayesid::app {

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
  Console console(arguments);
  const Config config = read_config(arguments.positional);
  const IdentifiedParameters identified = read_identified(arguments.values.at("--model"));
  std::vector<std::string> inputs = input_files(config);
  inputs.push_back(identified.source);
  const std::string out = arguments.value("--out", "");
  std::optional<OutputFolder> folder;
  if (!out.empty()) folder.emplace(out, inputs);
  const Validation found = bayesid::validate(config, identified, run_options(arguments, console));
  console.print("effort prediction on held-out logs, root mean square error:\n" +
                effort_table(found.joints, found.efforts.nominal, found.efforts.identified) + "\n" +
                verdict_text(found.verdict, found.loaded.all_warnings()));
  if (!folder) {
    console.document(document_of(found));
    return exit_done;
  }
  const Files files = files_of(found, out);
  publish(files, *folder);
  console.document(bytes_of(files, "validation.json"));
  return exit_done;
}

}  // namespace bayesid::app
