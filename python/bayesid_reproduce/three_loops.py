# SPDX-License-Identifier: BSD-3-Clause
"""A leg with three loops in series, identified from wrong priors and evaluated on a faster motion."""
from bayesid_reproduce import robots
from bayesid_reproduce.effort_figure import effort_panels, effort_series
from bayesid_reproduce.program import merged
from bayesid_reproduce.report import Report, Table


def shares(prediction, which, motors):
    """Error of each motor's effort as a share of its range."""
    return {joint: rmse / span for joint, rmse, span in zip(prediction["joints"], prediction[which]["rmse"], prediction["range"])
            if joint in motors}


def measure(program, duration, rate, seed):
    config = robots.three_loops(duration, rate)
    given, _ = program.simulate(merged(config, {"simulation": {"prior_error": robots.PRIOR_ERROR}}), "training", seed)
    held_out, _ = program.simulate(merged(config, {"simulation": {"base_frequency": 0.55, "harmonics": 4}}), "held_out", seed + 1)
    result = program.identify(given, "result")
    motors = config["model"]["actuation"]["joints"]
    test = given | {"logs": held_out["logs"]}
    prediction = program.validate(test, "result")
    efforts = effort_series(program.folder / "result-prediction" / "prediction.csv", motors)
    truth = program.validate(held_out, "result")  # its prior is the truth
    return {"status": result["status"], "iterations": result["iterations"], "violation": result["violation"],
            "nominal": shares(prediction, "nominal", motors), "identified": shares(prediction, "identified", motors),
            "truth": shares(truth, "nominal", motors),
            "efforts": efforts}


def reproduce(rows, quick=False, starts=None, seed=1):
    duration, rate = (3, 500) if quick else (10, 1000)
    found = rows.get(f"{duration} s at {rate} Hz, seed {seed}", lambda program: measure(program, duration, rate, seed))
    table = [[joint, *(f"{100 * found[which][joint]:.2f} %" for which in ("nominal", "identified", "truth"))] for joint in found["nominal"]]
    violation = found["violation"]
    notes = [f"{found['status']} after {found['iterations']} iterations; loops hold to {violation['constraint']:.0e} m/s² and {violation['position']:.0e} m."]
    about = [f"data/models/three_loop_leg, {duration} s at {rate} Hz, encoders and efforts (0.01 N·m), priors {100 * robots.PRIOR_ERROR:.0f} % wrong; evaluated on a faster motion.",
             "Root mean square error of each motor's effort on it, as a share of its range: with the prior, with the estimate, and with the true",
             "parameters, which is what noise and smoothing alone leave. The paper shows no number."]
    return Report("Three loops in series", about, [Table("Held-out motion", ["motor", "prior", "identified", "truth"], table)],
                  {"three-loops": (effort_panels(found["efforts"]), 3)}, notes, found)
