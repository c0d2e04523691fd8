// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "config/kind.hpp"

namespace bayesid::config {

/// A page of the guide with its tables made anew. A table stands between
/// `<!-- fields: model.contacts[] -->` and `<!-- end -->`: the fields below that key, but for those
/// that have a table of their own on the page.
std::string with_tables(const std::string& page, const std::vector<Row>& rows);

}  // namespace bayesid::config
