// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/init.hpp"

#include <algorithm>

#include "console.hpp"
#include "verbs.hpp"

namespace bayesid::app {
namespace {

std::string count(std::size_t number, const std::string& one) {
  return std::to_string(number) + ' ' + one + (number == 1 ? "" : "s");
}

std::string summary_text(const ConfigDraft& draft, std::size_t num_logs) {
  std::size_t columns = 0;
  for (const DraftMatch& match : draft.matches) columns += match.channel == "time" ? 0 : 1;
  std::string out = draft.file + ": " + count(draft.joints.size(), "joint") + ", " +
                    count(num_logs, "log") + ", " + count(columns, "column") + " matched, " +
                    count(draft.questions.size(), "open question") + '\n';
  const bool is_guess = std::ranges::any_of(draft.matches, [](const DraftMatch& match) {
    return match.by == "order" || match.by == "similar";
  });
  if (is_guess) out += "joints taken in the order of the model, or by similar names: check them\n";
  for (const DraftQuestion& question : draft.questions)
    out += "? " + (question.log.empty() ? "" : question.log + ": ") + question.text + '\n';
  if (num_logs == 0) return out + "next: name the logs in " + draft.file + '\n';
  return out + "next: " +
         (draft.questions.empty() ? "" : "answer the questions in " + draft.file + ", then ") +
         "bayesid check " + draft.file + '\n';
}

}  // namespace

Signature init_signature() {
  return {
      .name = "init",
      .positional = "MODEL [LOG …]",
      .summary = "a commented configuration from a URDF and logs: joints, units and rates found",
      .options = {{"--out", "FILE", "the configuration (default: <model>.yaml)"}},
      .takes_more = true};
}

int init(const Arguments& arguments) {
  Console console(arguments);
  const ConfigDraft draft =
      bayesid::init(arguments.positional, arguments.more, arguments.value("--out", ""));
  write_draft(draft);
  console.warn(draft.warnings);
  console.print(summary_text(draft, arguments.more.size()));
  console.document(document_of(draft));
  return exit_done;
}

}  // namespace bayesid::app
