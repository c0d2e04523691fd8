// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace bayesid::app {

/// From now on the first SIGINT or SIGTERM is remembered, and the second ends the program.
void catch_interrupts();

/// The signal that came; 0: none.
int interrupt();

}  // namespace bayesid::app
