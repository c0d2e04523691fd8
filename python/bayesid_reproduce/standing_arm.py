# SPDX-License-Identifier: BSD-3-Clause
"""B1 with a Z1 on four feet: identified from swaying and waving, then evaluated by prediction and by drawing a circle.

The paper shows it on hardware: the end effector follows a circle better with the identified model. Its figure has no number.
"""
import numpy as np
import pinocchio

from bayesid_reproduce import robots
from bayesid_reproduce.effort_figure import effort_panels, effort_series
from bayesid_reproduce.errors import physical
from bayesid_reproduce.program import merged
from bayesid_reproduce.report import Report, Table
from bayesid_reproduce.svg import Panel
from bayesid_reproduce.tracking import Standing, changed_inertias, circle, follow

HAND, FEET, ARM = "link06", ("FL_foot", "FR_foot", "RL_foot", "RR_foot"), [f"joint{i}" for i in range(1, 7)]
RADIUS, PERIOD, STEP = 0.1, 4.0, 2e-3  # m, s, s


def share(prediction, which, joints):
    """Root mean square error over joints, as a share of each one's range."""
    values = [rmse / span for joint, rmse, span in zip(prediction["joints"], prediction[which]["rmse"], prediction["range"]) if joint in joints]
    return float(np.sqrt(np.mean(np.square(values))))


def draw_circle(config, truth, models, period):
    """Tracking of the true robot under feed-forward of each model."""
    whole = pinocchio.buildModelFromUrdf(config["model"]["urdf"], pinocchio.JointModelFreeFlyer())
    locked = [whole.getJointId(name) for name in config["model"]["lock"]]
    model = pinocchio.buildReducedModel(whole, locked, pinocchio.neutral(whole))
    q = pinocchio.neutral(model)
    for joint, angle in config["simulation"]["posture"].items():
        q[model.joints[model.getJointId(joint)].idx_q] = angle
    reference = circle(model, q, HAND, RADIUS, np.arange(0, period, STEP), period)
    plant = Standing(model, truth, FEET)
    return {name: follow(plant, Standing(changed_inertias(model, truth, values), values, FEET), reference, STEP, HAND)
            for name, values in models.items()}


def measure(program, duration, rate, period, seed):
    config = robots.quadruped_with_arm(duration, rate)
    given, truth = program.simulate(merged(config, {"simulation": {"prior_error": robots.PRIOR_ERROR}}), "training", seed)
    held_out, _ = program.simulate(merged(config, {"simulation": {"base_frequency": 0.7}}), "held_out", seed + 1)
    result = program.identify(given, "result")
    prediction = program.validate(given | {"logs": held_out["logs"]}, "result")
    legs = [joint for joint in prediction["joints"] if joint not in ARM]
    models = {"nominal": {name: one["prior"] for name, one in result["physical"].items()}, "identified": physical(result),
              "truth": truth["physical"]}
    return {"status": result["status"], "iterations": result["iterations"], "seconds": result["timing"]["total"],
            "efforts": effort_series(program.folder / "result-prediction" / "prediction.csv", ARM),
            "shares": {which: {"arm": share(prediction, which, ARM), "legs": share(prediction, which, legs)}
                       for which in ("nominal", "identified")},
            "tracking": draw_circle(config, truth["physical"], models, period)}


def reproduce(rows, quick=False, starts=None, seed=1):
    duration, rate, period = (1.5, 200, 1.0) if quick else (8, 400, PERIOD)
    found = rows.get(f"{duration} s at {rate} Hz, seed {seed}", lambda program: measure(
        program, duration, rate, period, seed))
    table = []
    for name in ("nominal", "identified", "truth"):
        shares = found["shares"].get(name)
        track = found["tracking"][name]
        table.append([name, f"{100 * shares['arm']:.1f} %" if shares else "–", f"{100 * shares['legs']:.1f} %" if shares else "–",
                      f"{1e3 * track['rms']:.1f}", f"{1e3 * track['most']:.1f}"])
    panel = Panel("distance of the hand from its circle", x="time, s", y="m")
    for name, track in found["tracking"].items():
        panel.line(name, [10 * STEP * k for k in range(len(track["errors"]))], track["errors"])
    about = [f"B1 with a Z1 on its back stands on four feet, sways and waves for {duration} s at {rate} Hz; encoders, efforts (0.1 N·m) and the pose of the trunk; priors",
             f"{100 * robots.PRIOR_ERROR:.0f} % wrong. Efforts: of a faster held-out motion, error by the range, root mean square over the joints. Circle: the hand follows a circle of",
             f"{RADIUS} m in {period:g} s, feet fixed, under feed-forward of the model and a soft controller; the robot that moves is the true one."]
    notes = [f"{found['status']} after {found['iterations']} iterations."]
    return Report("A quadruped with an arm, standing", about,
                  [Table("Prediction and tracking", ["model", "efforts of the arm", "of the legs", "circle: rms, mm", "most, mm"], table)],
                  {"standing-arm-efforts": (effort_panels(found["efforts"]), 3), "standing-arm-circle": ([panel], 1)}, notes, found)
