// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/log.hpp"

namespace bayesid {

/// The same with the times of the values: where they are irregular, the differences that show the
/// noise are divided ones.
ChannelFacts describe_channel(const std::vector<double>& values, const std::vector<double>& time);

}  // namespace bayesid
