// SPDX-License-Identifier: BSD-3-Clause
#include "sensors/vector_numbers.hpp"

#include <numeric>

namespace bayesid {

namespace {

void add(NoiseNumber number, int first, int count, std::optional<double>& std,
         std::vector<NoiseNumber>& out) {
  if (!std) return;
  number.std = &*std;
  number.numbers.resize(count);
  std::iota(number.numbers.begin(), number.numbers.end(), first);
  out.push_back(std::move(number));
}

}  // namespace

void add_vector_number(const std::string& group, const std::string& what,
                       const std::vector<std::string>& channels, int first,
                       std::optional<double>& std, std::vector<NoiseNumber>& out) {
  add({.sensor = group, .key = group + "." + what, .of = "", .channels = channels, .numbers = {}},
      first, 3, std, out);
}

void add_rotation_number(const std::string& group, int first, std::optional<double>& std,
                         std::vector<NoiseNumber>& out) {
  constexpr double half = 0.5;  // the numbers of a quaternion change by half of the angle
  add({.sensor = group,
       .key = group + ".orientation",
       .of = "",
       .channels = {"rx", "ry", "rz"},
       .numbers = {},
       .share = half},
      first, 4, std, out);
}

}  // namespace bayesid
