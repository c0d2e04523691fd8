# SPDX-License-Identifier: BSD-3-Clause
"""Two real robots, recorded by others, identified from raw encoders: a double pendulum and a Stäubli TX40.

Numbers for docs/studies/real_robots.md, and in short for tests/python/test_real_robots.py.
The recordings are not part of the project: they are read from ../shared/data, beside the repository.
"""
import csv
import gzip
import json
import os
import pathlib
import re
import subprocess
import time

import numpy as np
import pinocchio
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("BAYESID_SHARED", ROOT.parent / "shared")) / "data"
GRAVITY = 9.81


def low_pass(x, rate, cutoff, order=4):
    """Columns of x through a Butterworth filter, forwards and backwards (so that nothing is delayed)."""
    pad = min(len(x) - 1, rate)
    mirrored = np.concatenate([2 * x[0] - x[pad:0:-1], x, 2 * x[-1] - x[-2:-pad - 2:-1]])
    gain = 1 / (1 + (np.fft.rfftfreq(len(mirrored), 1 / rate) / cutoff) ** (2 * order))
    return np.fft.irfft(np.fft.rfft(mirrored, axis=0) * gain[:, None], len(mirrored), axis=0)[pad:pad + len(x)]


def read_table(file):
    with (gzip.open(file, "rt") if file.suffix == ".gz" else file.open()) as lines:
        names = lines.readline().strip().split(",")
        values = np.loadtxt(lines, delimiter=",")
    return {name: values[:, i] for i, name in enumerate(names)}


def columns(table, kind, joints):
    return np.stack([table[f"{kind}.{joint}"] for joint in joints], axis=1)


def write_table(file, table, names, rows=slice(None)):
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(names)
        writer.writerows(np.stack([table[name][rows] for name in names], axis=1).tolist())


def run(program, folder, *words):
    done = subprocess.run([program, *map(str, words), "--threads", "1"], cwd=folder, capture_output=True, text=True)
    if done.returncode > 1:  # 1: did not converge, which the result says
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr[-1000:]}")
    return done.stdout


def identify(program, folder, name, config):
    (folder / f"{name}.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    start = time.perf_counter()
    run(program, folder, "identify", f"{name}.yaml", "--out", name, "--quiet")
    result = json.loads((folder / name / "result.json").read_text())
    result["seconds"] = time.perf_counter() - start
    return result


def fixed(value):
    return {"prior": float(value), "fixed": True}


# Double pendulum -----------------------------------------------------------------------------------------------------

PENDULUM = DATA / "double_pendulum"
PENDULUM_JOINTS = ["Joint1", "Joint2"]
LENGTH1 = 0.2  # m, from joint 1 to joint 2
BOTH_DRIVEN, ONE_DRIVEN, SWING_UP = [0, 1, 2], [3, 4, 5, 6, 7], [8, 9]
STATED = {"position_std": 1e-3, "effort_std": 0.05}
# The two main estimates, the effect of other noises, and the other choices whose simulations were compared.
PENDULUM_CASES = {
    "position": {"noise": STATED},
    "velocity": {"noise": STATED | {"velocity_std": 0.2}},
    "finer": {"noise": STATED | {"position_std": 5e-4}},
    "effort": {"noise": {"position_std": 2e-4, "effort_std": 0.3}},
    "no_stribeck": {"noise": STATED, "stribeck": False},
    "more_runs": {"noise": STATED, "runs": [0, 1, 2, 3, 5]}}


def pendulum_log(number):
    table = read_table(PENDULUM / f"run{number:02d}.csv")
    return [table["time"]] + [columns(table, kind, PENDULUM_JOINTS) for kind in ("q", "v", "tau")]


def write_pendulum(folder, runs, samples=None):
    """Model and logs. The file's base stands on a link `world` that it does not declare, which is no valid URDF: it is added.
    Logs `p<run>.csv` are without the velocity."""
    text = (PENDULUM / "published_model_1.0.urdf").read_text()
    (folder / "pendulum.urdf").write_text(re.sub(r"(<robot [^>]*>)", r'\1\n  <link name="world"/>', text, count=1))
    for number in runs:
        table = read_table(PENDULUM / f"run{number:02d}.csv")
        names = ["time"] + [f"{kind}.{joint}" for kind in ("q", "tau") for joint in PENDULUM_JOINTS]
        write_table(folder / f"p{number:02d}.csv", table, names, slice(samples))
        names += [f"v.{joint}" for joint in PENDULUM_JOINTS]
        write_table(folder / f"v{number:02d}.csv", table, names, slice(samples))


def pendulum_config(runs, position_std, effort_std, velocity_std=None, stribeck=True):
    """Stribeck, Coulomb and viscous friction; how steep they are at rest is set: steeper ones do not converge."""
    slopes = {"mu1": np.log(20), "mu2": 1, "mu4": np.log(20)} if stribeck else {"mu4": np.log(20)}
    terms = ["stiction", "coulomb", "viscous"] if stribeck else ["coulomb", "viscous"]
    prior = {"stiction": 0.05, "coulomb": 0.1, "viscous": 0.01}
    measurements = {"position": position_std, "effort": effort_std}
    if velocity_std:
        measurements["velocity"] = velocity_std
    return {
        "schema": 1,
        "model": {"urdf": "pendulum.urdf"},
        "logs": [{"file": f"{'v' if velocity_std else 'p'}{number:02d}.csv"} for number in runs],
        "measurements": measurements,
        "disturbance": {"position": 1e-6, "velocity": 1e-4},
        "parameters": {"inertia": {"links": ["Link1", "Link2"]},
                       "friction": {"joints": "all", "terms": terms, "prior": {term: prior[term] for term in terms}},
                       "armature": {"joints": "all", "prior": 0.002},
                       "set": {f"friction.{joint}.{slope}": fixed(value)
                               for joint in PENDULUM_JOINTS for slope, value in slopes.items()}},
        # Steps below a hundredth of an error bar change nothing that is reported.
        "solver": {"integrator": "constant_acceleration", "tolerance": 1e-2}}


def normalised_residuals(folder, name, config, runs):
    """(position² + effort²) for each joint, in the configured noises: 1 where these are right (for logs without velocity:
    a step has two measurements for each joint and one unknown)."""
    estimate = read_table_with_holes(folder / name / "trajectory.csv")
    squares, count = np.zeros(2), 0
    for i, number in enumerate(runs):
        rows = estimate["log"] == i if len(runs) > 1 else slice(None)
        _, q, _, tau = pendulum_log(number)
        dq = columns(estimate, "q", PENDULUM_JOINTS)[rows]
        dtau = columns(estimate, "tau", PENDULUM_JOINTS)[rows][:-1]
        q, tau = q[:len(dq)], tau[:len(dtau)]
        noise = config["measurements"]
        squares += (((dq - q) / noise["position"]) ** 2).sum(0) + (((dtau - tau) / noise["effort"]) ** 2).sum(0)
        count += len(dq)
    return squares / count


def read_table_with_holes(file):
    with file.open() as lines:
        names = lines.readline().strip().split(",")
        values = np.genfromtxt(lines, delimiter=",")
    return {name: values[:, i] for i, name in enumerate(names)}


def gravity_terms(result):
    """m1·r1 + m2·l1 and m2·r2 with standard deviations. First moments are estimation coordinates; link 2 hangs along its +z."""
    names, covariance = result["covariance"]["names"], np.array(result["covariance"]["matrix"])
    value = {name: entry["value"] for name, entry in result["parameters"].items()}
    m2 = np.exp(value["inertia.Link2.log_mass"])
    g = np.zeros((2, len(names)))
    g[0, names.index("inertia.Link1.hz")] = -1
    g[0, names.index("inertia.Link2.log_mass")] = LENGTH1 * m2
    g[1, names.index("inertia.Link2.hz")] = 1
    terms = [float(LENGTH1 * m2 - value["inertia.Link1.hz"]), value["inertia.Link2.hz"]]
    return terms, np.sqrt(np.diag(g @ covariance @ g.T)).tolist()


def published_pendulum():
    """The makers' model: their inertias are about the joints, and Coulomb friction is cf·arctan(100 v)."""
    p = yaml.safe_load((PENDULUM / "published_model_1.0.yml").read_text())
    rotor = p["gr"] ** 2 * p["Ir"]

    def friction(v):
        return np.array([p["b1"], p["b2"]]) * v + np.array([p["cf1"], p["cf2"]]) * np.arctan(100 * v)

    return {"first": p["I1"] + p["m2"] * p["l1"] ** 2 + rotor + p["Ir"], "second": p["I2"], "rotor2": rotor,
            "coupling": -p["gr"] * p["Ir"], "h1": np.array([p["m1"] * p["r1"] + p["m2"] * p["l1"], 0]),
            "h2": np.array([p["m2"] * p["r2"], 0]), "friction": friction}


def identified_pendulum(result):
    p = {name: entry["value"] for name, entry in result["physical"].items()}
    m1, m2 = p["mass.Link1"], p["mass.Link2"]
    # Downwards and forwards at rest; the frame of link 2 is turned by half a turn about x.
    c1 = np.array([-p["com.Link1.z"], p["com.Link1.y"]])
    c2 = np.array([p["com.Link2.z"], -p["com.Link2.y"]])
    gamma = {name: np.array([p.get(f"friction.{joint}.{name}", 0) for joint in PENDULUM_JOINTS])
             for name in ("stiction", "stribeck1", "stribeck2", "coulomb", "coulomb_slope", "viscous")}

    def friction(v):
        return (gamma["stiction"] * (np.tanh(gamma["stribeck1"] * v) - np.tanh(gamma["stribeck2"] * v))
                + gamma["coulomb"] * np.tanh(gamma["coulomb_slope"] * v) + gamma["viscous"] * v)

    return {"first": p["inertia.Link1.ixx"] + m1 * c1 @ c1 + m2 * LENGTH1 ** 2 + p["armature.Joint1"],
            "second": p["inertia.Link2.ixx"] + m2 * c2 @ c2, "rotor2": p["armature.Joint2"], "coupling": 0,
            "h1": m1 * c1 + np.array([m2 * LENGTH1, 0]), "h2": m2 * c2, "friction": friction}


def pendulum_acceleration(model, q, v, tau):
    """Forward dynamics of many pendulums at once, one in each row."""
    c, s = np.cos(q[:, 1]), np.sin(q[:, 1])
    along = LENGTH1 * (model["h2"][0] * c - model["h2"][1] * s)
    across = LENGTH1 * (model["h2"][0] * s + model["h2"][1] * c)
    m11 = model["first"] + model["second"] + 2 * along
    m12 = model["second"] + along + model["coupling"]
    m22 = model["second"] + model["rotor2"]

    def weight(h, angle):
        return GRAVITY * (h[0] * np.sin(angle) + h[1] * np.cos(angle))

    g2 = weight(model["h2"], q[:, 0] + q[:, 1])
    free = tau - model["friction"](v)
    f1 = free[:, 0] - weight(model["h1"], q[:, 0]) - g2 + across * (2 * v[:, 0] * v[:, 1] + v[:, 1] ** 2)
    f2 = free[:, 1] - g2 - across * v[:, 0] ** 2
    return np.stack([m22 * f1 - m12 * f2, m11 * f2 - m12 * f1], axis=1) / (m11 * m22 - m12 ** 2)[:, None]


def simulation_error(model, number, window, every=0.1, samples=None):
    """Root mean square error of the angles of both joints over windows of that length, started every `every` seconds from the measured
    state (a cubic through 41 ms of encoder, no model) under the measured torque; Runge–Kutta with two steps a sample."""
    t, q, _, tau = (x[:samples] for x in pendulum_log(number))
    half, length = 10, round(window / 0.002)
    starts = np.arange(half, len(t) - length - half, round(every / 0.002))
    fits = [np.polynomial.polynomial.polyfit(t[k - half:k + half + 1] - t[k], q[k - half:k + half + 1], 3) for k in starts]
    x, v = np.array([fit[0] for fit in fits]), np.array([fit[1] for fit in fits])
    squares, substeps = 0, 2
    for i in range(length):
        dt, u = (t[starts + i + 1] - t[starts + i])[:, None] / substeps, tau[starts + i]
        for _ in range(substeps):
            a1 = pendulum_acceleration(model, x, v, u)
            v2 = v + dt / 2 * a1
            a2 = pendulum_acceleration(model, x + dt / 2 * v, v2, u)
            v3 = v + dt / 2 * a2
            a3 = pendulum_acceleration(model, x + dt / 2 * v2, v3, u)
            v4 = v + dt * a3
            a4 = pendulum_acceleration(model, x + dt * v3, v4, u)
            x, v = x + dt / 6 * (v + 2 * v2 + 2 * v3 + v4), v + dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        squares = squares + ((x - q[starts + i + 1]) ** 2).mean(0)
    return float(np.sqrt((squares / length).mean()))


def pendulum_least_squares(cutoff, runs=range(10)):
    """Gravity terms by what the joint estimation replaces: filter, differentiate, solve the equations of motion for ten unknowns."""
    rows, right = [], []
    for number in runs:
        t, q, v, tau = pendulum_log(number)
        grid = np.arange(t[0], t[-1], 0.002)
        q, v, tau = (np.stack([np.interp(grid, t, x[:, j]) for j in (0, 1)], axis=1) for x in (q, v, tau))
        q, v = low_pass(q, 500, cutoff), low_pass(v, 500, cutoff)
        a, tau = np.gradient(v, 0.002, axis=0), low_pass(tau, 500, cutoff)
        zero, one = np.zeros(len(q)), np.ones(len(q))
        g12 = GRAVITY * np.sin(q[:, 0] + q[:, 1])
        c, s = np.cos(q[:, 1]), np.sin(q[:, 1])
        dry = np.tanh(100 * v)
        first = [a[:, 0], a.sum(1), GRAVITY * np.sin(q[:, 0]), g12,
                 c * (2 * a[:, 0] + a[:, 1]) - s * (2 * v[:, 0] * v[:, 1] + v[:, 1] ** 2),
                 zero, v[:, 0], dry[:, 0], zero, zero, one]
        second = [zero, a.sum(1), zero, g12, c * a[:, 0] + s * v[:, 0] ** 2, a[:, 1], zero, zero, v[:, 1], dry[:, 1], zero]
        inside = slice(50, -50)
        rows += [np.stack(first, axis=1)[inside], np.stack(second, axis=1)[inside]]
        right += [tau[inside, 0], tau[inside, 1]]
    solution = np.linalg.lstsq(np.concatenate(rows), np.concatenate(right), rcond=None)[0]
    return solution[2:4].tolist()


def encoder_noise(runs):
    """White part of the position noise: fourth differences, which a smooth motion does not reach; of all samples and of slow ones."""
    differences, speeds = [], []
    for number in runs:
        _, q, v, _ = pendulum_log(number)
        differences.append(np.diff(q, 4, axis=0) / np.sqrt(70))
        speeds.append(np.abs(v[4:]))
    d, v = np.concatenate(differences), np.concatenate(speeds)
    return {name: [float(d[rows[:, j], j].std()) for j in (0, 1)]
            for name, rows in (("slow", v < 0.3), ("fast", v > 3), ("all", v >= 0))}


def measure_pendulum(program, folder, noise, runs=BOTH_DRIVEN, stribeck=True, held_out=None, windows=(0.5, 1.0), samples=None):
    """Identifies from `runs` and simulates the others, as the published model does; what came out, as numbers."""
    folder = pathlib.Path(folder)
    held_out = held_out or [number for number in ONE_DRIVEN + SWING_UP if number not in runs]
    write_pendulum(folder, runs, samples)
    config = pendulum_config(runs, **noise, stribeck=stribeck)
    result = identify(program, folder, "pendulum", config)
    models = {"published": published_pendulum(), "identified": identified_pendulum(result)}
    terms, std = gravity_terms(result)
    return {"status": result["status"], "iterations": result["iterations"], "seconds": result["seconds"],
            "gravity": terms, "gravity_std": std,
            "residuals": normalised_residuals(folder, "pendulum", config, runs).tolist(),
            "physical": {name: [entry["value"], entry["std"]] for name, entry in result["physical"].items()
                         if name.startswith(("friction", "armature"))},
            "simulation": {f"{window:g}": {model: {str(number): simulation_error(models[model], number, window)
                                                   for number in held_out} for model in models} for window in windows}}


# Stäubli TX40 --------------------------------------------------------------------------------------------------------

TX40 = DATA / "tx40"
TX40_JOINTS = [f"joint_{i}" for i in range(1, 7)]
TX40_RATE = 5000
TRAINING_SHARE = 0.6
SCORE_CUTOFF = 50  # Hz
# Noise for each sample, and how much it is raised to stand for errors that last many samples (docs/studies/real_robots.md).
TX40_WHITE = {"position_std": (3e-5,) * 6, "effort_std": (6, 5, 2, 0.8, 1.2, 0.7)}
TX40_RAISED = (4, 5, 7, 10, 14, 11)
TX40_NOISE = {name: tuple(k * std for k, std in zip(TX40_RAISED, values)) for name, values in TX40_WHITE.items()}


def write_tx40(folder, rows, name, step=1):
    table = read_table(TX40 / "run.csv.gz")
    write_table(folder / name, table, list(table), slice(rows.start, rows.stop, step))


# Way over which a joint that stands begins to slide; chosen by the cost of the training part (docs/studies/real_robots.md).
TX40_DISTANCE = 5e-5


def tx40_config(log, position_std, effort_std, distance):
    """`distance` of presliding, None: without. Motor 6 turns with joint_5 + joint_6. Offsets of the efforts, since the published model has them too."""
    drives = TX40_JOINTS + ["motor6"]
    armature = dict(zip(drives, (0.3, 0.3, 0.1, 0.03, 0.03, 0.01, 0.01)))
    friction = {"joints": "all", "terms": ["coulomb", "viscous"], "prior": {"coulomb": 2, "viscous": 1}}
    if distance:
        friction |= {"terms": ["coulomb", "viscous", "presliding"], "presliding": {"distance": distance},
                     "prior": {"coulomb": 2, "viscous": 1, "presliding": 2}}
    return {
        "schema": 1,
        "model": {"urdf": str(TX40 / "tx40.urdf"),
                  "actuation": {"drives": [{"name": "motor6", "joints": {"joint_5": 1, "joint_6": 1}}]}},
        "logs": [{"file": log}],
        "measurements": {"position": list(position_std), "effort": list(effort_std)},
        "disturbance": {"position": 1e-8, "velocity": 1e-6},
        "parameters": {"inertia": {"links": "all"},
                       "friction": friction,
                       "armature": {"joints": "all", "prior": armature},
                       "effort_offset": {"joints": "all", "std": 2},
                       "set": {f"friction.{drive}.mu4": fixed(np.log(10)) for drive in drives}},
        # A tenth of an error bar: the last steps are many and change nothing that is reported.
        "solver": {"integrator": "constant_acceleration", "tolerance": 0.1, "max_iterations": 60}}


def relative_error(measured, predicted):
    """‖τ − τ̂‖/‖τ‖, all joints and samples stacked."""
    return float(np.linalg.norm(measured - predicted) / np.linalg.norm(measured))


def scores(measured, predicted, moving):
    """Raw, then both sides through the same low pass: on all samples and on those in motion."""
    smooth = [low_pass(x, TX40_RATE, SCORE_CUTOFF) for x in (measured, predicted)]
    return {"raw": relative_error(measured, predicted), "noise": relative_error(measured, smooth[0]),
            "all": relative_error(*smooth), "moving": relative_error(*(x[moving] for x in smooth)),
            "standing": relative_error(*(x[~moving] for x in smooth)),
            "standing_alone": float(np.linalg.norm((smooth[0] - smooth[1])[~moving]) / np.linalg.norm(smooth[0])),
            "rmse": np.sqrt(((smooth[0] - smooth[1]) ** 2).mean(0)).tolist(),
            "rmse_moving": np.sqrt(((smooth[0] - smooth[1])[moving] ** 2).mean(0)).tolist(),
            "mean_standing": (smooth[0] - smooth[1])[~moving].mean(0).tolist(),
            "share_standing": float((~moving).mean())}


def in_motion(q):
    """Samples near which a joint moves faster than 0.01 rad/s: by 0.5 mrad in 50 ms."""
    half = TX40_RATE // 40
    padded = np.concatenate([np.repeat(q[:1], half, axis=0), q, np.repeat(q[-1:], half, axis=0)])
    return (np.abs(padded[2 * half:] - padded[:-2 * half]) > 5e-4).any(axis=1)


def tx40_least_squares(split):
    """Prediction of the last part by least squares on the first: positions through 100 Hz, differentiated, at 500 Hz, and equations
    and efforts through the low pass of the score."""
    table = read_table(TX40 / "run.csv.gz")
    q, tau = low_pass(columns(table, "q", TX40_JOINTS), TX40_RATE, 100), columns(table, "tau", TX40_JOINTS)
    v = np.gradient(q, 1 / TX40_RATE, axis=0)
    a = np.gradient(v, 1 / TX40_RATE, axis=0)
    model = pinocchio.buildModelFromUrdf(str(TX40 / "tx40.urdf"))
    data, step = model.createData(), 10
    equations = []
    for k in range(0, len(q), step):
        joints = np.diag(a[k]), np.diag(v[k]), np.diag(np.tanh(50 * v[k])), np.eye(6)
        motor6 = np.outer([0, 0, 0, 0, 1, 1], [a[k, 4] + a[k, 5], v[k, 4] + v[k, 5], np.tanh(50 * (v[k, 4] + v[k, 5]))])
        equations.append(np.hstack([pinocchio.computeJointTorqueRegressor(model, data, q[k], v[k], a[k]), *joints, motor6]))
    equations = np.array(equations)
    shape, split = equations.shape, split // step
    equations = low_pass(equations.reshape(shape[0], -1), TX40_RATE // step, SCORE_CUTOFF).reshape(shape)
    right = low_pass(tau, TX40_RATE, SCORE_CUTOFF)[::step]
    solution = np.linalg.lstsq(equations[:split].reshape(-1, shape[2]), right[:split].ravel(), rcond=1e-9)[0]
    error, moving = (right - equations @ solution)[split:], in_motion(columns(table, "q", TX40_JOINTS))[::step][split:]
    right = right[split:]
    return {"all": relative_error(right, right - error), "moving": relative_error(right[moving], (right - error)[moving]),
            "rmse": np.sqrt((error ** 2).mean(0)).tolist()}


def rotation(w):
    """Exp of a rotation vector."""
    angle = np.linalg.norm(w)
    cross = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    if angle < 1e-12:
        return np.eye(3) + cross
    return np.eye(3) + np.sin(angle) / angle * cross + (1 - np.cos(angle)) / angle ** 2 * cross @ cross


def dry_friction(value, joint):
    """Coulomb friction of a steady motion, in which a presliding spring has given way."""
    return np.exp(value[f"friction.{joint}.mu3"]) + np.exp(value.get(f"friction.{joint}.mu6", -np.inf))


def standard_parameters(value):
    """The published model's parameters from estimation coordinates (docs/math/parameters.md (3)): inertias about the joints;
    on joints 5 and 6 its motor 6 has cross terms only, what it does to each joint alone counts as that joint's."""
    out = {}
    for i in range(1, 7):
        of = {name: value[f"inertia.link_{i}.{name}"]
              for name in ("log_mass", "hx", "hy", "hz", "wx", "wy", "wz", "log_lx", "log_ly", "log_lz")}
        m, h = np.exp(of["log_mass"]), np.array([of["hx"], of["hy"], of["hz"]])
        second = np.exp([of["log_lx"], of["log_ly"], of["log_lz"]])
        r = rotation(np.array([of["wx"], of["wy"], of["wz"]]))
        inertia = r @ (second.sum() * np.eye(3) - np.diag(second)) @ r.T + (h @ h * np.eye(3) - np.outer(h, h)) / m
        out |= {f"m{i}": m, f"mx{i}": h[0], f"my{i}": h[1], f"mz{i}": h[2]}
        out |= {f"I{'xyz'[j]}{'xyz'[k]}{i}": inertia[j, k] for j in range(3) for k in range(j, 3)}
        joint = f"joint_{i}"
        out |= {f"Ia{i}": np.exp(value[f"armature.{joint}"]), f"fv{i}": np.exp(value[f"friction.{joint}.mu5"]),
                f"fs{i}": dry_friction(value, joint), f"off{i}": -value[f"effort_offset.{joint}"]}
    out |= {"Iam6": np.exp(value["armature.motor6"]), "fvm6": np.exp(value["friction.motor6.mu5"]),
            "fsm6": dry_friction(value, "motor6")}
    for i in (5, 6):
        out[f"Ia{i}"] += out["Iam6"]
        out[f"fv{i}"] += out["fvm6"]
    return out


def base_parameters(result, only_below=5):
    """The published combinations that their authors know to less than `only_below` percent: their value and std, ours and ours,
    and the difference in our standard deviations."""
    terms = re.compile(r"([+-]?)\s*(?:([\d.]+)\*)?([A-Za-z]+\d)")
    with (TX40 / "published_base_parameters.csv").open() as lines:
        published = [row for row in csv.DictReader(lines) if float(row["ols_sigma_percent"]) < only_below]
    combinations = [[(float(sign + (factor or "1")), name) for sign, factor, name in terms.findall(row["base_parameter"])]
                    for row in published]

    def values(value):
        standard = standard_parameters(value)
        return np.array([sum(factor * standard[name] for factor, name in combination) for combination in combinations])

    value = {name: entry["value"] for name, entry in result["parameters"].items()}
    names, covariance, step = result["covariance"]["names"], np.array(result["covariance"]["matrix"]), 1e-6
    jacobian = np.stack([(values(value | {name: value[name] + step}) - values(value | {name: value[name] - step})) / (2 * step)
                         for name in names], axis=1)
    std = np.sqrt(np.diag(jacobian @ covariance @ jacobian.T))
    out = []
    for row, ours, sigma in zip(published, values(value), std):
        theirs = float(row["ols"])
        their_std = abs(theirs) * float(row["ols_sigma_percent"]) / 100
        out.append({"name": row["base_parameter"], "published": theirs, "published_std": their_std, "ours": float(ours),
                    "std": float(sigma), "distance": float(abs(ours - theirs) / sigma),
                    "distance_both": float(abs(ours - theirs) / np.hypot(sigma, their_std))})
    return out


def measure_tx40(program, folder, position_std, effort_std, step=1, whole=False, distance=TX40_DISTANCE):
    """Identifies from the first part of the log and predicts the efforts of the last; what came out, as numbers."""
    folder = pathlib.Path(folder)
    samples = len(read_table(TX40 / "run.csv.gz")["time"])
    split = round(TRAINING_SHARE * samples)
    write_tx40(folder, range(0, samples if whole else split), "training.csv", step)
    write_tx40(folder, range(split, samples), "held_out.csv")
    config = tx40_config("training.csv", position_std, effort_std, distance)
    result = identify(program, folder, "tx40", config)
    (folder / "held_out.yaml").write_text(yaml.safe_dump(config | {"logs": [{"file": "held_out.csv"}]}, sort_keys=False))
    run(program, folder, "validate", "held_out.yaml", "--model", "tx40", "--out", "prediction", "--quiet")
    prediction = read_table(folder / "prediction" / "prediction.csv")
    measured = columns(prediction, "tau", TX40_JOINTS)
    identified, nominal = (np.stack([prediction[f"tau.{joint}.{which}"] for joint in TX40_JOINTS], axis=1)
                           for which in ("identified", "nominal"))
    moving = in_motion(columns(read_table(folder / "held_out.csv"), "q", TX40_JOINTS))
    return {"status": result["status"], "iterations": result["iterations"], "seconds": result["timing"]["total"],
            "memory_mb": result["timing"]["peak_memory_mb"], "cost": result["cost"],
            "samples": result["logs"][0]["samples"], "identified": scores(measured, identified, moving),
            "nominal": scores(measured, nominal, moving), "base": base_parameters(result),
            "physical": {name: [entry["value"], entry["std"]] for name, entry in result["physical"].items()}}
