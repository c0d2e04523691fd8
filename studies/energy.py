# SPDX-License-Identifier: BSD-3-Clause
"""Effect of the balance of energy, observed in every stage, on an identification.

Numbers for docs/studies/energy.md, and in short for tests/python/test_energy.py; the table of four robots with the true noise configured is that of
`bayesid reproduce energy`. Each start is a log of its own and a prior of its own, 70 % wrong. A run that was interrupted goes on where it stopped.

    python studies/energy.py causes [--program build/bin/bayesid] [--starts 30] [--only honest …]
    python studies/energy.py continuous [--program build/bin/bayesid] [--only pendulum arm biped quadruped]
    python studies/energy.py loose [--program build/bin/bayesid] [--only pendulum arm biped quadruped]
    python studies/energy.py excited [--program build/bin/bayesid] [--only pendulum arm biped quadruped]
    python studies/energy.py row [--program build/bin/bayesid]
"""
import argparse
import atexit
import functools
import json
import math
import pathlib
import random
import statistics
import subprocess
import tempfile

import numpy
import pinocchio
import yaml

import gaits

from bayesid_reproduce.energy import PUBLISHED, SYSTEMS, evaluate, work_noise
from bayesid_reproduce.errors import friction
from bayesid_reproduce.program import merged, read_columns

NOT_CONVERGED = 1  # exit code
ROBOTS = SYSTEMS  # of the published table
FINE = {"simulation": {"duration": 1.25, "rate": 1000, "base_frequency": 0.8, "amplitude": 0.5}}
EXACT = {"measurements": {"effort": "exact"}}


def unweighted(std):
    """One std for all measurements and all disturbances, whatever their unit."""
    return {"measurements": {"position": std, "velocity": std}, "disturbance": {"position": std, "velocity": std}}


# Changes from an estimation with the true noise ("honest"): in the truth, then in the configuration of the estimator.
CAUSES = {
    "honest": ({}, {}),
    "1 kHz": (FINE, {}),
    "3 iterations": ({}, {"solver": {"max_iterations": 3}}),
    "1 kHz, effort std 100 times": (FINE, {"measurements": {"effort": 2.0}}),
    "1 kHz, disturbance std 1000 times": (FINE, {"disturbance": {"velocity": 1e-1}}),
    "1 kHz, effort exact, all std 0.1": (FINE | EXACT, unweighted(0.1)),
    "encoder std 10 times": ({}, {"measurements": {"position": 1e-3, "velocity": 1e-1}}),
    "prior std 0.01": ({}, {"prior": 0.01}),
    "effort called exact": ({}, EXACT)}
# The robot is integrated in finer time steps than the estimator uses; the true noise is configured.
CONTINUOUS = {
    "midpoint": ({"simulation": {"substeps": 20}, "solver": {"integrator": "midpoint"}}, {}),
    "constant acceleration": ({"simulation": {"substeps": 20}, "solver": {"integrator": "constant_acceleration"}}, {}),
    "semi-implicit Euler": ({"simulation": {"substeps": 20}, "solver": {"integrator": "semi_implicit_euler"}}, {})}
CONTINUOUS_STARTS = {"pendulum": 30, "arm": 20, "biped": 5, "quadruped": 5}
PENDULUM_ALONE = {"semi-implicit Euler"}  # it does not converge on all such logs
# The configured disturbance is 0.1 rad/s in every time step, of second order; the arm's log lasts 10 s.
LOOSE = {"honest": ({"solver": {"integrator": "midpoint"}}, {}),
         "disturbance std 1000 times": ({"solver": {"integrator": "midpoint"}}, {"disturbance": {"velocity": 0.1}})}
LOOSE_STARTS = {"pendulum": 30, "arm": 20}
LOOSE_DURATION = {"arm": 10}  # s
# The robot makes the most informative motion, as in the published experiment; the configured noise of efforts is right and far too large.
EXCITED = {"honest": 1, "effort std 1000 times": 1000}
EXCITED_STARTS = {"pendulum": 30, "arm": 20, "biped": 10, "quadruped": 10}
EXCITATION = {"duration": 10, "harmonics": 5, "rate": 250, "starts": 1}
STANDING = {"mu": 0.5, "least_force": 15, "limits": {"position": 0.2}}  # of ±9.42 rad, which no leg turns
ON_SOLES = {"mu": 0.5, "least_force": 50}


@functools.cache
def excited(program, robot):
    """The robot with its most informative motion, which lasts as long as this process."""
    work = tempfile.TemporaryDirectory()
    atexit.register(work.cleanup)
    folder = pathlib.Path(work.name)
    config = ROBOTS[robot]()
    posture = {key: value for key, value in config["simulation"].items() if key == "posture"}
    limits = {"quadruped": STANDING, "biped": ON_SOLES}.get(robot, {})
    config |= {"simulation": posture, "excitation": EXCITATION | limits}
    if robot == "biped":  # heavier than the others
        config = merged(config, {"parameters": {"friction": {"prior": {"coulomb": 3.0, "viscous": 1.0}}}})
    (folder / "robot.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    subprocess.run([program, "excite", "robot.yaml", "--out", "motion", "--random", "0", "--seed", "1", "--quiet"], cwd=folder, check=True, capture_output=True)
    motion = folder / "motion"
    given = yaml.safe_load((motion / "config.yaml").read_text())
    given["model"]["urdf"] = str(motion / given["model"]["urdf"])
    given["simulation"]["trajectory"] = str(motion / given["simulation"]["trajectory"])
    return merged(given, {"solver": {"integrator": "midpoint"}})


def configured_for(robot, cause):
    """Configured noise of the efforts of an excited robot."""
    return {"measurements": {"effort": EXCITED[cause] * ROBOTS[robot]()["measurements"]["effort"]}}


def with_prior(config, std):
    """The same wrong prior with a smaller std."""
    narrower = {name: one | {"std": std * one["std"] / gaits.PRIOR_ERROR} if "std" in one else one for name, one in config["parameters"]["set"].items()}
    return config | {"parameters": config["parameters"] | {"set": narrower}}


def measure(program, folder, robot, cause, seed, shares):
    """One start without the observation and with it, its std being these shares of the noise of the measured work."""
    folder = pathlib.Path(folder)
    if cause.startswith("excited, "):
        config, told = excited(program, robot), configured_for(robot, cause.removeprefix("excited, "))
    else:
        in_truth, told = (CAUSES | CONTINUOUS | {f"loose, {name}": one for name, one in LOOSE.items()})[cause]
        config = merged(ROBOTS[robot](), in_truth)
    config = merged(config, {"simulation": {"prior_error": gaits.PRIOR_ERROR, "logs": 1}})
    if cause.startswith("loose") and robot in LOOSE_DURATION:
        config = merged(config, {"simulation": {"duration": LOOSE_DURATION[robot]}})
    (folder / "truth.yaml").write_text(yaml.safe_dump(config, sort_keys=False))

    def run(*words):
        done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
        if done.returncode not in (0, NOT_CONVERGED):
            raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr[-1000:]}")

    run("simulate", "truth.yaml", "--out", "log", "--seed", seed, "--quiet")
    given = yaml.safe_load((folder / "log" / "config.yaml").read_text())
    given = merged(given, {section: keys for section, keys in told.items() if section != "prior"})
    if "prior" in told:
        given = with_prior(given, told["prior"])
    truth = json.loads((folder / "log" / "truth.json").read_text())
    noise = work_noise(folder / "log")
    out = {"robot": robot, "cause": cause, "seed": seed, "noise": noise}
    for share in (None, *shares):
        energy = {"energy": {"std": share * noise}} if share else {}
        (folder / "log" / "given.yaml").write_text(yaml.safe_dump(merged(given, {"measurements": energy}), sort_keys=False))
        run("identify", "log/given.yaml", "--out", "result", "--threads", 1, "--quiet")
        result = json.loads((folder / "result" / "result.json").read_text())
        out[f"{share:g}" if share else "without"] = evaluate(folder, result, truth)
    return out


def starts_of(program, robot, cause, starts, shares, folder):
    """One row for each start; those on disk are not made again."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"energy-{robot}-{cause.replace(', ', '-').replace(' ', '_')}.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    done = {row["seed"] for row in rows}
    for seed in range(1, starts + 1):
        if seed in done:
            continue
        with tempfile.TemporaryDirectory() as work:
            rows.append(measure(program, work, robot, cause, seed, shares))
        with file.open("a") as out:
            out.write(json.dumps(rows[-1]) + "\n")
    return [row for row in rows if row["seed"] <= starts]


def mean_of(rows, key):
    mean = {k: statistics.fmean(row[key][k] for row in rows) for k in rows[0][key] if k != "status"}
    return mean | {"converged": statistics.fmean(row[key]["status"] == "converged" for row in rows)}


def gain(rows, key):
    """Mean friction error with the observation by that without, its 95 % interval over starts drawn again, and in how many it is less."""
    pairs = [(row["without"]["friction"], row[key]["friction"]) for row in rows]
    draw = random.Random(1)

    def ratio(some):
        return sum(b for _, b in some) / sum(a for a, _ in some)

    again = sorted(ratio(draw.choices(pairs, k=len(pairs))) for _ in range(2000))
    return f"{ratio(pairs):.2f} ({again[50]:.2f} … {again[1949]:.2f}) | {sum(b < a for a, b in pairs)}"


def table(name, rows):
    """Lines of one cause: without, then with each std."""
    noise = statistics.fmean(row["noise"] for row in rows)
    out = []
    for key in (key for key, one in rows[0].items() if isinstance(one, dict)):
        mean = mean_of(rows, key)
        told, by = ("–", " | ") if key == "without" else (f"{float(key) * noise:.1e}", gain(rows, key))
        out.append(f"| {name} | {len(rows)} | {told} | {mean['converged']:.0%} | {mean['iterations']:.1f} | {mean['cost']:.3g} | {mean['friction']:.4f} | {by} | {mean['mass']:.3f} | "
                   f"{1e3 * mean['trajectory']:.3f} | {mean['std']:.4f} | {mean['scaled']:.2f} |")
    return out


CAUSE_COLUMNS = ["starts", "σ_E, J", "converged", "iterations", "cost", "friction error", "with / without", "starts with less", "inertia error", "trajectory error, mrad", "friction std",
                 "error in std"]
ROBOT_COLUMNS = ["robot", "starts", "σ_E, J", "converged", "iterations", "friction error", "with / without", "starts with less", "inertia error",
                 "trajectory error, mrad", "friction std", "error in std", "published: iterations", "friction", "inertia"]


def robot_line(robot, rows):
    """Without → with, and what was published; σ_E is the noise of the measured work of a stage."""
    pair = [mean_of(rows, key) for key in ("without", "with")]
    noise = statistics.fmean(row["noise"] for row in rows)

    def change(key, form, scale=1):
        return " → ".join(form.format(scale * one[key]) for one in pair)

    published = [f"{PUBLISHED[robot][i]} → {PUBLISHED[robot][i + 1]}" for i in (0, 2, 4)]
    return "| " + " | ".join([
        robot, str(len(rows)), f"{noise:.1e}", change("converged", "{:.0%}"), change("iterations", "{:.1f}"), change("friction", "{:.4f}"), gain(rows, "with"),
        change("mass", "{:.3f}"), change("trajectory", "{:.3f}", 1e3), change("std", "{:.4f}"), change("scaled", "{:.2f}"), *published]) + " |"


def robot_table(found):
    """One line for each robot, of rows with the keys "without" and "with"."""
    out = ["| " + " | ".join(ROBOT_COLUMNS) + " |", "|" + "---|" * len(ROBOT_COLUMNS)]
    return out + [robot_line(robot, rows) for robot, rows in found.items()]


def head_of(first):
    return ["| " + " | ".join([first, *CAUSE_COLUMNS]) + " |", "|" + "---|" * (1 + len(CAUSE_COLUMNS))]


def continuous_table(program, folder, starts=CONTINUOUS_STARTS):
    """All robots, integrated in finer time steps than the estimator uses; σ_E is once and a tenth of the noise of the measured work of a stage."""
    out = head_of("robot, integrator")
    for robot, count in starts.items():
        for integrator in CONTINUOUS:
            if integrator in PENDULUM_ALONE and robot != "pendulum":
                continue
            out += table(f"{robot}, {integrator}", starts_of(program, robot, integrator, count, [1, 0.1], folder))
            print("\n".join(out[-3:]), flush=True)
    return out


def configured_table(kind, cases, most):
    """A table of all robots, each with these configurations; σ_E is the noise of the measured work of a stage."""
    def make(program, folder, starts=most):
        out = head_of("robot, configuration")
        for robot, count in starts.items():
            for one in cases:
                more = table(f"{robot}, {one}", starts_of(program, robot, f"{kind}, {one}", count, [1], folder))
                out += more
                print("\n".join(more), flush=True)
        return out
    return make


loose_table = configured_table("loose", LOOSE, LOOSE_STARTS)
excited_table = configured_table("excited", EXCITED, EXCITED_STARTS)


def cause_table(program, starts, folder, causes=tuple(CAUSES)):
    """The pendulum with each configuration of the causes; σ_E is ten times and once the noise of the measured work of a stage."""
    out = head_of("pendulum")
    for cause in causes:
        more = table(cause, starts_of(program, "pendulum", cause, starts, [10, 1], folder))
        out += more
        print("\n".join(more), flush=True)
    return out


def row_at_truth(program, rate):
    """The row of the pendulum at its true motion, without noise or disturbance: its size, the noise of the work, and the equivalent change of friction."""
    config = merged(SYSTEMS["pendulum"](), {"simulation": {"rate": rate}, "disturbance": {"position": 1e-9, "velocity": 1e-9}})
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "truth.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
        subprocess.run([program, "simulate", "truth.yaml", "--out", "log", "--seed", "1", "--quiet"], cwd=folder, check=True)
        truth = json.loads((folder / "log" / "truth.json").read_text())["physical"]
        columns, noise = read_columns(folder / "log" / "truth_trajectory1.csv"), work_noise(folder / "log")
    model = pinocchio.buildModelFromUrdf(config["model"]["urdf"])
    data, joints = model.createData(), list(model.names)[1:]
    q, v, tau = (numpy.array([columns[f"{kind}.{j}"][:-1] for j in joints], dtype=float).T for kind in ("q", "v", "tau"))
    energy = numpy.array([pinocchio.computeKineticEnergy(model, data, *x) + pinocchio.computePotentialEnergy(model, data, x[0]) for x in zip(q, v)])
    mean = (v[1:] + v[:-1]) / 2
    taken = numpy.array([[s * friction(truth, j, s) for j, s in zip(joints, row)] for row in mean]) / rate
    row = numpy.diff(energy) + taken.sum(axis=1) - (mean * tau[:-1]).sum(axis=1) / rate
    change = numpy.linalg.lstsq(taken, -row, rcond=None)[0]
    return {"size": float(numpy.sqrt(numpy.mean(row**2))), "noise": noise, "friction": change.tolist()}


def row_table(program, rates=(250, 500, 1000)):
    out = ["| samples per second | row at the truth, J | noise of the measured work, J | equivalent change of friction, joint by joint |", "|" + "---|" * 4]
    for rate in rates:
        one = row_at_truth(program, rate)
        out.append(f"| {rate} | {one['size']:.1e} | {one['noise']:.1e} | {', '.join(f'{100 * x:+.1f} %' for x in one['friction'])} |")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["causes", "continuous", "loose", "excited", "row"])
    parser.add_argument("--program", type=lambda path: str(pathlib.Path(path).resolve()),
                        default=str(gaits.ROOT / "build" / "bin" / "bayesid"))
    parser.add_argument("--starts", type=int, default=100)
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--rows", type=pathlib.Path, default=gaits.ROOT / "build" / "studies", help="folder of the rows that are done")
    arguments = parser.parse_args()
    if arguments.what == "row":
        print("\n".join(row_table(arguments.program)))
        return
    folder = arguments.rows / arguments.what
    tables = {"continuous": (CONTINUOUS_STARTS, continuous_table), "loose": (LOOSE_STARTS, loose_table), "excited": (EXCITED_STARTS, excited_table)}
    if arguments.what in tables:
        most, make = tables[arguments.what]
        chosen = {robot: count for robot, count in most.items() if robot in (arguments.only or ROBOTS)}
        make(arguments.program, folder, {robot: min(count, arguments.starts) for robot, count in chosen.items()})
    else:
        cause_table(arguments.program, arguments.starts, folder, arguments.only or list(CAUSES))


if __name__ == "__main__":
    main()
