# SPDX-License-Identifier: BSD-3-Clause
"""The balance of energy as an observation of a pendulum: the short form of docs/studies/energy.md."""
import os
import pathlib
import statistics
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "studies"))
import energy  # noqa: E402

PROGRAM = os.environ.get("BAYESID_PROGRAM", str(energy.gaits.ROOT / "build" / "bin" / "bayesid"))


def means(cause, share):
    """Two starts without and with the observation."""
    rows = []
    for seed in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            rows.append(energy.measure(PROGRAM, folder, "pendulum", cause, seed, [share]))
    out = [energy.mean_of(rows, key) for key in ("without", f"{share:g}")]
    print(f"{cause}: friction error {out[0]['friction']:.4f} without, {out[1]['friction']:.4f} with", flush=True)
    return out


class Energy(unittest.TestCase):
    def test_adds_nothing_to_an_estimation_with_the_true_noise(self):
        without, with_energy = means("1 kHz", 10)
        self.assertEqual((without["converged"], with_energy["converged"]), (1, 1))
        self.assertLess(without["friction"], 0.02)
        self.assertLess(abs(with_energy["friction"] / without["friction"] - 1), 0.1)
        self.assertGreater(with_energy["cost"], without["cost"])  # the row is part of it

    def test_replaces_efforts_whose_configured_noise_is_too_large(self):
        without, with_energy = means("1 kHz, effort std 100 times", 1)
        self.assertLess(with_energy["friction"], 0.6 * without["friction"])
        self.assertGreater(with_energy["scaled"], without["scaled"])  # and its std is too small

    def test_row_of_second_order_changes_nothing_with_the_true_noise(self):
        without, with_energy = means("loose, honest", 1)
        self.assertLess(abs(with_energy["friction"] / without["friction"] - 1), 0.15)

    def test_row_of_an_exciting_motion_replaces_efforts_whose_configured_noise_is_far_too_large(self):
        without, with_energy = means("excited, effort std 1000 times", 1)
        self.assertLess(with_energy["friction"], 0.5 * without["friction"])

    def test_logs_of_an_exciting_motion_of_an_arm_converge(self):
        # Starts 8 and 10 once ended at the limit of iterations, with ever larger damping of the parameters while states overshot. Rounding, which
        # is another with each kernel of BLAS, decides whether one of these logs still does (start 8 with the kernel of Zen processors).
        converged = 0
        for seed in (8, 9, 10, 11):
            with tempfile.TemporaryDirectory() as folder:
                row = energy.measure(PROGRAM, folder, "arm", "excited, honest", seed, [])
            print(f"start {seed}: {row['without']['iterations']} iterations", flush=True)
            converged += row["without"]["status"] == "converged"
        self.assertGreaterEqual(converged, 3)

    def test_row_helps_an_estimator_with_far_too_large_configured_disturbances(self):
        without, with_energy = means("loose, disturbance std 1000 times", 1)
        self.assertLess(with_energy["friction"], 0.6 * without["friction"])
        self.assertLess(with_energy["scaled"], 2)


if __name__ == "__main__":
    unittest.main()
