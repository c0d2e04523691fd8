# SPDX-License-Identifier: BSD-3-Clause
"""compare --methods against NumPy, SciPy and Pinocchio's own regressors, on the same logs."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import numpy
import pinocchio
import scipy.signal
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
from bayesid_reproduce import noise, robots  # noqa: E402
from bayesid_reproduce.program import Program, merged, write_config  # noqa: E402

PROGRAM = os.environ.get("BAYESID_PROGRAM", str(ROOT / "build" / "bin" / "bayesid"))
WINDOW, ORDER = 21, 4
SLOPE = robots.FRICTION["prior"]["coulomb_slope"]


def rows_of(file):
    with open(file, newline="") as text:
        return list(csv.DictReader(text))


def run(folder, *words, code=0):
    done = subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError(f"{words}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return done


def simulated(folder, config, seed=1):
    """A log of positions and efforts alone, priors 20 % wrong, slopes of friction known."""
    config = merged(config, {"simulation": {"prior_error": 0.2}})
    (folder / "truth.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    run(folder, "simulate", "truth.yaml", "--out", "log", "--seed", seed, "--quiet")
    given = yaml.safe_load((folder / "log" / "config.yaml").read_text())
    for name, one in given["parameters"]["set"].items():
        if name.endswith(".mu4"):
            given["parameters"]["set"][name] = {"prior": float(numpy.log(SLOPE)), "fixed": True}
    (folder / "log" / "config.yaml").write_text(yaml.safe_dump(given, sort_keys=False))
    rows = rows_of(folder / "log" / "log1.csv")
    kept = [c for c in rows[0] if not c.startswith("v.")]
    with open(folder / "log" / "log1.csv", "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(kept)
        writer.writerows([[row[c] for c in kept] for row in rows])
    return rows


def polynomial_motion(time, q, dt):
    """Local polynomials by NumPy: q, v half a step before, v and a at the sample; inner samples only."""
    half, out = WINDOW // 2, []
    for k in range(half, len(time) - half):
        t = time[k - half:k + half + 1] - time[k]
        coefficients = numpy.polynomial.polynomial.polyfit(t / (half * dt), q[k - half:k + half + 1], ORDER)
        scaled = coefficients / (half * dt) ** numpy.arange(ORDER + 1)[:, None]
        out.append((scaled[0], scaled[1] - dt * scaled[2] + 3 * (dt / 2) ** 2 * scaled[3] - 4 * (dt / 2) ** 3 * scaled[4],
                    scaled[1], 2 * scaled[2]))
    return (numpy.array(part) for part in zip(*out))


def read_motion(rows, joints):
    time = numpy.array([float(row["time"]) for row in rows])
    q, tau = (numpy.array([[float(row[f"{kind}.{j}"] or "nan") for j in joints] for row in rows]) for kind in ("q", "tau"))
    return time, q, tau


def link_parameters(urdf, link):
    """Ten inertial numbers of a link in its own frame, as the URDF has them."""
    inertial = urdf.find(f"link[@name='{link}']/inertial")
    origin, matrix = inertial.find("origin"), inertial.find("inertia")
    xyz, rpy = ([float(x) for x in origin.get(key, "0 0 0").split()] if origin is not None else [0.0] * 3 for key in ("xyz", "rpy"))
    turn = pinocchio.rpy.rpyToMatrix(*rpy)
    i = {k: float(matrix.get(k)) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
    about_center = turn @ numpy.array([[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]]) @ turn.T
    return pinocchio.Inertia(float(inertial.find("mass").get("value")), numpy.array(xyz), about_center).toDynamicParameters()


ENTRIES = ["mass.{}", *(f"first_moment.{{}}.{a}" for a in "xyz"), *(f"frame_inertia.{{}}.{a}" for a in ("ixx", "ixy", "iyy", "ixz", "iyz", "izz"))]


class Oracle:
    """Pinocchio's model of a configuration and the regressors of its motion."""

    def __init__(self, folder, config, rows):
        model = pinocchio.buildModelFromUrdf(str(folder / "log" / "robot.urdf"))
        lock = [model.getJointId(name) for name in config["model"].get("lock", [])]
        self.model = pinocchio.buildReducedModel(model, lock, pinocchio.neutral(model))
        self.data = self.model.createData()
        self.joints = list(self.model.names)[1:]
        urdf = xml.etree.ElementTree.parse(folder / "log" / "robot.urdf")
        links = [urdf.find(f"joint[@name='{joint}']/child").get("link") for joint in self.joints]
        self.links = {link: link_parameters(urdf, link) for link in links}
        self.time, self.q_measured, effort = read_motion(rows, self.joints)
        self.dt = 1 / config["simulation"]["rate"]
        self.q, self.v, self.mid_speed, self.a = polynomial_motion(self.time, self.q_measured, self.dt)
        self.tau = effort[WINDOW // 2:len(self.time) - WINDOW // 2]

    def friction_columns(self, v):
        return numpy.hstack([numpy.diag(numpy.tanh(SLOPE * v)), numpy.diag(v)])

    def effort_rows(self):
        """[Y, friction], one row for each joint and sample."""
        return numpy.vstack([numpy.hstack([pinocchio.computeJointTorqueRegressor(self.model, self.data, q, v, a), self.friction_columns(v)])
                             for q, v, a in zip(self.q, self.v, self.a)])

    def energy_rows(self, interval):
        """Change of energy and friction's work over intervals, and the work of the motors."""
        balance, work = [], [0.0]
        loss = numpy.zeros(2 * len(self.joints))
        power = [v @ self.friction_columns(v) for v in self.mid_speed]
        motors = [v @ tau for v, tau in zip(self.mid_speed, self.tau)]
        for k, (q, v) in enumerate(zip(self.q, self.mid_speed)):
            if k > 0:
                loss = loss + 0.5 * self.dt * (power[k - 1] + power[k])
                work.append(work[-1] + 0.5 * self.dt * (motors[k - 1] + motors[k]))
            E = pinocchio.computeKineticEnergyRegressor(self.model, self.data, q, v) + pinocchio.computePotentialEnergyRegressor(self.model, self.data, q)
            balance.append(numpy.concatenate([E, loss]))
        balance, work = numpy.array(balance), numpy.array(work)
        return balance[interval:] - balance[:-interval], work[interval:] - work[:-interval]

    def parameters(self, physical):
        """The program's numbers in the order of the columns; what else hangs on a body is added."""
        out = []
        for (link, nominal), inertia in zip(self.links.items(), list(self.model.inertias)[1:]):
            rest = inertia.toDynamicParameters() - nominal
            out.append(rest + [physical[name.format(link)] for name in ENTRIES])
        friction = [[physical[f"friction.{j}.{kind}"] for j in self.joints] for kind in ("coulomb", "viscous")]
        return numpy.concatenate([*out, *friction])


ROBOTS = {"pendulum": robots.pendulum, "arm": robots.arm}


class LeastSquares(unittest.TestCase):
    def compared(self, robot, methods):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            config = ROBOTS[robot]()
            rows = simulated(folder, config)
            done = run(folder, "compare", "log/config.yaml", "--methods", methods, "--window", WINDOW, "--json", "--truth", "log/truth.json")
            return Oracle(folder, config, rows), json.loads(done.stdout)["methods"], config

    def test_agrees_with_numpy_in_the_efforts_it_predicts(self):
        for robot in ROBOTS:
            with self.subTest(robot):
                oracle, methods, config = self.compared(robot, "id,wls")
                Y, tau = oracle.effort_rows(), oracle.tau.ravel()
                predicted = Y @ numpy.linalg.lstsq(Y, tau, rcond=1e-11)[0]
                found = Y @ oracle.parameters(methods["id"]["physical"])
                self.assertLess(numpy.linalg.norm(found - predicted) / numpy.linalg.norm(tau), 1e-6)
                # Weighted by what is left of each joint, until that stays the same.
                nv, weight = len(oracle.joints), numpy.ones(len(oracle.joints))
                for _ in range(30):
                    W = numpy.tile(weight, len(tau) // nv)
                    x = numpy.linalg.lstsq(Y * W[:, None], tau * W, rcond=1e-11)[0]
                    weight = 1 / numpy.sqrt(numpy.mean((Y @ x - tau).reshape(-1, nv) ** 2, axis=0))
                found = Y @ oracle.parameters(methods["wls"]["physical"])
                self.assertLess(numpy.linalg.norm(found - Y @ x) / numpy.linalg.norm(tau), 1e-5)  # weights to 0.1 %
                # Error bars of its base parameters: those of the same columns by NumPy.
                names = [one["name"] for one in methods["wls"]["base"]]
                size = numpy.linalg.norm(Y, axis=0)
                self.assertEqual(len(names), numpy.linalg.matrix_rank(Y / size.clip(1e-6 * size.max()), tol=1e-7))

    def test_smooths_as_scipy_does(self):
        oracle, _, config = self.compared("pendulum", "id")
        half = WINDOW // 2
        smooth = scipy.signal.savgol_filter(oracle.q_measured, WINDOW, ORDER, axis=0)[half:-half]
        second = scipy.signal.savgol_filter(oracle.q_measured, WINDOW, ORDER, deriv=2, delta=oracle.dt, axis=0)[half:-half]
        self.assertLess(numpy.abs(oracle.q - smooth).max(), 1e-10)
        self.assertLess(numpy.abs(oracle.a - second).max(), 1e-6 * numpy.abs(second).max())

    def test_closes_the_balance_of_energy_as_well_as_numpy(self):
        oracle, methods, config = self.compared("pendulum", "energy")
        Y, work = oracle.energy_rows(WINDOW // 2)
        best = numpy.linalg.norm(Y @ numpy.linalg.lstsq(Y, work, rcond=1e-11)[0] - work)
        physical = methods["energy"]["physical"]
        for name in [n for n in physical if n.startswith("mass.")]:  # from the centre of mass to the frame
            link = name.split(".", 1)[1]
            c = numpy.array([physical[f"com.{link}.{a}"] for a in "xyz"])
            i = {k: physical[f"inertia.{link}.{k}"] for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
            about = numpy.array([[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]])
            pi = pinocchio.Inertia(physical[name], c, about).toDynamicParameters()
            physical |= {entry.format(link): value for entry, value in zip(ENTRIES, pi)}
        found = numpy.linalg.norm(Y @ oracle.parameters(physical) - work)
        self.assertGreater(found, 0.999 * best)
        self.assertLess(found, 1.02 * best)  # consistent, and with a prior


class BadInput(unittest.TestCase):
    def test_lists_known_words(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "truth.yaml").write_text(yaml.safe_dump(merged(robots.pendulum(), {"simulation": {"duration": 0.5}}), sort_keys=False))
            run(folder, "simulate", "truth.yaml", "--out", "log", "--quiet")

            def error(*words):
                done = run(folder, "compare", "log/config.yaml", *words, code=2)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1)
                return done.stderr

            said = error("--methods", "id,enrgy")
            self.assertIn('unknown method "enrgy", did you mean energy', said)
            self.assertIn("known are id, id_ee, energy, wls, decoupled, forward, map", said)
            self.assertIn("--window is 8", error("--methods", "id", "--window", "8"))
            self.assertIn("needs --methods", error("--truth", "log/truth.json"))
            self.assertIn("exclude each other", error("--methods", "id", "--groups", "viscous"))
            self.assertIn("has no parameters", error("--methods", "id", "--truth", "log/log1.csv"))
            self.assertIn("cannot be read", error("--methods", "id", "--truth", "nowhere.json"))


def identify_noisy_arm(std):
    """A Panda with these encoders and efforts that are exact: output of identify, and its result."""
    with tempfile.TemporaryDirectory() as name:
        program = Program(PROGRAM, name)
        wrong = merged(noise.arm(), {"simulation": {"prior_error": robots.PRIOR_ERROR, "logs": 1}})
        given, _ = program.simulate(noise.with_noise(wrong, std, 1e-12), "log", 1)
        write_config(program.folder / "given.yaml", noise.with_noise(given, std, 1e-6))
        done = run(name, "identify", "given.yaml", "--out", "result", "--threads", "2")
        return done, json.loads((program.folder / "result" / "result.json").read_text())


class Restart(unittest.TestCase):
    def test_identify_of_noisy_encoders_converges_by_itself(self):
        """0.05 rad, five hundred times the noise of usual encoders. With 0.1 rad rounding decides, which is another with each kernel of BLAS."""
        done, result = identify_noisy_arm(0.05)
        self.assertNotIn("Retrying", done.stdout)
        self.check_noise(result)

    def test_identify_that_stalls_from_noisy_encoders_goes_on_from_the_decoupled_estimate(self):
        """A Panda with encoders of 0.3 rad and efforts that are exact: no step leads from the measured states to the solution."""
        done, result = identify_noisy_arm(0.3)
        self.assertIn("Not converged. Retrying from a simpler initial guess.", done.stdout)
        self.check_noise(result)

    def check_noise(self, result):
        self.assertEqual(result["status"], "converged")
        samples = 2 * 7 * result["logs"][0]["samples"]  # of positions and velocities; each costs a half
        self.assertAlmostEqual(result["cost"]["total"] / (samples / 2), 1, delta=0.05)


if __name__ == "__main__":
    unittest.main()
