// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bayesid/posterior/prediction.hpp"

namespace bayesid {

struct Excitation;
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

/// One method of a comparison.
struct MethodVerdict {
  std::string name;
  bool converged = false;
  EffortError effort;  // on held-out logs when there are any
  int impossible_bodies = 0;
};
/// The first page of a comparison: which method predicts best, which did not converge or found
/// bodies that cannot be.
std::vector<Verdict> comparison_verdict(const std::vector<MethodVerdict>& methods,
                                        const std::string& where);

/// The first page of an excitation: was a motion found, what does it not show.
std::vector<Verdict> excitation_verdict(const Excitation& excitation);

/// Red first; what has the same light stays in its order.
void sort_by_light(std::vector<Verdict>& verdict);

}  // namespace bayesid
