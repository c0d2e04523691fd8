// SPDX-License-Identifier: BSD-3-Clause
// Question: do error bars have their coverage over simulated logs of a two-joint arm?
#include <cstdlib>
#include <iostream>

#include "support/calibration.hpp"

/// Prints one row for each seed from argv[1] to argv[2]; argv[3] is the parametrisation of inertia.
int main(int argc, char** argv) {
  if (argc != 4) return 2;
  for (int seed = std::atoi(argv[1]); seed <= std::atoi(argv[2]); ++seed) {
    const bayesid::test::Calibration one =
        bayesid::test::calibrate(static_cast<unsigned>(seed), 1, argv[3]);
    std::cout << seed << ',' << one.num_converged << ',' << one.dimension << ','
              << one.normalised_error << ',' << one.num_intervals << ',' << one.num_covered
              << std::endl;
  }
  return 0;
}
