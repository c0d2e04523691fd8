# SPDX-License-Identifier: BSD-3-Clause
"""An optimal motion of an arm, identified from a simulated log and played in MuJoCo: a short variant of studies/excitation.py.

    BAYESID_PROGRAM=build/bin/bayesid .venv/bin/python -m unittest tests/python/test_excitation.py
"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path += [str(pathlib.Path(__file__).resolve().parents[2] / "studies"), str(pathlib.Path(__file__).parent)]
from test_four_bar import HAS_MUJOCO, NO_PROGRAM, PROGRAM  # noqa: E402


@unittest.skipUnless(HAS_MUJOCO, "MuJoCo or PyYAML are not installed")
@unittest.skipUnless(PROGRAM, NO_PROGRAM)
class Excitation(unittest.TestCase):
    def test_motion_of_an_arm_keeps_limits_in_mujoco_and_its_std_is_as_predicted(self):
        import excitation
        config = excitation.panda()
        config["excitation"] |= {"starts": 1}  # the motion of the study, from one start
        with tempfile.TemporaryDirectory() as folder:
            found = excitation.measure(PROGRAM, folder, config, num_random=3)
        print(f"panda: {found}", flush=True)
        self.assertGreater(found["least_margin"], -1e-5)
        self.assertGreater(found["gain_per_parameter"], 1.2)
        self.assertEqual(found["status"], "converged")
        self.assertGreater(found["std_compared"], 20)
        # Std depend on the estimate too, more so for short logs: 41 of 53 base parameters for 4 s, all 63 of the study's 10 s.
        self.assertGreater(found["std_within"], 0.85 * found["std_compared"])
        for limit in ("position", "velocity", "effort"):
            self.assertGreater(found[f"mujoco_{limit}"], 0, limit)
        self.assertLess(found["mujoco_error"], 0.05)  # rad

    def test_interrupted_search_leaves_nothing_behind(self):
        import excitation
        config = excitation.panda()
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "robot.yaml").write_text(json.dumps(config))
            with subprocess.Popen([PROGRAM, "excite", "robot.yaml", "--out", "motion"], cwd=folder, stderr=subprocess.PIPE,
                                  stdout=subprocess.DEVNULL, text=True) as running:
                for line in running.stderr:
                    if "iteration 2 " in line:
                        running.send_signal(signal.SIGINT)
                        break
                running.stderr.read()
            self.assertEqual(running.returncode, 130)
            self.assertEqual([one.name for one in folder.iterdir()], ["robot.yaml"])

    def test_search_without_a_feasible_motion_reports_it_and_writes_nothing(self):
        import excitation
        config = excitation.panda()
        config["excitation"] |= {"duration": 2, "harmonics": 2, "starts": 1, "rate": 100, "limits": {"effort": 0.2}}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "robot.yaml").write_text(json.dumps(config))
            done = subprocess.run([PROGRAM, "excite", "robot.yaml", "--out", "motion"], cwd=folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("effort of panda_joint", done.stderr)
            self.assertIn("at rest there", done.stderr)
            self.assertEqual([one.name for one in folder.iterdir()], ["robot.yaml"])

    def test_same_seed_gives_the_same_files(self):
        import excitation
        config = excitation.panda()
        config["excitation"] |= {"duration": 2, "harmonics": 2, "starts": 1, "rate": 100, "max_iterations": 10}
        with tempfile.TemporaryDirectory() as folder:
            bench = excitation.Bench(PROGRAM, folder)
            texts = []
            for threads in (1, 2):
                bench.excite(config, 1, threads=threads)
                motion = bench.folder / "motion"
                document = json.loads((motion / "excitation.json").read_text())
                document.pop("provenance")  # time and command of the run
                texts.append([document] + [(motion / name).read_text() for name in ("trajectory.csv", "excitation.svg")])
        self.assertEqual(texts[0], texts[1])


if __name__ == "__main__":
    unittest.main()
