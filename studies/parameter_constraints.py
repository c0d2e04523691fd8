# SPDX-License-Identifier: BSD-3-Clause
"""What known symmetry and total mass do to an identification: iterations and errors with and without.

Numbers for docs/studies/parameter_constraints.md, and in short for tests/python/test_constraints.py.
"""
import json
import math
import pathlib
import statistics
import subprocess

import pinocchio
import yaml

import clocks
import gaits


def quadruped():
    config = gaits.quadruped(2, 400)
    config["simulation"]["logs"] = 1
    return config, [("LF_", "RF_"), ("LH_", "RH_")]


def biped():
    """Nothing but encoders, efforts and the pose of its base."""
    config = clocks.biped(2, 400)
    measurements = config["measurements"]
    measurements["pose.base_link"] = measurements.pop("pose.base")
    return config, [("left", "right")]


ROBOTS = {"biped": biped, "quadruped": quadruped}


def total_mass(config):
    model = pinocchio.buildModelFromUrdf(config["model"]["urdf"], pinocchio.JointModelFreeFlyer())
    return pinocchio.computeTotalMass(model)


def rms(values):
    return math.sqrt(statistics.fmean(v * v for v in values))


def errors(result, truth):
    """Root mean squares: relative errors of masses, errors of centres of mass in m, errors of inertias relative to their traces."""
    found = {n: v["value"] for n, v in result["physical"].items()}
    links = [n.removeprefix("mass.") for n in truth if n.startswith("mass.")]
    diagonal, others = ("ixx", "iyy", "izz"), ("ixy", "ixz", "iyz")
    moments = []
    for link in links:
        trace = sum(truth[f"inertia.{link}.{a}"] for a in diagonal)
        moments += [(found[f"inertia.{link}.{a}"] - truth[f"inertia.{link}.{a}"]) / trace for a in diagonal + others]
    return {"mass": rms([found[f"mass.{link}"] / truth[f"mass.{link}"] - 1 for link in links]),
            "com": rms([found[f"com.{link}.{a}"] - truth[f"com.{link}.{a}"] for link in links for a in "xyz"]),
            "moments": rms(moments)}


def measure(program, folder, robot, seed):
    """One start without and with constraints."""
    config, pairs = robot
    folder = pathlib.Path(folder)
    config = config | {"simulation": config["simulation"] | {"prior_error": gaits.PRIOR_ERROR}}
    (folder / "truth.yaml").write_text(yaml.safe_dump(config, sort_keys=False))

    def run(*words):
        return subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)

    done = run("simulate", "truth.yaml", "--out", "log", "--seed", seed, "--quiet")
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    given = yaml.safe_load((folder / "log" / "config.yaml").read_text())
    truth = json.loads((folder / "log" / "truth.json").read_text())["physical"]
    known = {"total_mass": total_mass(config),
             "symmetry": [{"left": left, "right": right, "plane": "xz"} for left, right in pairs]}
    out = []
    for constraints in ({}, known):
        (folder / "log" / "given.yaml").write_text(yaml.safe_dump(given | {"constraints": constraints}, sort_keys=False))
        done = run("identify", "log/given.yaml", "--out", "result", "--threads", 1, "--quiet")
        if not (folder / "result" / "result.json").exists():
            raise RuntimeError(done.stderr)
        result = json.loads((folder / "result" / "result.json").read_text())
        out.append(errors(result, truth) | {"converged": result["status"] == "converged", "iterations": result["iterations"],
                                            "violation": result["violation"]["parameter_equality"]})
        subprocess.run(["rm", "-rf", str(folder / "result")])
    return out


HEAD = ["| robot | known | converged | iterations | mass | centre of mass, mm | inertia |", "|" + "---|" * 7]


def lines(name, starts):
    """Two rows: means over the starts without and with what is known."""
    out = []
    for i, known in enumerate(("nothing", "symmetry and total mass")):
        mean = {k: statistics.fmean(start[i][k] for start in starts) for k in starts[0][i]}
        out.append(f"| {name} | {known} | {mean['converged']:.0%} | {mean['iterations']:.1f} | {100 * mean['mass']:.1f} % "
                   f"| {1e3 * mean['com']:.1f} | {100 * mean['moments']:.1f} % |")
    return out
