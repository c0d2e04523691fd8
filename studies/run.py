#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the studies, row by row, so that an interrupted one goes on where it stopped; writes tables to docs/studies."""
import csv
import datetime
import json
import pathlib
import statistics
import subprocess
import tempfile

import gaits

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = ROOT / "build" / "studies"


def find_commit():
    text = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=True)
    return text.stdout.strip()


COMMIT = find_commit()  # before the first table is written


def rows_of(study, count):
    """Rows of seeds 1 … count; those that are on disk for this commit are not made again."""
    ROWS.mkdir(parents=True, exist_ok=True)
    file = ROWS / f"{study}-{COMMIT}.csv"
    done = {row[0]: row for row in csv.reader(file.open())} if file.exists() else {}
    with file.open("a") as out:
        for seed in range(1, count + 1):
            if str(seed) in done:
                continue
            program = ROOT / "build" / "bin" / f"study_{study}"
            line = subprocess.run([program, str(seed), str(seed)], capture_output=True, text=True, check=True).stdout
            out.write(line)
            out.flush()
            done[str(seed)] = line.strip().split(",")
            print(f"{study} {seed}/{count}: {line.strip()}", flush=True)
    return [done[str(seed)] for seed in range(1, count + 1)]


def write(study, title, lines, source="cpp"):
    head = [f"# {title}", "", f"Commit {COMMIT}, {datetime.date.today()}, `make studies` (`studies/{study}.{source}`).", ""]
    target = ROOT / "docs" / "studies" / f"{study}.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text("\n".join(head + lines) + "\n")
    print("\n".join(lines))


def convergence(count=100):
    rows = rows_of("convergence", count)
    converged = sum(row[1] == "converged" for row in rows)
    iterations = [int(row[2]) for row in rows]
    excess = [float(row[3]) - float(row[4]) for row in rows]
    seconds = [float(row[5]) for row in rows]
    write("convergence", "Convergence of a 7-joint arm from priors that are 70 % wrong", [
        "Panda, 112 parameters, 1,000 stages, encoders and noisy efforts; every prior 70 % wrong with a random sign.", "",
        "| | |", "|---|---|",
        f"| starts | {len(rows)} |", f"| ended `converged` | {converged} |",
        f"| iterations: least, median, most | {min(iterations)}, {statistics.median(iterations):g}, {max(iterations)} |",
        f"| seconds: median, most | {statistics.median(seconds):.2f}, {max(seconds):.2f} |",
        "| cost beyond that reached from the truth: median, most | "
        f"{statistics.median(excess):.2g}, {max(excess):.2g} |", "",
        "The last line compares optima: rotations that the data cannot see have side optima of the prior."])


def calibration(count=200):
    rows = rows_of("calibration", count)
    dimension = int(rows[0][2])
    error = statistics.mean(float(row[3]) for row in rows)
    intervals = sum(int(row[4]) for row in rows)
    covered = sum(int(row[5]) for row in rows)
    write("calibration", "Calibration of error bars", [
        "Two-joint arm, noisy efforts declared as such, prior mean drawn around the truth.", "",
        "| | asked | measured |", "|---|---|---|",
        f"| logs, converged | 200 | {len(rows)}, {sum(int(row[1]) for row in rows)} |",
        f"| mean normalised squared error of the identifiable combinations | {dimension} ± 10 % | {error:.2f} |",
        f"| 95 % intervals of physical values that the data determine cover the truth | 93–97 % | "
        f"{100 * covered / intervals:.1f} % of {intervals} |"])


def gait_row(robot, unit, duration):
    file = ROWS / f"gaits-{robot}-{COMMIT}.json"
    if not file.exists():
        config = getattr(gaits, robot)(duration, 1000)
        with tempfile.TemporaryDirectory() as folder:
            found = gaits.measure(ROOT / "build" / "bin" / "bayesid", folder, config,
                                  getattr(gaits, f"{robot}_unseen")(config))
        file.write_text(json.dumps(found))
    row = json.loads(file.read_text())
    violation = row["violation"]
    share = [f"{100 * row[key]:.1f} %" for key in ("prior_share", "seen_share", "unseen_share", "truth_share")]
    line = [unit, row["status"], str(row["iterations"]), *share, f"{violation['constraint']:.1e}", f"{violation['position']:.1e}"]
    print(f"gaits {robot}: {line}", flush=True)
    return "| " + " | ".join(line) + " |"


def gait(duration=10):
    ROWS.mkdir(parents=True, exist_ok=True)
    columns = ["robot", "status", "iterations", "prior", "seen", "unseen", "truth", "m/s²", "m"]
    write("gaits", "Motions that the estimate was not shown", [
        f"Simulated at 1 kHz, {duration} s a log, every prior {100 * gaits.PRIOR_ERROR:.0f} % wrong with a random sign.", "",
        "* quadruped: ANYmal, encoders, efforts (0.1 N·m) and the pose of its base (1 mm, 1 mrad), two logs of a trot;",
        "  asked about a trot with longer, higher and faster steps.",
        "* three loops: data/models/three_loop_leg, encoders and efforts (0.01 N·m), one log; asked about a faster motion.", "",
        "Largest root mean square error of a motor's effort, as a share of its range: with the prior on the log used, with the estimate on the same,",
        "with the estimate on the unseen log, and there with the true parameters, which is what noise and smoothing alone leave (asked of unseen: 2 %).",
        "Then the largest violation of the constraints in the estimated trajectory, in acceleration (asked: 1e-8) and position (asked: 1e-5).", "",
        "| " + " | ".join(columns) + " |", "|" + "---|" * len(columns),
        gait_row("quadruped", "quadruped", duration), gait_row("three_loops", "three loops", duration)], source="py")


def cube_tosses():
    data = ROOT.parent / "shared" / "data" / "cube_tosses"
    if not data.exists():
        print("cube_tosses: skipped, no recordings beside the project")
        return
    program = ROOT / "build" / "bin" / "study_cube_tosses"
    tables = subprocess.run([program, data], capture_output=True, text=True, check=True).stdout
    about = (ROOT / "studies" / "cube_tosses.md").read_text()
    write("cube_tosses", "Tosses of a cube", [about, tables.strip()])


if __name__ == "__main__":
    convergence()
    calibration()
    gait()
    cube_tosses()
