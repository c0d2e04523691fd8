// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/init.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "bayesid/error.hpp"
#include "bayesid/robot.hpp"
#include "pipeline/init_compare.hpp"
#include "pipeline/init_log.hpp"
#include "pipeline/init_model.hpp"
#include "pipeline/init_text.hpp"
#include "pipeline/write_whole.hpp"

namespace bayesid {
namespace {

namespace fs = std::filesystem;

void refuse_existing(const std::string& file) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) return;
  throw InputError(file + " exists; choose another name with --out, or move it away");
}

void require_folder(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  throw InputError("cannot write " + file + ": there is no folder " + folder.string());
}

/// Columns that are not used stand in the draft.
bool is_news(const std::string& warning) {
  return warning.find("not a channel and not used: ") == std::string::npos;
}

}  // namespace

ConfigDraft init(const std::string& model, const std::vector<std::string>& logs,
                 const std::string& file) {
  ConfigDraft out{.file = file.empty() ? fs::path(model).stem().string() + ".yaml" : file};
  refuse_existing(out.file);
  require_folder(out.file);
  const Robot robot = read_robot({.urdf = model});
  for (const Joint& joint : robot.joints) out.joints.push_back(joint.name);
  out.warnings = robot.warnings;

  std::vector<pipeline::LogDraft> drafts;
  for (const std::string& log : logs) drafts.push_back(pipeline::draft_log(robot, log));
  const pipeline::ModelDraft of_model = pipeline::draft_model(robot, drafts);
  std::vector<DraftQuestion> others;
  pipeline::compare_with_model(of_model, drafts, others);
  out.text = pipeline::draft_text(robot, of_model, drafts, others, out.file);

  out.questions = of_model.questions;
  for (pipeline::LogDraft& log : drafts) {
    out.matches.insert(out.matches.end(), log.matches.begin(), log.matches.end());
    out.questions.insert(out.questions.end(), log.questions.begin(), log.questions.end());
    std::ranges::copy_if(log.log.warnings, std::back_inserter(out.warnings), is_news);
  }
  out.questions.insert(out.questions.end(), others.begin(), others.end());
  return out;
}

void write_draft(const ConfigDraft& draft) {
  refuse_existing(draft.file);
  pipeline::write_whole(draft.file, draft.text);
}

}  // namespace bayesid
