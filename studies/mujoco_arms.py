# SPDX-License-Identifier: BSD-3-Clause
"""Robots of the study mujoco_matrix: a true one in MuJoCo, a wrong description of it, and logs of its motion in every condition."""
import csv
import dataclasses
import math
import pathlib
import xml.etree.ElementTree as ElementTree

import numpy as np
import pinocchio
import yaml
from scipy.signal import butter, lfilter, lfilter_zi

from gaits import ROOT
from bayesid_reproduce.robots import ROBOTS as EXAMPLES

STEP = 1e-4  # s, between recorded states: ten in a control period
CONTROL = 10  # steps with the same effort
DURATION = 20.0  # s
RAMP = 1.0  # s, from rest to the whole motion
ROOM = 0.8  # share of ranges and speeds that a motion takes
HARMONICS = 5
PRIOR_STD = 0.35  # of the logarithms of masses and second moments, and of the centre of mass in radii of gyration
AXES_STD = 0.2  # rad
TYPICAL = {"q": 1e-4, "v": 1e-2, "tau": 0.01}  # rad, rad/s, share of the root mean square


@dataclasses.dataclass
class Body:
    """A link and the joint that carries it."""
    joint: str
    link: str
    parent: int  # index, -1: the base
    position: np.ndarray
    rotation: np.ndarray
    axis: np.ndarray
    inertia: pinocchio.Inertia
    lower: float
    upper: float
    speed: float


@dataclasses.dataclass
class Robot:
    """The truth: bodies, and friction and armature of every joint and drive."""
    name: str
    bodies: list
    viscous: dict
    coulomb: dict
    armature: dict
    drives: dict = dataclasses.field(default_factory=dict)  # name: {joint: factor}
    model: dict = dataclasses.field(default_factory=dict)  # what the configuration adds to the URDF
    motors: list = None
    base_frequency: float = 0.1
    amplitude: float = 1.2
    bandwidth: float = 30.0  # rad/s, of the controller
    substeps: int = 1

    def __post_init__(self):
        self.joints = [body.joint for body in self.bodies]
        self.motors = self.motors or self.joints

    @property
    def loops(self):
        return self.model.get("loops", [])

    def driven(self):
        return [self.joints.index(name) for name in self.motors]


# Robots --------------------------------------------------------------------------------------------------------------


def read_bodies(file, lock=()):
    """Bodies of a URDF; what is fixed or locked is part of the body that carries it."""
    model = pinocchio.buildModelFromUrdf(str(file))
    if lock:
        model = pinocchio.buildReducedModel(model, [model.getJointId(name) for name in lock], pinocchio.neutral(model))
    data = model.createData()
    pinocchio.computeJointJacobians(model, data, np.zeros(model.nq))
    frames = [frame for frame in model.frames if frame.type == pinocchio.FrameType.BODY]
    bodies = []
    for i in range(1, model.njoints):
        column = pinocchio.getJointJacobian(model, data, i, pinocchio.ReferenceFrame.LOCAL)[3:, i - 1]
        link = next(frame.name for frame in frames if frame.parentJoint == i and frame.placement.isIdentity(1e-9))
        place = model.jointPlacements[i]
        bodies.append(Body(model.names[i], link, model.parents[i] - 1, place.translation, place.rotation, np.round(column, 12),
                           model.inertias[i], float(model.lowerPositionLimit[i - 1]), float(model.upperPositionLimit[i - 1]),
                           float(model.velocityLimit[i - 1])))
    return bodies


def each(names, values):
    return dict(zip(names, values, strict=True))


def arm(name, file, viscous, coulomb, armature, lock=(), **options):
    bodies = read_bodies(file, lock)
    names = [body.joint for body in bodies] + list(options.get("drives", {}))
    return Robot(name, bodies, each(names, viscous), each(names, coulomb), each(names, armature), **options)


def two_joint():
    return arm("two_joint", ROOT / "bench" / "double_pendulum.urdf", viscous=[0.15, 0.08], coulomb=[0.25, 0.12],
               armature=[0.02, 0.01], base_frequency=0.2)


def six_joint():
    return arm("six_joint", EXAMPLES / "ur_description" / "urdf" / "ur10_robot.urdf", viscous=[12, 12, 8, 2, 2, 1.5],
               coulomb=[8, 9, 5, 1.2, 1.2, 1], armature=[0.5, 0.5, 0.3, 0.08, 0.08, 0.06])


def seven_joint():
    return arm("seven_joint", EXAMPLES / "panda_description" / "urdf" / "panda.urdf", viscous=[0.9, 0.9, 0.6, 0.6, 0.4, 0.3, 0.3],
               coulomb=[0.6, 0.8, 0.5, 0.7, 0.4, 0.3, 0.3], armature=[0.2, 0.2, 0.15, 0.15, 0.06, 0.05, 0.04],
               lock=["panda_finger_joint1", "panda_finger_joint2"])


def four_bar():
    config = yaml.safe_load((ROOT / "data" / "models" / "four_bar_leg.yaml").read_text())
    return arm("four_bar", ROOT / "data" / "models" / "four_bar_leg.urdf", viscous=[0.09, 0.004, 0.004], coulomb=[0.35, 0.02, 0.02],
               armature=[0.01, 0.001, 0.001], model={"loops": config["model"]["loops"], "actuation": {"joints": ["crank"]}},
               motors=["crank"], base_frequency=0.3, amplitude=0.5, bandwidth=60.0, substeps=2)


def coupled():
    drives = {"motor_sum": {"wrist_2_joint": 1, "wrist_3_joint": 1}, "motor_difference": {"wrist_2_joint": 1, "wrist_3_joint": -1}}
    return arm("coupled", EXAMPLES / "ur_description" / "urdf" / "ur5_robot.urdf", viscous=[6, 6, 4, 1, 0.1, 0.1, 0.8, 0.8],
               coulomb=[4, 4.5, 2.5, 0.7, 0.1, 0.1, 0.5, 0.5], armature=[0.3, 0.3, 0.2, 0.06, 0.01, 0.01, 0.04, 0.04],
               drives=drives,
               model={"actuation": {"drives": [{"name": name, "joints": joints} for name, joints in drives.items()]}})


ROBOTS = {make.__name__: make for make in (two_joint, six_joint, seven_joint, four_bar, coupled)}


def generator(robot, *numbers):
    """Random numbers of a robot and a purpose."""
    return np.random.default_rng([list(ROBOTS).index(robot.name), *numbers])


# Descriptions --------------------------------------------------------------------------------------------------------


def second_moments(inertia):
    """Principal second moments about the centre of mass, and their axes."""
    full = inertia.inertia
    return np.linalg.eigh(0.5 * np.trace(full) * np.eye(3) - full)


def wrong_inertia(inertia, random):
    """Another possible body: every factor of the pseudo-inertia is off."""
    moments, axes = second_moments(inertia)
    radii = np.sqrt(np.maximum(moments, 0) / inertia.mass)
    mass = inertia.mass * math.exp(PRIOR_STD * random.standard_normal())
    centre = inertia.lever + axes @ (PRIOR_STD * radii * random.standard_normal(3))
    moments = moments * np.exp(PRIOR_STD * random.standard_normal(3))
    axes = pinocchio.exp3(AXES_STD * random.standard_normal(3)) @ axes
    full = axes @ np.diag(moments.sum() - moments) @ axes.T
    return pinocchio.Inertia(mass, centre, 0.5 * (full + full.T))


def text_of(values):
    return " ".join(repr(float(value)) for value in values)


def write_urdf(file, robot, inertias, friction=False):
    root = ElementTree.Element("robot", name=robot.name)
    ElementTree.SubElement(root, "link", name="ground")
    for body, inertia in zip(robot.bodies, inertias):
        link = ElementTree.SubElement(root, "link", name=body.link)
        inertial = ElementTree.SubElement(link, "inertial")
        ElementTree.SubElement(inertial, "origin", xyz=text_of(inertia.lever), rpy="0 0 0")
        ElementTree.SubElement(inertial, "mass", value=repr(float(inertia.mass)))
        full = inertia.inertia
        ElementTree.SubElement(inertial, "inertia", {f"i{'xyz'[i]}{'xyz'[j]}": repr(float(full[i, j]))
                                                     for i in range(3) for j in range(i, 3)})
        joint = ElementTree.SubElement(root, "joint", name=body.joint, type="revolute")
        ElementTree.SubElement(joint, "parent", link="ground" if body.parent < 0 else robot.bodies[body.parent].link)
        ElementTree.SubElement(joint, "child", link=body.link)
        ElementTree.SubElement(joint, "origin", xyz=text_of(body.position), rpy=text_of(pinocchio.rpy.matrixToRpy(body.rotation)))
        ElementTree.SubElement(joint, "axis", xyz=text_of(body.axis))
        ElementTree.SubElement(joint, "limit", lower=repr(body.lower), upper=repr(body.upper), velocity=repr(body.speed), effort="1000")
        if friction:
            ElementTree.SubElement(joint, "dynamics", damping=repr(robot.viscous[body.joint]), friction=repr(robot.coulomb[body.joint]))
    ElementTree.indent(root)
    ElementTree.ElementTree(root).write(file)


def write_truth(file, robot):
    write_urdf(file, robot, [body.inertia for body in robot.bodies], friction=True)


def write_prior(file, robot, seed):
    random = generator(robot, seed, 1)
    write_urdf(file, robot, [wrong_inertia(body.inertia, random) for body in robot.bodies])


def true_values(robot):
    """By the names of `physical` of result.json; inertias about the centre of mass."""
    out = {}
    for body in robot.bodies:
        full = body.inertia.inertia
        out[f"mass.{body.link}"] = body.inertia.mass
        out |= {f"com.{body.link}.{'xyz'[i]}": body.inertia.lever[i] for i in range(3)}
        out |= {f"inertia.{body.link}.i{'xyz'[i]}{'xyz'[j]}": full[i, j] for i in range(3) for j in range(i, 3)}
    for name in robot.viscous:
        out |= {f"friction.{name}.viscous": robot.viscous[name], f"friction.{name}.coulomb": robot.coulomb[name],
                f"armature.{name}": robot.armature[name]}
    return {name: float(value) for name, value in out.items()}


# Motion --------------------------------------------------------------------------------------------------------------


class Series:
    """Fourier series of the motors, from rest in the middle of their ranges."""

    def __init__(self, robot, seed):
        random = generator(robot, seed, 2)
        count = len(robot.motors)
        self.omega = 2 * math.pi * robot.base_frequency * np.arange(1, HARMONICS + 1)
        self.phase = random.uniform(-math.pi, math.pi, (count, HARMONICS))
        self.amplitude = random.uniform(0.3, 1.0, (count, HARMONICS))
        self.middle = np.zeros(count)
        for j, body in enumerate(robot.bodies[i] for i in robot.driven()):
            self.middle[j] = 0.5 * (body.lower + body.upper)
            self.scale(j, min(robot.amplitude, ROOM * 0.5 * (body.upper - body.lower)), ROOM * body.speed)

    def scale(self, j, room, speed):
        angle = np.outer(np.linspace(0, 2 * math.pi, 2001), np.arange(1, HARMONICS + 1)) + self.phase[j]
        highest = abs(np.sin(angle) @ self.amplitude[j]).max()
        fastest = abs(np.cos(angle) @ (self.amplitude[j] * self.omega)).max()
        self.amplitude[j] *= min(room / highest, speed / fastest)

    def at(self, t):
        angle = self.omega * t + self.phase
        q = (self.amplitude * np.sin(angle)).sum(axis=1)
        v = (self.amplitude * self.omega * np.cos(angle)).sum(axis=1)
        s = min(t / RAMP, 1.0)
        ramp, slope = s**3 * (10 - 15 * s + 6 * s**2), 30 * s**2 * (1 - s) ** 2 / RAMP
        return self.middle + ramp * q, ramp * v + slope * q


# Simulation ----------------------------------------------------------------------------------------------------------

RIPPLE = {"share": 0.03, "periods": 12}  # of the root mean square of the effort; a turn
SPRING = {"frequency": 20.0, "damping_ratio": 0.05}  # Hz
DRIFT = 0.15  # from 1 + DRIFT to 1 − DRIFT
ERRORS = {"none": (), "ripple": ("ripple",), "elastic": ("elastic",), "drift": ("drift",), "all": ("ripple", "elastic", "drift")}


def hard(element, step):
    """Coulomb friction with the shortest time constant that MuJoCo allows."""
    element.solref_friction = [2 * step, 1]
    element.solimp_friction = [0.99, 0.99, 0.001, 0.5, 2]


def mujoco_spec(robot, springs=None):
    """The true robot; `springs` adds a joint after each motor, with this stiffness and damping."""
    import mujoco
    spec, step = mujoco.MjSpec(), STEP / robot.substeps
    spec.option.timestep, spec.option.integrator = step, mujoco.mjtIntegrator.mjINT_RK4
    spec.option.tolerance, spec.option.gravity = 1e-12, [0, 0, -9.81]
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    placed = []
    for j, body in enumerate(robot.bodies):
        parent = spec.worldbody if body.parent < 0 else placed[body.parent]
        x, y, z, w = pinocchio.Quaternion(body.rotation).coeffs()
        full = body.inertia.inertia
        placed.append(parent.add_body(
            name=body.link, pos=body.position, quat=[w, x, y, z], explicitinertial=True, mass=body.inertia.mass, ipos=body.inertia.lever,
            fullinertia=[full[0, 0], full[1, 1], full[2, 2], full[0, 1], full[0, 2], full[1, 2]]))
        hard(placed[-1].add_joint(
            name=body.joint, type=mujoco.mjtJoint.mjJNT_HINGE, axis=body.axis, armature=robot.armature[body.joint],
            damping=[robot.viscous[body.joint], 0, 0], frictionloss=robot.coulomb[body.joint]), step)
        if springs is not None:
            placed[-1].add_joint(name=f"{body.joint}.spring", type=mujoco.mjtJoint.mjJNT_HINGE, axis=body.axis,
                                 stiffness=[springs[0][j], 0, 0], damping=[springs[1][j], 0, 0])
    for name, joints in robot.drives.items():
        drive = spec.add_tendon(name=name, armature=robot.armature[name], damping=[robot.viscous[name], 0, 0],
                                frictionloss=robot.coulomb[name])
        hard(drive, step)
        for joint, factor in joints.items():
            drive.wrap_joint(joint, factor)
    for loop in robot.loops:
        add_loop(spec, loop, step)
    return spec


def add_loop(spec, loop, step):
    import mujoco
    for end in ("body1", "body2"):
        spec.body(loop[end]["link"]).add_site(name=f"{loop['name']}.{end}", pos=loop[end].get("xyz", [0, 0, 0]))
    spec.add_equality(name=loop["name"], type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_SITE, name1=f"{loop['name']}.body1",
                      name2=f"{loop['name']}.body2", solref=[2 * step, 1], solimp=[0.9999, 0.9999, 0.001, 0.5, 2])


class Simulation:
    def __init__(self, robot, springs=None):
        import mujoco
        self.mujoco, self.robot = mujoco, robot
        self.model = mujoco_spec(robot, springs).compile()
        self.data = mujoco.MjData(self.model)
        self.at = np.array([self.model.joint(name).qposadr[0] for name in robot.joints])
        self.driven = self.at[robot.driven()]
        self.damping, self.loss = self.model.dof_damping.copy(), self.model.dof_frictionloss.copy()
        self.tendon_damping, self.tendon_loss = self.model.tendon_damping.copy(), self.model.tendon_frictionloss.copy()
        self.opening = 0.0

    def start(self, q):
        self.data.qpos[self.driven] = q
        self.mujoco.mj_forward(self.model, self.data)

    def inertia(self):
        full = np.zeros((self.model.nv, self.model.nv))
        self.mujoco.mj_fullM(self.model, self.data, full)
        return full

    def motor_inertia(self):
        """Inertia that each motor feels, with the passive joints following the loops."""
        full, nv = self.inertia(), self.model.nv
        motion = np.zeros((nv, len(self.driven)))
        motion[self.driven] = np.eye(len(self.driven))
        if self.robot.loops:
            rows = np.array(self.data.efc_J).reshape(-1, nv)[:3 * len(self.robot.loops)]
            passive = np.setdiff1d(np.arange(nv), self.driven)
            motion[passive] = -np.linalg.pinv(rows[:, passive], rcond=1e-9) @ rows[:, self.driven]
        return np.diag(motion.T @ full @ motion)

    def scale_friction(self, factor):
        self.model.dof_frictionloss[:] = factor * self.loss
        self.model.tendon_frictionloss[:] = factor * self.tendon_loss
        self.model.tendon_damping[:] = factor * self.tendon_damping
        self.model.dof_damping[self.at] = factor * self.damping[self.at]

    def measure_opening(self):
        x = self.data.site_xpos
        if len(x):
            self.opening = max(self.opening, np.linalg.norm(x[0::2] - x[1::2], axis=1).max())

    def run(self, series, duration, ripple=None, drift=0.0):
        """States every STEP and the effort of the motors that begins there."""
        robot, data, mj = self.robot, self.data, self.mujoco
        self.start(series.at(0)[0])
        inertia, omega = self.motor_inertia(), robot.bandwidth
        count = round(duration / STEP)
        q, v, tau = (np.zeros((count, n)) for n in (len(self.at), len(self.at), len(self.driven)))
        for k in range(count):
            if k % CONTROL == 0:
                wanted_q, wanted_v = series.at(k * STEP)
                error_q, error_v = wanted_q - data.qpos[self.driven], wanted_v - data.qvel[self.driven]
                effort = data.qfrc_bias[self.driven] + inertia * (omega**2 * error_q + 2 * omega * error_v)
                self.measure_opening()
                if drift:
                    self.scale_friction(1 + drift * (1 - 2 * k / count))
            q[k], v[k], tau[k] = data.qpos[self.at], data.qvel[self.at], effort
            data.qfrc_applied[self.driven] = effort + (ripple(data.qpos[self.driven]) if ripple else 0)
            mj.mj_step(self.model, data, robot.substeps)
        if not np.isfinite(q).all() or data.warning.number.any():
            raise FloatingPointError(f"{robot.name}: the simulation became unstable")
        return {"time": STEP * np.arange(count), "q": q, "v": v, "tau": tau, "opening": self.opening}


def springs_of(robot, q):
    """Stiffness and damping of the springs between motors and links."""
    simulation = Simulation(dataclasses.replace(robot, armature=dict.fromkeys(robot.armature, 0.0)))
    simulation.start(q)
    inertia, omega = np.diag(simulation.inertia())[simulation.at], 2 * math.pi * SPRING["frequency"]
    return omega**2 * inertia, 2 * SPRING["damping_ratio"] * omega * inertia


def ripple_of(robot, series, seed, duration):
    """Error of the torques as a function of the motors' angles."""
    size = RIPPLE["share"] * root_mean_square(Simulation(robot).run(series, duration)["tau"])
    phase = generator(robot, seed, 3).uniform(-math.pi, math.pi, len(size))
    return lambda q: size * np.sin(RIPPLE["periods"] * q + phase)


def simulate(robot, seed, errors=(), duration=DURATION):
    """The motion `seed` of the true robot, with what `errors` names."""
    series = Series(robot, seed)
    springs = springs_of(robot, series.at(0)[0]) if "elastic" in errors else None
    ripple = ripple_of(robot, series, seed, duration) if "ripple" in errors else None
    return Simulation(robot, springs).run(series, duration, ripple, DRIFT if "drift" in errors else 0.0)


def root_mean_square(x):
    return np.sqrt((x**2).mean(axis=0))


# Logs ----------------------------------------------------------------------------------------------------------------

CONDITIONS = {
    "noise_1": {}, "noise_0.1": {"noise": 0.1}, "noise_10": {"noise": 10.0},
    "rate_100": {"rate": 100}, "rate_200": {"rate": 200}, "rate_1000": {"rate": 1000},
    "quantised": {"bits": 12}, "filtered": {"cutoff": 20.0},
    "jitter_stamped": {"jitter": 0.1}, "jitter_hidden": {"jitter": 0.1, "stamped": False},
    "effort_offset": {"offset": 0.05}, "effort_delay": {"delay": 5e-3}, "no_velocity": {"velocity": False}}
UNSEEN = {"clean_effort": True}


def low_pass(x, cutoff, rate):
    """Causal, second order, from rest at the first sample."""
    b, a = butter(2, cutoff, fs=rate)
    return lfilter(b, a, x, axis=0, zi=lfilter_zi(b, a)[:, None] * x[:1])[0]


def record(run, random, rate=500, noise=1.0, bits=None, cutoff=None, jitter=0.0, stamped=True, offset=0.0, delay=0.0,
           velocity=True, clean_effort=False):
    """Columns of a log: {time, q, v, tau}."""
    fine = 1000 if cutoff else rate
    stride = round(1 / (fine * STEP))
    regular = np.arange(0, len(run["time"]) - round(1 / (rate * STEP)), stride)
    at = regular + np.rint(jitter * stride * np.clip(random.standard_normal(len(regular)), -4, 4)).astype(int)
    at = np.maximum(at, 0)
    size = root_mean_square(run["tau"])
    late = np.maximum(at - round(delay / STEP), 0)
    out = {"q": run["q"][at], "v": run["v"][at], "tau": run["tau"][late]}
    for name, std in (("q", TYPICAL["q"]), ("v", TYPICAL["v"]), ("tau", 0.0 if clean_effort else TYPICAL["tau"] * size)):
        out[name] = out[name] + noise * std * random.standard_normal(out[name].shape)
    out["tau"] = out["tau"] + offset * size * random.choice([-1, 1], len(size))
    if bits:
        quantum = 2 * math.pi / 2**bits
        out["q"] = quantum * np.rint(out["q"] / quantum)
    if cutoff:
        out = {name: low_pass(x, cutoff, fine)[::fine // rate] for name, x in out.items()}
        regular = at = regular[::fine // rate]
    if not velocity:
        del out["v"]
    return {"time": run["time"][at if stamped else regular], **out}


def write_log(file, robot, log):
    names, columns = ["time"], [log["time"]]
    for kind, joints in (("q", robot.joints), ("v", robot.joints), ("tau", robot.motors)):
        if kind in log:
            names += [f"{kind}.{joint}" for joint in joints]
            columns += list(log[kind].T)
    with pathlib.Path(file).open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(names)
        writer.writerows([f"{value:.10g}" for value in row] for row in zip(*columns))


def configuration(robot, log):
    """Robot and log, and nothing else."""
    return {"schema": 1, "model": {"urdf": "robot.urdf", **robot.model}, "logs": [{"file": log}]}
