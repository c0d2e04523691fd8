# SPDX-License-Identifier: BSD-3-Clause
"""Mechanisms in contact or with loops, identified from wrong priors and asked about motions they were not shown.

Numbers for docs/studies/gaits.md, and in short for tests/python/test_gaits.py.
"""
import json
import pathlib
import subprocess

import pinocchio
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
PREFIX = next(parent for parent in pathlib.Path(pinocchio.__file__).parents if parent.name == "cmeel.prefix")
ROBOTS = PREFIX / "share" / "example-robot-data" / "robots"
PRIOR_ERROR = 0.7  # relative, of every parameter


def quadruped(duration, rate):
    """ANYmal that trots, with encoders, efforts and the pose of its base."""
    knee = {"F": (0.7, -1.0), "H": (-0.7, 1.0)}
    legs = [side + end for side in "LR" for end in "FH"]
    posture = {}
    for leg in legs:
        hip, bend = knee[leg[1]]
        posture |= {f"{leg}_HAA": 0.1 if leg[0] == "L" else -0.1, f"{leg}_HFE": hip, f"{leg}_KFE": bend}
    return {
        "schema": 1,
        "model": {"urdf": str(ROBOTS / "anymal_b_simple_description" / "robots" / "anymal.urdf"), "base": "floating",
                  "contacts": [{"name": leg, "frame": f"{leg}_FOOT", "kd": 0.1 * rate} for leg in legs]},
        "measurements": {"position": 1e-4, "velocity": 1e-2, "effort": 0.1,
                         "pose.base": {"position": 1e-3, "orientation": 1e-3}},
        "disturbance": {"position": 1e-6, "velocity": 1e-4},
        "parameters": {"inertia": {"links": "all"},
                       "friction": {"joints": "all", "terms": ["coulomb", "viscous"],
                                    "prior": {"coulomb": 0.3, "viscous": 0.1, "coulomb_slope": 20}}},
        # Feet stand still to second order of the time step.
        "solver": {"integrator": "constant_acceleration"},
        "simulation": {"duration": duration, "rate": rate, "harmonics": 3, "base_frequency": 0.5, "logs": 2,
                       "posture": posture,
                       "gait": {"type": "trot", "body_motion": 0.01, "period": 0.6, "step_length": 0.05,
                                "step_height": 0.04}}}


def quadruped_unseen(config):
    """Longer, higher and faster steps."""
    gait = {"type": "trot", "body_motion": 0.02, "period": 0.5, "step_length": 0.08, "step_height": 0.05}
    return config | {"simulation": config["simulation"] | {"logs": 1, "base_frequency": 0.7, "gait": gait}}


def three_loops(duration, rate):
    """The leg with three loops in series. Its ankle's effort spans 1.2 N·m: 2 % of it ask for a sensor better than 0.02 N·m."""
    models = ROOT / "data" / "models"
    config = yaml.safe_load((models / "three_loop_leg.yaml").read_text())
    config["model"]["urdf"] = str(models / config["model"]["urdf"])
    config["measurements"]["effort"] = 0.01
    config["simulation"] |= {"duration": duration, "rate": rate, "base_frequency": 0.4, "logs": 1}
    return config


def three_loops_unseen(config):
    return config | {"simulation": config["simulation"] | {"base_frequency": 0.55, "harmonics": 4}}


def measure(program, folder, seen, unseen):
    """Simulates both, identifies the first from wrong priors and predicts the second; what came out, as numbers."""
    folder = pathlib.Path(folder)

    def run(*words):
        done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr[-1000:]}")
        return done.stdout

    wrong = seen | {"simulation": seen["simulation"] | {"prior_error": PRIOR_ERROR}}
    for name, config, seed in (("seen", wrong, 1), ("unseen", unseen, 2)):
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
        run("simulate", f"{name}.yaml", "--out", name, "--seed", seed, "--quiet")
    run("identify", "seen/config.yaml", "--out", "result", "--quiet")
    result = json.loads((folder / "result" / "result.json").read_text())
    prediction = json.loads(run("validate", "unseen/config.yaml", "--model", "result", "--json"))
    wrong_model = json.loads(run("validate", "seen/config.yaml", "--model", "result", "--json"))
    motors = seen["model"].get("actuation", {}).get("joints", prediction["joints"])

    def shares(of, which):
        return [rmse / reach for joint, rmse, reach in zip(of["joints"], of[which]["rmse"], of["range"]) if joint in motors]

    return {"status": result["status"], "iterations": result["iterations"], "violation": result["violation"],
            "prior_share": max(shares(wrong_model, "nominal")), "seen_share": max(shares(wrong_model, "identified")),
            "unseen_share": max(shares(prediction, "identified")), "truth_share": max(shares(prediction, "nominal"))}
