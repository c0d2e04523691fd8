# SPDX-License-Identifier: BSD-3-Clause
"""Legged robots whose sensors have rates of their own, and a camera with an unknown time delay.

Numbers for docs/studies/clocks.md, and in short for tests/python/test_clocks.py.

    python studies/clocks.py [--program build/bin/bayesid] [--duration 10]
"""
import argparse
import json
import math
import pathlib
import subprocess
import tempfile

import yaml

import gaits

from bayesid_reproduce.robots import biped  # one of ROBOTS

DELAY = 0.02  # s, of the camera
RATES = {"imu.trunk": 400, "pose.base": 30}


def quadruped(duration, rate):
    config = gaits.quadruped(duration, rate)
    config["simulation"]["logs"] = 1
    config["simulation"]["gait"]["body_motion"] = 0.02
    return config


def with_sensors(config, delayed):
    """Inertial sensor and camera at their own rates; the camera without delay, or with an unknown one."""
    link = {"anymal": "base"}.get(pathlib.Path(config["model"]["urdf"]).stem, "base_link")
    measurements = dict(config["measurements"])
    measurements["imu.trunk"] = {"link": link, "xyz": [0.1, 0.02, 0.05], "acceleration": 0.05, "rate": 0.005}
    parameters = config["parameters"] | {"imu_bias": {"acceleration": 0.1, "rate": 0.01},
                                         "set": {"imu_bias.trunk.ax": {"prior": 0.05}, "imu_bias.trunk.wz": {"prior": 0.005}}}
    if delayed:
        parameters["delay"] = {f"pose.{link}": {"prior": DELAY, "std": DELAY}}
    rates = {("imu.trunk" if "imu" in group else f"pose.{link}"): rate for group, rate in RATES.items()}
    simulation = config["simulation"] | {"rates": rates, "prior_error": gaits.PRIOR_ERROR}
    return config | {"measurements": measurements, "parameters": parameters, "simulation": simulation}


def is_determined(name, values):
    """The posterior std is less than a third of the prior's; relative to the value where that is an exponential."""
    if name.startswith("delay.") or not values["std"]:
        return False
    shares = [values["std"] / values["prior_std"]]
    if name.startswith(("mass.", "friction.")):
        shares.append(shares[0] * values["prior"] / values["value"])
    return max(shares) < 1 / 3


def measure(program, folder, config, seed):
    """Simulates and identifies from wrong priors; errors and standard deviations."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "truth.yaml").write_text(yaml.safe_dump(config, sort_keys=False))

    def run(*words):
        done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr[-1000:]}")

    run("simulate", "truth.yaml", "--out", "log", "--seed", seed, "--quiet")
    run("identify", "log/config.yaml", "--out", "result", "--quiet")
    result = json.loads((folder / "result" / "result.json").read_text())
    truth = json.loads((folder / "log" / "truth.json").read_text())
    delays = [(name, values) for name, values in result["parameters"].items() if name.startswith("delay.")]
    determined = [name for name, values in result["physical"].items() if is_determined(name, values)]
    errors = {name: (result["physical"][name]["value"] - truth["physical"][name]) for name in determined}
    scaled = [errors[name] / result["physical"][name]["std"] for name in determined]
    return {"status": result["status"], "iterations": result["iterations"],
            "delay": delays[0][1]["value"] if delays else None, "delay_std": delays[0][1]["std"] if delays else None,
            "determined": len(determined), "rms": math.sqrt(sum(e * e for e in scaled) / len(scaled)),
            "errors": errors, "std": {name: result["physical"][name]["std"] for name in determined}}


def compare(program, folder, config, seed):
    """The same robot and motion, camera without and with a delay."""
    in_time = measure(program, pathlib.Path(folder) / "in_time", with_sensors(config, False), seed)
    delayed = measure(program, pathlib.Path(folder) / "delayed", with_sensors(config, True), seed)
    both = [name for name in in_time["std"] if name in delayed["std"]]
    ratio = math.exp(sum(math.log(delayed["std"][n] / in_time["std"][n]) for n in both) / len(both))
    return in_time, delayed, ratio


def lines(name, in_time, delayed, ratio):
    """Two rows of the table and a sentence."""
    out = []
    for camera, one in (("in time", in_time), ("delayed", delayed)):
        delay = "–" if one["delay"] is None else f"{1e3 * one['delay']:.2f} ± {1e3 * one['delay_std']:.2f}"
        wider = f"{ratio:.3f}" if camera == "delayed" else "1"
        out.append(f"| {name} | {camera} | {one['status']} | {one['iterations']} | {delay} | {one['determined']} | {one['rms']:.2f} | {wider} |")
    return out


COLUMNS = ["robot", "camera", "status", "iterations", "delay, ms", "values determined", "their error, std", "their std, relative"]
ROBOTS = {"quadruped, trot": quadruped, "biped, standing": biped}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=lambda path: str(pathlib.Path(path).resolve()),
                        default=str(gaits.ROOT / "build" / "bin" / "bayesid"))
    parser.add_argument("--duration", type=float, default=10)
    parser.add_argument("--rate", type=int, default=1000)
    arguments = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
    for name, make in ROBOTS.items():
        with tempfile.TemporaryDirectory() as folder:
            print("\n".join(lines(name, *compare(arguments.program, folder, make(arguments.duration, arguments.rate), 1))), flush=True)


if __name__ == "__main__":
    main()
