#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Log of a mechanism simulated by MuJoCo, as an independent truth for identification.

    python tools/mujoco_log.py data/models/four_bar_leg.yaml --out log.csv --duration 10 --rate 1000 --seed 1

The configuration names the URDF, the point loops, the motors and the frictions (their priors are the truth). Motors
follow sums of sines with a PD controller that runs at the rate of the log, its effort held in between: tau is exact.
The frictions and the integration are finer, at 10 kHz or more. Needs numpy, mujoco and PyYAML (requirements-dev.txt).
"""
import argparse
import math
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np

LARGEST_STEP = 1e-4  # s, of the integration
RAMP = 0.25  # s, from rest to the full motion
BANDWIDTH = 60.0  # rad/s, of the controller
ROOM = 0.8  # share of a joint's range that the motion takes
# γ0…γ5, when neither the configuration nor the URDF says more.            docs/math/parameters.md, table 1
FRICTION = {"stiction": 0.1, "stribeck1": 10.0, "stribeck2": 2.0, "coulomb": 0.1, "coulomb_slope": 10.0, "viscous": 0.1}
TERMS = ["stiction", "coulomb", "viscous"]


class InputError(Exception):
    pass


def numbers(element, key, default="0 0 0"):
    text = default if element is None else element.get(key, default)
    return np.array([float(x) for x in text.split()])


def rotation(rpy):
    """R = Rz(yaw) Ry(pitch) Rx(roll)."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array([[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                     [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                     [-sp, cp * sr, cp * cr]])


def quaternion(rpy):
    """(w, x, y, z) of the same rotation."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy / 2), np.sin(rpy / 2)
    return np.array([cy * cp * cr + sy * sp * sr, cy * cp * sr - sy * sp * cr,
                     cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr])


def text_of(values):
    return " ".join(repr(float(x)) for x in np.atleast_1d(values))


class Mechanism:
    """URDF and configuration as MuJoCo needs them."""

    def __init__(self, file):
        import yaml
        file = pathlib.Path(file)
        try:
            self.config = yaml.safe_load(file.read_text())
            self.urdf = ElementTree.parse(file.parent / self.config["model"]["urdf"]).getroot()
        except (OSError, yaml.YAMLError, ElementTree.ParseError, KeyError, TypeError) as error:
            raise InputError(f"{file}: {error}") from error
        self.file = file
        model = self.config["model"]
        for key in ("contacts", "lock"):
            if model.get(key):
                raise InputError(f"{file}: model.{key} is not supported by this tool")
        actuation = model.get("actuation", {})
        if model.get("base", "fixed") != "fixed" or actuation.get("drives") or actuation.get("rotors"):
            raise InputError(f"{file}: a floating base, drives and rotors are not supported by this tool")
        self.gravity = model.get("gravity", [0, 0, -9.81])
        self.loops = model.get("loops", [])
        self.links = {link.get("name"): link for link in self.urdf.findall("link")}
        self.children = {name: [] for name in self.links}
        self.joints = {}  # those that move, in the order of the file
        moving = {"revolute": "hinge", "continuous": "hinge", "prismatic": "slide"}
        for joint in self.urdf.findall("joint"):
            if joint.get("type") not in (*moving, "fixed") or joint.find("mimic") is not None:
                raise InputError(f"{file}: joint {joint.get('name')}: only revolute, continuous, prismatic and fixed "
                                 "joints without mimic are supported by this tool")
            self.children[joint.find("parent").get("link")].append(joint)
            if joint.get("type") != "fixed":
                self.joints[joint.get("name")] = joint
        self.kind = {name: moving[joint.get("type")] for name, joint in self.joints.items()}
        wanted = actuation.get("joints", "all")
        self.motors = list(self.joints) if wanted == "all" else list(wanted)
        for name in self.motors:
            self.known(name, self.joints, "model.actuation.joints")
        self.friction = {name: self.friction_of(name) for name in self.joints}
        self.armature = {name: self.armature_of(name) for name in self.joints}

    def known(self, name, among, key):
        if name not in among:
            raise InputError(f"{self.file}: {key} names {name}, expected one of {', '.join(among)}")

    def family(self, name):
        """A family of parameters; None when there is none."""
        parameters = self.config.get("parameters")
        if not parameters:
            raise InputError(f"{self.file}: parameters is missing: the frictions of the simulation are its priors")
        for key in parameters:
            if key not in ("inertia", "friction", "armature", "set"):
                raise InputError(f"{self.file}: parameters.{key} is not supported by this tool")
        for key, value in parameters.get("set", {}).items():
            if not re.match(r"friction\..+\.mu[0-5]$", key) and value != "fixed" and "prior" in value:
                raise InputError(f"{self.file}: parameters.set.{key}: only frictions may have a prior for this tool")
        return parameters[name] or {} if name in parameters else None

    def friction_of(self, joint):
        """γ of one joint; terms that the model does not have are zero."""
        family = self.family("friction")
        gamma = dict.fromkeys(FRICTION, 0.0)
        if family is None or (family.get("joints", "all") != "all" and joint not in family["joints"]):
            return gamma
        dynamics = self.joints[joint].find("dynamics")
        prior = dict(FRICTION)
        for key, attribute in (("coulomb", "friction"), ("viscous", "damping")):
            value = 0.0 if dynamics is None else float(dynamics.get(attribute, 0))
            if value > 0:
                prior[key] = value
        prior.update(family.get("prior", {}))
        for i, key in enumerate(FRICTION):
            one = self.config["parameters"].get("set", {}).get(f"friction.{joint}.mu{i}", {})
            if one != "fixed" and "prior" in one:
                prior[key] = one["prior"] if i == 2 else math.exp(one["prior"])
        terms = family.get("terms", TERMS)
        return {key: 0.0 if key in TERMS and key not in terms else float(value) for key, value in prior.items()}

    def armature_of(self, joint):
        family = self.family("armature")
        if family is None or (family.get("joints", "all") != "all" and joint not in family["joints"]):
            return 0.0
        prior = family.get("prior", 0.01)
        if isinstance(prior, dict):
            return float(prior.get(joint, 0.01))
        return float(prior[list(self.joints).index(joint)] if isinstance(prior, list) else prior)

    def limit(self, joint, key, otherwise):
        """A limit of the URDF; not positive and continuous mean none."""
        element = self.joints[joint].find("limit")
        if element is None or element.get(key) is None:
            return otherwise
        return float(element.get(key))

    def mjcf(self, step):
        """The model in MuJoCo's own format, every number from the URDF."""
        root = ElementTree.Element("mujoco", model=self.urdf.get("name", "robot"))
        ElementTree.SubElement(root, "compiler", angle="radian", autolimits="false", inertiafromgeom="false")
        option = ElementTree.SubElement(root, "option", timestep=repr(step), gravity=text_of(self.gravity),
                                        integrator="implicitfast", solver="Newton", tolerance="1e-14",
                                        iterations="50", jacobian="dense")
        ElementTree.SubElement(option, "flag", contact="disable", limit="disable", frictionloss="disable")
        world = ElementTree.SubElement(root, "worldbody")
        used = {joint.find("child").get("link") for joints in self.children.values() for joint in joints}
        base = [name for name in self.links if name not in used]
        if len(base) != 1:
            raise InputError(f"{self.file}: the URDF has {len(base)} root links, expected one")
        self.bodies = {}
        self.add_link(world, base[0], None)
        equality = ElementTree.SubElement(root, "equality")
        for loop in self.loops:
            self.add_loop(equality, loop, step)
        actuator = ElementTree.SubElement(root, "actuator")
        for name in self.motors:
            ElementTree.SubElement(actuator, "motor", name=name, joint=name, gear="1")
        return ElementTree.tostring(root, encoding="unicode")

    def add_link(self, parent, name, joint):
        origin = None if joint is None else joint.find("origin")
        body = ElementTree.SubElement(parent, "body", pos=text_of(numbers(origin, "xyz")),
                                      quat=text_of(quaternion(numbers(origin, "rpy"))))
        self.bodies[name] = body
        if joint is not None and joint.get("name") in self.joints:
            own = joint.get("name")
            ElementTree.SubElement(body, "joint", name=own, type=self.kind[own], limited="false",
                                   axis=text_of(numbers(joint.find("axis"), "xyz", "1 0 0")),
                                   damping=repr(self.friction[own]["viscous"]), armature=repr(self.armature[own]))
        inertial = self.links[name].find("inertial")
        if inertial is not None:
            place = inertial.find("origin")
            i = {key: float(value) for key, value in inertial.find("inertia").attrib.items()}
            local = np.array([[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]],
                              [i["ixz"], i["iyz"], i["izz"]]])
            R = rotation(numbers(place, "rpy"))
            I = R @ local @ R.T
            ElementTree.SubElement(
                body, "inertial", pos=text_of(numbers(place, "xyz")), mass=inertial.find("mass").get("value"),
                fullinertia=text_of([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]))
        for child in self.children[name]:
            self.add_link(body, child.find("child").get("link"), child)

    def add_loop(self, equality, loop, step):
        """Both points become sites that MuJoCo connects, as stiff as its limits allow: 2 steps, impedance 0.9999."""
        if loop.get("type", "point") != "point":
            raise InputError(f"{self.file}: loop {loop['name']}: only type point is supported by this tool")
        for body in ("body1", "body2"):
            self.known(loop[body]["link"], self.links, f"model.loops.{loop['name']}.{body}.link")
            ElementTree.SubElement(self.bodies[loop[body]["link"]], "site", name=f"{loop['name']}.{body}",
                                   pos=text_of(loop[body].get("xyz", [0, 0, 0])))
        ElementTree.SubElement(equality, "connect", name=loop["name"], site1=f"{loop['name']}.body1",
                               site2=f"{loop['name']}.body2", solref=f"{2 * step!r} 1",
                               solimp="0.9999 0.9999 0.001 0.5 2")


class Sines:
    """q(t) = ramp(t) · (middle + Σ_h s_h sin(h ω t + φ_h)) for each motor, within its limits."""

    def __init__(self, mechanism, random):
        options = mechanism.config.get("simulation", {})
        self.omega = 2 * math.pi * options.get("base_frequency", 0.1) * np.arange(1, options.get("harmonics", 5) + 1)
        count = len(mechanism.motors)
        self.middle = np.zeros(count)
        self.phase = random.uniform(-math.pi, math.pi, (count, len(self.omega)))
        self.amplitude = random.uniform(0.3, 1.0, (count, len(self.omega)))
        for j, name in enumerate(mechanism.motors):
            lower, upper = (mechanism.limit(name, key, 0.0) for key in ("lower", "upper"))
            total = options.get("amplitude", 0.5)
            if lower < upper:
                self.middle[j] = 0.5 * (lower + upper)
                total = min(total, 0.5 * ROOM * (upper - lower))
            # The peaks over one period, so that the motion takes all the room it has.
            angle = np.outer(np.linspace(0, 2 * math.pi, 2001), np.arange(1, len(self.omega) + 1)) + self.phase[j]
            self.amplitude[j] *= total / abs(np.sin(angle) @ self.amplitude[j]).max()
            fastest = abs(np.cos(angle) @ (self.amplitude[j] * self.omega)).max()
            velocity = mechanism.limit(name, "velocity", 0.0)
            if velocity > 0:
                self.amplitude[j] *= min(1.0, ROOM * velocity / fastest)

    def at(self, t):
        angle = self.omega * t + self.phase
        q = self.middle + (self.amplitude * np.sin(angle)).sum(axis=1)
        v = (self.amplitude * self.omega * np.cos(angle)).sum(axis=1)
        s = min(t / RAMP, 1.0)
        ramp, slope = s**3 * (10 - 15 * s + 6 * s**2), 30 * s**2 * (1 - s) ** 2 / RAMP
        return ramp * q, ramp * v + slope * q


class Simulation:
    def __init__(self, mechanism, rate):
        import mujoco
        self.mujoco, self.mechanism = mujoco, mechanism
        self.substeps = max(1, math.ceil(1 / (rate * LARGEST_STEP) - 1e-9))
        self.model = mujoco.MjModel.from_xml_string(mechanism.mjcf(1 / (rate * self.substeps)))
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)
        self.joints = list(mechanism.joints)
        # Trees of hinges and slides: address of q and of v are the same.
        self.column = np.array([self.model.joint(name).qposadr[0] for name in self.joints])
        self.motor = np.array([self.model.joint(name).qposadr[0] for name in mechanism.motors], dtype=int)
        self.sites = np.array([[self.model.site(f"{loop['name']}.{body}").id for body in ("body1", "body2")]
                               for loop in mechanism.loops], dtype=int).reshape(-1, 2)
        gamma = {key: np.zeros(self.model.nv) for key in FRICTION}
        for name, column in zip(self.joints, self.column):
            for key in FRICTION:
                gamma[key][column] = mechanism.friction[name][key]
        self.gamma = gamma
        self.violation = self.loop_violation()

    def loop_violation(self):
        """Largest distance between the two points of a loop."""
        x = self.data.site_xpos
        gap = x[self.sites[:, 0]] - x[self.sites[:, 1]]
        return math.sqrt(max((gap**2).sum(axis=1), default=0.0))

    def motor_inertia(self):
        """Inertia that each motor feels now, the passive joints following the loops."""
        nv = self.model.nv
        M = np.zeros((nv, nv))
        self.mujoco.mj_fullM(self.model, self.data, M)
        J = np.array(self.data.efc_J).reshape(-1, nv)
        passive = np.setdiff1d(np.arange(nv), self.motor)
        N = np.zeros((nv, len(self.motor)))
        N[self.motor] = np.eye(len(self.motor))
        if len(passive):
            N[passive] = -np.linalg.pinv(J[:, passive], rcond=1e-9) @ J[:, self.motor]
        return np.diag(N.T @ M @ N)

    def hold(self, effort):
        """One sample with constant efforts."""
        data, g = self.data, self.gamma
        data.ctrl[:] = effort
        for _ in range(self.substeps):
            v = data.qvel
            # Viscous friction is the joint's damping; the rest of the friction model is applied here.
            data.qfrc_applied[:] = -(g["stiction"] * (np.tanh(g["stribeck1"] * v) - np.tanh(g["stribeck2"] * v))
                                     + g["coulomb"] * np.tanh(g["coulomb_slope"] * v))
            self.mujoco.mj_step(self.model, data)
            self.violation = max(self.violation, self.loop_violation())
        if not np.isfinite(data.qpos).all() or data.warning.number.any():
            raise FloatingPointError(f"the simulation became unstable at {data.time:.3f} s")

    def run(self, sines, duration, rate):
        """Rows of q, v and tau, one for each sample."""
        samples = round(duration * rate) + 1
        limit = np.array([self.mechanism.limit(name, "effort", 0.0) for name in self.mechanism.motors])
        limit[limit <= 0] = np.inf
        omega = min(BANDWIDTH, 0.2 * rate)
        inertia = self.motor_inertia()
        nj = len(self.joints)
        rows = np.zeros((samples, 2 * nj + len(self.motor)))
        for k in range(samples):
            q, v = self.data.qpos, self.data.qvel
            q_wanted, v_wanted = sines.at(k / rate)
            effort = inertia * (omega**2 * (q_wanted - q[self.motor]) + 2 * omega * (v_wanted - v[self.motor]))
            effort = np.clip(effort, -limit, limit)
            rows[k] = np.concatenate([q[self.column], v[self.column], effort])
            if k + 1 < samples:
                self.hold(effort)
        return rows


def limits_left(mechanism, q):
    """Joints that went beyond their limits, with how far."""
    out = []
    for j, name in enumerate(mechanism.joints):
        lower, upper = (mechanism.limit(name, key, 0.0) for key in ("lower", "upper"))
        beyond = max(lower - q[:, j].min(), q[:, j].max() - upper)
        if lower < upper and beyond > 0:
            out.append(f"{name} by {beyond:.3g}")
    return out


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("model", metavar="MODEL.yaml", help="configuration with model, loops, actuation and frictions")
    parser.add_argument("--out", default="log.csv", help="file to write (log.csv)")
    parser.add_argument("--duration", type=float, default=10.0, help="seconds (10)")
    parser.add_argument("--rate", type=float, default=1000.0, help="samples per second (1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the motion and the noise (1)")
    for key in ("position", "velocity", "effort"):
        parser.add_argument(f"--{key}-std", type=float, default=0.0, help=f"noise of the measured {key} (0)")
    args = parser.parse_args()
    if args.duration <= 0 or args.rate <= 0 or min(args.position_std, args.velocity_std, args.effort_std) < 0:
        parser.error("duration and rate must be > 0, standard deviations at least 0")
    return args


def main():
    args = arguments()
    try:
        mechanism = Mechanism(args.model)
        motion, noise = (np.random.default_rng(s) for s in np.random.SeedSequence(args.seed).spawn(2))
        simulation = Simulation(mechanism, args.rate)
        rows = simulation.run(Sines(mechanism, motion), args.duration, args.rate)
    except (InputError, FloatingPointError) as error:
        print(f"mujoco_log: {error}", file=sys.stderr)
        return 2 if isinstance(error, InputError) else 1
    except ImportError as error:
        print(f"mujoco_log: {error}; install requirements-dev.txt", file=sys.stderr)
        return 2
    nj = len(mechanism.joints)
    beyond = limits_left(mechanism, rows[:, :nj])
    std = np.repeat([args.position_std, args.velocity_std, args.effort_std], [nj, nj, len(mechanism.motors)])
    rows = np.column_stack([np.arange(len(rows)) / args.rate, rows + std * noise.standard_normal(rows.shape)])
    names = ["time", *(f"{kind}.{joint}" for kind in ("q", "v") for joint in mechanism.joints),
             *(f"tau.{joint}" for joint in mechanism.motors)]
    np.savetxt(args.out, rows, fmt="%.12g", delimiter=",", header=",".join(names), comments="")
    print(f"{args.out}: {len(rows)} samples")
    print(f"largest loop violation: {simulation.violation:.2e} m")
    if beyond:
        print(f"mujoco_log: beyond their limits: {', '.join(beyond)}", file=sys.stderr)
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
