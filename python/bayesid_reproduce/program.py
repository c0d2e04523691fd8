# SPDX-License-Identifier: BSD-3-Clause
"""The program, run in a folder."""
import csv
import json
import pathlib
import subprocess

from ruamel.yaml import YAML

NOT_CONVERGED = 1  # exit code


def read_yaml(file):
    return YAML(typ="safe", pure=True).load(pathlib.Path(file).read_text())


def write_config(file, config):
    """JSON is YAML."""
    pathlib.Path(file).write_text(json.dumps(config, indent=1))


def read_columns(file):
    """Columns of a CSV as lists of numbers; None where a cell is empty."""
    with open(file, newline="") as text:
        rows = list(csv.reader(text))
    return {name: [float(row[i]) if row[i] else None for row in rows[1:]] for i, name in enumerate(rows[0])}


def merged(config, changes):
    """Changes of single keys, section by section."""
    return config | {section: config.get(section, {}) | keys for section, keys in changes.items()}


class Program:
    """Runs in `folder`, which holds what it writes."""

    def __init__(self, program, folder, threads=1):
        self.program, self.folder, self.threads = str(program), pathlib.Path(folder), threads

    def run(self, *words):
        done = subprocess.run([self.program, *map(str, words), "--threads", str(self.threads)], cwd=self.folder,
                              capture_output=True, text=True)
        if done.returncode not in (0, NOT_CONVERGED):
            raise RuntimeError(f"bayesid {' '.join(map(str, words))}: {done.stderr[-1000:]}")
        return done.stdout

    def simulate(self, config, name, seed):
        """Logs with known truth in the folder `name`; gives the configuration to identify them with, and the truth."""
        write_config(self.folder / f"{name}-truth.yaml", config)
        self.run("simulate", f"{name}-truth.yaml", "--out", name, "--seed", seed, "--quiet")
        given = read_yaml(self.folder / name / "config.yaml")
        given["model"]["urdf"] = str(self.folder / name / given["model"]["urdf"])
        for log in given["logs"]:
            log["file"] = str(self.folder / name / log["file"])
        return given, json.loads((self.folder / name / "truth.json").read_text())

    def identify(self, config, name):
        """result.json of the folder `name`."""
        write_config(self.folder / f"{name}.yaml", config)
        self.run("identify", f"{name}.yaml", "--out", name, "--quiet")
        return json.loads((self.folder / name / "result.json").read_text())

    def validate(self, config, model):
        """Efforts of other logs, predicted by the result `model` and by the prior of the configuration."""
        write_config(self.folder / f"{model}-held-out.yaml", config)
        return json.loads(self.run("validate", f"{model}-held-out.yaml", "--model", model, "--out", f"{model}-prediction", "--json"))
