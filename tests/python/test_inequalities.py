# SPDX-License-Identifier: BSD-3-Clause
"""Friction cones and limits along the motion: the written results satisfy them."""
import csv
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
import gaits  # noqa: E402

PROGRAM = os.environ.get("BAYESID_PROGRAM", str(gaits.ROOT / "build" / "bin" / "bayesid"))


def run(folder, *words):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True)


def identify(folder, config, stage):
    (folder / "log" / "given.yaml").write_text(yaml.safe_dump(config | {"constraints": {"stage": stage} if stage else {}}, sort_keys=False))
    done = run(folder, "identify", "log/given.yaml", "--out", "result", "--quiet")
    result = json.loads((folder / "result" / "result.json").read_text())
    with (folder / "result" / "trajectory.csv").open() as file:
        rows = list(csv.DictReader(file))
    return done, result, rows


def simulated(folder, config, seed):
    (folder / "truth.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    done = run(folder, "simulate", "truth.yaml", "--out", "log", "--seed", seed, "--quiet")
    assert done.returncode == 0, done.stderr
    return yaml.safe_load((folder / "log" / "config.yaml").read_text())


def foot_forces(rows, legs):
    """Sideways and upward force of every foot that stands; impulses of impacts, two rows at one time, are left out."""
    out = []
    for row, after in zip(rows, rows[1:]):
        if after["time"] == row["time"]:
            continue
        for leg in legs:
            force = [row.get(f"lambda.{leg}.{axis}") for axis in "xyz"]
            if all(force):
                x, y, z = map(float, force)
                out.append((math.hypot(x, y), z))
    return out


class Cones(unittest.TestCase):
    def test_a_trotting_quadruped_on_slippery_ground(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            config = gaits.quadruped(0.6, 300)
            config["simulation"] |= {"logs": 1, "prior_error": 0.3}
            given = simulated(folder, config, 4)
            legs = [contact["name"] for contact in config["model"]["contacts"]]
            done, free, rows = identify(folder, given, {})
            self.assertEqual(done.returncode, 0, done.stderr)
            ratios = sorted(side / up for side, up in foot_forces(rows, legs) if up > 0)
            mu = ratios[int(0.9 * len(ratios))]
            done, result, rows = identify(folder, given, {"friction_cone": {"mu": mu}})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(result["status"], "converged")
            self.assertLess(result["violation"]["stage_inequality"], 1e-8)
            self.assertGreater(result["cost"]["total"], free["cost"]["total"])
            self.assertEqual(set(result["active_limits"]), {f"friction_cone.{leg}" for leg in legs})
            self.assertGreater(max(result["active_limits"].values()), 0)
            forces = foot_forces(rows, legs)
            self.assertGreater(len(forces), 100)
            for side, up in forces:
                self.assertLess(side - mu * up, 1e-6)  # the file has ten digits


class Limits(unittest.TestCase):
    def test_an_arm_within_limits_of_the_configuration(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            config = {"schema": 1, "model": {"urdf": str(gaits.ROOT / "bench" / "double_pendulum.urdf")},
                      "measurements": {"position": 1e-3, "velocity": 1e-2, "effort": 0.05},
                      "parameters": {"inertia": {"links": "all"}},
                      "simulation": {"duration": 2, "rate": 200, "harmonics": 3, "base_frequency": 0.5, "amplitude": 1.0, "prior_error": 0.3}}
            given = simulated(folder, config, 2)
            _, _, rows = identify(folder, given, {})
            most = {key: max(abs(float(row[key])) for row in rows if row[key]) for key in ("q.joint1", "v.joint2")}
            limits = {"position_limits": {"joint1": [-most["q.joint1"] + 1e-3, most["q.joint1"] - 1e-3]},
                      "velocity_limits": {"joint2": most["v.joint2"] - 1e-2}}
            done, result, rows = identify(folder, given, limits)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(result["violation"]["stage_inequality"], 1e-8)
            self.assertGreater(result["active_limits"]["position.joint1"] + result["active_limits"]["velocity.joint2"], 0)
            for row in rows:
                self.assertLess(abs(float(row["q.joint1"])), most["q.joint1"] - 1e-3 + 1e-7)
                self.assertLess(abs(float(row["v.joint2"])), most["v.joint2"] - 1e-2 + 1e-7)
            done = run(folder, "compare", "log/given.yaml")
            self.assertEqual(done.returncode, 2)
            self.assertIn("constraints.stage", done.stderr)


if __name__ == "__main__":
    unittest.main()
