# SPDX-License-Identifier: BSD-3-Clause
"""A legged robot whose inertial sensor and camera have rates of their own, the camera with an unknown time delay: the short form of docs/studies/clocks.md."""
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "studies"))
import clocks  # noqa: E402

PROGRAM = os.environ.get("BAYESID_PROGRAM", str(clocks.gaits.ROOT / "build" / "bin" / "bayesid"))


class Clocks(unittest.TestCase):
    def test_the_delay_is_found_and_costs_nothing(self):
        # The log of seed 1 has two optima whose costs differ by 2.7 of 24,430: rounding chooses.
        with tempfile.TemporaryDirectory() as folder:
            in_time, delayed, ratio = clocks.compare(PROGRAM, folder, clocks.quadruped(4, 400), 2)
        for one in (in_time, delayed):
            self.assertEqual(one["status"], "converged")
            self.assertLess(one["rms"], 1.5)
        self.assertLess(abs(delayed["delay"] - clocks.DELAY), 3 * delayed["delay_std"])
        self.assertLess(delayed["delay_std"], 1e-3)
        self.assertLess(ratio, 1.05)


if __name__ == "__main__":
    unittest.main()
