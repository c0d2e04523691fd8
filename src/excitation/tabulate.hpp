// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "bayesid/simulate.hpp"
#include "excitation/excitation_program.hpp"

namespace bayesid {

/// The motion x at the rate of the configuration, both ends included. Nothing when loops or
/// contacts cannot be held at one of these times: the program looks at fewer.
std::optional<MotionTable> tabulate(ExcitationProgram& program, const Eigen::VectorXd& x,
                                    const Config& config);

}  // namespace bayesid
