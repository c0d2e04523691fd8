# SPDX-License-Identifier: BSD-3-Clause
"""How far a result is from the truth of its simulation."""
import math
import statistics

from bayesid_reproduce.program import read_columns

DIAGONAL, OTHERS = ("ixx", "iyy", "izz"), ("ixy", "ixz", "iyz")
SPEEDS = [0.05 * i for i in range(1, 41)]  # rad/s
SETTLED = 0.01  # of the cost; an error of one std costs 0.5


def rms(values):
    return math.sqrt(statistics.fmean(value * value for value in values))


def physical(result):
    return {name: one["value"] for name, one in result["physical"].items()}


def inertia_errors(found, truth):
    """Root mean squares: relative errors of masses, errors of centres of mass in m, errors of inertias relative to their traces."""
    links = [name.removeprefix("mass.") for name in truth if name.startswith("mass.")]
    moments = []
    for link in links:
        trace = sum(truth[f"inertia.{link}.{axes}"] for axes in DIAGONAL)
        moments += [(found[f"inertia.{link}.{axes}"] - truth[f"inertia.{link}.{axes}"]) / trace for axes in DIAGONAL + OTHERS]
    return {"mass": rms([found[f"mass.{link}"] / truth[f"mass.{link}"] - 1 for link in links]),
            "com": rms([found[f"com.{link}.{axis}"] - truth[f"com.{link}.{axis}"] for link in links for axis in "xyz"]),
            "moments": rms(moments)}


def friction(values, joint, speed):
    """Of a joint, from the physical values of a result or a truth."""
    coulomb, slope, viscous = (values[f"friction.{joint}.{name}"] for name in ("coulomb", "coulomb_slope", "viscous"))
    return coulomb * math.tanh(slope * speed) + viscous * speed


def friction_error(found, truth):
    """Root mean square over joints and speeds, relative to the true friction; None without friction."""
    joints = sorted({name.split(".")[1] for name in truth if name.startswith("friction.")})
    if not joints:
        return None
    pairs = [(friction(found, joint, speed), friction(truth, joint, speed)) for joint in joints for speed in SPEEDS]
    return math.sqrt(sum((a - b) ** 2 for a, b in pairs) / sum(b * b for _, b in pairs))


def friction_std(result, truth):
    """Of the logarithms of Coulomb and viscous friction: their std, and the errors in std; root mean squares. None without friction."""
    pairs = [(one["value"] - truth["parameters"][name], one["std"])
             for name, one in result["parameters"].items() if name.endswith((".mu3", ".mu5"))]
    if not pairs:
        return None, None
    return rms([std for _, std in pairs]), rms([error / std for error, std in pairs])


def trajectory_error(found, truth):
    """Largest error of a position: of a joint in rad or m; where there is none, of the base in m."""
    found, truth = read_columns(found), read_columns(truth)
    joints = [name for name in truth if name.startswith("q.") and not name.startswith("q.base.")]
    columns = joints or [name for name in truth if name in ("q.base.px", "q.base.py", "q.base.pz")]
    place = {f"{time:.6f}": k for k, time in enumerate(truth["time"])}
    worst = 0
    for k, time in enumerate(found["time"]):
        other = place.get(f"{time:.6f}")
        if other is not None:
            worst = max([worst, *(abs(found[name][k] - truth[name][other]) for name in columns if found[name][k] is not None)])
    return worst


def settled(history, least):
    """Iterations after which the cost stays within a hundredth of the least."""
    costs = [one["cost"] for one in history]
    late = [k for k, cost in enumerate(costs) if cost > least + SETTLED]
    return late[-1] + 2 if late else 1
