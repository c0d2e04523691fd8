# SPDX-License-Identifier: BSD-3-Clause
"""Efforts of the robots of studies/mujoco_arms.py by inverse dynamics, from a URDF, frictions and armatures; no simulator."""
import numpy as np
import pinocchio

from mujoco_arms import CONTROL, STEP


def loop_motion(robot, model, data, q):
    """v of all joints for that of the motors, in a pose on the loops."""
    nv, driven = model.nv, robot.driven()
    motion = np.eye(nv)[:, driven]
    if not robot.loops:
        return motion
    pinocchio.computeJointJacobians(model, data, q)
    pinocchio.updateFramePlacements(model, data)
    rows = []
    for loop in robot.loops:
        jacobian = 0
        for sign, end in ((1, "body1"), (-1, "body2")):
            frame = model.getFrameId(loop[end]["link"], pinocchio.FrameType.BODY)
            arm = data.oMf[frame].rotation @ np.array(loop[end]["xyz"], dtype=float)
            full = pinocchio.getFrameJacobian(model, data, frame, pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            jacobian = jacobian + sign * (full[:3] - pinocchio.skew(arm) @ full[3:])
        rows.append(jacobian)
    rows, passive = np.vstack(rows), [j for j in range(nv) if j not in driven]
    motion[passive] = -np.linalg.pinv(rows[:, passive], rcond=1e-9) @ rows[:, driven]
    return motion


def drive_matrix(robot, names):
    """Speeds of drives (joints and motors) for those of the joints."""
    rows = [robot.drives.get(name, {name: 1}) for name in names]
    return np.array([[row.get(joint, 0.0) for joint in robot.joints] for row in rows])


def friction_of(values, name, speed):
    """Friction of a drive with the values of `physical`; a slope that is missing is infinite."""
    def of(key):
        return values.get(f"friction.{name}.{key}", 0.0)

    slope = values.get(f"friction.{name}.coulomb_slope")
    out = of("viscous") * speed + of("coulomb") * (np.sign(speed) if slope is None else np.tanh(slope * speed))
    return out + of("stiction") * (np.tanh(of("stribeck1") * speed) - np.tanh(of("stribeck2") * speed))


def efforts(robot, urdf, values, q, v, a):
    """Efforts of the motors along a motion, of the bodies of a URDF and the frictions and armatures among `values`."""
    model = pinocchio.buildModelFromUrdf(str(urdf))
    data = model.createData()
    if list(model.names)[1:] != robot.joints:
        raise ValueError(f"{urdf}: has other joints than {robot.name}, or another order")
    names = list(robot.viscous)
    drives = drive_matrix(robot, names)
    speed, armature = v @ drives.T, np.array([values.get(f"armature.{name}", 0.0) for name in names])
    friction = np.column_stack([friction_of(values, name, speed[:, i]) for i, name in enumerate(names)])
    joint = (friction + armature * (a @ drives.T)) @ drives
    return np.array([loop_motion(robot, model, data, q[k]).T @ (pinocchio.rnea(model, data, q[k], v[k], a[k]) + joint[k])
                     for k in range(len(q))])


def sliding(robot, v, slowest):
    """For each motor, the samples in which the joint and all drives that turn with it move."""
    names = list(robot.viscous)
    drives = drive_matrix(robot, names)
    moves = abs(v @ drives.T) > slowest
    everything = np.repeat(moves.all(axis=1)[:, None], len(robot.motors), axis=1)
    if robot.loops:
        return everything
    return np.column_stack([moves[:, drives[:, j] != 0].all(axis=1) for j in robot.driven()])


def true_motion(run, every=50):
    """States and accelerations in the middle of control periods, where the effort is constant, and that effort."""
    half = CONTROL // 2 - 1
    at = np.arange(CONTROL // 2, len(run["time"]) - CONTROL, max(CONTROL, every))
    a = (run["v"][at + half] - run["v"][at - half]) / (2 * half * STEP)
    return run["q"][at], run["v"][at], a, run["tau"][at]
