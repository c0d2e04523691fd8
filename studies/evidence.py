# SPDX-License-Identifier: BSD-3-Clause
"""Does the evidence find the true model of friction? Logs of joints with and without stiction, compared by `bayesid compare`.

Numbers for docs/studies/evidence.md, and in short for tests/python/test_evidence.py.
"""
import json
import pathlib
import subprocess

import yaml

import gaits


def config(with_stiction, with_armature):
    """A two-joint arm that turns slowly now and then: stiction is excited at low speeds only."""
    terms = ["stiction", "coulomb", "viscous"] if with_stiction else ["coulomb", "viscous"]
    parameters = {"inertia": {"links": "all"},
                  "friction": {"joints": "all", "terms": terms,
                               "prior": {"stiction": 0.15, "stribeck1": 30, "stribeck2": 5, "coulomb": 0.2, "coulomb_slope": 30,
                                         "viscous": 0.1}}}
    if with_armature:
        parameters["armature"] = {"joints": "all", "prior": 0.02}
    return {"schema": 1, "model": {"urdf": str(gaits.ROOT / "bench" / "double_pendulum.urdf")},
            "measurements": {"position": 1e-4, "velocity": 5e-3, "effort": 0.02},
            "disturbance": {"position": 1e-6, "velocity": 1e-4},
            "parameters": parameters,
            "simulation": {"duration": 6, "rate": 200, "harmonics": 3, "base_frequency": 0.25, "amplitude": 0.8,
                           "prior_error": 0.3}}


def compare(program, folder, truth, seed, group):
    """Log ratio of the evidence for a group, on a log of the model `truth`."""
    folder = pathlib.Path(folder)
    (folder / "truth.yaml").write_text(yaml.safe_dump(truth, sort_keys=False))

    def run(*words):
        done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stderr)
        return done.stdout

    run("simulate", "truth.yaml", "--out", "log", "--seed", seed, "--quiet")
    document = json.loads(run("compare", "log/config.yaml", "--groups", group, "--json", "--quiet"))
    return document["groups"][0]


GROUPS = {"stiction": lambda on: config(on, False), "armature": lambda on: config(False, on)}
HEAD = ["| group | truth | logs | right model preferred | log ratio, least and most | fits not converged |", "|" + "---|" * 6]


def line(group, on, comparisons):
    ratios = [a["difference"] for a in comparisons]
    right = sum((r > 0) == on for r in ratios)
    lost = sum(a[k]["status"] != "converged" for a in comparisons for k in ("with", "without"))
    return f"| {group} | {'with' if on else 'without'} | {len(ratios)} | {right} | {min(ratios):.1f}, {max(ratios):.1f} | {lost} |"
