# SPDX-License-Identifier: BSD-3-Clause
"""Experiments of the paper, in their quick variants, by the program.

    BAYESID_PROGRAM=build/bin/bayesid .venv/bin/python -m unittest tests/python/test_reproduce.py
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("BAYESID_PROGRAM", str(ROOT / "build" / "bin" / "bayesid"))


class Reproduce(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_program(self, *words):
        return subprocess.run([PROGRAM, "reproduce", *words], cwd=self.folder, capture_output=True, text=True)

    def quick(self, name, *words):
        """The document of the quick variant; the folder holds all it promises."""
        done = self.run_program(name, "--quick", "--out", "out", "--json", *words)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        files = {file.name for file in (self.folder / "out").iterdir()}
        self.assertLessEqual({f"{name}.md", f"{name}.csv", f"{name}.json"}, files)
        for file in (self.folder / "out").glob("*.svg"):
            self.assertIn("polyline", {one.tag.split("}")[1] for one in tree.parse(file).getroot().iter()})
        print((self.folder / "out" / f"{name}.md").read_text(), flush=True)
        return json.loads(done.stdout)

    def test_inverse_and_forward_dynamics_end_in_the_same_optimum(self):
        found = self.quick("inverse-vs-forward")
        for robot in ("double pendulum", "quadrotor"):
            for start in found[robot]["starts"]:
                self.assertEqual({one["status"] for one in start.values()}, {"converged"})
                self.assertAlmostEqual(start["inverse"]["cost"], start["forward"]["cost"], delta=1e-3)
            costs = [one["cost"] for one in found[robot]["by_iteration"]["inverse"]]
            self.assertLess(costs[-1], 1e-2 * costs[0])

    def test_a_quadruped_with_known_mass_and_mirrored_legs(self):
        start = self.quick("parameter-constraints")["quadruped"][0]
        free, known = start["nothing"], start["symmetry, total mass"]
        self.assertEqual([free["status"], known["status"]], ["converged"] * 2)
        self.assertLess(known["mass"], free["mass"])
        self.assertLess(known["violation"], 1e-9)

    def test_energy_settles_sooner_than_published(self):
        for start in self.quick("energy")["pendulum"]:
            self.assertLess(start["with"]["iterations"], 31.2)
            self.assertLessEqual(start["with"]["settled"], start["with"]["iterations"])

    def test_regressors_suffer_more_from_noise(self):
        found = self.quick("noise")
        for sigma, published in (("0", (3.5, 6.5, 2.0)), ("0.005", (9.5, 8.0, 2.3))):
            row = found[sigma][0]
            for method, percent in zip(("id_ee", "energy", "map"), published):
                self.assertLess(100 * row[method]["base"], percent)
            self.assertLess(1.5 * row["map"]["base"], min(row["id_ee"]["base"], row["energy"]["base"]))

    def test_a_four_bar_needs_its_loop(self):
        start = self.quick("four-bar")["starts"][0]
        self.assertGreater(start["nominal"], start["reduced"])
        self.assertGreater(start["reduced"], start["closed"])
        self.assertLess(start["closed"], 0.03 * start["range"])
        knee = [one["knee"] for one in start["ratios"]]
        self.assertAlmostEqual(min(map(abs, knee)), 1.02, delta=0.05)  # as four_bar_reduced.urdf says
        self.assertAlmostEqual(max(map(abs, knee)), 1.63, delta=0.15)

    def test_three_loops_predict_a_faster_motion(self):
        found = self.quick("three-loops")
        for motor, share in found["identified"].items():
            self.assertLess(share, 0.02)
            self.assertGreater(found["nominal"][motor], 0.1)

    def test_a_standing_arm_draws_a_better_circle(self):
        found = self.quick("standing-arm")
        tracking = {name: one["rms"] for name, one in found["tracking"].items()}
        self.assertLess(tracking["identified"], 0.2 * tracking["nominal"])
        self.assertLess(tracking["identified"], 2 * tracking["truth"])
        self.assertLess(found["shares"]["identified"]["arm"], found["shares"]["nominal"]["arm"])

    def test_the_same_command_gives_the_same_table_and_makes_no_row_twice(self):
        tables, lines = [], []
        for out in ("one", "two"):
            done = self.run_program("three-loops", "--quick", "--out", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            tables.append((self.folder / out / "three-loops.csv").read_text())
        self.assertEqual(*tables)
        for _ in range(2):
            start = time.monotonic()
            lines.append(self.run_program("three-loops", "--quick", "--out", "one").stderr)
            self.assertLess(time.monotonic() - start, 60)
        self.assertNotIn("seed 1", lines[1])  # nothing was made

    def test_an_interrupted_experiment_goes_on(self):
        running = subprocess.Popen([PROGRAM, "reproduce", "energy", "--quick", "--out", "out"], cwd=self.folder, stderr=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, text=True)
        self.assertIn("start 1", running.stderr.readline())
        running.send_signal(signal.SIGINT)
        rest = running.communicate()[1]
        self.assertIn(running.returncode, (0, 130))  # it may have been done before the signal
        done = self.run_program("energy", "--quick", "--out", "out")
        self.assertEqual(done.returncode, 0, rest + done.stderr)
        self.assertNotIn("start 1", done.stderr)

    def test_bad_words(self):
        for words, part in ((["energi"], "did you mean energy"), (["energi"], "standing-arm"), ([], "four-bar"),
                            (["energy", "--starts", "0"], "--starts is 0")):
            done = self.run_program(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(part, done.stderr)
        (self.folder / "mine").mkdir()
        (self.folder / "mine" / "thesis.tex").write_text("precious")
        done = self.run_program("energy", "--quick", "--out", "mine")
        self.assertEqual(done.returncode, 2)
        self.assertIsNone(re.search("Traceback", done.stderr))
        self.assertEqual((self.folder / "mine" / "thesis.tex").read_text(), "precious")


if __name__ == "__main__":
    unittest.main()
