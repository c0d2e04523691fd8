# SPDX-License-Identifier: BSD-3-Clause
"""A quadrotor from inertial sensor, pose and rotor commands: the short form of docs/studies/quadrotor.md."""
import os
import pathlib
import statistics
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "studies"))
import quadrotor  # noqa: E402

PROGRAM = os.environ.get("BAYESID_PROGRAM", str(quadrotor.gaits.ROOT / "build" / "bin" / "bayesid"))


class Quadrotor(unittest.TestCase):
    def check(self, case, largest):
        """Three short flights: absolute values within 3 std, and ratios consistent with their covariance."""
        rows = []
        for seed in (1, 2, 3):
            with tempfile.TemporaryDirectory() as folder:
                rows.append(quadrotor.measure(PROGRAM, folder, quadrotor.quadrotor(4, 100), seed, case))
        for row in rows:
            self.assertEqual(row["status"], "converged")
            for name, (error, std) in row["absolute"].items():
                self.assertLessEqual(abs(error), 3 * std + 1e-12, f"{case}: {name}")
                self.assertLess(std, largest, f"{case}: {name}")
        mean = statistics.fmean(row["squared"] for row in rows)
        expected = rows[0]["rank"]
        print(f"{case}: squared error {mean:.1f} of {expected}", flush=True)
        self.assertLess(abs(mean - expected), 4 * (2 * expected / len(rows)) ** 0.5)

    def test_a_quadrotor_is_found_from_a_prior_70_percent_wrong(self):
        self.check("two points", 0.35)  # the common factor comes from the prior

    def test_known_thrust_determines_all_the_rest(self):
        self.check("drawn, thrust known", 0.1)


if __name__ == "__main__":
    unittest.main()
