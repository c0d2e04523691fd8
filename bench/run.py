# SPDX-License-Identifier: BSD-3-Clause
"""Runs all benchmarks, prints their tables and writes bench/RESULTS.md.

    python bench/run.py [--quick] [--repeats 3]
"""

import argparse
import datetime
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build" / "bin"
STAGES = ["robot", "effort", "stages", "threads", "us/stage", "cpu_us", "linearise", "recursion", "step",
          "evaluate", "B/stage", "peak_MB"]
FLOOR = ["robot", "effort", "nx", "nd", "nw", "nzeta", "recursion", "floor", "ratio", "GFlop/s"]
CALLS = ["robot", "rows", "derivatives", "regressor", "constraints", "together"]
WHOLE = ["robot", "effort", "stage", "products", "pinocchio", "ratio"]
STANDING = {"quadruped": "standing quadruped", "biped": "standing biped"}
IPOPT = ["stages", "parameters", "iter", "build_s", "solve_s", "functions_s", "ipopt_us", "b_iter", "bayesid_us",
         "cost_diff", "status"]


def run(command):
    """The two lines a benchmark prints, as a dictionary from column to text."""
    # An idle thread of OpenBLAS spins for a while, and its time would be counted.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    text = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    print(text.splitlines()[-1], flush=True)
    return dict(zip(*(line.split() for line in text.splitlines()[-2:])))


def program(name, **options):
    words = [str(BIN / f"bench_{name}")]
    for key, value in options.items():
        words += [f"--{key}", str(value)]
    return words


def stage_times(quick, repeats):
    rows = []
    for robot in ("pendulum", "panda"):
        for effort in ("exact", "noisy"):
            for stages in (1000,) if quick else (1000, 10000, 100000):
                for threads in (1, 2):
                    # Short logs more often: their times are small beside what the machine does meanwhile.
                    times = {1000: 4 * repeats, 10000: repeats}.get(stages, 1)
                    rows.append(run(program("stage_time", robot=robot, effort=effort, stages=stages,
                                            threads=threads, repeats=times)))
    for robot in STANDING:
        for effort in ("exact", "noisy"):
            for stages in (1000,) if quick else (1000, 10000):
                for threads in (1, 2):
                    rows.append(run(program("stage_time", robot=robot, effort=effort, stages=stages,
                                            threads=threads, repeats=repeats)))
    return rows


def floors(repeats):
    # A stage of the pendulum takes so little that the least of many runs is wanted.
    times = {"pendulum": 100 * repeats}
    return [run(program("blas_floor", robot=robot, effort=effort, repeats=times.get(robot, 3 * repeats)))
            for robot in ("pendulum", "panda", *STANDING) for effort in ("exact", "noisy")]


def pinocchio_calls(repeats):
    return [run(program("pinocchio_calls", robot=robot, repeats=3 * repeats))
            for robot in ("panda", *STANDING)]


def whole_stages(stages, floor_rows, call_rows):
    """A stage of a standing robot, and what cannot be left out of it."""
    rows = []
    for robot in STANDING:
        for effort in ("exact", "noisy"):
            stage = min(float(r["cpu_us"]) for r in find(stages, robot=robot, effort=effort, threads=1))
            products = float(find(floor_rows, robot=robot, effort=effort)[0]["floor"])
            calls = float(find(call_rows, robot=robot)[0]["together"])
            rows.append({"robot": robot, "effort": effort, "stage": f"{stage:.1f}",
                         "products": f"{products:.1f}", "pinocchio": f"{calls:.1f}",
                         "ratio": f"{stage / (products + calls):.2f}"})
    return rows


def ipopt(quick):
    script = str(ROOT / "bench" / "casadi_ipopt.py")
    # Long logs stop early: an iteration costs the same whether it is the last one or not.
    cases = [(200, 20, [])] if quick else [(100, 500, []), (200, 500, []), (400, 30, []), (1000, 8, []),
                                           *((stages, 200, ["--copies"]) for stages in (100, 200, 400, 1000))]
    return [run([sys.executable, script, "--stages", str(stages), "--iterations", str(iterations), *words])
            for stages, iterations, words in cases]


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(row[c] for c in columns) + " |" for row in rows]
    return "\n".join(lines)


def find(rows, **wanted):
    return [r for r in rows if all(r[k] == str(v) for k, v in wanted.items())]


def goals(stages, floor_rows, whole_rows, ipopt_rows):
    """Goal, measured value and whether it holds; the number that is printed is never rounded up to the goal."""
    rows = []

    def add(goal, measured, holds):
        rows.append({"goal": goal, "measured": measured, "holds": "yes" if holds else "no"})

    worst = max(float(r["ratio"]) for r in floor_rows)
    add("recursion within 2 times the bare products", f"{worst:.2f} times", worst <= 2)
    arm = find(stages, robot="panda", effort="noisy", threads=1)
    per_stage = [float(r["cpu_us"]) for r in arm]  # one thread: wall time without the other programs'
    spread = max(per_stage) / min(per_stage)
    add("time linear in the number of stages (arm)",
        f"{min(per_stage):.1f} to {max(per_stage):.1f} µs for each stage", spread < 1.25)
    for r in find(stages, robot="panda", stages=100000, threads=1):
        peak = float(r["peak_MB"]) / 1024
        add(f"100,000 stages of the arm below 4 GB (efforts {r['effort']})", f"{peak:.2f} GB", peak < 4)
    for effort in ("exact", "noisy"):
        best = min(float(r["cpu_us"]) for r in find(stages, robot="panda", effort=effort, threads=1))
        add(f"a stage of the arm at most 40 µs, one thread (efforts {effort})", f"{best:.1f} µs", best <= 40)
    for r in whole_rows:
        add(f"whole stage of the {STANDING[r['robot']]} within 2 times bare products + Pinocchio calls "
            f"(efforts {r['effort']})", f"{r['ratio']} times", float(r["ratio"]) <= 2)
    for r in whole_rows:
        if r["robot"] == "quadruped":
            add(f"at most 178 µs for the standing quadruped, one thread (efforts {r['effort']})",
                f"{r['stage']} µs", float(r["stage"]) <= 178)
    for r in ipopt_rows:
        ratio = float(r["ipopt_us"]) / float(r["bayesid_us"])
        add(f"20 times less than CasADi + IPOPT for each stage and iteration "
            f"({r['stages']} stages, parameters {r['parameters']})",
            f"{ratio:.0f} times", ratio >= 20)
    return rows


def machine():
    info = pathlib.Path("/proc/cpuinfo").read_text()
    names = [line.split(":", 1)[1].strip() for line in info.splitlines() if line.startswith("model name")]
    return f"{names[0] if names else 'unknown'}, {os.cpu_count()} cores"


def commit():
    words = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    return subprocess.run(words, capture_output=True, text=True).stdout.strip() or "unknown"


def results(stages, floor_rows, call_rows, ipopt_rows, repeats):
    whole_rows = whole_stages(stages, floor_rows, call_rows)
    return f"""# Results

{machine()}; commit {commit()}; {datetime.date.today()}; `make bench`. Times in µs for each stage and iteration,
the least of {repeats} runs ({4 * repeats} of the arms at 1,000 stages, one at 100,000). Written by bench/run.py.

## Goals

{table(["goal", "measured", "holds"], goals(stages, floor_rows, whole_rows, ipopt_rows))}

## Time and memory of a stage

us/stage: wall time of the fastest iteration; cpu_us: the same in time of all cores used. linearise: summed over threads. recursion: backward sweep. step: forward sweep and
update of the paths. evaluate: one evaluation of Φ. B/stage: memory of the solver. peak_MB: of the whole process, its log included.

{table(STAGES, stages)}

## The recursion and the same matrix products alone

{table(FLOOR, floor_rows)}

## Standing robots: the whole stage

quadruped: ANYmal on four points; biped: the legs of Talos on two soles, its upper body locked; both with a pose
sensor on the base. stage: cpu_us of one thread, the least over lengths. products: floor of the table above.

{table(WHOLE, whole_rows)}

Pinocchio alone: computeRNEADerivatives (the mass matrix too), computeJointTorqueRegressor, and
constraintDynamics with computeConstraintDynamicsDerivatives, once each.

{table(CALLS, call_rows)}

## CasADi and IPOPT

The double pendulum with exact efforts, 32 parameters, which IPOPT is given once or, for a banded matrix, as a copy for
each stage that equals the next. Copies need fewer iterations and less total time; ipopt_us is all of IPOPT's time, function evaluations included but the
building of the graph (build_s) not, and bayesid_us all of solve() with one thread; CPU time, each over its own number of iterations (iter, b_iter).
cost_diff: relative difference of the two costs where IPOPT finished.

{table(IPOPT, ipopt_rows)}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short logs only; RESULTS.md is left alone")
    parser.add_argument("--repeats", type=int, default=3, help="the least time of so many runs counts")
    arguments = parser.parse_args()
    stages = stage_times(arguments.quick, arguments.repeats)
    floor_rows = floors(arguments.repeats)
    call_rows = pinocchio_calls(arguments.repeats)
    ipopt_rows = ipopt(arguments.quick)
    text = results(stages, floor_rows, call_rows, ipopt_rows, arguments.repeats)
    print(text)
    if not arguments.quick:
        (ROOT / "bench" / "RESULTS.md").write_text(text)


if __name__ == "__main__":
    main()
