// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bayesid/posterior.hpp"
#include "bayesid/run.hpp"

namespace bayesid {

struct Excitation;
struct Result;

/// The first page of a result: did it converge, how well does it predict, what could the data not
/// determine, diagnostics; errors first.
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

/// Errors first; equal severities keep their order.
void sort_by_severity(std::vector<Verdict>& verdict);

}  // namespace bayesid
