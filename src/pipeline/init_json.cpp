// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "bayesid/init.hpp"

namespace bayesid {

using nlohmann::json;

std::string document_of(const ConfigDraft& draft) {
  json matches = json::array(), questions = json::array();
  for (const DraftMatch& match : draft.matches) {
    matches.push_back({{"log", match.log},
                       {"channel", match.channel},
                       {"column", match.column},
                       {"by", match.by},
                       {"scale", match.scale},
                       {"sign", match.sign},
                       {"evidence", match.evidence}});
  }
  for (const DraftQuestion& question : draft.questions) {
    questions.push_back({{"log", question.log.empty() ? json(nullptr) : json(question.log)},
                         {"about", question.about},
                         {"text", question.text},
                         {"candidates", question.candidates},
                         {"lines", question.lines}});
  }
  const json out{{"schema", 1},
                 {"version", BAYESID_VERSION},
                 {"file", draft.file},
                 {"joints", draft.joints},
                 {"matches", matches},
                 {"questions", questions},
                 {"warnings", draft.warnings}};
  return out.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace bayesid
