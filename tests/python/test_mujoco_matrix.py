# SPDX-License-Identifier: BSD-3-Clause
"""Robots and logs of MuJoCo: the generator against inverse dynamics, and the short form of docs/studies/mujoco_matrix.md.

    BAYESID_PROGRAM=build/bin/bayesid .venv/bin/python -m unittest tests/python/test_mujoco_matrix.py
"""
import pathlib
import sys
import tempfile
import unittest

import numpy as np
import pinocchio

sys.path += [str(pathlib.Path(__file__).resolve().parents[2] / "studies"), str(pathlib.Path(__file__).parent)]
from test_four_bar import HAS_MUJOCO, NO_PROGRAM, PROGRAM  # noqa: E402

if HAS_MUJOCO:
    import mujoco_arms as arms
    import mujoco_matrix as matrix
    import mujoco_truth as truth


class TemporaryCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)


@unittest.skipUnless(HAS_MUJOCO, "mujoco or PyYAML is not installed")
class Generator(TemporaryCase):
    def errors_of_truth(self, robot, run):
        """Inverse dynamics of the truth minus the efforts, where no joint sticks."""
        arms.write_truth(self.folder / "truth.urdf", robot)
        q, v, a, tau = truth.true_motion(run)
        moves = truth.sliding(robot, v, matrix.SLOWEST).all(axis=1)
        self.assertGreater(moves.sum(), 100)
        return (truth.efforts(robot, self.folder / "truth.urdf", arms.true_values(robot), q, v, a) - tau)[moves]

    def test_efforts_are_those_of_the_true_parameters(self):
        for make in arms.ROBOTS.values():
            robot = make()
            with self.subTest(robot=robot.name):
                run = arms.simulate(robot, 1, duration=2)
                error, size = self.errors_of_truth(robot, run), arms.root_mean_square(run["tau"])
                # Differences over 0.8 ms for the accelerations, and the softness of MuJoCo's friction.
                self.assertLess((abs(error).max(axis=0) / size).max(), 1e-4)

    def test_the_loop_is_closed(self):
        robot = arms.four_bar()
        run = arms.simulate(robot, 1, duration=2)
        arms.write_truth(self.folder / "truth.urdf", robot)
        model = pinocchio.buildModelFromUrdf(str(self.folder / "truth.urdf"))
        data, loop = model.createData(), robot.loops[0]
        for q in run["q"][::500]:
            pinocchio.framesForwardKinematics(model, data, q)
            ends = [data.oMf[model.getFrameId(loop[end]["link"], pinocchio.FrameType.BODY)].act(np.array(loop[end]["xyz"], dtype=float))
                    for end in ("body1", "body2")]
            self.assertLess(np.linalg.norm(ends[0] - ends[1]), 1e-8)

    def test_motions_stay_within_the_ranges(self):
        for make in arms.ROBOTS.values():
            robot = make()
            run = arms.simulate(robot, 1, duration=10)
            for j, body in enumerate(robot.bodies):
                self.assertGreater(run["q"][:, j].min(), body.lower, body.joint)
                self.assertLess(run["q"][:, j].max(), body.upper, body.joint)
                self.assertGreater(np.ptp(run["q"][:, j]), 0.3, body.joint)

    def test_errors_of_the_model_are_seen_in_the_efforts(self):
        robot = arms.two_joint()
        clean = arms.root_mean_square(self.errors_of_truth(robot, arms.simulate(robot, 1, duration=3)))
        for name in ("ripple", "elastic", "drift"):
            with self.subTest(error=name):
                found = arms.root_mean_square(self.errors_of_truth(robot, arms.simulate(robot, 1, arms.ERRORS[name], duration=3)))
                self.assertGreater(min(found / clean), 50)

    def test_logs_have_the_noise_and_the_faults_of_their_condition(self):
        robot = arms.two_joint()
        run = arms.simulate(robot, 1, duration=4)
        size = arms.root_mean_square(run["tau"])

        def log(name):
            return arms.record(run, np.random.default_rng(1), **arms.CONDITIONS[name])

        reference = log("noise_1")
        at = np.rint(reference["time"] / arms.STEP).astype(int)
        for name, std in (("q", 1e-4), ("v", 1e-2), ("tau", 0.01 * size)):
            np.testing.assert_allclose((reference[name] - run[name][at]).std(axis=0), std, rtol=0.1)
        self.assertEqual(len(log("rate_100")["time"]), len(reference["time"]) // 5)
        self.assertNotIn("v", log("no_velocity"))
        steps = np.diff(log("jitter_stamped")["time"])
        self.assertGreater(steps.min(), 0)
        self.assertAlmostEqual(steps.std() / 2e-3, 0.1 * 2**0.5, delta=0.02)
        np.testing.assert_allclose(np.diff(log("jitter_hidden")["time"]), 2e-3)
        np.testing.assert_allclose(abs(log("effort_offset")["tau"] - reference["tau"]).mean(axis=0), 0.05 * size, rtol=1e-6)
        late = log("effort_delay")["tau"] - reference["tau"]
        np.testing.assert_allclose(late[100:], run["tau"][at[100:] - 50] - run["tau"][at[100:]], atol=1e-12)
        quanta = log("quantised")["q"] * 2**12 / (2 * np.pi)
        np.testing.assert_allclose(quanta, np.rint(quanta), atol=1e-6)
        filtered = log("filtered")
        np.testing.assert_allclose(filtered["time"], reference["time"])
        self.assertGreater(abs(filtered["q"] - reference["q"]).max(), 0.01)  # late by 11 ms

    def test_priors_are_wrong_and_possible(self):
        robot = arms.six_joint()
        masses = []
        for seed in range(1, 30):
            random = arms.generator(robot, seed, 1)
            for body in robot.bodies:
                wrong = arms.wrong_inertia(body.inertia, random)
                masses.append(np.log(wrong.mass / body.inertia.mass))
                self.assertGreater(min(arms.second_moments(wrong)[0]), -1e-12)
        self.assertAlmostEqual(np.std(masses), arms.PRIOR_STD, delta=0.06)


@unittest.skipUnless(HAS_MUJOCO, "mujoco or PyYAML is not installed")
@unittest.skipUnless(PROGRAM, NO_PROGRAM)
class Matrix(TemporaryCase):
    def test_cases_are_run_judged_and_remembered(self):
        wanted = matrix.cases(("conditions",), ("two_joint", "coupled"), ("noise_1", "no_velocity"), 1)
        for key, options in wanted.items():
            options["duration"] = 4
            row = matrix.make(PROGRAM, self.folder, key, options, keep=False, limit=60)
            print(matrix.line(*key[1:], *matrix.cells(row)), flush=True)
            self.assertIn(row["status"], ("converged", "stalled", "iteration_limit"))
            self.assertGreater(len(row["values"]), 5)
            self.assertLess(matrix.largest(row, "error"), 0.3)
            self.assertLess(matrix.largest(row, "ratio"), 10)
            self.assertIn(matrix.judgement(row), ("good", "told", "silent"))
            self.assertEqual(matrix.make("none", self.folder, key, options, keep=False, limit=60), row)

    def test_wrong_noise_is_stated(self):
        wanted = matrix.cases(("wrong_noise",), ("two_joint",), (), 1)
        self.assertEqual(len(wanted), 6)
        key = ("wrong_noise", "two_joint", "effort_x10")
        row = matrix.make(PROGRAM, self.folder, key, wanted[key] | {"duration": 4}, keep=True, limit=60)
        self.assertIn("measurements", (self.folder / "wrong_noise-two_joint-effort_x10" / "arm.yaml").read_text())
        self.assertIn("values", row)

    def test_the_page_has_all_its_tables(self):
        lines = matrix.page_lines({})
        self.assertEqual(sum("(not measured)" in text for text in lines), 3)


if __name__ == "__main__":
    unittest.main()
