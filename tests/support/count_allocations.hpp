// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace bayesid::test {

/// Calls of malloc in this process since the first question, those of BLAS apart; always 0 under
/// the address sanitizer, which owns malloc.
long num_allocations();
/// Counting is slow: no more of it until the next question.
void stop_counting();

}  // namespace bayesid::test
