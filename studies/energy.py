# SPDX-License-Identifier: BSD-3-Clause
"""What the balance of energy, observed in every stage, does to an identification.

Numbers for docs/studies/energy.md. Each start is a log of its own and a prior of its own, 70 % wrong.

    python studies/energy.py [--program build/bin/bayesid] [--starts 100] [--robots pendulum arm biped quadruped]
"""
import argparse
import csv
import json
import math
import pathlib
import statistics
import subprocess
import tempfile

import yaml

import clocks
import gaits

PUBLISHED = {  # iterations, friction error, without and with: the paper's table
    "pendulum": (20.4, 31.2, 0.031, 0.016), "arm": (7.3, 11.4, 0.75, 0.40),
    "biped": (15.6, 24.1, 2.18, 1.08), "quadruped": (9.2, 15.5, 1.82, 0.91)}
FRICTION = {"joints": "all", "terms": ["coulomb", "viscous"], "prior": {"coulomb": 0.3, "viscous": 0.1, "coulomb_slope": 20}}


def pendulum():
    return {"schema": 1, "model": {"urdf": str(gaits.ROOT / "bench" / "double_pendulum.urdf")},
            "measurements": {"position": 1e-4, "velocity": 1e-2, "effort": 0.02},
            "disturbance": {"position": 1e-6, "velocity": 1e-4},
            "parameters": {"inertia": {"links": "all"}, "friction": FRICTION},
            "simulation": {"duration": 4, "rate": 250, "harmonics": 3, "base_frequency": 0.4, "amplitude": 1.0}}


def arm():
    config = pendulum()
    urdf = gaits.ROBOTS / "panda_description" / "urdf" / "panda.urdf"
    config["model"] = {"urdf": str(urdf), "lock": ["panda_finger_joint1", "panda_finger_joint2"]}
    config["measurements"]["effort"] = 0.1
    return config


def legged(config, duration):
    config["simulation"] |= {"duration": duration, "logs": 1}
    return config


ROBOTS = {"pendulum": pendulum, "arm": arm, "biped": lambda: biped(), "quadruped": lambda: legged(gaits.quadruped(2, 400), 2)}


def biped():
    config = legged(clocks.biped(2, 400), 2)
    measurements = config["measurements"]
    measurements["pose.base_link"] = measurements.pop("pose.base")
    return config


def friction(values, joint, speed):
    """Of a joint, from the physical values of a result or a truth."""
    coulomb, slope, viscous = (values[f"friction.{joint}.{n}"] for n in ("coulomb", "coulomb_slope", "viscous"))
    return coulomb * math.tanh(slope * speed) + viscous * speed


def friction_error(found, truth):
    """Root mean square over joints and speeds, relative to the true friction."""
    joints = sorted({name.split(".")[1] for name in truth if name.startswith("friction.")})
    speeds = [0.05 * i for i in range(1, 41)]
    pairs = [(friction(found, j, s), friction(truth, j, s)) for j in joints for s in speeds]
    return math.sqrt(sum((a - b) ** 2 for a, b in pairs) / sum(b * b for _, b in pairs))


def inertia_error(found, truth):
    """Root mean square of the relative errors of the masses."""
    masses = [n for n in truth if n.startswith("mass.")]
    return math.sqrt(statistics.fmean((found[n] / truth[n] - 1) ** 2 for n in masses))


def trajectory_error(folder):
    """Largest error of a joint's position, rad."""
    def rows(name):
        with open(folder / name, newline="") as file:
            return list(csv.DictReader(file))
    found, truth = rows("result/trajectory.csv"), rows("log/truth_trajectory1.csv")
    columns = [c for c in truth[0] if c.startswith("q.") and not c.startswith("q.base.")]
    by_time = {f"{float(r['time']):.6f}": r for r in truth}
    return max(abs(float(r[c]) - float(by_time[f"{float(r['time']):.6f}"][c])) for r in found
               if f"{float(r['time']):.6f}" in by_time for c in columns if r[c])


def measure(program, folder, config, seed, std, exact):
    """One start without and with the observation; `exact`: efforts are declared exact although they are not."""
    folder = pathlib.Path(folder)
    config = config | {"simulation": config["simulation"] | {"prior_error": gaits.PRIOR_ERROR}}
    (folder / "truth.yaml").write_text(yaml.safe_dump(config, sort_keys=False))

    def run(*words):
        return subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)

    if run("simulate", "truth.yaml", "--out", "log", "--seed", seed, "--quiet").returncode != 0:
        return None
    given = yaml.safe_load((folder / "log" / "config.yaml").read_text())
    if exact:
        given["measurements"]["effort"] = "exact"
    truth = {n: v for n, v in json.loads((folder / "log" / "truth.json").read_text())["physical"].items()}
    out = []
    for energy in (None, std):
        measurements = given["measurements"] | ({"energy": {"std": energy}} if energy else {})
        (folder / "log" / "given.yaml").write_text(yaml.safe_dump(given | {"measurements": measurements}, sort_keys=False))
        run("identify", "log/given.yaml", "--out", "result", "--threads", 1, "--quiet")
        result = json.loads((folder / "result" / "result.json").read_text())
        found = {n: v["value"] for n, v in result["physical"].items()}
        out.append({"converged": result["status"] == "converged", "iterations": result["iterations"],
                    "friction": friction_error(found, truth), "inertia": inertia_error(found, truth),
                    "trajectory": trajectory_error(folder)})
        subprocess.run(["rm", "-rf", str(folder / "result")])
    return out


def table(program, robots, starts, stds, exact):
    print("| robot | σ_E, J | energy | converged | iterations | friction error | inertia error | trajectory error, mrad |\n|" + "---|" * 8, flush=True)
    for robot in robots:
        for std in stds:
            rows = []
            for seed in range(1, starts + 1):
                with tempfile.TemporaryDirectory() as folder:
                    rows.append(measure(program, folder, ROBOTS[robot](), seed, std, exact))
            for i, name in enumerate(("without", "with")):
                mean = {k: statistics.fmean(r[i][k] for r in rows) for k in rows[0][i]}
                print(f"| {robot} | {std:g} | {name} | {mean['converged']:.0%} | {mean['iterations']:.1f} | {mean['friction']:.4f} "
                      f"| {mean['inertia']:.3f} | {1e3 * mean['trajectory']:.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=lambda path: str(pathlib.Path(path).resolve()),
                        default=str(gaits.ROOT / "build" / "bin" / "bayesid"))
    parser.add_argument("--starts", type=int, default=100)
    parser.add_argument("--robots", nargs="+", default=list(ROBOTS))
    parser.add_argument("--std", nargs="+", type=float, default=[0.01])
    parser.add_argument("--exact", action="store_true", help="efforts are declared exact, although they are not")
    arguments = parser.parse_args()
    table(arguments.program, arguments.robots, arguments.starts, arguments.std, arguments.exact)


if __name__ == "__main__":
    main()
