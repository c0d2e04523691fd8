# SPDX-License-Identifier: BSD-3-Clause
"""Errors of identified parameters under increasing noise of the motion sensors, beside the methods in use.

Numbers for docs/studies/noise.md, and in short for tests/python/test_baselines.py. Each seed is a log and a wrong prior of
its own. A run that was interrupted goes on where it stopped.

    python studies/noise.py [--program build/bin/bayesid] [--seeds 5] [--robot arm]
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

import yaml

import energy
import gaits

SIGMAS = (0.0, 0.005, 0.01, 0.1)
PUBLISHED = {0.0: (3.5, 6.5, 2.0), 0.005: (9.5, 8.0, 2.3), 0.01: (22.0, 12.5, 2.8), 0.1: (95.0, 38.0, 6.0)}  # ID, energy, theirs: %
METHODS = ("id_ee", "energy", "map")
NOT_CONVERGED = 1  # exit code


def arm(duration=10, rate=250):
    config = energy.arm()
    config["measurements"]["effort"] = "exact"
    config["disturbance"] = {"position": 1e-7, "velocity": 1e-5}
    config["simulation"] = {"duration": duration, "rate": rate, "harmonics": 5, "base_frequency": 0.2, "amplitude": 1.0,
                            "prior_error": gaits.PRIOR_ERROR}
    return config


def quick():
    config = energy.pendulum()
    config["measurements"]["effort"] = "exact"
    config["disturbance"] = {"position": 1e-7, "velocity": 1e-5}
    config["simulation"] |= {"duration": 6, "rate": 400, "prior_error": gaits.PRIOR_ERROR}
    return config


ROBOTS = {"arm": arm, "quick": quick}


def with_noise(config, sigma, least):
    """The same standard deviation of positions (rad) and velocities (rad/s); the first state is known no better than that."""
    return energy.merged(config, {"measurements": {"position": max(sigma, least), "velocity": max(sigma, 10 * least)},
                                  "initial_state": {"position": max(1e-2, 3 * sigma), "velocity": max(1e-1, 3 * sigma)}})


def measure(program, folder, robot, sigma, seed, methods=METHODS):
    """One log, all methods."""
    folder = pathlib.Path(folder)
    config = ROBOTS[robot]()
    (folder / "truth.yaml").write_text(yaml.safe_dump(with_noise(config, sigma, 1e-12), sort_keys=False))

    def run(*words):
        done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
        if done.returncode not in (0, NOT_CONVERGED):
            raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr[-1000:]}")
        return done.stdout

    run("simulate", "truth.yaml", "--out", "log", "--seed", seed, "--quiet")
    given = yaml.safe_load((folder / "log" / "config.yaml").read_text())
    (folder / "log" / "given.yaml").write_text(yaml.safe_dump(with_noise(given, sigma, 1e-6), sort_keys=False))
    answer = json.loads(run("compare", "log/given.yaml", "--methods", ",".join(methods), "--truth", "log/truth.json", "--json"))
    out = {"robot": robot, "sigma": sigma, "seed": seed, "methods": {}}
    for name, one in answer["methods"].items():
        out["methods"][name] = one["error"] | {"status": one["status"], "iterations": one["iterations"], "seconds": one["seconds"],
                                               "impossible": one["impossible_bodies"], "window": one.get("smoothing", {}).get("window")}
    return out


def rows_of(program, robot, sigma, seeds, folder, methods=METHODS):
    """One row for each seed; those on disk are not made again."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"noise-{robot}-{sigma:g}.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    done = {row["seed"] for row in rows}
    for seed in range(1, seeds + 1):
        if seed in done:
            continue
        with tempfile.TemporaryDirectory() as work:
            rows.append(measure(program, work, robot, sigma, seed, methods))
        with file.open("a") as out:
            out.write(json.dumps(rows[-1]) + "\n")
    return [row for row in rows if row["seed"] <= seeds]


def cell(rows, method, key):
    """Mean over the seeds, and the worst."""
    values = [100 * row["methods"][method][key] for row in rows]
    return f"{statistics.fmean(values):.2g} ({max(values):.2g})"


COLUMNS = ["σ", "seeds", *METHODS]
PUBLISHED_COLUMNS = ["published: ID", "energy", "theirs"]  # of the inertial parameters


def table(program, seeds, folder, robot="arm", key="base"):
    """Errors in percent, mean and worst; the published ones beside those of the inertias."""
    columns = COLUMNS + (PUBLISHED_COLUMNS if key == "base" else [])
    out = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    print("\n".join(out), flush=True)
    for sigma in SIGMAS:
        rows = rows_of(program, robot, sigma, seeds, folder)
        published = [f"{value:.1f}" for value in PUBLISHED[sigma]] if key == "base" else []
        out.append("| " + " | ".join([f"{sigma:g}", str(len(rows)), *(cell(rows, m, key) for m in METHODS), *published]) + " |")
        print(out[-1], flush=True)
    return out


def convergence(folder, seeds, robot="arm"):
    """How many runs of each method converged, in words; of rows on disk."""
    rows = [row for sigma in SIGMAS for row in rows_of("", robot, sigma, seeds, folder)]
    counts = [f"{m} {sum(row['methods'][m]['status'] == 'converged' for row in rows)}" for m in METHODS]
    return f"Converged of {len(rows)} runs: {', '.join(counts)}; the others count in the table as they ended."


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(gaits.ROOT / "build" / "bin" / "bayesid"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--robot", choices=sorted(ROBOTS), default="arm")
    parser.add_argument("--rows", default=str(gaits.ROOT / "build" / "studies" / "noise"))
    given = parser.parse_args()
    for what in ("base", "friction"):
        print(f"\n{what} error, %:", flush=True)
        table(str(pathlib.Path(given.program).resolve()), given.seeds, pathlib.Path(given.rows), given.robot, what)
