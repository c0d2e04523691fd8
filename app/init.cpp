// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/init.hpp"

#include "console.hpp"
#include "verbs.hpp"

namespace bayesid::app {
namespace {

std::string count(std::size_t number, const std::string& one) {
  return std::to_string(number) + ' ' + one + (number == 1 ? "" : "s");
}

/// What is likely and not certain.
std::string guesses_text(const ConfigDraft& draft) {
  std::string similar;
  bool has_order = false;
  for (const DraftMatch& match : draft.matches) {
    has_order = has_order || match.by == "order";
    if (match.by == "similar")
      similar += (similar.empty() ? "" : ", ") + match.column + " as " + match.channel;
  }
  std::string out;
  if (has_order)
    out += "numbered columns are taken in the order of the joints of the model: check it\n";
  if (!similar.empty()) out += "by similar names: " + similar + ": check them\n";
  return out;
}

std::string summary_text(const ConfigDraft& draft, std::size_t num_logs) {
  std::size_t columns = 0;
  for (const DraftMatch& match : draft.matches) columns += match.channel == "time" ? 0 : 1;
  std::string out = draft.file + ": " + count(draft.joints.size(), "joint") + ", " +
                    count(num_logs, "log") + ", " + count(columns, "column") + " matched, " +
                    count(draft.questions.size(), "open question") + '\n';
  out += guesses_text(draft);
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
