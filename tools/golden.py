#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of small identifications of every kind, kept from one program and compared with another.

    python tools/golden.py write build/bin/bayesid tests/golden
    python tools/golden.py compare build/bin/bayesid tests/golden [--only panda_noisy …] [--threads 2] [--keep DIR]

Each case is a file of DIR, NAME.yaml, with its numbers beside it, NAME.json:

    simulate: {…}    configuration of `bayesid simulate`, whose log and wrong priors are identified; ${robots}, ${root} stand for folders
    identify: {…}    changes of what `simulate` wrote, section by section; null removes a key
    model: NAME      `simulate` changes data/models/NAME.yaml, section by section
    shared: PATH     a configuration below the folder `shared` beside the project, BAYESID_SHARED names another; skipped where it is absent
    demo: true       `bayesid demo`
    interrupt: N     SIGINT after iteration N, then `--resume`
    loose: true      the solution is known to the tolerance of the search alone
"""
import argparse
import hashlib
import json
import os
import pathlib
import signal
import string
import subprocess
import sys
import tempfile
import time

import pinocchio
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
PREFIX = next(parent for parent in pathlib.Path(pinocchio.__file__).parents if parent.name == "cmeel.prefix")
FOLDERS = {"root": str(ROOT), "robots": str(PREFIX / "share" / "example-robot-data" / "robots")}
SHARED = pathlib.Path(os.environ.get("BAYESID_SHARED", ROOT.parent / "shared"))
SEED = 1
NOT_CONVERGED = 1  # exit code
# Largest differences: cost and its parts, relative to the cost; values, in standard deviations; standard deviations, relative.
# A search ends at 1e-6 standard deviations of its last step, and a step of another path lies as far from the solution as that.
STRICT = {"cost": 1e-10, "part": 1e-9, "value": 1e-7, "std": 1e-7}
LOOSE = {"cost": 1e-8, "part": 1e-6, "value": 1e-4, "std": 1e-4}
LARGEST_VIOLATION = 1e-8  # below it, rounding decides
NO_STD = 1e-9  # relative to the value
SMALL = 1e-3  # a value below is compared with this
# Names that were another when the numbers were written: kept name → name of the program now.
RENAMED = {}


class Absent(Exception):
    """What a case needs is not on this machine."""


def read_yaml(file):
    """With ${robots} and ${root} in place."""
    return yaml.safe_load(string.Template(pathlib.Path(file).read_text()).safe_substitute(FOLDERS))


def cases(folder):
    """By name."""
    return {file.stem: read_yaml(file) for file in sorted(folder.glob("*.yaml"))}


def changed(config, changes):
    """Section by section; null removes."""
    out = dict(config)
    for key, value in changes.items():
        if value is None:
            out.pop(key, None)
        else:
            out[key] = changed(out.get(key) or {}, value) if isinstance(value, dict) else value
    return out


def as_then(config):
    """With what was taken for granted when the numbers were written."""
    taken = {"measurements": {"position": 1e-4, "velocity": 1e-2}, "disturbance": {"position": 1e-6, "velocity": 1e-3},
             "solver": {"integrator": "semi_implicit_euler"}}
    return {**config, **{key: {**one, **(config.get(key) or {})} for key, one in taken.items()}}


class Program:
    """Runs in a folder of its own."""

    def __init__(self, program, folder, threads):
        self.program, self.folder, self.threads = program, pathlib.Path(folder), threads

    def command(self, *words):
        return [self.program, *map(str, words), "--threads", str(self.threads)]

    def run(self, *words):
        done = subprocess.run(self.command(*words), cwd=self.folder, capture_output=True, text=True)
        if done.returncode not in (0, NOT_CONVERGED):
            raise RuntimeError(f"bayesid {' '.join(map(str, words))}: {done.stderr[-1000:]}")

    def interrupt(self, iteration, *words):
        """Runs until the progress shows this iteration."""
        with subprocess.Popen(self.command(*words), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
            shown = b""
            while f"iteration {iteration:3d}".encode() not in shown:
                chunk = os.read(running.stderr.fileno(), 4096)
                if not chunk:
                    raise RuntimeError(f"ended before iteration {iteration}: {shown.decode()[-1000:]}")
                shown += chunk
            running.send_signal(signal.SIGINT)
            running.communicate()
        if not (self.folder / "result" / "checkpoint.bin").exists():
            raise RuntimeError("left no checkpoint.bin")

    def result(self):
        return json.loads((self.folder / "result" / "result.json").read_text())


def numbers_of(result):
    """What is kept of result.json; values with their standard deviations."""
    cost = dict(result["cost"])
    cost |= {f"measurements.{name}": value for name, value in cost.pop("measurements", {}).items()}
    out = {"status": result["status"], "iterations": result["iterations"], "cost": cost, "violation": result["violation"]}
    for which in ("parameters", "physical"):
        out[which] = {name: [one["value"], one.get("std_white", one["std"])] for name, one in result[which].items()}
    return out


def logs_of(folder):
    """Bytes of the simulated logs, as digests."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in sorted(folder.glob("log*.csv"))}


def simulated(program, case):
    """Writes given.yaml beside the log."""
    config = case["simulate"]
    if "model" in case:
        models = ROOT / "data" / "models"
        config = changed(read_yaml(models / f"{case['model']}.yaml"), config)
        config["model"]["urdf"] = str(models / config["model"]["urdf"])
    (program.folder / "truth.yaml").write_text(yaml.safe_dump(as_then(config), sort_keys=False))
    program.run("simulate", "truth.yaml", "--out", "log", "--seed", SEED, "--quiet")
    given = as_then(changed(read_yaml(program.folder / "log" / "config.yaml"), case.get("identify", {})))
    (program.folder / "log" / "given.yaml").write_text(yaml.safe_dump(given, sort_keys=False))
    return "log/given.yaml"


def solve(program, case):
    if case.get("demo"):
        program.run("demo", "--out", "result", "--quiet")
        return numbers_of(program.result()) | {"logs": logs_of(program.folder / "result")}
    if "shared" in case:
        config = SHARED / case["shared"]
        if not config.exists():
            raise Absent(f"{case['shared']} is absent")
    else:
        config = simulated(program, case)
    words = ["identify", config, "--out", "result"]
    if "interrupt" in case:
        program.interrupt(case["interrupt"], *words)
        words.append("--resume")
    program.run(*words, "--quiet")
    return numbers_of(program.result()) | {"logs": logs_of(program.folder / "log")}


def text_of(numbers):
    """JSON, one name on a line."""
    lines = []
    for key, value in numbers.items():
        if isinstance(value, dict):
            inner = ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in value.items())
            lines.append(f" {json.dumps(key)}: {{\n{inner}\n }}")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def renamed(kept):
    return {RENAMED.get(name, name): renamed(one) if isinstance(one, dict) else one for name, one in kept.items()}


class Comparison:
    """Largest differences of two sets of numbers, and what is wrong with them in words."""

    def __init__(self, kept, now, loose):
        self.limits, self.loose = LOOSE if loose else STRICT, loose
        self.largest, self.faults = {}, []
        kept = renamed(kept)
        self.same("status", kept["status"], now["status"])
        if not loose:
            self.same("iterations", kept["iterations"], now["iterations"])
        total = abs(kept["cost"]["total"])
        for name in self.names("cost", kept, now):
            difference = abs(kept["cost"][name] - now["cost"][name]) / total
            self.limit("cost" if name == "total" else "part", f"cost.{name}", difference)
        for name in self.names("violation", kept, now):
            if now["violation"][name] > max(10 * kept["violation"][name], LARGEST_VIOLATION):
                self.faults.append(f"violation.{name} is {now['violation'][name]:.2g}, was {kept['violation'][name]:.2g}")
        for which in ("parameters", "physical"):
            for name in self.names(which, kept, now):
                self.estimate(f"{which}.{name}", kept[which][name], now[which][name])
        self.same_log = kept["logs"] == now["logs"]

    def same(self, name, kept, now):
        if kept != now:
            self.faults.append(f"{name} is {now}, was {kept}")

    def names(self, which, kept, now):
        for name in sorted(set(kept[which]) ^ set(now[which])):
            self.faults.append(f"{which}.{name} is {'new' if name in now[which] else 'missing'}")
        return [name for name in kept[which] if name in now[which]]

    def limit(self, kind, name, difference):
        self.largest[kind] = max(self.largest.get(kind, 0), difference)
        if not difference <= self.limits[kind]:
            self.faults.append(f"{name} differs by {difference:.2g}, at most {self.limits[kind]:.0e}")

    def estimate(self, name, kept, now):
        """What is fixed, or stands on a bound, has a std of nothing but rounding; its value is then the same to rounding."""
        (value, std), (value_now, std_now) = kept, now
        nothing = NO_STD * max(abs(value), SMALL)
        if std <= nothing:
            is_same = std_now <= nothing and abs(value_now - value) <= NO_STD * max(abs(value), SMALL)
            self.limit("value", name, 0 if is_same else float("inf"))
            return
        self.limit("value", name, abs(value_now - value) / std)
        self.limit("std", f"{name}.std", abs(std_now - std) / std)


def run_case(arguments, name):
    """Numbers of a case and seconds."""
    case = read_yaml(arguments.folder / f"{name}.yaml")
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep / name if arguments.keep else pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        return case, solve(Program(arguments.program, folder, arguments.threads), case), time.monotonic() - start


def write(arguments, name):
    _, numbers, seconds = run_case(arguments, name)
    (arguments.folder / f"{name}.json").write_text(text_of(numbers))
    print(f"{name}: {numbers['status']} after {numbers['iterations']} iterations, {seconds:.1f} s", flush=True)
    return True


def compare(arguments, name):
    case, numbers, seconds = run_case(arguments, name)
    kept = json.loads((arguments.folder / f"{name}.json").read_text())
    found = Comparison(kept, numbers, case.get("loose", False))
    cells = [f"{found.largest[kind]:.1e}" for kind in STRICT]
    log = "same" if found.same_log else "other"
    print(f"{name:23s} {numbers['iterations']:10d} " + " ".join(f"{cell:>9s}" for cell in cells) +
          f" {log:>6s} {seconds:6.1f}  {'differs' if found.faults else 'same'}{' (loose)' if found.loose else ''}", flush=True)
    for fault in found.faults[:arguments.lines]:
        print(f"    {fault}")
    if len(found.faults) > arguments.lines:
        print(f"    … and {len(found.faults) - arguments.lines} more")
    return not found.faults


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["write", "compare"])
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", help="cases, by name")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--keep", type=lambda path: pathlib.Path(path).resolve(), help="a folder for logs and results")
    parser.add_argument("--lines", type=int, default=8, help="differences shown of a case")
    arguments = parser.parse_args(words)
    names = arguments.only or list(cases(arguments.folder))
    if arguments.what == "compare":
        print(f"{'case':23s} {'iterations':>10s} {'cost':>9s} {'parts':>9s} {'value':>9s} {'std':>9s} {'log':>6s} {'s':>6s}")
    differing = []
    for name in names:
        try:
            is_same = (write if arguments.what == "write" else compare)(arguments, name)
        except Absent as absent:
            print(f"{name}: skipped, {absent}", flush=True)
            continue
        except (RuntimeError, KeyError) as failure:
            print(f"{name}: failed, {failure!r}", flush=True)
            is_same = False
        if not is_same:
            differing.append(name)
    if differing:
        print(f"{len(differing)} of {len(names)} differ: {', '.join(differing)}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
