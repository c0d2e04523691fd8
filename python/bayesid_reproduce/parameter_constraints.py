# SPDX-License-Identifier: BSD-3-Clause
"""Known symmetry and total mass, against nothing known.

The paper says: nearly the same iterations, smaller errors of the inertias, most of all on legged robots. Its numbers are curves in a figure.
"""
import statistics

import pinocchio

from bayesid_reproduce import robots
from bayesid_reproduce.errors import inertia_errors, physical
from bayesid_reproduce.program import merged
from bayesid_reproduce.report import Report, Table

ROBOTS = {"biped": (lambda: robots.biped(2, 400), [("left", "right")]),
          "quadruped": (lambda: robots.quadruped(2, 400), [("LF_", "RF_"), ("LH_", "RH_")])}
KNOWN = ("nothing", "symmetry, total mass")


def total_mass(config):
    model = pinocchio.buildModelFromUrdf(config["model"]["urdf"], pinocchio.JointModelFreeFlyer())
    return pinocchio.computeTotalMass(model)


def start(program, config, pairs, seed):
    """One start without and with constraints."""
    wrong = merged(config, {"simulation": {"prior_error": robots.PRIOR_ERROR, "logs": 1}})
    given, truth = program.simulate(wrong, "log", seed)
    known = {"total_mass": total_mass(config),
             "symmetry": [{"left": left, "right": right, "plane": "xz"} for left, right in pairs]}
    out = {}
    for name, constraints in zip(KNOWN, ({}, known)):
        result = program.identify(given | {"constraints": constraints} if constraints else given, "result")
        out[name] = inertia_errors(physical(result), truth["physical"]) | {
            "status": result["status"], "iterations": result["iterations"], "violation": result["violation"]["parameter_equality"]}
    return out


def line(robot, known, rows):
    def mean(key):
        return statistics.fmean(row[known][key] for row in rows)

    converged = sum(row[known]["status"] == "converged" for row in rows)
    return [robot, known, f"{converged} of {len(rows)}", f"{mean('iterations'):.1f}", f"{100 * mean('mass'):.1f} %",
            f"{1e3 * mean('com'):.1f}", f"{100 * mean('moments'):.1f} %", f"{max(row[known]['violation'] for row in rows):.0e}"]


def reproduce(rows, quick=False, starts=None, seed=1):
    starts = starts or (1 if quick else 20)
    table, data = [], {}
    for name, (make, pairs) in ROBOTS.items():
        if quick and name != "quadruped":
            continue
        config = merged(make(), {"simulation": {"duration": 1, "rate": 200}}) if quick else make()
        data[name] = [rows.get(f"{name}{', quick' if quick else ''}, start {number}", lambda program, number=number: start(
            program, config, pairs, number)) for number in range(seed, seed + starts)]
        table += [line(name, known, data[name]) for known in KNOWN]
    columns = ["robot", "known", "converged", "iterations", "mass", "centre of mass, mm", "inertia", "violation"]
    about = [f"Legged robots simulated for {'1 s at 200' if quick else '2 s at 400'} Hz, {starts} starts, each with its own log and priors "
             f"{100 * robots.PRIOR_ERROR:.0f} % wrong: once with nothing known, once",
             "with `constraints: {total_mass, symmetry}`, left and right legs mirror images in the plane xz of the base.",
             "Errors are root mean squares over links: relative for masses, of each coordinate for centres of mass, by the trace for inertias."]
    return Report("Known symmetry and total mass", about, [Table("Without and with", columns, table)], data=data)
