// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/config.hpp"

namespace bayesid::blocks {

/// "file:line: key"; the line is that of the key or of the nearest key around it.
std::string key_location(const Config& config, const std::string& key);

/// `, did you mean "elbow"?`, or the list of candidates when none is near.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

/// The names of things that have one.
template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> out;
  out.reserve(things.size());
  for (const auto& thing : things) out.push_back(thing.name);
  return out;
}

/// Throws: `key` names something that is not among the candidates.
[[noreturn]] void throw_unknown(const Config& config, const std::string& key,
                                const std::string& name,
                                const std::vector<std::string>& candidates);

/// Indices of the chosen candidates, in the order they are named; throws for unknown and repeated
/// names.
std::vector<int> choose(const Config& config, const std::string& key, const Selection& selection,
                        const std::vector<std::string>& candidates);

/// A number for each chosen candidate. A list counts the joints, which come first among the
/// candidates.
struct Numbers {
  const PerJoint& given;
  double otherwise;
  const std::vector<std::string>& candidates;
  const std::vector<int>& chosen;
  int num_joints;
};
std::vector<double> read_numbers(const Config& config, const std::string& key,
                                 const Numbers& numbers);

/// The value, or InputError when it is not a positive finite number.
double positive(const Config& config, const std::string& key, double value);

/// Shortest text that shows a number well.
std::string number_text(double value);

}  // namespace bayesid::blocks
