# SPDX-License-Identifier: BSD-3-Clause
"""The balance of energy observed in every stage: the paper's table, starts without and with it."""
import math
import statistics

from bayesid_reproduce import robots
from bayesid_reproduce.errors import friction_error, friction_std, inertia_errors, physical, settled, trajectory_error
from bayesid_reproduce.program import merged, read_columns
from bayesid_reproduce.report import Report, Table

SYSTEMS = {"pendulum": robots.pendulum, "arm": robots.arm, "biped": lambda: robots.biped(1.2, 200),
           "quadruped": lambda: robots.quadruped(1.2, 200)}
CASES = ("without", "with")
PUBLISHED = {  # iterations, friction error, inertia error, each without and with
    "pendulum": (20.4, 31.2, 0.031, 0.016, 0.022, 0.018), "arm": (7.3, 11.4, 0.75, 0.40, 0.56, 0.46),
    "biped": (15.6, 24.1, 2.18, 1.08, 1.86, 1.62), "quadruped": (9.2, 15.5, 1.82, 0.91, 1.47, 1.28)}


def work_noise(folder):
    """Standard deviation of the work of a stage as measured, around the true one: J."""
    measured, truth = read_columns(folder / "log1.csv"), read_columns(folder / "truth_trajectory1.csv")
    joints = [name[4:] for name in truth if name.startswith("tau.")]
    errors = []
    for k in range(len(measured["time"]) - 1):
        dt = measured["time"][k + 1] - measured["time"][k]
        work = [sum(0.5 * (of[f"v.{j}"][k] + of[f"v.{j}"][k + 1]) * of[f"tau.{j}"][k] for j in joints) * dt for of in (measured, truth)]
        errors.append(work[0] - work[1])
    return math.sqrt(statistics.fmean(error * error for error in errors))


def evaluate(folder, result, truth):
    """A result as numbers; its trajectory and its log are in the folder."""
    found = physical(result)
    std, scaled = friction_std(result, truth)
    return {"status": result["status"], "iterations": result["iterations"], "cost": result["cost"]["total"],
            "settled": settled(result["history"], result["cost"]["total"]),
            "trajectory": trajectory_error(folder / "result" / "trajectory.csv", folder / "log" / "truth_trajectory1.csv"),
            "friction": friction_error(found, truth["physical"]), "std": std,
            "scaled": scaled} | inertia_errors(found, truth["physical"])


def start(program, config, seed):
    wrong = merged(config, {"simulation": {"prior_error": robots.PRIOR_ERROR, "logs": 1}})
    given, truth = program.simulate(wrong, "log", seed)
    noise = work_noise(program.folder / "log")
    out = {"noise": noise}
    for case in CASES:
        observed = merged(given, {"measurements": {"energy": {"std": noise}}}) if case == "with" else given
        out[case] = evaluate(program.folder, program.identify(observed, "result"), truth)
    return out


def line(name, found):
    def both(key, form):
        return " → ".join(form.format(statistics.fmean(row[case][key] for row in found)) for case in CASES)

    converged = " → ".join(f"{sum(row[case]['status'] == 'converged' for row in found)}" for case in CASES)
    theirs = PUBLISHED[name]
    ratio = statistics.fmean(row["with"]["friction"] for row in found) / statistics.fmean(row["without"]["friction"] for row in found)
    return [name, str(len(found)), converged, both("iterations", "{:.1f}"), both("settled", "{:.1f}"), f"{theirs[0]} → {theirs[1]}",
            both("friction", "{:.4f}"), f"{ratio:.2f}", f"{theirs[2]} → {theirs[3]} ({theirs[3] / theirs[2]:.2f})",
            both("mass", "{:.3f}"), f"{theirs[4]} → {theirs[5]}", both("trajectory", "{:.5f}"), both("cost", "{:.4g}")]


def reproduce(rows, quick=False, starts=None, seed=1):
    starts = starts or (2 if quick else 100)
    table, data = [], {}
    for name, make in SYSTEMS.items():
        if quick and name != "pendulum":
            continue
        data[name] = [rows.get(f"{name}, start {number}", lambda program, number=number: start(program, make(), number))
                      for number in range(seed, seed + starts)]
        table.append(line(name, data[name]))
    columns = ["robot", "starts", "converged", "iterations", "settled", "published", "friction error", "ratio", "published", "mass error",
               "published", "trajectory, rad", "cost"]
    about = ["Without → with the observation, its std being the noise of the measured work of a stage. Every start is a log of its own with a prior",
             "of its own, 70 % wrong. Settled: iterations until the cost stays within 0.01 of its last value. The published errors are norms of parameter",
             "vectors: only their change can be compared. Why there is no such gain with honest noise: docs/studies/energy.md."]
    return Report("Observed balance of energy", about, [Table("Without → with", columns, table)], data=data)
