// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

namespace bayesid {

/// The input is wrong: one sentence that names the place (file and line, key, or log time and
/// joint), what was found and what was expected. The program ends with exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bayesid
