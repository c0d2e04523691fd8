// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

namespace bayesid {

/// The Python of the wheels, or the one that BAYESID_PYTHON names.
std::string python();

/// Modules come from our folder, then from the user's, never from the working directory.
std::map<std::string, std::string> python_environment();

}  // namespace bayesid
