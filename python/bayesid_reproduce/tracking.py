# SPDX-License-Identifier: BSD-3-Clause
"""A robot that stands on point feet and follows a reference by feed-forward of a model and a soft controller."""
import math

import numpy as np
import pinocchio

FREQUENCY = 8.0  # rad/s, of the arm's controller: soft, so that the model matters
STIFFNESS, DAMPING = 1000.0, 40.0  # N·m/rad, N·m·s/rad, of the legs
ARM = "joint"  # what the names of its joints begin with
HOLD = 50.0  # 1/s, feet come back to their places


def changed_inertias(model, before, after):
    """The model with the links of `after` (physical values) in the place of those of `before`."""
    out = model.copy()
    for name in before:
        if not name.startswith("mass."):
            continue
        link = name.removeprefix("mass.")
        frame = model.frames[model.getFrameId(link, pinocchio.FrameType.BODY)]
        parts = [out.inertias[frame.parentJoint].toDynamicParameters()]
        parts += [frame.placement.act(inertia_of(values, link)).toDynamicParameters() for values in (before, after)]
        out.inertias[frame.parentJoint] = pinocchio.Inertia.FromDynamicParameters(parts[0] - parts[1] + parts[2])
    return out


def inertia_of(values, link):
    centre = np.array([values[f"com.{link}.{axis}"] for axis in "xyz"])
    moments = np.array([[values[f"inertia.{link}.i{''.join(sorted((a, b)))}"] for b in "xyz"] for a in "xyz"])
    return pinocchio.Inertia(values[f"mass.{link}"], centre, moments)


class Standing:
    """Equations of a model on its feet, friction included."""

    def __init__(self, model, friction, feet):
        self.model, self.data, self.feet = model, model.createData(), [model.getFrameId(foot) for foot in feet]
        self.coulomb, self.slope, self.viscous = (np.zeros(model.nv) for _ in range(3))
        for j in range(2, model.njoints):
            i = model.joints[j].idx_v
            self.coulomb[i], self.slope[i], self.viscous[i] = (friction[f"friction.{model.names[j]}.{word}"]
                                                               for word in ("coulomb", "coulomb_slope", "viscous"))

    def friction(self, v):
        return self.coulomb * np.tanh(self.slope * v) + self.viscous * v

    def friction_slope(self, v):
        return self.coulomb * self.slope / np.cosh(self.slope * v) ** 2 + self.viscous

    def contact(self, q, v):
        """Jacobian of the feet, and J̇ v."""
        pinocchio.forwardKinematics(self.model, self.data, q, v, np.zeros(self.model.nv))
        pinocchio.computeJointJacobians(self.model, self.data, q)
        pinocchio.updateFramePlacements(self.model, self.data)
        frame = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
        rows = [pinocchio.getFrameJacobian(self.model, self.data, foot, frame)[:3] for foot in self.feet]
        drift = [pinocchio.getFrameClassicalAcceleration(self.model, self.data, foot, frame).linear for foot in self.feet]
        return np.vstack(rows), np.concatenate(drift)

    def places(self):
        return np.concatenate([self.data.oMf[foot].translation for foot in self.feet])

    def feed_forward(self, q, v, a):
        """Efforts for an acceleration that the feet allow; minimum norm of forces and efforts."""
        J, _ = self.contact(q, v)
        need = pinocchio.rnea(self.model, self.data, q, v, a) + self.friction(v)
        motors = np.eye(self.model.nv)[:, 6:]
        solution = np.linalg.lstsq(np.hstack([motors, 0.1 * J.T]), need, rcond=None)[0]
        return solution[:self.model.nv - 6]

    def mass(self, q):
        upper = np.triu(pinocchio.crba(self.model, self.data, q))
        return upper + np.triu(upper, 1).T

    def accelerate(self, q, v, effort, places, dt, damping):
        """Over a step; friction and the controller's damping as at its end, since they are stiff."""
        J, drift = self.contact(q, v)
        drift = drift + 2 * HOLD * J @ v + HOLD ** 2 * (self.places() - places)
        mass = self.mass(q) + dt * np.diag(self.friction_slope(v) + damping)
        bias = pinocchio.nonLinearEffects(self.model, self.data, q, v) + self.friction(v)
        force = np.concatenate([np.zeros(6), effort]) - bias
        size = self.model.nv
        kkt = np.block([[mass, J.T], [J, np.zeros((len(J), len(J)))]])
        return np.linalg.solve(kkt, np.concatenate([force, -drift]))[:size]


def circle(model, q, frame, radius, time, period):
    """Joints of the arm that move a frame along a circle that begins at its top where the frame is, from rest to rest."""

    def place(t):
        turn = 2 * math.pi * (t / period - math.sin(2 * math.pi * t / period) / (2 * math.pi))
        return radius * np.array([0, math.sin(turn), math.cos(turn) - 1])

    data, fid = model.createData(), model.getFrameId(frame)
    pinocchio.framesForwardKinematics(model, data, q)
    start = data.oMf[fid].translation.copy()
    arm = [model.joints[j].idx_v for j in range(2, model.njoints) if model.names[j].startswith(ARM)]
    out, now = [], q.copy()
    for t in time:
        for _ in range(20):
            pinocchio.framesForwardKinematics(model, data, now)
            error = start + place(t) - data.oMf[fid].translation
            if np.abs(error).max() < 1e-10:
                break
            J = pinocchio.computeFrameJacobian(model, data, now, fid, pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED)[:3, arm]
            step = np.zeros(model.nv)
            step[arm] = J.T @ np.linalg.solve(J @ J.T, error)
            now = pinocchio.integrate(model, now, step)
        out.append(now.copy())
    return np.array(out)


def follow(plant, controller, reference, dt, frame):
    """Largest and root mean square distance of the frame from its reference, m."""
    model = plant.model
    fid = model.getFrameId(frame)
    q, v = reference[0].copy(), np.zeros(model.nv)
    plant.contact(q, v)
    places = plant.places()
    speeds = [pinocchio.difference(model, a, b) / dt for a, b in zip(reference[:-1], reference[1:])]
    speeds = np.array([*speeds, speeds[-1]])
    accelerations = np.gradient(speeds, dt, axis=0)
    inertia = np.diag(plant.mass(reference[0])).copy()
    inertia[:6] = 0
    stiffness, damping = FREQUENCY ** 2 * inertia, 2 * FREQUENCY * inertia
    for j in range(2, model.njoints):
        if not model.names[j].startswith(ARM):
            stiffness[model.joints[j].idx_v], damping[model.joints[j].idx_v] = STIFFNESS, DAMPING
    data, errors = model.createData(), []
    for k in range(len(reference)):
        error = pinocchio.difference(model, q, reference[k])
        effort = controller.feed_forward(reference[k], speeds[k], accelerations[k]) + (stiffness * error + damping * (speeds[k] - v))[6:]
        v = v + dt * plant.accelerate(q, v, effort, places, dt, damping)
        q = pinocchio.integrate(model, q, dt * v)
        pinocchio.framesForwardKinematics(model, data, q)
        here = data.oMf[fid].translation.copy()
        pinocchio.framesForwardKinematics(model, data, reference[k])
        errors.append(np.linalg.norm(here - data.oMf[fid].translation))
    return {"rms": float(np.sqrt(np.mean(np.square(errors)))), "most": float(np.max(errors)), "errors": [float(e) for e in errors[::10]]}
