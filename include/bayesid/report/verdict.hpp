// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bayesid/posterior/prediction.hpp"

namespace bayesid {

struct Result;

enum class Light { red, yellow, green };
const char* to_string(Light light);

/// One sentence of the first page.
struct Verdict {
  Light light = Light::green;
  std::string topic;  // convergence, prediction, unseen, doubts
  std::string text;
  std::map<std::string, double> numbers = {};
};

/// The first page of a result: did it converge, how well does it predict, what could the data not
/// see, what looks wrong; red first.
std::vector<Verdict> make_verdict(const Result& result);

/// How much better efforts are predicted; `where`: on which logs.
Verdict prediction_verdict(const std::vector<std::string>& joints, const EffortError& nominal,
                           const EffortError& identified, const std::string& where);

/// The first page of a validation.
std::vector<Verdict> validation_verdict(const std::vector<std::string>& joints,
                                        const EffortError& nominal, const EffortError& identified,
                                        const std::vector<std::string>& warnings);

/// Red first; what has the same light stays in its order.
void sort_by_light(std::vector<Verdict>& verdict);

}  // namespace bayesid
