# SPDX-License-Identifier: BSD-3-Clause
"""Configurations of the robots of the experiments: sensors, noise, motion."""
import pathlib
import xml.etree.ElementTree as tree

import pinocchio

from bayesid_reproduce.program import read_yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
PREFIX = next(parent for parent in pathlib.Path(pinocchio.__file__).parents if parent.name == "cmeel.prefix")
ROBOTS = PREFIX / "share" / "example-robot-data" / "robots"
PRIOR_ERROR = 0.7  # relative, of every parameter
FRICTION = {"joints": "all", "terms": ["coulomb", "viscous"], "prior": {"coulomb": 0.3, "viscous": 0.1, "coulomb_slope": 20}}
MOVING = ("revolute", "prismatic", "continuous")


def pendulum():
    return {"schema": 1, "model": {"urdf": str(ROOT / "bench" / "double_pendulum.urdf")},
            "measurements": {"position": 1e-4, "velocity": 1e-2, "effort": 0.02},
            "disturbance": {"position": 1e-6, "velocity": 1e-4},
            "parameters": {"inertia": {"links": "all"}, "friction": FRICTION},
            "solver": {"integrator": "semi_implicit_euler"},
            "simulation": {"duration": 4, "rate": 250, "harmonics": 3, "base_frequency": 0.4, "amplitude": 1.0}}


def arm():
    config = pendulum()
    urdf = ROBOTS / "panda_description" / "urdf" / "panda.urdf"
    config["model"] = {"urdf": str(urdf), "lock": ["panda_finger_joint1", "panda_finger_joint2"]}
    config["measurements"]["effort"] = 0.1
    config["simulation"] |= {"duration": 1, "base_frequency": 1.0, "amplitude": 0.4}
    return config


def quadruped(duration, rate):
    """ANYmal that trots, with encoders, efforts and the pose of its base."""
    knee = {"F": (0.7, -1.0), "H": (-0.7, 1.0)}
    legs = [side + end for side in "LR" for end in "FH"]
    posture = {}
    for leg in legs:
        hip, bend = knee[leg[1]]
        posture |= {f"{leg}_HAA": 0.1 if leg[0] == "L" else -0.1, f"{leg}_HFE": hip, f"{leg}_KFE": bend}
    return {
        "schema": 1,
        "model": {"urdf": str(ROBOTS / "anymal_b_simple_description" / "robots" / "anymal.urdf"), "base": "floating",
                  "contacts": [{"name": leg, "frame": f"{leg}_FOOT", "kd": 0.1 * rate} for leg in legs]},
        "measurements": {"position": 1e-4, "velocity": 1e-2, "effort": 0.1,
                         "pose.base": {"position": 1e-3, "orientation": 1e-3}},
        "disturbance": {"position": 1e-6, "velocity": 1e-4},
        "parameters": {"inertia": {"links": "all"}, "friction": FRICTION},
        # Feet stand still to second order of the time step.
        "solver": {"integrator": "constant_acceleration"},
        "simulation": {"duration": duration, "rate": rate, "harmonics": 3, "base_frequency": 0.5, "logs": 2,
                       "posture": posture,
                       "gait": {"type": "trot", "body_motion": 0.01, "period": 0.6, "step_length": 0.05,
                                "step_height": 0.04}}}


def moving_joints(urdf):
    return [joint.get("name") for joint in tree.parse(urdf).getroot().iter("joint") if joint.get("type") in MOVING]


def biped(duration, rate):
    """The legs of Talos on two soles, swaying; its upper body is locked."""
    urdf = ROBOTS / "talos_data" / "robots" / "talos_reduced.urdf"
    joints = moving_joints(urdf)
    posture = {}
    for side in ("left", "right"):
        posture |= {f"leg_{side}_3_joint": -0.4, f"leg_{side}_4_joint": 0.8, f"leg_{side}_5_joint": -0.4}
    contacts = [{"name": side, "frame": f"{side}_sole_link", "type": "frame", "kd": 0.1 * rate} for side in ("left", "right")]
    config = quadruped(duration, rate)
    return config | {
        "model": {"urdf": str(urdf), "base": "floating", "contacts": contacts,
                  "lock": [joint for joint in joints if not joint.startswith("leg_")]},
        "measurements": {"position": 1e-4, "velocity": 1e-2, "effort": 0.3,
                         "pose.base_link": {"position": 1e-3, "orientation": 1e-3}},
        "simulation": {"duration": duration, "rate": rate, "harmonics": 3, "base_frequency": 0.5, "logs": 1,
                       "posture": posture, "gait": {"type": "stand", "body_motion": 0.03}}}


def quadrotor(duration, rate):
    """Iris in flight. Its rotors' commands are newtons, known to 0.02 N."""
    body, moment = "iris__base_link", 0.06  # N·m per N
    rotors = [{"name": f"r{i}", "frame": f"iris__rotor_{i}", "thrust": 1.0, "moment": moment if i < 2 else -moment}
              for i in range(4)]
    return {
        "schema": 1,
        "model": {"urdf": str(ROBOTS / "iris_description" / "robots" / "iris_simple.urdf"), "base": "floating",
                  "actuation": {"rotors": rotors}},
        "measurements": {"thrust": 0.02, f"pose.{body}": {"position": 1e-3, "orientation": 2e-3},
                         "imu.body": {"link": body, "xyz": [0.03, 0.01, 0.02], "acceleration": 0.05, "rate": 0.005}},
        "disturbance": {"position": 1e-6, "velocity": 1e-4},
        "parameters": {"inertia": {"links": "all"}, "rotor": {"thrust": PRIOR_ERROR, "moment": PRIOR_ERROR},
                       "imu_bias": {"acceleration": 0.1, "rate": 0.01},
                       "set": {"imu_bias.body.ax": {"prior": 0.05}, "imu_bias.body.wz": {"prior": 0.005}}},
        "solver": {"integrator": "semi_implicit_euler"},
        "simulation": {"duration": duration, "rate": rate, "base_frequency": 0.3, "harmonics": 4, "amplitude": 1.0,
                       "rates": {f"pose.{body}": rate / 2}}}


def mechanism(name):
    """A model of data/models with its truth."""
    folder = ROOT / "data" / "models"
    config = read_yaml(folder / f"{name}.yaml")
    config["model"]["urdf"] = str(folder / config["model"]["urdf"])
    return config


def three_loops(duration, rate):
    """The leg with three loops in series. Its ankle's effort spans 1.2 N·m: 2 % of it need a sensor better than 0.02 N·m."""
    config = mechanism("three_loop_leg")
    config["measurements"]["effort"] = 0.01
    config["simulation"] |= {"duration": duration, "rate": rate, "base_frequency": 0.4, "logs": 1}
    return config


def quadruped_with_arm(duration, rate):
    """B1 with a Z1 on its back, on four feet, swaying while the arm moves; encoders, efforts and the pose of its trunk."""
    legs = ("FL", "FR", "RL", "RR")
    posture = {"joint2": 1.5, "joint3": -1.5}
    for leg in legs:
        posture |= {f"{leg}_hip_joint": 0.1 if leg[1] == "L" else -0.1, f"{leg}_thigh_joint": 0.8, f"{leg}_calf_joint": -1.5}
    config = quadruped(duration, rate)
    return config | {
        "model": {"urdf": str(ROBOTS / "b1_description" / "urdf" / "b1-z1.urdf"), "base": "floating", "lock": ["jointGripper"],
                  "contacts": [{"name": leg, "frame": f"{leg}_foot", "kd": 0.1 * rate} for leg in legs]},
        "measurements": {"position": 1e-4, "velocity": 1e-2, "effort": 0.1,
                         "pose.trunk": {"position": 1e-3, "orientation": 1e-3}},
        "simulation": {"duration": duration, "rate": rate, "harmonics": 3, "base_frequency": 0.5, "amplitude": 0.5, "logs": 1,
                       "posture": posture, "gait": {"type": "stand", "body_motion": 0.03}}}
