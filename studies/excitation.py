# SPDX-License-Identifier: BSD-3-Clause
"""Optimal exciting motions of an arm and of a standing quadruped: limits, information, predicted error bars, MuJoCo.

Numbers for docs/studies/excitation.md, and in short for tests/python/test_excitation.py.
"""
import csv
import json
import math
import pathlib
import signal
import statistics
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import yaml

import gaits

COULOMB = [0.45, 0.50, 0.40, 0.45, 0.30, 0.25, 0.20]  # N·m, as in `bayesid demo`
VISCOUS = [0.90, 1.00, 0.70, 0.80, 0.40, 0.35, 0.30]  # N·m·s/rad


def panda():
    """The arm of `bayesid demo`; the hand is known."""
    joints = [f"panda_joint{i}" for i in range(1, 8)]
    friction = {f"friction.{joint}.mu3": {"prior": float(np.log(c))} for joint, c in zip(joints, COULOMB)}
    friction |= {f"friction.{joint}.mu5": {"prior": float(np.log(c))} for joint, c in zip(joints, VISCOUS)}
    return {"schema": 1,
            "model": {"urdf": str(gaits.ROBOTS / "panda_description" / "urdf" / "panda.urdf"),
                      "lock": {"panda_finger_joint1": 0.0, "panda_finger_joint2": 0.0}},
            "measurements": {"position": 1e-4, "velocity": 1e-2, "effort": 0.1},
            "parameters": {"inertia": {"links": [f"panda_link{i}" for i in range(1, 8)]},
                           "friction": {"joints": "all", "terms": ["coulomb", "viscous"]}, "set": friction},
            "excitation": {"duration": 10, "harmonics": 5, "rate": 250, "starts": 5}}


def quadruped():
    """ANYmal on four points; planned with a coefficient of 0.5, on a floor of 0.7.

    Joints of the URDF turn by ±9.42 rad, which no leg does: a fifth of that. Every foot carries 5 % of the weight.
    """
    config = gaits.quadruped(10, 1000)
    simulation = {"posture": config["simulation"]["posture"]}
    return config | {"simulation": simulation,
                     "excitation": {"duration": 10, "harmonics": 5, "rate": 1000, "starts": 3, "max_iterations": 400, "mu": 0.5,
                                    "least_force": 15, "limits": {"position": 0.2}}}


class Bench:
    """A folder, and a program that runs in it."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def run(self, *words, codes=(0,)):
        done = subprocess.run([self.program, *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        if done.returncode not in codes:
            how = signal.Signals(-done.returncode).name if done.returncode < 0 else f"exit {done.returncode}"
            raise RuntimeError(f"{' '.join(map(str, words))}: {how}: {done.stderr[-1000:] or 'no message'}")
        return done.stdout

    def excite(self, config, num_random, seed=1, threads=2):
        (self.folder / "robot.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
        self.run("excite", "robot.yaml", "--out", "motion", "--random", num_random, "--seed", seed, "--threads", threads,
                 "--quiet")
        return json.loads((self.folder / "motion" / "excitation.json").read_text())

    def identify(self, seed, threads=2):
        """Identifies a simulated log of the motion; posterior std by name, in estimation coordinates and physical."""
        self.run("simulate", "motion/config.yaml", "--out", f"log{seed}", "--seed", seed, "--quiet")
        self.run("identify", f"log{seed}/config.yaml", "--out", f"result{seed}", "--quiet", "--threads", threads,
                 codes=(0, 1))
        return json.loads((self.folder / f"result{seed}" / "result.json").read_text())


def covariance_of(document):
    own = document["identifiability"]["covariance"]
    return own["names"], np.array(own["matrix"])


def ratios(predicted, result, least_determined=0.99):
    """Identified std over predicted std: of the base parameters that the log should determine better than the prior, of all parameters,
    and of those that it determines well.

    The base parameters are those of the forecast, evaluated with both covariances.
    """
    names, before, after = *covariance_of(predicted), covariance_of(result)[1]
    base = []
    for one in predicted["identifiability"]["base_parameters"]:
        row = np.array([one["terms"].get(name, 0.0) for name in names])
        base.append(math.sqrt((row @ after @ row) / (row @ before @ row)))
    every = {name: result["parameters"][name]["std"] / value["std"] for name, value in predicted["parameters"].items()}
    single = {name: every[name] for name, value in predicted["parameters"].items() if value["determined"] >= least_determined}
    return base, list(every.values()), list(single.values())


def physical_ratios(predicted, result, least_determined=0.99):
    """The same of single masses, moments, inertias and frictions."""
    return {name: result["physical"][name]["std"] / value["std"] for name, value in predicted["physical"].items()
            if value["determined"] >= least_determined and value["std"] > 0 and name in result["physical"]}


def within(values, share=0.2):
    return sum(abs(value - 1) <= share for value in values)


def read_motion(file):
    with open(file, newline="") as text:
        rows = list(csv.reader(text))
    return {name: np.array([float(row[i]) for row in rows[1:]]) for i, name in enumerate(rows[0])}


def mujoco_model(config, step):
    """The robot in MuJoCo without meshes; friction as the priors say; a floor and a free base where there are contacts."""
    import mujoco
    root = ElementTree.parse(config["model"]["urdf"]).getroot()
    for link in root.findall("link"):
        for shape in link.findall("visual") + link.findall("collision"):
            link.remove(shape)
        mend(link)
    for joint in root.findall("joint"):
        if joint.get("name") in config["model"].get("lock", {}):
            joint.set("type", "fixed")
            for mimic in joint.findall("mimic"):
                joint.remove(mimic)
    compiler = ElementTree.SubElement(ElementTree.SubElement(root, "mujoco"), "compiler")
    compiler.set("fusestatic", "false")
    compiler.set("balanceinertia", "true")
    spec = mujoco.MjSpec.from_string(ElementTree.tostring(root, encoding="unicode"))
    spec.option.timestep = step
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    contacts = config["model"].get("contacts", [])
    if contacts:
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.impratio = 100
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], name="floor", contype=1, conaffinity=2,
                                friction=[FLOOR, 0, 0])
        first = spec.worldbody.first_body()
        if first.name == "universe" or not first.joints:
            first.add_freejoint()
        for contact in contacts:
            spec.body(contact["frame"]).add_geom(
                type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[FOOT, 0, 0], mass=0, contype=2, conaffinity=1, name=contact["name"],
                friction=[FLOOR, 0, 0], solref=[4 * step, 1], priority=1,  # else MuJoCo takes the mean with the soft floor
                condim=3)
    return spec.compile()


def mend(link):
    """MuJoCo needs physically possible inertias: small moments are raised, where the URDF has a flat body."""
    element = link.find("inertial/inertia")
    if element is None:
        return
    xx, xy, xz, yy, yz, zz = (float(element.get(key)) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    moments, axes = np.linalg.eigh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if moments[0] > 0 and moments[0] + moments[1] >= moments[2]:
        return
    moments = np.maximum(moments, 0.51 * moments.max())
    full = axes @ np.diag(moments) @ axes.T
    for key, (i, j) in {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}.items():
        element.set(key, repr(float(full[i, j])))


def effective_inertia(model, data):
    """At each motor while the other joints are free: 1 over the diagonal of the inverse of the mass matrix."""
    import mujoco
    mass = np.zeros((model.nv, model.nv))
    for i, unit in enumerate(np.eye(model.nv)):
        mujoco.mj_mulM(model, data, mass[i], unit)
    return 1 / np.diag(np.linalg.inv(mass))


STANDING = 300.0, 10.0  # N·m/rad, N·m·s/rad
FLOOR = 0.7  # coefficient of friction: more than motions are planned with
FOOT = 1e-3  # m, radius of a foot: nearly a point


def friction_of(config, joint):
    """Coulomb, its slope and viscous friction of a joint: the priors of the configuration."""
    prior = {"coulomb": 0.1, "coulomb_slope": 10.0, "viscous": 0.1} | config["parameters"]["friction"].get("prior", {})
    own = config["parameters"].get("set", {})
    coulomb = float(np.exp(own[f"friction.{joint}.mu3"]["prior"])) if f"friction.{joint}.mu3" in own else prior["coulomb"]
    viscous = float(np.exp(own[f"friction.{joint}.mu5"]["prior"])) if f"friction.{joint}.mu5" in own else prior["viscous"]
    return coulomb, prior["coulomb_slope"], viscous


def play(config, motion, bandwidth=30.0, rate=1000, substeps=10):
    """The motion in MuJoCo: efforts of the file and a PD controller at 1 kHz. Joints, and the recorded motion."""
    import mujoco
    joints = [name[2:] for name in motion if name.startswith("q.") and not name.startswith("q.base.")]
    time = np.arange(0, motion["time"][-1], 1 / rate)
    model = mujoco_model(config, 1 / rate / substeps)
    data = mujoco.MjData(model)
    place = [model.joint(j).qposadr[0] for j in joints]
    speed = [model.joint(j).dofadr[0] for j in joints]
    q, v, tau = (np.array([np.interp(time, motion["time"], motion[f"{x}.{j}"]) for j in joints]) for x in ("q", "v", "tau"))
    floating = "q.base.px" in motion
    if floating:
        base = np.array([motion[f"q.base.{x}"][0] for x in ("px", "py", "pz", "qw", "qx", "qy", "qz")])
        data.qpos[:7] = base
    data.qpos[place] = q[:, 0]
    mujoco.mj_forward(model, data)
    if floating:  # feet on the floor
        feet = [data.geom(c["name"]).xpos[2] for c in config["model"]["contacts"]]
        data.qpos[2] += FOOT - min(feet)
        mujoco.mj_forward(model, data)
    mass = effective_inertia(model, data)[speed]
    # Legs carry the body: the inertia at a motor is not that of the leg alone.
    stiffness, damping = (STANDING if floating else (bandwidth ** 2 * mass, 2 * bandwidth * mass))
    friction = np.array([friction_of(config, j) for j in joints])
    feet_start = [data.geom(c["name"]).xpos.copy() for c in config["model"].get("contacts", [])]
    recorded = {"q": [], "v": [], "tau": [], "error": [], "slip": []}
    for k in range(len(time)):
        error, error_rate = q[:, k] - data.qpos[place], v[:, k] - data.qvel[speed]
        effort = tau[:, k] + stiffness * error + damping * error_rate
        recorded["q"].append(data.qpos[place].copy())
        recorded["v"].append(data.qvel[speed].copy())
        recorded["tau"].append(effort)
        recorded["error"].append(np.abs(error).max())
        if feet_start:
            recorded["slip"].append(max(np.linalg.norm(data.geom(c["name"]).xpos - start)
                                        for c, start in zip(config["model"]["contacts"], feet_start)))
        for _ in range(substeps):
            rates = data.qvel[speed]
            data.qfrc_applied[speed] = effort - friction[:, 0] * np.tanh(friction[:, 1] * rates) - friction[:, 2] * rates
            mujoco.mj_step(model, data)
    return joints, {name: np.array(values) for name, values in recorded.items()}


def limits_of(config):
    root = ElementTree.parse(config["model"]["urdf"]).getroot()
    out = {}
    for joint in root.findall("joint"):
        limit = joint.find("limit")
        if limit is not None:
            out[joint.get("name")] = {key: float(limit.get(key, "inf")) for key in ("lower", "upper", "velocity", "effort")}
            if joint.get("type") == "continuous":
                out[joint.get("name")] |= {"lower": -np.inf, "upper": np.inf}
    return out


def margins_of_play(config, joints, recorded):
    """Smallest margin of positions, velocities and efforts, as a share of the limit; negative: violated."""
    limits = limits_of(config)
    out = {"position": np.inf, "velocity": np.inf, "effort": np.inf}
    for i, joint in enumerate(joints):
        limit = limits[joint]
        half = 0.5 * (limit["upper"] - limit["lower"])
        if np.isfinite(half):
            out["position"] = min(out["position"], (recorded["q"][:, i].min() - limit["lower"]) / half,
                                  (limit["upper"] - recorded["q"][:, i].max()) / half)
        out["velocity"] = min(out["velocity"], 1 - np.abs(recorded["v"][:, i]).max() / limit["velocity"])
        out["effort"] = min(out["effort"], 1 - np.abs(recorded["tau"][:, i]).max() / limit["effort"])
    return out


def gains(found, kind, key):
    return found["information"].get(kind, {}).get(key)


def measure(program, folder, config, num_random):
    """All numbers of the motion of one robot."""
    bench = Bench(program, folder)
    found = bench.excite(config, num_random)
    out = {"starts": len(found["attempts"]), "converged": sum(one["status"].startswith("converged") for one in found["attempts"]),
           "iterations": [one["iterations"] for one in found["attempts"]], "criteria": [one["criterion"] for one in found["attempts"]],
           "rounds": found["grid"]["rounds"], "shrunk": found["grid"]["shrunk"],
           "least_margin": min(m["margin_to_allowed"] for m in found["margins"]), "constraint_error": found["constraint_error"],
           "gain_per_parameter": gains(found, "random", "gain_per_parameter"),
           "data_gain_per_parameter": gains(found, "random", "data_gain_per_parameter"),
           "gain_over_largest": gains(found, "largest_random", "gain_per_parameter"),
           "data_gain_over_largest": gains(found, "largest_random", "data_gain_per_parameter"),
           "log_det_gain": found["information"]["log_det_gain"], "identifiable": found["information"]["identifiable"],
           "parameters": found["information"]["parameters"]}
    result = bench.identify(1)
    base, every, single = ratios(found, result)
    values = sorted(base)
    out |= {"status": result["status"], "std_compared": len(values), "std_within": within(values), "std_least": values[0],
            "std_median": statistics.median(values), "std_most": values[-1],
            "all_compared": len(every), "all_within": within(every), "all_least": min(every), "all_most": max(every),
            "single_compared": len(single), "single_within": within(single)}
    physical = physical_ratios(found, result)
    out |= {"physical_compared": len(physical), "physical_within": within(physical.values())}
    motion = read_motion(bench.folder / "motion" / "trajectory.csv")
    joints, recorded = play(config, motion)
    out |= {f"mujoco_{key}": float(value) for key, value in margins_of_play(config, joints, recorded).items()}
    out["mujoco_error"] = float(recorded["error"].max())
    if len(recorded["slip"]):
        out["mujoco_slip"] = float(recorded["slip"].max())
    return out


ROBOTS = {"Panda, 7 joints": panda, "ANYmal on four feet": quadruped}
ROWS = [("starts", "starts", "{}"), ("converged", "of them, converged", "{}"), ("iterations", "iterations of each", "{}"),
        ("least_margin", "smallest margin to an allowed limit on the finer grid (units of the limit)", "{:.1e}"),
        ("constraint_error", "constraint error of loops and contacts, m", "{:.1e}"),
        ("parameters", "unknown parameters", "{}"), ("identifiable", "identifiable base parameters", "{}"),
        ("log_det_gain", "information gained, nats", "{:.1f}"),
        ("gain_per_parameter", "information for each base parameter over the median of 100 random motions of random size within limits", "{:.2f} ×"),
        ("data_gain_per_parameter", "the same without the prior", "{:.2f} ×"),
        ("gain_over_largest", "over the median of the same random motions, each as large as limits allow", "{:.2f} ×"),
        ("data_gain_over_largest", "the same without the prior", "{:.2f} ×"),
        ("std_compared", "base parameters that the log determines better than the prior", "{}"),
        ("std_within", "of them, identified std within 20 % of the predicted", "{}"),
        ("std_least", "identified over predicted std of base parameters, least", "{:.3f}"), ("std_median", "median", "{:.3f}"),
        ("std_most", "most", "{:.3f}"),
        ("all_within", "all parameters, determined or not: identified std within 20 % of the predicted", "{}"),
        ("all_least", "least", "{:.3f}"), ("all_most", "most", "{:.3f}"),
        ("single_compared", "single parameters (logarithms, rotations) determined by 99 %", "{}"),
        ("single_within", "of them, identified std within 20 % of the predicted", "{}"),
        ("physical_compared", "physical values (masses, moments, inertias, friction) determined by 99 %", "{}"),
        ("physical_within", "of them, identified std within 20 % of the predicted", "{}"),
        ("mujoco_position", "MuJoCo with PD: smallest margin of positions, share of half a range", "{:.3f}"),
        ("mujoco_velocity", "of velocities, share of the limit", "{:.3f}"),
        ("mujoco_effort", "of efforts, share of the limit", "{:.3f}"),
        ("mujoco_error", "largest error of a joint, rad", "{:.1e}"), ("mujoco_slip", "largest slip of a foot, m", "{:.1e}")]


def table(found):
    """Rows are numbers, columns are robots."""
    lines = ["| | " + " | ".join(found) + " |", "|" + "---|" * (1 + len(found))]
    for key, words, form in ROWS:
        cells = [form.format(one[key]) if one.get(key) is not None else "–" for one in found.values()]
        lines.append(f"| {words} | " + " | ".join(cells) + " |")
    return lines


def sentences(name, one):
    """Which targets a robot meets, and which not."""
    def times(key):
        return f"{one[key]:.1f}"

    lines = [f"{name}: {one['converged']} of {one['starts']} starts converged, with {min(one['iterations'])} to {max(one['iterations'])} iterations; "
             + ("all limits are kept on the finer grid." if one["least_margin"] > -1e-4 else
                f"a limit is violated by {-one['least_margin']:.1e} on the finer grid.")]
    met = "met" if one["gain_per_parameter"] >= 10 else "not met"
    lines.append(f"Ten times the information of random motions within limits is {met} ({times('gain_per_parameter')} with the prior, "
                 f"{times('data_gain_per_parameter')} without); random motions scaled until they touch a limit are a harder "
                 f"comparison: {times('gain_over_largest')} and {times('data_gain_over_largest')} times.")
    if one["gain_per_parameter"] < 10:
        lines.append(f"The mean is over all {one['identifiable']} identifiable base parameters, of which the log of the best motion "
                     f"determines {one['std_compared']} better than the prior; where neither motion does, the factor with the prior is 1.")
    share = one["std_within"] / one["std_compared"]
    lines.append(f"Identified std are within 20 % of the predicted for {one['std_within']} of {one['std_compared']} base parameters"
                 + (", the target;" if share == 1 else ", less than the target: std depend on the estimate too;")
                 + f" of all parameters, determined or not, {one['all_within']} of {one['all_compared']};"
                 + f" of single values determined by 99 %, {one['physical_within']} of {one['physical_compared']}.")
    least = min(one[f"mujoco_{key}"] for key in ("position", "velocity", "effort"))
    lines.append("In MuJoCo the motion " + ("stays within limits" if least > 0 else f"violates a limit by {-100 * least:.0f} % of it")
                 + f"; tracking error of joints up to {1000 * one['mujoco_error']:.0f} mrad"
                 + (f", and no foot slips by more than {1000 * one['mujoco_slip']:.0f} mm." if "mujoco_slip" in one else "."))
    return lines
