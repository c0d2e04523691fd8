# SPDX-License-Identifier: BSD-3-Clause
"""A walking quadruped and a leg with three loops: short variants of studies/gaits.py.

    BAYESID_PROGRAM=build/bin/bayesid .venv/bin/python -m unittest tests/python/test_gaits.py
"""
import pathlib
import sys
import tempfile
import unittest

sys.path += [str(pathlib.Path(__file__).resolve().parents[2] / "studies"), str(pathlib.Path(__file__).parent)]
from test_four_bar import HAS_YAML, NO_PROGRAM, PROGRAM  # noqa: E402


@unittest.skipUnless(HAS_YAML, "PyYAML is not installed")
@unittest.skipUnless(PROGRAM, NO_PROGRAM)
class Gaits(unittest.TestCase):
    def check(self, robot, duration, rate):
        import gaits
        config = getattr(gaits, robot)(duration, rate)
        with tempfile.TemporaryDirectory() as folder:
            found = gaits.measure(PROGRAM, folder, config, getattr(gaits, f"{robot}_held_out")(config))
        print(f"{robot}: {found}", flush=True)
        self.assertEqual(found["status"], "converged")
        self.assertLess(found["violation"]["constraint"], 1e-8)  # m/s²
        self.assertLess(found["violation"]["position"], 1e-5)  # m
        self.assertGreater(found["prior_share"], 0.04)  # there was something to find
        self.assertLess(found["held_out_share"], 0.02)

    def test_quadruped_predicts_a_held_out_gait(self):
        self.check("quadruped", duration=2.4, rate=500)

    def test_leg_with_three_loops_predicts_a_held_out_motion(self):
        self.check("three_loops", duration=3, rate=1000)


if __name__ == "__main__":
    unittest.main()
