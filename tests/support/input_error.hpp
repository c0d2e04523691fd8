// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/error.hpp"

namespace bayesid::test {

/// The message of the InputError that `call` throws; "no error" when it throws none.
template <typename Call>
std::string input_error(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace bayesid::test
