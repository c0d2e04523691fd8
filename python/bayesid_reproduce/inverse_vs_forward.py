# SPDX-License-Identifier: BSD-3-Clause
"""The same problem with accelerations from efforts (forward) and efforts from accelerations (inverse).

The paper says: fewer iterations with inverse dynamics on all five robots, most of all on those in contact, and often a smaller
error of the trajectory. Its numbers are curves in a figure, without a scale that could be read.
"""
import statistics

from bayesid_reproduce import robots
from bayesid_reproduce.errors import friction_error, inertia_errors, physical, settled, trajectory_error
from bayesid_reproduce.program import merged
from bayesid_reproduce.report import Report, Table
from bayesid_reproduce.svg import Panel

FORMULATIONS = ("inverse", "forward")
SYSTEMS = {"double pendulum": robots.pendulum, "arm": robots.arm, "quadrotor": lambda: robots.quadrotor(2, 200),
           "biped": lambda: robots.biped(1.2, 200), "quadruped": lambda: robots.quadruped(1.2, 200)}
QUICK = ("double pendulum", "quadrotor")


def wrong(config):
    return merged(config, {"simulation": {"prior_error": robots.PRIOR_ERROR, "logs": 1}})


def numbers(program, result, truth):
    """Of the result in the folder."""
    found = physical(result)
    return {"status": result["status"], "iterations": result["iterations"], "cost": result["cost"]["total"],
            "history": [{"cost": one["cost"]} for one in result["history"]],
            "trajectory": trajectory_error(program.folder / "result" / "trajectory.csv",
                                           program.folder / "log" / "truth_trajectory1.csv"),
            "friction": friction_error(found, truth["physical"]), "seconds": result["timing"]["total"]} | inertia_errors(
                found, truth["physical"])


def start(program, config, seed):
    """Both formulations on one log from one prior."""
    given, truth = program.simulate(wrong(config), "log", seed)
    return {name: numbers(program, program.identify(merged(given, {"solver": {"dynamics": name}}), "result"), truth)
            for name in FORMULATIONS}


def curve(program, config, seed, formulation, iterations):
    """The state after each iteration: the same run, stopped earlier."""
    given, truth = program.simulate(wrong(config), "log", seed)
    out = []
    for most in range(1, iterations + 1):
        result = program.identify(merged(given, {"solver": {"dynamics": formulation, "max_iterations": most}}), "result")
        out.append({key: value for key, value in numbers(program, result, truth).items() if key != "history"})
    return out


def mean(rows, formulation, key):
    return statistics.fmean(row[formulation][key] for row in rows)


def line(name, formulation, rows):
    """Settled: iterations to the lower of the two final costs, over the starts that reach it."""
    converged = sum(row[formulation]["status"] == "converged" for row in rows)
    least = [min(row[one]["cost"] for one in FORMULATIONS) for row in rows]
    reached = [settled(row[formulation]["history"], best) for row, best in zip(rows, least) if row[formulation]["cost"] < best + 0.01]
    middle = f"{statistics.fmean(reached):.1f} ({len(reached)})" if reached else "– (0)"
    return [name, formulation, f"{converged} of {len(rows)}", f"{mean(rows, formulation, 'iterations'):.1f}", middle,
            f"{mean(rows, formulation, 'cost'):.1f}", f"{1e3 * mean(rows, formulation, 'trajectory'):.3f}",
            f"{100 * mean(rows, formulation, 'mass'):.1f} %", f"{1e3 * mean(rows, formulation, 'com'):.1f}",
            f"{100 * mean(rows, formulation, 'moments'):.1f} %", f"{mean(rows, formulation, 'seconds'):.2f}"]


def panels(name, curves):
    out = []
    for title, key, factor in (("cost", "cost", 1), ("trajectory error, mrad", "trajectory", 1e3), ("mass error, %", "mass", 100)):
        panel = Panel(f"{name}: {title}", x="iteration", logarithmic=True)
        for formulation, points in curves.items():
            panel.line(formulation, range(1, len(points) + 1), [factor * point[key] for point in points])
        out.append(panel)
    return out


def verdict(table):
    """Where inverse dynamics needs fewer iterations, and where not."""
    fewer, others = [], []
    for inverse, forward in zip(table[::2], table[1::2]):
        (fewer if float(inverse[3]) < float(forward[3]) else others).append(f"{inverse[0]} ({inverse[3]} against {forward[3]})")
    return [f"Fewer iterations with inverse dynamics: {', '.join(fewer) or 'none'}.",
            f"Not fewer: {', '.join(others) or 'none'}."]


def reproduce(rows, quick=False, starts=None, seed=1):
    starts = starts or (2 if quick else 20)
    systems = {name: make for name, make in SYSTEMS.items() if not quick or name in QUICK}
    table, figure, data = [], [], {}
    for name, make in systems.items():
        found = [rows.get(f"{name}, start {number}", lambda program, number=number: start(program, make(), number))
                 for number in range(seed, seed + starts)]
        table += [line(name, formulation, found) for formulation in FORMULATIONS]
        curves = {formulation: rows.get(f"{name}, {formulation}, by iteration", lambda program, formulation=formulation: curve(
            program, make(), seed, formulation, min(found[0][formulation]["iterations"], 30)))
            for formulation in FORMULATIONS}
        figure += panels(name, curves)
        data[name] = {"starts": [{f: {k: v for k, v in row[f].items() if k != "history"} for f in FORMULATIONS} for row in found],
                      "by_iteration": curves}
    columns = ["robot", "dynamics", "converged", "iterations", "settled (starts)", "cost", "trajectory, mrad", "mass", "centre, mm",
               "inertia", "s"]
    about = [f"{starts} starts, each a log of its own and priors {100 * robots.PRIOR_ERROR:.0f} % wrong; the same logs, priors and noise for both",
             "formulations, to the same tolerance. Settled: iterations until the cost stays within 0.01 of the lower one of the two, over the",
             "starts that reach it. Errors: largest of a joint's position (the quadrotor: of its place, mm); root mean squares over links of relative",
             "masses, of centres of mass, of inertias by their traces."]
    return Report("Inverse and forward dynamics", about, [Table("To the same tolerance", columns, table)],
                  {"inverse-vs-forward": (figure, 3)}, verdict(table), data)
