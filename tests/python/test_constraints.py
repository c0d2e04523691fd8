# SPDX-License-Identifier: BSD-3-Clause
"""Prior knowledge: parameter constraints, and earlier results as priors."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "studies"))
import evidence  # noqa: E402
import gaits  # noqa: E402

ROOT = gaits.ROOT
PROGRAM = os.environ.get("BAYESID_PROGRAM", str(ROOT / "build" / "bin" / "bayesid"))


class Folder:
    """A simulated log of the double pendulum, and runs on it."""

    def __init__(self, folder, logs=1, duration=2, std=0.7, prior_error=0.3, friction_std=None, seed=3):
        self.path = pathlib.Path(folder)
        config = {"schema": 1, "model": {"urdf": str(ROOT / "bench" / "double_pendulum.urdf")},
                  "measurements": {"position": 1e-4, "velocity": 1e-2, "effort": 0.02},
                  "parameters": {"inertia": {"links": "all", "std": {"log_mass": std, "first_moment": f"{std} rel", "rotation": std,
                                                                    "log_second_moment": std}},
                                 "friction": {"joints": "all", "terms": ["coulomb", "viscous"], "prior": {"coulomb_slope": 20}},
                                 "set": {f"friction.joint{i}.mu4": "fixed" for i in (1, 2)}},
                  "simulation": {"duration": duration, "rate": 200, "harmonics": 3, "base_frequency": 0.5, "amplitude": 1.0,
                                 "logs": logs, "prior_error": prior_error}}
        if friction_std:
            config["parameters"]["friction"]["std"] = {"coulomb": friction_std, "viscous": friction_std}
        (self.path / "truth.yaml").write_text(yaml.safe_dump(config))
        assert self.run("simulate", "truth.yaml", "--out", "log", "--seed", seed, "--quiet").returncode == 0
        self.config = yaml.safe_load((self.path / "log" / "config.yaml").read_text())
        self.truth = json.loads((self.path / "log" / "truth.json").read_text())["physical"]

    def run(self, *words):
        return subprocess.run([PROGRAM, *map(str, words)], cwd=self.path, capture_output=True, text=True)

    def identify(self, name, changes):
        (self.path / "log" / f"{name}.yaml").write_text(yaml.safe_dump(self.config | changes))
        done = self.run("identify", f"log/{name}.yaml", "--out", name)
        result = self.path / name / "result.json"
        return done, json.loads(result.read_text()) if result.exists() else None


class Constraints(unittest.TestCase):
    def test_equalities_and_ranges_are_satisfied_at_the_solution(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(name)
            total = folder.truth["mass.link1"] + folder.truth["mass.link2"]
            given = {"total_mass": total,
                     "equal": [["friction.joint1.viscous", "friction.joint2.viscous"]],
                     "linear": [{"terms": {"inertia.link1.ixx": 1, "inertia.link1.iyy": -1}, "is": 0}],
                     "com": {"link1": {"box": [[-0.01, 0.02], [-0.5, 0.5], [-1, 1]]}},
                     "bounds": {"inertia.link2.izz": [0, 0.001]}}
            done, result = folder.identify("constrained", {"constraints": given})
            self.assertEqual(done.returncode, 0, done.stderr)
            value = {n: v["value"] for n, v in result["physical"].items()}
            self.assertAlmostEqual(value["mass.link1"] + value["mass.link2"], total, delta=1e-9)
            self.assertAlmostEqual(value["friction.joint1.viscous"], value["friction.joint2.viscous"], delta=1e-10)
            self.assertAlmostEqual(value["inertia.link1.ixx"], value["inertia.link1.iyy"], delta=1e-10)
            self.assertLessEqual(value["com.link1.x"], 0.02 + 1e-9)
            self.assertGreaterEqual(value["com.link1.x"], -0.01 - 1e-9)
            self.assertLessEqual(value["inertia.link2.izz"], 0.001 + 1e-10)
            self.assertLess(result["violation"]["parameter_equality"], 1e-9)
            self.assertLess(result["violation"]["parameter_inequality"], 1e-9)
            # The total is known: what is known of one mass is known of the other.
            std = [result["physical"][f"mass.link{i}"]["std"] for i in (1, 2)]
            self.assertAlmostEqual(std[0] / std[1], 1, delta=1e-6)

    def test_the_order_of_stribeck_slopes_is_active_only_where_the_log_requires_it(self):
        """Friction that rises too steeply wants a bump below zero: gamma1 = gamma2 is as near as it may come."""
        for truth, slope, active in ((True, 30, []), (False, 45, ["joint2"])):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                (folder / "truth.yaml").write_text(yaml.safe_dump(evidence.config(truth, False)))
                subprocess.run([PROGRAM, "simulate", "truth.yaml", "--out", "log", "--seed", "1", "--quiet"], cwd=folder, check=True)
                config = yaml.safe_load((folder / "log" / "config.yaml").read_text())
                config["parameters"]["friction"]["terms"] = ["stiction", "coulomb", "viscous"]
                changes = config["parameters"].setdefault("set", {})
                for joint in ("joint1", "joint2"):
                    changes |= {f"friction.{joint}.mu4": {"prior": math.log(slope), "fixed": True},
                                f"friction.{joint}.mu1": {"prior": math.log(12), "std": 1.0},
                                f"friction.{joint}.mu2": {"prior": 10, "std": 4.0}}
                (folder / "log" / "given.yaml").write_text(yaml.safe_dump(config))
                done = subprocess.run([PROGRAM, "identify", "log/given.yaml", "--out", "result", "--quiet"], cwd=folder)
                self.assertEqual(done.returncode, 0)
                result = json.loads((folder / "result" / "result.json").read_text())
                for joint in ("joint1", "joint2"):
                    first, second = (result["physical"][f"friction.{joint}.stribeck{i}"]["value"] for i in (1, 2))
                    warned = any(f"friction.{joint}.stribeck1 >= stribeck2" in text for text in result["warnings"])
                    self.assertEqual(warned, joint in active)
                    if joint in active:
                        self.assertAlmostEqual(first, second, delta=1e-9)
                    else:
                        self.assertGreater(first - second, 1)

    def test_a_prior_outside_of_its_bounds_stays(self):
        """The optimum on the bound is that of the same problem with the value fixed there, and pays for its distance from the prior."""
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(name)
            value, coordinate, std = "friction.joint1.viscous", "friction.joint1.mu5", 0.3
            truth = folder.truth[value]
            known = folder.config["parameters"]
            prior = math.log(3 * truth)

            def problem(entry, constraints):
                return {"parameters": known | {"set": known["set"] | {coordinate: entry}}, "constraints": constraints}

            for upper in (2 * truth, 1.5 * truth):
                for lower in (0.9 * upper, upper - 1e-9):  # the data ask for less than either bound
                    believed = {"prior": prior, "std": std}
                    done, found = folder.identify("bound", problem(believed, {"bounds": {value: [lower, upper]}}))
                    self.assertEqual(found["status"], "converged", done.stderr)
                    self.assertIn("is outside of the bounds of", done.stderr)
                    entry = found["parameters"][coordinate]
                    self.assertEqual((entry["prior"], entry["prior_std"]), (prior, std))
                    self.assertAlmostEqual(entry["value"], math.log(lower), delta=1e-12)
                    _, fixed = folder.identify("fixed", problem({"prior": math.log(lower), "fixed": True}, {}))
                    distance = (math.log(lower) - prior) / std
                    cost = fixed["cost"]["total"] + 0.5 * distance**2
                    self.assertAlmostEqual(found["cost"]["total"], cost, delta=1e-9 * cost)
                    self.assertAlmostEqual(found["cost"]["prior"], fixed["cost"]["prior"] + 0.5 * distance**2, delta=1e-6)
                    for other, one in fixed["parameters"].items():
                        if one["std"]:
                            self.assertLess(abs(found["parameters"][other]["value"] - one["value"]), 1e-5 * one["std"], other)

    def test_the_data_may_lie_inside_of_bounds_that_the_prior_is_outside_of(self):
        """Bounds that are not touched change nothing."""
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(name)
            value, coordinate = "friction.joint1.viscous", "friction.joint1.mu5"
            truth, known = folder.truth[value], folder.config["parameters"]
            believed = {"parameters": known | {"set": known["set"] | {coordinate: {"prior": math.log(3 * truth), "std": 0.3}}}}
            _, free = folder.identify("free", believed)
            _, bound = folder.identify("bound", believed | {"constraints": {"bounds": {value: [0.5 * truth, 2 * truth]}}})
            self.assertEqual((free["status"], bound["status"]), ("converged", "converged"))
            self.assertAlmostEqual(bound["cost"]["total"], free["cost"]["total"], delta=1e-9 * free["cost"]["total"])
            for other, one in free["parameters"].items():
                if one["std"]:
                    self.assertLess(abs(bound["parameters"][other]["value"] - one["value"]), 1e-5 * one["std"], other)

    def test_constraints_that_exclude_each_other_are_named(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(name)
            given = {"total_mass": 100, "bounds": {"mass.link1": [0, 30], "mass.link2": [0, 20], "friction.joint1.viscous": [0, 9]}}
            done, result = folder.identify("impossible", {"constraints": given})
            self.assertEqual(done.returncode, 2)
            self.assertIsNone(result)
            for part in ("impossible.yaml", "mass.link1 <= ", "mass.link2 <= ", "total_mass = 100", "are infeasible together"):
                self.assertIn(part, done.stderr)
            self.assertNotIn("viscous", done.stderr)

    def test_a_log_of_another_model_is_warned_about_and_its_hash_is_kept(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(name, logs=2)
            other = folder.path / "log" / "other.urdf"
            other.write_text((ROOT / "bench" / "double_pendulum.urdf").read_text() + "<!-- version 2 -->\n")
            logs = folder.config["logs"]
            logs[1]["model"] = "other.urdf"
            done, result = folder.identify("fleet", {"logs": logs})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("recorded with", done.stderr)
            hashes = [log["model"] for log in result["logs"]]
            self.assertEqual([len(h) for h in hashes], [64, 64])
            self.assertNotEqual(hashes[0], hashes[1])
            logs[1]["model"] = "missing.urdf"
            done, _ = folder.identify("missing", {"logs": logs})
            self.assertEqual(done.returncode, 2)
            self.assertIn("missing.urdf", done.stderr)


class EarlierResult(unittest.TestCase):
    def test_one_log_after_the_other_is_both_at_once(self):
        with tempfile.TemporaryDirectory() as name:
            # Wide priors along what the log does not see bend more than a covariance can tell.
            folder = Folder(name, logs=2, duration=6, std=0.05, prior_error=0.05)
            logs, parameters = folder.config["logs"], folder.config["parameters"]
            kept = {n: v for n, v in parameters["set"].items() if v == "fixed" or v.get("fixed")}
            _, both = folder.identify("both", {})
            _, first = folder.identify("first", {"logs": logs[:1]})
            done, second = folder.identify("second", {"logs": logs[1:],
                                           "parameters": parameters | {"set": kept, "prior_from": "../first/result.json"}})
            self.assertEqual(done.returncode, 0, done.stderr)
            off = {n: (second["parameters"][n]["value"] - v["value"]) / v["std"] for n, v in both["parameters"].items() if v["std"] > 0}
            self.assertLess(math.sqrt(sum(d * d for d in off.values()) / len(off)), 0.1, off)
            for n, v in both["parameters"].items():
                if v["std"] == 0:
                    continue
                self.assertAlmostEqual(second["parameters"][n]["std"] / v["std"], 1, delta=0.05, msg=n)
                self.assertLess(second["parameters"][n]["std"], first["parameters"][n]["std"] * 1.001, n)

    def test_what_a_sequence_loses_is_of_second_order(self):
        """A quarter of the spread: less than a sixteenth of the difference from both logs at once."""
        squares = []
        for std in (0.05, 0.0125):
            squares.append(0.0)
            for seed in (1, 2, 3, 4):
                with tempfile.TemporaryDirectory() as name:
                    folder = Folder(name, logs=2, duration=6, std=std, prior_error=std, friction_std=std, seed=seed)
                    logs, parameters = folder.config["logs"], folder.config["parameters"]
                    kept = {n: v for n, v in parameters["set"].items() if v == "fixed" or v.get("fixed")}
                    _, both = folder.identify("both", {})
                    folder.identify("first", {"logs": logs[:1]})
                    _, second = folder.identify("second", {"logs": logs[1:],
                                                "parameters": parameters | {"set": kept, "prior_from": "../first/result.json"}})
                    squares[-1] += sum((second["parameters"][n]["value"] - v["value"]) ** 2 for n, v in both["parameters"].items())
        self.assertGreater(math.sqrt(squares[0] / squares[1]), 16)

    def test_files_that_are_no_result_are_refused(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(name)
            (folder.path / "log" / "nothing.json").write_text("{}")
            for file, part in (("nothing.json", "no result.json"), ("missing.json", "cannot read")):
                done, _ = folder.identify("refused", {"parameters": folder.config["parameters"] | {"prior_from": file}})
                self.assertEqual(done.returncode, 2)
                self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
