# SPDX-License-Identifier: BSD-3-Clause
"""Results made up for the tests of the page: result.json, series.bin and scene.json as `bayesid identify` writes them,
and report.html put together from them and the page's template."""

import base64
import hashlib
import json
import math
import zlib

import numpy as np

MARKER = "<!--BAYESID-DATA-->"


class SeriesWriter:
    """series.bin and its index."""

    def __init__(self):
        self.data = bytearray()
        self.trajectories = []
        self.clouds = []

    def channel(self, name, values, unit=""):
        values = np.asarray(values, float)
        known = np.isfinite(values)
        low = float(values[known].min()) if known.any() else 0.0
        high = float(values[known].max()) if known.any() else 0.0
        u = np.full(len(values), 65535, np.int64)
        u[known] = np.round((values[known] - low) / (high - low) * 65534) if high > low else 0
        d = (np.diff(u, prepend=0) % 65536).astype("<u2")
        raw = (d & 255).astype(np.uint8).tobytes() + (d >> 8).astype(np.uint8).tobytes()
        return self._store({"name": name, "unit": unit, "minimum": low, "maximum": high}, raw)

    def exact(self, name, values, unit=""):
        return self._store({"name": name, "unit": unit, "coding": "float64"}, np.asarray(values, "<f8").tobytes())

    def _store(self, entry, raw):
        packed = zlib.compress(raw, 6)
        entry.update(offset=len(self.data), bytes=len(packed))
        self.data += packed
        return entry

    def trajectory(self, log, samples, step, channels, times=None):
        """channels: {name: (values, unit)}"""
        entries = [self.channel(name, values, unit) for name, (values, unit) in channels.items()]
        time = {"first": 0.0, "step": step}
        if times is not None:
            time = {"channel": len(entries)}
            entries.append(self.exact("time", times, "s"))
        self.trajectories.append({"log": log, "segment": 0, "samples": samples, "time": time, "channels": entries})

    def cloud(self, drive, speed, effort):
        self.clouds.append(
            {
                "drive": drive,
                "samples": len(speed),
                "speed": self.channel(f"friction.{drive}.speed", speed, "rad/s"),
                "effort": self.channel(f"friction.{drive}.effort", effort, "N·m"),
            }
        )

    def index(self):
        return {
            "bytes": len(self.data),
            "sha256": hashlib.sha256(self.data).hexdigest(),
            "trajectories": self.trajectories,
            "clouds": self.clouds,
        }


def escape(document):
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False)
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def make_html(template, results, kind="identify", title="arm", comparison=None):
    """results: [{name, document, scene, series: bytes or None}]"""
    listed, blocks = [], []
    for i, one in enumerate(results):
        listed.append({**one, "series": f"series-{i}" if one.get("series") else None})
        if one.get("series"):
            blocks.append(
                f'<script type="application/octet-stream" id="series-{i}">{base64.b64encode(one["series"]).decode()}</script>'
            )
    page = {"page": 1, "kind": kind, "title": title, "version": "0.1.0", "results": listed, "comparison": comparison}
    data = f'<script type="application/json" id="bayesid-data">{escape(page)}</script>\n' + "\n".join(blocks)
    head, tail = template.split(MARKER)
    return head + data + tail


def smooth(rng, t, slowest=4):
    """A sum of a few sines."""
    return sum(
        rng.uniform(0.2, 0.6) / k * np.sin(2 * np.pi * k / slowest * t + rng.uniform(0, 6)) for k in (1, 2, 3, 5)
    )


def friction_at(speed, coulomb, viscous):
    return coulomb * np.tanh(20 * speed) + viscous * speed


def effort_channels(rng, t, name, unit="N·m"):
    q = smooth(rng, t)
    v = np.gradient(q, t)
    a = np.gradient(v, t)
    truth = 0.8 * a + 4 * np.sin(q) + friction_at(v, 0.6, 0.3)
    noise = 0.12
    measured = truth + noise * rng.standard_normal(len(t))
    channels = {
        f"tau.{name}.measured": (measured, unit),
        f"tau.{name}.nominal": (0.65 * a + 3.4 * np.sin(q), unit),
        f"tau.{name}.identified": (truth + 0.02 * np.sin(3 * t), unit),
        f"tau.{name}.std": (np.full(len(t), noise) + 0.01 * abs(a), unit),
        f"q.{name}": (q, "rad"),
        f"q.{name}.std": (2e-3 + 1e-3 * np.cos(t) ** 2, "rad"),
        f"v.{name}": (v, "rad/s"),
        f"v.{name}.std": (np.full(len(t), 0.02), "rad/s"),
        f"a.{name}": (a, "rad/s²"),
        f"w.q.{name}": (1e-6 * rng.standard_normal(len(t)), "rad"),
        f"w.v.{name}": (1e-3 * rng.standard_normal(len(t)), "rad/s"),
    }
    return channels, v, measured - truth + friction_at(v, 0.6, 0.3)


def add_energy(channels, t):
    supplied = 3 * (1 - np.cos(t)) + 0.5 * t
    stored = 3 * (1 - np.cos(t))
    dissipated = 0.47 * t
    for name, values in {
        "supplied": supplied,
        "stored": stored,
        "dissipated": dissipated,
        "balance": supplied - stored - dissipated,
    }.items():
        channels[f"energy.{name}"] = (values, "J")


def parameters_of(rng, links, joints):
    physical, coordinates, shares = {}, {}, {}

    def add(name, coordinate, value, prior, prior_std, std):
        physical[name] = {"prior": prior, "prior_std": prior_std, "value": value, "std": std}
        coordinates[coordinate] = {
            "prior": math.log(abs(prior) + 1),
            "prior_std": 0.7,
            "value": math.log(abs(value) + 1),
            "std": 0.7 * std / prior_std,
        }
        shares[coordinate] = max(0.0, 1 - (std / prior_std) ** 2)

    for link in links:
        mass = rng.uniform(1, 5)
        add(
            f"mass.{link}",
            f"inertia.{link}.log_mass",
            mass,
            mass * rng.uniform(0.7, 1.3),
            0.7 * mass,
            rng.uniform(0.01, 0.7) * mass,
        )
        for axis in "xyz":
            add(
                f"com.{link}.{axis}",
                f"inertia.{link}.h{axis}",
                rng.normal(0, 0.05),
                rng.normal(0, 0.05),
                0.2,
                rng.uniform(0.001, 0.2),
            )
        for axis in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"):
            add(
                f"inertia.{link}.{axis}",
                f"inertia.{link}.{axis}",
                rng.uniform(0.01, 0.1),
                rng.uniform(0.01, 0.1),
                0.05,
                rng.uniform(1e-4, 0.05),
            )
    for joint in joints:
        for term, value in (("coulomb", 0.6), ("viscous", 0.3)):
            add(
                f"friction.{joint}.{term}",
                f"friction.{joint}.{term}",
                value * rng.uniform(0.9, 1.1),
                0.5 * value,
                0.4,
                rng.uniform(0.001, 0.02),
            )
    return physical, coordinates, shares


def covariance_of(rng, coordinates):
    n = len(coordinates)
    factor = rng.standard_normal((n, max(3, n // 3)))
    matrix = factor @ factor.T + np.eye(n)
    scale = np.array([one["std"] for one in coordinates.values()]) / np.sqrt(np.diag(matrix))
    matrix *= np.outer(scale, scale)
    return {"names": list(coordinates), "matrix": matrix.tolist()}


def body(rng, scale=1.0):
    mass = rng.uniform(1, 4) * scale
    a, b, c = rng.uniform(0.04, 0.12, 3)
    turn, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    inertia = (
        turn @ np.diag([mass / 5 * (b * b + c * c), mass / 5 * (a * a + c * c), mass / 5 * (a * a + b * b)]) @ turn.T
    )
    return {
        "mass": mass,
        "com": rng.normal(0, 0.04, 3).tolist(),
        "inertia": [inertia[i, j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))],
    }


def innovations_of(rng, samples):
    values = rng.standard_normal(samples)
    spread = 2 / (9 * samples)
    return {
        "samples": samples,
        "mean": float(values.mean()),
        "mean_square": float((values**2).mean()),
        "range": [(1 - spread + deviations * spread**0.5) ** 3 for deviations in (-1.96, 1.96)],
        "autocorrelation": [float(values[:-k] @ values[k:] / (values @ values)) for k in range(1, 21)],
        "white": True,
    }


def residual_of(rng, sensor, channel, unit, samples, white=True):
    values = rng.standard_normal(samples)
    if not white:
        values = 1.4 * np.convolve(values, [0.8, 0.5, 0.3], "same")
    edges = np.linspace(-5, 5, 41)
    counts, _ = np.histogram(values, edges)
    centred = values - values.mean()
    power = float(centred @ centred)
    return {
        "sensor": sensor,
        "channel": channel,
        "unit": unit,
        "samples": samples,
        "mean": float(values.mean()),
        "rms": float(np.sqrt((values**2).mean())),
        "histogram": {
            "edges": edges.tolist(),
            "counts": counts.tolist(),
            "below": int((values < -5).sum()),
            "above": int((values > 5).sum()),
        },
        "autocorrelation": [float(centred[:-k] @ centred[k:]) / power for k in range(1, 21)],
        "innovations": None if sensor == "effort" else innovations_of(rng, samples),
        "white": white,
    }


def model_error_of(rng, joint, periods=None):
    """One entry of `model_error`; with a ripple of so many periods per turn."""
    at = np.linspace(-1.5, 1.5, 40)

    def curve(unit, x, mean):
        return {
            "unit": unit,
            "at": x.tolist(),
            "mean": mean.tolist(),
            "std": np.full(len(x), 0.1).tolist(),
            "counts": [50] * len(x),
        }

    def spectrum(unit, most):
        x = np.linspace(1, most, 120)
        return {"unit": unit, "frequency": x.tolist(), "amplitude": (0.02 * rng.random(120)).tolist()}

    curves = {
        "angle": curve("rad", at, 0.02 * rng.standard_normal(40)),
        "speed": curve("rad/s", at, 0.02 * rng.standard_normal(40)),
        "time": curve("s", at + 1.5, 0.02 * rng.standard_normal(40)),
    }
    findings = []
    if periods:
        phase = np.linspace(0, 1, 24)
        curves["phase"] = curve("periods", phase, 0.3 * np.sin(2 * np.pi * phase))
        findings.append(
            {
                "kind": "ripple",
                "share": 0.41,
                "size": 0.3,
                "periods_per_turn": periods,
                "text": f"torque ripple, {periods} periods per turn, amplitude 0.3 N·m",
                "next": "compensate it in the drive, or move over many periods so that it averages out",
            }
        )
    names = ("offset", "effort", "acceleration", "speed over time", "speed", "angle", "time", f"angle of {joint} other", "ripple")
    return {
        "joint": joint,
        "unit": "N·m",
        "samples": 2000,
        "rms": 0.24,
        "expected_rms": 0.12,
        "white": not periods,
        "dependences": [
            {"variable": name, "share": 0.41 if periods and name == "ripple" else -0.003, "significance": 0.1}
            for name in names
        ],
        "findings": findings,
        "curves": curves,
        "spectra": [spectrum("Hz", 100), spectrum("periods per turn", 200)],
    }


def chain_scene(links, joints):
    """A chain of boxes and cylinders."""
    tree, bodies = (
        [],
        [
            {
                "name": "base",
                "visuals": [
                    {
                        "type": "cylinder",
                        "radius": 0.09,
                        "length": 0.1,
                        "origin": [0, 0, 0.05, 0, 0, 0, 1],
                        "color": [0.3, 0.33, 0.38, 1],
                    }
                ],
            }
        ],
    )
    parent = "base"
    for i, (link, joint) in enumerate(zip(links, joints)):
        axis = [[0, 0, 1], [0, 1, 0], [1, 0, 0]][i % 3]
        tree.append(
            {
                "name": joint,
                "type": "revolute",
                "parent": parent,
                "child": link,
                "origin": [0, 0, 0.1 if i == 0 else 0.22, 0, 0, 0, 1],
                "axis": axis,
            }
        )
        bodies.append(
            {
                "name": link,
                "visuals": [
                    {
                        "type": "box",
                        "size": [0.07, 0.07, 0.2],
                        "origin": [0, 0, 0.11, 0, 0, 0, 1],
                        "color": [0.85, 0.86, 0.88, 1],
                    },
                    {"type": "sphere", "radius": 0.05, "origin": [0, 0, 0, 0, 0, 0, 1], "color": [0.1, 0.4, 0.65, 1]},
                ],
            }
        )
        parent = link
    return {
        "schema": 1,
        "root": "base",
        "floating": False,
        "joints": tree,
        "links": bodies,
        "meshes": [],
        "contacts": [],
        "missing": [],
    }


def make_result(
    joints=("joint1", "joint2", "joint3"),
    links=None,
    samples=2000,
    step=0.005,
    seed=1,
    with_series=True,
    with_clouds=True,
):
    """A whole result of an arm: {name, document, scene, series}."""
    rng = np.random.default_rng(seed)
    joints = list(joints)
    links = list(links or [f"link{i + 1}" for i in range(len(joints))])
    t = step * np.arange(samples)
    writer, channels = SeriesWriter(), {}
    for joint in joints:
        if not with_series:
            break
        own, speed, friction = effort_channels(rng, t, joint)
        channels.update(own)
        if with_clouds:
            every = max(1, samples // 2000)
            writer.cloud(joint, speed[::every], friction[::every])
    if with_series:
        add_energy(channels, t)
        writer.trajectory("run1.csv", samples, step, channels)
    physical, coordinates, shares = parameters_of(rng, links, joints)
    speed = np.linspace(-2, 2, 101)
    document = {
        "schema": 1,
        "version": "0.1.0",
        "status": "converged",
        "iterations": 8,
        "cost": {
            "total": 1523.25,
            "arrival": 0.17,
            "prior": 1.9,
            "disturbance": 12.5,
            "measurements": {"effort": 500.1, "position": 510.4, "velocity": 498.18},
        },
        "violation": {
            "gap": 4.6e-16,
            "dynamics": 6e-14,
            "constraint": 0.0,
            "position": 0.0,
            "parameter_equality": 0.0,
            "parameter_inequality": 0.0,
        },
        "parameters": coordinates,
        "physical": physical,
        "covariance": covariance_of(rng, coordinates),
        "identifiability": {
            "rank": 18,
            "structural_rank": 21,
            "log_rank": 18,
            "numerical_rank": 20,
            "parameters": shares,
            "base_parameters": [
                {
                    "text": f"first_moment.{links[0]}.x + 0.35 mass.{links[-1]}",
                    "terms": {},
                    "value": 0.745824,
                    "std": 0.0015268,
                    "data_std": 0.00153229,
                }
            ],
            "undetermined": [
                {
                    "text": f"friction.{joints[-1]}.viscous",
                    "terms": {},
                    "kind": "this log",
                    "motion": f"move {joints[-1]} faster: excites the effort of {joints[-1]}",
                },
                {
                    "text": f"Only this sum is identifiable: mass.{links[0]} + 0.35 first_moment.{links[0]}.x",
                    "terms": {},
                    "kind": "structural",
                    "motion": None,
                },
            ],
            "correlations": [
                {"a": list(coordinates)[0], "b": list(coordinates)[-1], "value": -0.9999, "data_value": None}
            ],
        },
        "evidence": {"log": -1203.4},
        "history": [
            {
                "iteration": i + 1,
                "cost": 1523.25 + 1e6 * 10.0 ** (-1.3 * i),
                "violation": 0.2 * 10.0 ** (-1.5 * i),
                "step": 100 * 10.0**-i,
                "length": 1.0,
                "damping": 0.0,
                "curvature": False,
                "seconds": 0.01,
            }
            for i in range(8)
        ],
        "prediction": {
            joint: {
                "nominal": float(rng.uniform(0.8, 2)),
                "identified": float(rng.uniform(0.1, 0.3)),
                "range": float(rng.uniform(5, 40)),
            }
            for joint in joints
        },
        "timing": {"total": 2.55, "per_iteration": 0.025, "per_stage_us": 25.5, "threads": 2, "peak_memory_mb": 79.0},
        "logs": [{"file": "run1.csv", "model": "9f2c", "samples": samples, "dropped": 0, "segments": 1, "warnings": []}],
        "warnings": [],
        "seed": 0,
        "model": {
            "name": "arm",
            "urdf": "arm.urdf",
            "joints": [{"name": joint, "type": "revolute", "unit": "rad"} for joint in joints],
            "links": links,
            "floating": False,
        },
        "friction_curves": [
            {
                "drive": joint,
                "speed": speed.tolist(),
                "prior": friction_at(speed, 0.3, 0.15).tolist(),
                "value": friction_at(speed, 0.6, 0.3).tolist(),
                "std": (0.02 + 0.02 * abs(speed)).tolist(),
            }
            for joint in joints
        ],
        "inertias": [{"link": link, "prior": body(rng), "value": body(rng)} for link in links],
        "residuals": [
            residual_of(rng, sensor, joint, unit, 1000, white=sensor != "effort")
            for sensor, unit in (("position", "rad"), ("velocity", "rad/s"), ("effort", "N·m"))
            for joint in joints
        ],
        "innovations": [{"sensor": sensor, **innovations_of(rng, 1000 * len(joints))} for sensor in ("position", "velocity")],
        "model_error": [model_error_of(rng, joint, 24.02 if i == 0 else None) for i, joint in enumerate(joints)],
        "cones": [],
        "bounds": [f"mass.{links[0]} >= 0.1"],
        "log_quality": [
            {
                "file": "run1.csv",
                "rate": 1 / step,
                "samples": samples,
                "gaps": [{"from": 1.2, "to": 1.5}],
                "clipped": {f"tau.{joints[0]}": 0.012},
                "delays": {"effort": 0.0021, "velocity": None},
                "dropped": 0,
                "duplicates": 2,
            }
        ],
        "provenance": {
            "program": "0.1.0",
            "compiler": "GNU 12.2.0",
            "pinocchio": "4.1.0",
            "command": ["bayesid", "identify", "my arm.yaml", "--out", "result"],
            "config": "schema: 1\nmodel:\n  urdf: arm.urdf\n",
            "config_sha256": "ab" * 32,
            "model_sha256": "cd" * 32,
            "logs": [{"file": "run1.csv", "sha256": "ef" * 32, "bytes": 123456}],
            "seed": 0,
            "time": "2026-01-02T03:04:05Z",
            "host_threads": 2,
        },
        "verdict": [
            {"severity": "ok", "topic": "convergence", "text": "Converged after 8 iterations."},
            {
                "severity": "warning",
                "topic": "undetermined",
                "text": f"21 base parameters are identifiable; your logs determine 18. Not determined: friction.{joints[-1]}.viscous. Next: move {joints[-1]} faster.",
            },
            {
                "severity": "error",
                "topic": "diagnostics",
                "text": f"The effort residuals of {joints[0]} are autocorrelated: an effect is not modelled; std allows for it, std_white does not.",
            },
            {"severity": "ok", "topic": "prediction", "text": "Effort errors decrease from 7.1 % to 1.2 % of the range."},
        ],
    }
    if with_series:
        document["series"] = writer.index()
    return {
        "name": "result",
        "document": document,
        "scene": chain_scene(links, joints),
        "series": bytes(writer.data) if with_series else None,
    }


def make_quadruped(samples=2000, step=0.005, seed=3):
    """A trunk on four legs of two joints each, with contacts that open and close."""
    rng = np.random.default_rng(seed)
    feet = ("LF", "RF", "LH", "RH")
    joints = [f"{foot}_{part}" for foot in feet for part in ("hip", "knee")]
    result = make_result(
        joints, ["trunk", *[f"{foot}_{part}" for foot in feet for part in ("thigh", "shank")]][:9], samples, step, seed
    )
    t = step * np.arange(samples)
    writer, channels = SeriesWriter(), {}
    for i, foot in enumerate(feet):
        phase = 2 * np.pi * t + (0 if i in (0, 3) else np.pi)
        for part, offset, size in (("hip", 0.7, 0.2), ("knee", -1.4, 0.25)):
            own, _, _ = effort_channels(rng, t, f"{foot}_{part}")
            own[f"q.{foot}_{part}"] = (offset + size * np.sin(phase), "rad")
            channels.update(own)
        closed = np.sin(phase) < 0.3
        normal = np.where(closed, 90 + 25 * np.sin(2 * phase) + 3 * rng.standard_normal(samples), np.nan)
        channels[f"lambda.{foot}.x"] = (0.25 * normal * np.sin(phase), "N")
        channels[f"lambda.{foot}.y"] = (0.1 * normal * np.cos(phase), "N")
        channels[f"lambda.{foot}.z"] = (normal, "N")
    for name, values in {
        "px": 0.4 * t,
        "py": 0.02 * np.sin(t),
        "pz": 0.42 + 0.01 * np.sin(4 * np.pi * t),
        "qx": 0 * t,
        "qy": 0.02 * np.sin(t),
        "qz": 0 * t,
        "qw": 1 + 0 * t,
    }.items():
        channels[f"q.base.{name}"] = (values, "m" if name[0] == "p" else "1")
    for name in ("vx", "vy", "vz", "wx", "wy", "wz"):
        channels[f"v.base.{name}"] = (0.1 * smooth(rng, t), "m/s" if name[0] == "v" else "rad/s")
    add_energy(channels, t)
    writer.trajectory("trot.csv", samples, step, channels)
    writer.trajectory(
        "walk.csv",
        samples // 2,
        step,
        {name: (values[: samples // 2], unit) for name, (values, unit) in channels.items()},
        times=t[: samples // 2] + 5,
    )
    box = {"type": "box", "size": [0.5, 0.24, 0.12], "origin": [0, 0, 0, 0, 0, 0, 1], "color": [0.25, 0.3, 0.36, 1]}
    tree, links, contacts = [], [{"name": "trunk", "visuals": [box]}], []
    for foot in feet:
        x, y = (0.22 if foot[1] == "F" else -0.22), (0.15 if foot[0] == "L" else -0.15)
        tree += [
            {
                "name": f"{foot}_hip",
                "type": "revolute",
                "parent": "trunk",
                "child": f"{foot}_thigh",
                "origin": [x, y, 0, 0, 0, 0, 1],
                "axis": [0, 1, 0],
            },
            {
                "name": f"{foot}_knee",
                "type": "revolute",
                "parent": f"{foot}_thigh",
                "child": f"{foot}_shank",
                "origin": [0, 0, -0.25, 0, 0, 0, 1],
                "axis": [0, 1, 0],
            },
        ]
        for part in ("thigh", "shank"):
            links.append(
                {
                    "name": f"{foot}_{part}",
                    "visuals": [
                        {
                            "type": "capsule",
                            "radius": 0.025,
                            "length": 0.2,
                            "origin": [0, 0, -0.125, 0, 0, 0, 1],
                            "color": [0.75, 0.77, 0.8, 1],
                        }
                    ],
                }
            )
        contacts.append({"name": foot, "link": f"{foot}_shank", "origin": [0, 0, -0.27, 0, 0, 0, 1]})
    result["scene"] = {
        "schema": 1,
        "root": "trunk",
        "floating": True,
        "joints": tree,
        "links": links,
        "meshes": [],
        "contacts": contacts,
        "missing": [],
    }
    result["document"]["model"].update(name="quadruped", floating=True)
    result["document"]["cones"] = [
        {"contact": foot, "friction": 0.6 if foot != "RH" else None, "worst": 0.31, "share_outside": 0.0}
        for foot in feet
    ]
    result["document"]["series"] = writer.index()
    result["series"] = bytes(writer.data)
    return result


def tetrahedron(size):
    """A mesh of scene.json."""
    vertices = size * np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], "<f4")
    triangles = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]], "<u4")
    return {
        name: base64.b64encode(data.tobytes()).decode()
        for name, data in (("vertices", vertices), ("triangles", triangles))
    }


def make_four_bar(samples=800, step=0.005):
    """Two cranks and a coupler, closed by a loop; links without shapes but one mesh."""
    joints = ["crank", "coupler", "follower"]
    result = make_result(joints, joints, samples, step, seed=7, with_series=False)
    rng = np.random.default_rng(7)
    t = step * np.arange(samples)
    writer, channels = SeriesWriter(), {}
    for joint in joints:
        channels.update(effort_channels(rng, t, joint)[0])
    for row in ("x", "z"):
        channels[f"lambda.loop.{row}"] = (10 * smooth(rng, t), "N")
    writer.trajectory("turn.csv", samples, step, channels)
    tree = [
        {
            "name": "crank",
            "type": "continuous",
            "parent": "base",
            "child": "crank",
            "origin": [0, 0, 0, 0, 0, 0, 1],
            "axis": [0, 1, 0],
        },
        {
            "name": "coupler",
            "type": "revolute",
            "parent": "crank",
            "child": "coupler",
            "origin": [0, 0, 0.2, 0, 0, 0, 1],
            "axis": [0, 1, 0],
        },
        {
            "name": "follower",
            "type": "revolute",
            "parent": "base",
            "child": "follower",
            "origin": [0.4, 0, 0, 0, 0, 0, 1],
            "axis": [0, 1, 0],
        },
    ]
    links = [{"name": name, "visuals": []} for name in ("base", *joints)]
    result["scene"] = {
        "schema": 1,
        "root": "base",
        "floating": False,
        "joints": tree,
        "links": links,
        "meshes": [],
        "contacts": [],
        "missing": ["crank.stl"],
    }
    result["document"]["model"]["name"] = "four_bar"
    result["document"]["series"], result["series"] = writer.index(), bytes(writer.data)
    return result
