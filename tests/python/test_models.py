# SPDX-License-Identifier: BSD-3-Clause
"""The mechanisms of data/models: closed, physical, away from singular positions, and simulated by MuJoCo as modelled.

    .venv/bin/python -m unittest discover tests/python
"""
import importlib.util
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import pinocchio

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "data" / "models"
TOOL = ROOT / "tools" / "mujoco_log.py"
LEGS = ["four_bar_leg", "three_loop_leg"]
HAS_YAML = importlib.util.find_spec("yaml") is not None
HAS_MUJOCO = HAS_YAML and importlib.util.find_spec("mujoco") is not None


class Leg:
    """Tree of the URDF and loops of the configuration."""

    def __init__(self, name):
        import yaml
        self.file = MODELS / f"{name}.yaml"
        self.config = yaml.safe_load(self.file.read_text())
        self.model = pinocchio.buildModelFromUrdf(str(MODELS / self.config["model"]["urdf"]))
        self.data = self.model.createData()
        self.joints = list(self.model.names)[1:]
        self.motors = [self.joints.index(joint) for joint in self.config["model"]["actuation"]["joints"]]
        self.passive = [j for j in range(self.model.nv) if j not in self.motors]
        self.loops = self.config["model"]["loops"]

    def frame(self, body):
        return self.model.getFrameId(body["link"], pinocchio.FrameType.BODY)  # a joint may have the same name

    def loop_rows(self, q):
        """Gap in world axes (all three rows), residual and Jacobian of the kept rows in the axes of body 1."""
        pinocchio.computeJointJacobians(self.model, self.data, q)
        pinocchio.updateFramePlacements(self.model, self.data)
        gaps, residual, jacobian = [], [], []
        for loop in self.loops:
            position, J = [], []
            for body in (loop["body1"], loop["body2"]):
                frame = self.frame(body)
                place = self.data.oMf[frame]
                arm = place.rotation @ np.array(body["xyz"], dtype=float)
                full = pinocchio.getFrameJacobian(self.model, self.data, frame,
                                                  pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED)
                position.append(place.translation + arm)
                J.append(full[:3] - pinocchio.skew(arm) @ full[3:])
            R = self.data.oMf[self.frame(loop["body1"])].rotation
            keep = ["xyz".index(row) for row in loop["keep"]]
            gaps.append(position[0] - position[1])
            residual.append((R.T @ gaps[-1])[keep])
            jacobian.append((R.T @ (J[0] - J[1]))[keep])
        return np.array(gaps), np.concatenate(residual), np.vstack(jacobian)

    def close(self, q):
        """Newton on the passive joints."""
        for _ in range(20):
            _, residual, J = self.loop_rows(q)
            if abs(residual).max() < 1e-13:
                return q
            q = q.copy()
            q[self.passive] -= np.linalg.solve(J[:, self.passive], residual)
        raise AssertionError(f"the loops do not close at {q}")

    def path(self, goal, steps=100):
        """Closed configurations while the motors go straight from 0 to the goal."""
        q = np.zeros(self.model.nq)
        for s in np.linspace(0, 1, steps + 1):
            q = q.copy()
            q[self.motors] = s * goal
            q = self.close(q)
            yield q

    def friction(self, joint):
        """Coulomb, slope and viscous, the truth of a simulation."""
        parameters = self.config["parameters"]
        out = dict(parameters["friction"]["prior"])
        for i, key in ((3, "coulomb"), (4, "coulomb_slope"), (5, "viscous")):
            given = parameters["set"].get(f"friction.{joint}.mu{i}")
            if given:
                out[key] = np.exp(given["prior"])
        return out["coulomb"], out["coulomb_slope"], out["viscous"]


class Inertias(unittest.TestCase):
    def test_inertias_are_physically_consistent(self):
        for name in [*LEGS, "four_bar_reduced"]:
            model = pinocchio.buildModelFromUrdf(str(MODELS / f"{name}.urdf"))
            for joint, inertia in list(zip(model.names, model.inertias))[1:]:
                with self.subTest(model=name, joint=joint):
                    principal = np.linalg.eigvalsh(inertia.inertia)
                    self.assertGreater(inertia.mass, 0.1)
                    self.assertGreater(principal[0], 1e-6)
                    self.assertGreater(principal[0] + principal[1] - principal[2], 0.01 * principal[0])


@unittest.skipUnless(HAS_YAML, "PyYAML is not installed: no loops without the configurations")
class Loops(unittest.TestCase):
    def test_loops_are_closed_at_zero(self):
        for name in LEGS:
            with self.subTest(model=name):
                gaps, _, _ = Leg(name).loop_rows(np.zeros(Leg(name).model.nq))
                self.assertLess(abs(gaps).max(), 1e-12)  # the row across the plane too

    def test_loop_jacobian_agrees_with_differences(self):
        for name in LEGS:
            leg = Leg(name)
            q, step = list(leg.path(0.3 * np.ones(len(leg.motors)), 10))[-1], 1e-6
            numeric = np.column_stack([(leg.loop_rows(q + e)[1] - leg.loop_rows(q - e)[1]) / (2 * step)
                                       for e in step * np.eye(leg.model.nv)])
            self.assertLess(abs(numeric - leg.loop_rows(q)[2]).max(), 1e-8)

    def test_loops_have_full_rank_over_the_range(self):
        for name in LEGS:
            leg = Leg(name)
            lower = leg.model.lowerPositionLimit[leg.motors]
            upper = leg.model.upperPositionLimit[leg.motors]
            # To every corner and every face of the box of the motors.
            goals = [np.where(corner, upper, lower) for corner in itertools.product((0, 1), repeat=len(leg.motors))]
            goals += [limit * axis for limit in (lower, upper) for axis in np.eye(len(leg.motors))]
            smallest, smallest_passive = np.inf, np.inf
            reached = [np.zeros(leg.model.nq)]
            for q in itertools.chain.from_iterable(leg.path(goal) for goal in goals):
                _, _, J = leg.loop_rows(q)
                smallest = min(smallest, np.linalg.svd(J, compute_uv=False)[-1])
                # Singular here: the motors no longer determine the passive joints.
                smallest_passive = min(smallest_passive, np.linalg.svd(J[:, leg.passive], compute_uv=False)[-1])
                reached.append(q)
            print(f"{name}: smallest singular value {smallest:.4f} m, of the passive joints {smallest_passive:.4f} m")
            self.assertGreater(smallest, 0.02)
            self.assertGreater(smallest_passive, 0.02)
            self.assertTrue((np.min(reached, axis=0) >= leg.model.lowerPositionLimit).all())
            self.assertTrue((np.max(reached, axis=0) <= leg.model.upperPositionLimit).all())

    def test_reduced_leg_has_the_inertia_and_weight_of_the_leg_at_zero(self):
        leg = Leg("four_bar_leg")
        q = np.zeros(leg.model.nq)
        _, _, J = leg.loop_rows(q)
        N = motion_of_motors(leg, J)
        M = pinocchio.crba(leg.model, leg.data, q)
        g = pinocchio.computeGeneralizedGravity(leg.model, leg.data, q)
        reduced = pinocchio.buildModelFromUrdf(str(MODELS / "four_bar_reduced.urdf"))
        data = reduced.createData()
        # Point masses leave out 5 % of inertia at most: what the coupler's own rotation adds or takes.
        self.assertAlmostEqual(pinocchio.crba(reduced, data, np.zeros(1))[0, 0] / (N.T @ M @ N)[0, 0], 1, delta=0.05)
        self.assertAlmostEqual(pinocchio.computeGeneralizedGravity(reduced, data, np.zeros(1))[0] / (N.T @ g)[0], 1,
                               delta=0.05)


def motion_of_motors(leg, J):
    """N with v = N v_motors on the loops."""
    N = np.zeros((leg.model.nv, len(leg.motors)))
    N[leg.motors] = np.eye(len(leg.motors))
    N[leg.passive] = -np.linalg.solve(J[:, leg.passive], J[:, leg.motors])
    return N


@unittest.skipUnless(HAS_MUJOCO, "mujoco or PyYAML is not installed")
class MujocoLog(unittest.TestCase):
    def make_log(self, leg, *options):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "log.csv"
            done = subprocess.run([sys.executable, TOOL, leg.file, "--out", out, "--duration", "0.5", *options],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            names = out.read_text().split("\n", 1)[0].split(",")
            return dict(zip(names, np.loadtxt(out, delimiter=",", skiprows=1).T)), done.stdout

    def columns(self, leg, log, kind, joints):
        return np.column_stack([log[f"{kind}.{leg.joints[j]}"] for j in joints])

    def test_loops_stay_closed(self):
        for name in LEGS:
            leg = Leg(name)
            log, text = self.make_log(leg)
            printed = float(re.search(r"largest loop violation: (\S+) m", text)[1])
            q = self.columns(leg, log, "q", range(leg.model.nv))
            largest = max(abs(leg.loop_rows(row)[0]).max() for row in q)
            print(f"{name}: largest loop violation {printed:.1e} m, {largest:.1e} m in the log")
            self.assertEqual(len(q), 501)
            self.assertLess(max(printed, largest), 1e-5)
            self.assertGreater(np.ptp(q[:, leg.motors], axis=0).min(), 0.05)  # it moves

    def test_log_obeys_the_dynamics_of_the_urdf(self):
        """τ of the motors = Nᵀ (RNEA + friction) at the middle of each sample, with tau constant over it."""
        for name in LEGS:
            leg = Leg(name)
            log, _ = self.make_log(leg)
            q, v = (self.columns(leg, log, kind, range(leg.model.nv)) for kind in ("q", "v"))
            tau = self.columns(leg, log, "tau", leg.motors)
            dt = log["time"][1] - log["time"][0]
            coulomb, slope, viscous = np.array([leg.friction(joint) for joint in leg.joints]).T
            error = []
            for k in range(len(q) - 1):
                q_middle, v_middle, a = 0.5 * (q[k] + q[k + 1]), 0.5 * (v[k] + v[k + 1]), (v[k + 1] - v[k]) / dt
                total = pinocchio.rnea(leg.model, leg.data, q_middle, v_middle, a)
                total = total + coulomb * np.tanh(slope * v_middle) + viscous * v_middle
                _, _, J = leg.loop_rows(q_middle)
                error.append(motion_of_motors(leg, J).T @ total - tau[k])
            error = np.sqrt(np.mean(np.square(error), axis=0))
            scale = np.sqrt(np.mean(np.square(tau), axis=0))
            print(f"{name}: error of the effort {', '.join(f'{x:.1e}' for x in error / scale)} of its size")
            # Midpoint against 0.1 ms steps: second order in 1 ms, first order in 0.1 ms.
            self.assertLess((error / scale).max(), 5e-3)

    def test_seed_and_noise(self):
        leg = Leg("four_bar_leg")
        first, again, other = (self.make_log(leg, "--seed", seed)[0] for seed in ("1", "1", "2"))
        self.assertTrue(all((first[key] == again[key]).all() for key in first))
        self.assertFalse((first["q.crank"] == other["q.crank"]).all())
        noisy, _ = self.make_log(leg, "--position-std", "1e-3", "--velocity-std", "1e-2", "--effort-std", "0.1")
        for key, std in (("q.knee", 1e-3), ("v.knee", 1e-2), ("tau.crank", 0.1)):
            self.assertAlmostEqual(np.std(noisy[key] - first[key]) / std, 1, delta=0.2)  # 6 σ of 501 samples


if __name__ == "__main__":
    unittest.main()
