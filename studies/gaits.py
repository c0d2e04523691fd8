# SPDX-License-Identifier: BSD-3-Clause
"""Mechanisms in contact or with loops, identified from wrong priors; prediction of held-out motions.

Numbers for docs/studies/gaits.md, and in short for tests/python/test_gaits.py.
"""
import json
import pathlib
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

from bayesid_reproduce.robots import PRIOR_ERROR, ROBOTS, quadruped, three_loops  # noqa: E402,F401


def quadruped_held_out(config):
    """Longer, higher and faster steps."""
    gait = {"type": "trot", "body_motion": 0.02, "period": 0.5, "step_length": 0.08, "step_height": 0.05}
    return config | {"simulation": config["simulation"] | {"logs": 1, "base_frequency": 0.7, "gait": gait}}


def three_loops_held_out(config):
    return config | {"simulation": config["simulation"] | {"base_frequency": 0.55, "harmonics": 4}}


def measure(program, folder, training, held_out):
    """Simulates both, identifies from the first with wrong priors and predicts the second; the errors."""
    folder = pathlib.Path(folder)

    def run(*words):
        done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr[-1000:]}")
        return done.stdout

    wrong = training | {"simulation": training["simulation"] | {"prior_error": PRIOR_ERROR}}
    for name, config, seed in (("training", wrong, 1), ("held_out", held_out, 2)):
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
        run("simulate", f"{name}.yaml", "--out", name, "--seed", seed, "--quiet")
    run("identify", "training/config.yaml", "--out", "result", "--quiet")
    result = json.loads((folder / "result" / "result.json").read_text())
    prediction = json.loads(run("validate", "held_out/config.yaml", "--model", "result", "--json"))
    wrong_model = json.loads(run("validate", "training/config.yaml", "--model", "result", "--json"))
    motors = training["model"].get("actuation", {}).get("joints", prediction["joints"])

    def shares(of, which):
        return [rmse / span for joint, rmse, span in zip(of["joints"], of[which]["rmse"], of["range"]) if joint in motors]

    return {"status": result["status"], "iterations": result["iterations"], "violation": result["violation"],
            "prior_share": max(shares(wrong_model, "nominal")), "training_share": max(shares(wrong_model, "identified")),
            "held_out_share": max(shares(prediction, "identified")), "truth_share": max(shares(prediction, "nominal"))}
