# SPDX-License-Identifier: BSD-3-Clause
"""Legs with loops, by the program: simulated or by MuJoCo, identified from wrong priors, predicted on held-out logs.

    BAYESID_PROGRAM=build/bin/bayesid .venv/bin/python -m unittest tests/python/test_four_bar.py
"""
import csv
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np
import pinocchio

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "data" / "models"
TOOL = ROOT / "tools" / "mujoco_log.py"
HAS_YAML = importlib.util.find_spec("yaml") is not None
HAS_MUJOCO = HAS_YAML and importlib.util.find_spec("mujoco") is not None
PRIOR_ERROR = 0.6  # relative, of every parameter
INERTIA = ["log_mass", "hx", "hy", "hz", "wx", "wy", "wz", "log_lx", "log_ly", "log_lz"]


def find_program():
    named = os.environ.get("BAYESID_PROGRAM")
    places = [pathlib.Path(named)] if named else [ROOT / "build/bin/bayesid", ROOT / "build/dev/bin/bayesid"]
    return next((place.resolve() for place in places if place.is_file()), None)


PROGRAM = find_program()
NO_PROGRAM = "no program: set BAYESID_PROGRAM, or make build"


def read_yaml(file):
    import yaml
    return yaml.safe_load(pathlib.Path(file).read_text())


def write_yaml(file, config):
    import yaml
    pathlib.Path(file).write_text(yaml.safe_dump(config, sort_keys=False))


def read_csv(file):
    names = pathlib.Path(file).read_text().split("\n", 1)[0].split(",")
    return dict(zip(names, np.genfromtxt(file, delimiter=",", skip_header=1).T))


@unittest.skipUnless(HAS_YAML, "PyYAML is not installed")
@unittest.skipUnless(PROGRAM, NO_PROGRAM)
class ProgramCase(unittest.TestCase):
    """A folder and the program in it."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_program(self, *words):
        done = subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{' '.join(map(str, words))}: {done.stderr[-1000:]}")
        return done.stdout

    def simulate(self, name, seed, effort_std, **simulation):
        """Folder `sim` with two logs; its priors are wrong."""
        config = read_yaml(MODELS / f"{name}.yaml")
        config["model"]["urdf"] = str(MODELS / config["model"]["urdf"])
        config["measurements"]["effort"] = effort_std
        config["simulation"] |= {"logs": 2, "prior_error": PRIOR_ERROR, **simulation}
        write_yaml(self.folder / "nominal.yaml", config)
        self.run_program("simulate", "nominal.yaml", "--out", "sim", "--seed", seed)
        written = read_yaml(self.folder / "sim/config.yaml")
        written["model"]["urdf"] = str(self.folder / "sim/robot.urdf")
        written.pop("constraints", None)
        self.truth = json.loads((self.folder / "sim/truth.json").read_text())["parameters"]
        return written

    def identify_and_predict(self, config, name, training, held_out):
        """Result on the one log, prediction of the other."""
        for part, log in (("training", training), ("held_out", held_out)):
            write_yaml(self.folder / f"{name}_{part}.yaml", config | {"logs": [{"file": str(self.folder / log)}]})
        start = time.monotonic()
        self.run_program("identify", f"{name}_training.yaml", "--out", name, "--quiet")
        result = json.loads((self.folder / name / "result.json").read_text())
        print(f"{name}: {result['status']} after {result['iterations']} iterations, "
              f"{time.monotonic() - start:.1f} s", flush=True)
        self.assertEqual(result["status"], "converged")
        return result, json.loads(self.run_program("validate", f"{name}_held_out.yaml", "--model", name, "--json"))

    def deviation(self, result, parameter):
        """Error in posterior standard deviations."""
        estimate = result["parameters"][parameter]
        return (estimate["value"] - self.truth[parameter]) / estimate["std"]


class FourBarCase(ProgramCase):
    """The leg with its loop and the leg reduced to one serial joint, on the same logs."""

    def reduced_log(self, log):
        """The same log with the motor's columns alone."""
        table = read_csv(self.folder / log)
        names = ["time", "q.crank", "v.crank", "tau.crank"]
        out = f"reduced_{pathlib.Path(log).name}"
        with open(self.folder / out, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(names)
            writer.writerows(zip(*(map(repr, map(float, table[name])) for name in names)))
        return out

    def reduced_config(self, config):
        """One link on the motor joint. Its friction starts as wrong as that of the leg, except for its slope: the true
        one is given, which else diverges to compensate for what the model lacks."""
        wanted = {key: config["parameters"]["set"][key] for key in ("friction.crank.mu3", "friction.crank.mu5")}
        wanted["friction.crank.mu4"] = {"prior": self.truth["friction.crank.mu4"], "fixed": True}
        return config | {
            "model": {"urdf": str(MODELS / "four_bar_reduced.urdf"), "gravity": config["model"]["gravity"]},
            "parameters": {"inertia": {"links": "all"},
                           "friction": {"joints": "all", "terms": ["coulomb", "viscous"]}, "set": wanted}}

    def compare(self, config, training, held_out):
        """Result of the leg, error of the crank's effort on the held-out log of both models, its range."""
        result, prediction = self.identify_and_predict(config, "leg", training, held_out)
        crank = prediction["joints"].index("crank")
        closed = prediction["identified"]["rmse"][crank]
        _, serial = self.identify_and_predict(self.reduced_config(config), "reduced", self.reduced_log(training),
                                              self.reduced_log(held_out))
        reduced, span = serial["identified"]["rmse"][0], prediction["range"][crank]
        print(f"effort of the crank on the held-out log, range {span:.2f} N·m: error with the loop {closed:.4f}, "
              f"with wrong priors {prediction['nominal']['rmse'][crank]:.4f}, reduced {reduced:.4f} N·m, "
              f"{reduced / closed:.1f} times worse", flush=True)
        return result, closed, reduced, span

    def print_frictions(self, result):
        for joint in ("crank", "coupler", "knee"):
            for i, key in ((3, "coulomb"), (5, "viscous")):
                name = f"friction.{joint}.mu{i}"
                p = result["parameters"][name]
                print(f"  {key} of {joint}: truth {np.exp(self.truth[name]):.4f}, prior {np.exp(p['prior']):.4f}, "
                      f"found {np.exp(p['value']):.4f}, off by {self.deviation(result, name):+.2f} std of "
                      f"{100 * p['std']:.0f} %", flush=True)


class CrankEffort:
    """Effort of the crank along a motion on the loop, as a function of the parameters."""

    def __init__(self, config, motion):
        model = pinocchio.buildModelFromUrdf(config["model"]["urdf"])
        data = model.createData()
        self.joints = list(model.names)[1:]
        links = {"crank": "crank", "coupler": "coupler", "knee": "shank"}
        self.links = [links[joint] for joint in self.joints]
        q, v, a = (np.column_stack([motion[f"{kind}.{joint}"] for joint in self.joints]) for kind in "qva")
        crank = self.joints.index("crank")
        loop = config["model"]["loops"][0]
        rows = []
        for k in range(len(q)):
            Y = pinocchio.computeJointTorqueRegressor(model, data, q[k], v[k], a[k])
            N = self.motion(model, data, q[k], loop, crank)
            rows.append((N @ Y, N))
        self.Y, self.N = (np.array(x) for x in zip(*rows))
        self.v = v

    @staticmethod
    def motion(model, data, q, loop, crank):
        """v of all joints for one of the crank, on the loop."""
        pinocchio.computeJointJacobians(model, data, q)
        pinocchio.updateFramePlacements(model, data)
        J = 0
        for sign, body in ((1, loop["body1"]), (-1, loop["body2"])):
            frame = model.getFrameId(body["link"], pinocchio.FrameType.BODY)
            arm = data.oMf[frame].rotation @ np.array(body["xyz"], dtype=float)
            full = pinocchio.getFrameJacobian(model, data, frame, pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            J = J + sign * (full[:3] - pinocchio.skew(arm) @ full[3:])[[0, 2]]
        passive = [j for j in range(model.nv) if j != crank]
        N = np.zeros(model.nv)
        N[crank] = 1
        N[passive] = -np.linalg.solve(J[:, passive], J[:, crank])
        return N

    @staticmethod
    def inertia(s):
        """π of one link.                                                   docs/math/parameters.md (1)-(3)"""
        mass, h, L = np.exp(s[0]), s[1:4], np.exp(s[7:])
        R = pinocchio.exp3(s[4:7])
        I = R @ np.diag(L.sum() - L) @ R.T + (h @ h * np.eye(3) - np.outer(h, h)) / mass
        return np.concatenate([[mass], h, [I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]]])

    def at(self, theta):
        pi = np.concatenate([self.inertia(np.array([theta[f"inertia.{link}.{x}"] for x in INERTIA]))
                             for link in self.links])
        mu = np.exp([[theta[f"friction.{joint}.mu{i}"] for joint in self.joints] for i in (3, 4, 5)])
        return self.Y @ pi + (self.N * (mu[0] * np.tanh(mu[1] * self.v) + mu[2] * self.v)).sum(axis=1)

    def derivative(self, theta, names):
        step = 1e-6
        return np.column_stack([(self.at(theta | {n: theta[n] + step}) - self.at(theta | {n: theta[n] - step}))
                                / (2 * step) for n in names])


class FourBar(FourBarCase):
    def test_loop_is_identified_and_predicts_better_than_a_serial_model(self):
        # A fast motion over 0.77 of the range and a good effort sensor: what the serial model lacks, the change of the
        # ratio, grows with the square of the speed and must stand out of the noise (0.01 N·m) in both predictions.
        config = self.simulate("four_bar_leg", seed=1, effort_std=0.01, duration=5, base_frequency=0.8)
        result, closed, reduced, span = self.compare(config, "sim/log1.csv", "sim/log2.csv")
        self.print_frictions(result)
        self.assertLess(result["violation"]["constraint"], 1e-8)
        for i in (3, 5):
            self.assertLess(abs(self.deviation(result, f"friction.crank.mu{i}")), 3.5)
            for joint in ("coupler", "knee"):  # hardly determined: mostly the prior, which is one std away
                self.assertLess(abs(self.deviation(result, f"friction.{joint}.mu{i}")), 3)
        self.check_combinations(config, result)
        self.assertLess(closed / span, 0.01)
        self.assertGreater(reduced / closed, 5)

    def check_combinations(self, config, result):
        """The combinations of parameters that the efforts of the held-out motion depend on are found to within their posterior."""
        motion = {name: x[:-1:10] for name, x in read_csv(self.folder / "sim/truth_trajectory2.csv").items()}
        effort = CrankEffort(config, motion)
        theta = {name: p["value"] for name, p in result["parameters"].items()}
        # The oracle is the simulated robot: only Baumgarte stabilisation differs.
        self.assertLess(abs(effort.at(self.truth) - motion["tau.crank"]).max(), 1e-3)
        names = result["covariance"]["names"]
        prior = np.array([result["parameters"][name]["prior_std"] for name in names])
        G = effort.derivative(theta, names)
        U, s, _ = np.linalg.svd(G * prior, full_matrices=False)
        U = U[:, s > 1e-2 * s[0]]
        error = U.T @ (effort.at(theta) - effort.at(self.truth))
        cov = U.T @ G @ np.array(result["covariance"]["matrix"]) @ G.T @ U
        before = np.diag(U.T @ (G * prior**2) @ G.T @ U)
        square = error @ np.linalg.solve(cov, error)
        size, left = len(error), np.sqrt(np.diag(cov) / before)
        print(f"  {size} combinations known to {left.min():.1e} … {left.max():.1e} of the prior: errors/std "
              f"{' '.join(f'{x:+.1f}' for x in error / np.sqrt(np.diag(cov)))}, χ² {square:.1f}", flush=True)
        self.assertGreaterEqual(size, 4)
        self.assertLess(square, size + 4 * np.sqrt(2 * size))  # 4 σ of χ²


@unittest.skipUnless(HAS_MUJOCO, "mujoco is not installed")
class FourBarMujoco(FourBarCase):
    def test_logs_of_another_simulator(self):
        config = self.simulate("four_bar_leg", seed=1, effort_std=0.01, duration=5, base_frequency=0.8)
        for seed in (1, 2):
            done = subprocess.run(
                [sys.executable, TOOL, self.folder / "nominal.yaml", "--out", self.folder / f"mujoco{seed}.csv",
                 "--seed", str(seed), "--duration", "5", "--rate", "1000", "--position-std", "1e-4",
                 "--velocity-std", "1e-2", "--effort-std", "0.01"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        # Its steps of 0.1 ms are nearer to constant acceleration over 1 ms than to an Euler step. The error below is
        # above the noise, among others because an effort held over a sample is half a sample late
        config["solver"]["integrator"] = "constant_acceleration"
        result, closed, reduced, span = self.compare(config, "mujoco1.csv", "mujoco2.csv")
        self.print_frictions(result)
        for i in (3, 5):
            self.assertLess(abs(self.deviation(result, f"friction.crank.mu{i}")), 4)
        self.assertLess(closed / span, 0.01)
        self.assertGreater(reduced / closed, 5)


if __name__ == "__main__":
    unittest.main()
