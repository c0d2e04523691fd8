// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/identifiability_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace bayesid {

namespace {

constexpr size_t most_terms = 7;

std::string four_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

/// "0.25 first_moment.link1.x"; a factor of 1 is omitted.
std::string term_text(const ParameterTerm& term) {
  const std::string factor = four_digits(std::abs(term.coefficient));
  return factor == "1" ? term.name : factor + " " + term.name;
}

/// Signed terms from the i-th on; long sums are truncated.
std::string sum_text(const std::vector<ParameterTerm>& terms, size_t first) {
  std::string out;
  for (size_t i = first; i < std::min(terms.size(), most_terms); ++i) {
    const bool minus = terms[i].coefficient < 0;
    const char* between = minus ? " - " : " + ";
    out += i > first ? between : minus ? "-" : "";
    out += term_text(terms[i]);
  }
  if (terms.size() > most_terms)
    out += " … (" + std::to_string(terms.size() - most_terms) + " more)";
  return out;
}

}  // namespace

std::string base_parameter_text(const std::vector<ParameterTerm>& terms) {
  return sum_text(terms, 0);
}

std::string undetermined_text(const UndeterminedDirection& direction) {
  std::string out = direction.terms[0].name;
  if (direction.terms.size() > 1) {
    // The change of the others that compensates the first one has the opposite sign.
    std::vector<ParameterTerm> others = direction.terms;
    for (ParameterTerm& term : others) term.coefficient = -term.coefficient;
    out += ": same effect as " + sum_text(others, 1) +
           (direction.is_structural ? " in any motion" : " in these logs");
    return out + "; only the sum is identifiable";
  }
  return direction.is_structural ? out + ": not identifiable by any motion" : out;
}

}  // namespace bayesid
