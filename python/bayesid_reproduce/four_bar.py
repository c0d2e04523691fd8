# SPDX-License-Identifier: BSD-3-Clause
"""A leg with a four-bar: predicted effort of nominal, reduced and closed-loop model; transmission and reflected friction; friction curves.

The paper shows it on hardware, as figures without numbers: nominal worst, reduced better, closed loop best.
"""
import csv

import numpy as np
import pinocchio

from bayesid_reproduce import robots
from bayesid_reproduce.effort_figure import effort_panels, effort_series
from bayesid_reproduce.errors import friction
from bayesid_reproduce.program import merged, read_columns
from bayesid_reproduce.report import Report, Table
from bayesid_reproduce.svg import Panel

MOTOR, PASSIVE = "crank", ("coupler", "knee")
PRIOR_ERROR = 0.6
EFFORT_STD = 0.01  # N·m, of a motor that needs about 2


def reduced_log(file, folder):
    """The same log with the motor's columns alone."""
    table = read_columns(file)
    names = ["time", *(f"{kind}.{MOTOR}" for kind in ("q", "v", "tau"))]
    with open(folder / f"reduced_{file.name}", "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(names)
        writer.writerows(zip(*(map(repr, table[name]) for name in names)))
    return str(folder / f"reduced_{file.name}")


def reduced_config(given, truth):
    """One link on the motor joint. Its friction starts as wrong as that of the leg, except for its slope: the true one is given, which
    else runs away to make up for what the model lacks."""
    wanted = {key: given["parameters"]["set"][key] for key in (f"friction.{MOTOR}.mu3", f"friction.{MOTOR}.mu5")}
    wanted[f"friction.{MOTOR}.mu4"] = {"prior": truth["parameters"][f"friction.{MOTOR}.mu4"], "fixed": True}
    return given | {"model": {"urdf": str(robots.ROOT / "data" / "models" / "four_bar_reduced.urdf"), "gravity": given["model"]["gravity"]},
                    "parameters": {"inertia": {"links": "all"}, "friction": {"joints": "all", "terms": ["coulomb", "viscous"]},
                                   "set": wanted}}


class Transmission:
    """How the joints of the closed leg turn with its motor."""

    def __init__(self, config):
        self.model = pinocchio.buildModelFromUrdf(config["model"]["urdf"])
        self.data = self.model.createData()
        self.loop = config["model"]["loops"][0]
        self.joints = list(self.model.names)[1:]
        self.motor = self.joints.index(MOTOR)
        self.passive = [j for j in range(self.model.nv) if j != self.motor]

    def gap(self, q):
        """Distance of the two pins in the plane of the leg, and its Jacobian."""
        pinocchio.computeJointJacobians(self.model, self.data, q)
        pinocchio.updateFramePlacements(self.model, self.data)
        gap, jacobian = 0, 0
        for sign, body in ((1, self.loop["body1"]), (-1, self.loop["body2"])):
            frame = self.model.getFrameId(body["link"], pinocchio.FrameType.BODY)
            arm = self.data.oMf[frame].rotation @ np.array(body["xyz"], dtype=float)
            full = pinocchio.getFrameJacobian(self.model, self.data, frame, pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            gap = gap + sign * (self.data.oMf[frame].translation + arm)[[0, 2]]
            jacobian = jacobian + sign * (full[:3] - pinocchio.skew(arm) @ full[3:])[[0, 2]]
        return gap, jacobian

    def close(self, q):
        """The passive joints of a motor angle, by Newton from nearby."""
        for _ in range(20):
            gap, jacobian = self.gap(q)
            q[self.passive] -= np.linalg.solve(jacobian[:, self.passive], gap)
            if np.abs(gap).max() < 1e-12:
                break
        return q

    def ratios(self, q):
        """Speed of each joint for one of the motor."""
        _, jacobian = self.gap(q)
        out = np.ones(self.model.nv)
        out[self.passive] = -np.linalg.solve(jacobian[:, self.passive], jacobian[:, self.motor])
        return dict(zip(self.joints, out))

    def along(self, angles):
        """Ratios at each motor angle, followed from the middle so that the loop keeps its branch."""
        out, middle = {}, len(angles) // 2
        for order in (range(middle, len(angles)), range(middle, -1, -1)):
            q = pinocchio.neutral(self.model)
            for k in order:
                q[self.motor] = angles[k]
                q = self.close(q)
                out[k] = self.ratios(q)
        return [out[k] for k in range(len(angles))]


def measure(program, duration, rate, seed):
    config = merged(robots.mechanism("four_bar_leg"), {
        "measurements": {"effort": EFFORT_STD},
        "simulation": {"duration": duration, "rate": rate, "logs": 2, "prior_error": PRIOR_ERROR}})
    given, truth = program.simulate(config, "leg-logs", seed)
    given.pop("constraints", None)
    training, held_out = given["logs"]
    leg = program.identify(given | {"logs": [training]}, "leg")
    closed = program.validate(given | {"logs": [held_out]}, "leg")
    files = [reduced_log(program.folder / log["file"], program.folder) for log in (training, held_out)]
    serial_config = reduced_config(given, truth)
    serial = program.identify(serial_config | {"logs": [{"file": files[0]}]}, "serial")
    reduced = program.validate(serial_config | {"logs": [{"file": files[1]}]}, "serial")
    crank = closed["joints"].index(MOTOR)
    efforts = effort_series(program.folder / "leg-prediction" / "prediction.csv", [MOTOR])
    other = effort_series(program.folder / "serial-prediction" / "prediction.csv", [MOTOR])
    lines = efforts[MOTOR]
    angles = np.linspace(-0.6, 0.6, 61)
    return {"range": closed["range"][crank], "nominal": closed["nominal"]["rmse"][crank], "reduced": reduced["identified"]["rmse"][0],
            "closed": closed["identified"]["rmse"][crank], "status": [leg["status"], serial["status"]],
            "iterations": [leg["iterations"], serial["iterations"]],
            "efforts": {"time": efforts["time"], MOTOR: {"measured": lines["measured"], "nominal": lines["nominal"],
                                                         "reduced": other[MOTOR]["identified"], "closed loop": lines["identified"]}},
            "physical": {name: [one["prior"], one["value"], one["std"], truth["physical"][name]] for name, one in leg["physical"].items()
                         if name.startswith("friction.")},
            "angles": angles.tolist(), "ratios": Transmission(given).along(angles)}


def reflected_panels(found):
    """Transmission along the range, and what the motor's friction is at the knee."""
    angles, ratios = found["angles"], found["ratios"]
    jacobian = Panel("speed of a joint by that of the motor", x="motor, rad", y="ratio")
    for joint in PASSIVE:
        jacobian.line(joint, angles, [ratio[joint] for ratio in ratios])
    reflected = Panel("motor friction at the knee, 1 rad/s of the knee", x="motor, rad", y="effort, N·m")
    for name, place in (("identified", 1), ("truth", 3)):
        values = {key: one[place] for key, one in found["physical"].items()}
        reflected.line(name, angles, [friction(values, MOTOR, 1 / ratio["knee"]) / ratio["knee"] for ratio in ratios])
    return [jacobian, reflected]


def friction_panels(found):
    speeds = np.linspace(-4, 4, 161)
    out = []
    for joint in (MOTOR, *PASSIVE):
        panel = Panel(f"friction of {joint}", x="speed, rad/s", y="effort, N·m")
        for name, place in (("prior", 0), ("identified", 1), ("truth", 3)):
            values = {key: one[place] for key, one in found["physical"].items()}
            panel.line(name, speeds, [friction(values, joint, speed) for speed in speeds])
        out.append(panel)
    return out


def reproduce(rows, quick=False, starts=None, seed=1):
    duration, rate = (4, 500) if quick else (10, 1000)
    starts = starts or (1 if quick else 5)
    found = [rows.get(f"{duration} s at {rate} Hz, seed {number}", lambda program, number=number: measure(
        program, duration, rate, number)) for number in range(seed, seed + starts)]
    table = [[str(seed + i), *(f"{100 * row[model] / row['range']:.2f} %" for model in ("nominal", "reduced", "closed")), f"{row['range']:.1f}",
              " and ".join(row["status"])] for i, row in enumerate(found)]
    frictions = [[name, *(f"{value:.4f}" for value in values[:2]), f"± {values[2]:.4f}", f"{values[3]:.4f}"]
                 for name, values in found[0]["physical"].items() if not name.endswith("slope")]
    ordered = all(row["nominal"] > row["reduced"] > row["closed"] for row in found)
    worst = max(row["closed"] / row["range"] for row in found)
    notes = [f"Nominal, reduced, closed loop in that order: {'yes' if ordered else 'no'}. Largest error of the closed loop: {100 * worst:.2f} % of the range (target: 3 %)."]
    about = [f"data/models/four_bar_leg, two logs of {duration} s at {rate} Hz, efforts to {EFFORT_STD} N·m, priors {100 * PRIOR_ERROR:.0f} % wrong: identified from the first, evaluated by the effort of the motor in",
             "the second. Nominal: the leg with its loop and the wrong priors. Reduced: one link on the motor, identified. Closed loop: the leg identified."]
    return Report("A leg with a four-bar", about,
                  [Table("Error of the motor's effort on a held-out motion, as a share of its range",
                         ["seed", "nominal", "reduced", "closed loop", "range, N·m", "status"], table),
                   Table("Frictions, first seed", ["value", "prior", "identified", "std", "truth"], frictions)],
                  {"four-bar-efforts": (effort_panels(found[0]["efforts"]), 1), "four-bar-transmission": (reflected_panels(found[0]), 2),
                   "four-bar-friction": (friction_panels(found[0]), 3)}, notes, {"starts": found})
