#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Robots of MuJoCo × conditions of their logs, identified from robot and log alone; wrong noise; errors of the model.

Numbers for docs/studies/mujoco_matrix.md, and in short for tests/python/test_mujoco_matrix.py.

    python studies/mujoco_matrix.py --robots two_joint,six_joint --conditions noise_1,filtered --program build/bin/bayesid --jobs 1

Rows stay in build/studies/mujoco_matrix-<hash of the program>, and those that are there are not made again. --page writes the page
from all rows of the folder.
"""
import argparse
import concurrent.futures
import functools
import hashlib
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

import numpy as np
import yaml

import mujoco_arms as arms
import mujoco_truth as truth

TIME_LIMIT = 120  # s
POLL = 0.05  # s, between looks at the time that a program has used
TRUE_SLOPE = 100  # s/rad, of the Coulomb friction of the true model in `validate`
DETERMINED = 0.5
SLOWEST = 0.02  # rad/s, where friction is that of sliding
RATIO, SPREAD, BEYOND, BEYOND_SHARE = 1.1, (0.8, 1.3), 4, 0.01  # targets
WRONG_ROBOTS, ERROR_ROBOTS = ("two_joint", "six_joint", "seven_joint"), ("two_joint", "six_joint")
WRONG = {f"{sensor}_{name}": (sensor, factor) for sensor in ("position", "velocity", "effort") for name, factor in (("x10", 10.0), ("/10", 0.1))}


# One case ------------------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=2)
def motion(name, seed, errors, duration):
    return arms.simulate(arms.ROBOTS[name](), seed, errors, duration)


def write_yaml(file, document):
    file.write_text(yaml.safe_dump(document, sort_keys=False))


def stated(sensor, factor, tau):
    """The line of `measurements` with one std that is wrong by a factor."""
    size = factor * arms.TYPICAL["tau"] * arms.root_mean_square(tau)
    return {"position": factor * arms.TYPICAL["q"], "velocity": factor * arms.TYPICAL["v"], "effort": size.tolist()}[sensor]


def write_case(folder, robot, seed, condition, errors=(), wrong=None, duration=arms.DURATION):
    """Prior, log and configuration; the motion of the log."""
    run = motion(robot.name, 2 * seed - 1, errors, duration)
    options = arms.CONDITIONS[condition]
    arms.write_prior(folder / "robot.urdf", robot, seed)
    arms.write_log(folder / "log.csv", robot, arms.record(run, arms.generator(robot, seed, 4), **options))
    config = arms.configuration(robot, "log.csv")
    if wrong:
        config["measurements"] = {wrong[0]: stated(*wrong, run["tau"])}
    write_yaml(folder / "arm.yaml", config)


def processor_time(process):
    """Seconds that a running program has used."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def call(program, folder, words, limit):
    """Exit code (None: the time was over), the two outputs and the seconds of processor time: other work on the machine does not count.
    A program that something else ended is no result."""
    used, is_over = 0.0, False
    with (folder / "stdout").open("w+") as out, (folder / "stderr").open("w+") as err:
        process = subprocess.Popen([program, *map(str, words), "--threads", "1"], cwd=folder, stdout=out, stderr=err)
        while process.poll() is None:
            used = processor_time(process)
            if used >= limit:
                process.kill()
                is_over = True
                process.wait()
            time.sleep(POLL)
        out.seek(0), err.seek(0)
        texts = out.read(), err.read()
    if process.returncode < 0 and not is_over:
        raise RuntimeError(f"{' '.join(map(str, words))} was ended by signal {-process.returncode}; the case is not counted")
    return None if is_over else process.returncode, *texts, used


def true_config(robot, effective):
    """The configuration of an identification, its prior being the truth."""
    config = {key: value for key, value in effective.items() if key not in ("measurements", "logs", "simulation", "excitation")}
    config["model"] = config["model"] | {"urdf": "truth.urdf"}
    config["logs"] = [{"file": "unseen.csv"}]
    parameters = config["parameters"]
    parameters["friction"]["prior"] = {"coulomb_slope": TRUE_SLOPE}
    parameters["armature"]["prior"] = robot.armature
    for drive in robot.drives:
        parameters.setdefault("set", {}).update({f"friction.{drive}.mu3": {"prior": math.log(robot.coulomb[drive])},
                                                 f"friction.{drive}.mu5": {"prior": math.log(robot.viscous[drive])}})
    return config


def unseen_ratio(program, folder, robot, run, seed):
    """Error of predicted efforts of the identified over that of the true model, by motor."""
    arms.write_log(folder / "unseen.csv", robot, arms.record(run, arms.generator(robot, seed, 5), **arms.UNSEEN))
    arms.write_truth(folder / "truth.urdf", robot)
    write_yaml(folder / "unseen.yaml", true_config(robot, yaml.safe_load((folder / "result" / "config.yaml").read_text())))
    code, out, err, _ = call(program, folder, ["validate", "unseen.yaml", "--model", "result", "--json", "--quiet"], TIME_LIMIT)
    if code not in (0, 1):
        return {"validate": (err or "time limit")[-300:]}
    found = json.loads(out)
    of = {joint: (identified, nominal) for joint, identified, nominal in
          zip(found["joints"], found["identified"]["rmse"], found["nominal"]["rmse"])}
    return {"ratio": {joint: of[joint][0] / of[joint][1] for joint in robot.motors},
            "true_rmse": {joint: of[joint][1] for joint in robot.motors}}


def unseen_error(folder, robot, run, physical):
    """Error of the efforts of the identified model along the true motion, as a share of the efforts' size, by motor."""
    q, v, a, tau = truth.true_motion(run)
    values = {name: entry["value"] for name, entry in physical.items()}
    error = truth.efforts(robot, folder / "result" / "identified.urdf", values, q, v, a) - tau
    slides = truth.sliding(robot, v, SLOWEST)
    size = arms.root_mean_square(tau)
    return {joint: float(np.sqrt((error[slides[:, j], j]**2).mean()) / size[j]) for j, joint in enumerate(robot.motors)}


def share_determined(name, entry):
    """Share of the prior variance that the data removed; of values that are positive, of the relative one."""
    if "determined" in entry:
        return entry["determined"]
    if not entry["prior_std"]:
        return 0.0
    is_positive = not name.startswith("com.") and not name.endswith(("ixy", "ixz", "iyz"))
    before = entry["prior_std"] * (abs(entry["value"] / entry["prior"]) if is_positive else 1)
    return 1 - (entry["std"] / before)**2


def normalised_errors(robot, physical):
    """(value − truth)/std of what the data determine."""
    out = {}
    for name, value in arms.true_values(robot).items():
        entry = physical.get(name)
        if entry and entry["std"] and share_determined(name, entry) > DETERMINED:
            out[name] = (entry["value"] - value) / entry["std"]
    return out


def measure(program, robot, seed, condition, folder, errors=(), wrong=None, unseen=True, duration=arms.DURATION, limit=TIME_LIMIT):
    """One identification in an empty folder; what came out, as numbers."""
    robot, folder = arms.ROBOTS[robot](), pathlib.Path(folder)
    write_case(folder, robot, seed, condition, errors, wrong, duration)
    code, _, err, seconds = call(program, folder, ["identify", "arm.yaml", "--out", "result", "--quiet"], limit)
    row = {"robot": robot.name, "seed": seed, "condition": condition, "exit": code, "seconds": seconds, "duration": duration}
    file = folder / "result" / "result.json"
    if code is None or not file.exists():
        status = "time limit" if code is None else "refused" if code == 2 else "fault"
        return row | {"status": status, "warnings": [], "verdict": [], "message": err[-1000:]}
    result = json.loads(file.read_text())
    if result["status"] == "interrupted":
        raise RuntimeError(f"{robot.name}, {condition}: was interrupted; the case is not counted")
    row |= {"status": result["status"], "iterations": result["iterations"], "warnings": result["warnings"],
            "verdict": [[one["severity"], one["topic"], one["text"]] for one in result["verdict"]],
            "logs": [text for log in result["logs"] for text in log["warnings"]],
            "values": normalised_errors(robot, result["physical"])}
    if unseen:
        run = motion(robot.name, 2 * seed, (), duration)
        row["error"] = unseen_error(folder, robot, run, result["physical"])
        row |= unseen_ratio(program, folder, robot, run, seed)
    return row


# Judgement -----------------------------------------------------------------------------------------------------------


def spread(row):
    """Root mean square of the normalised errors, and the share beyond the bound."""
    values = np.array(list(row.get("values", {}).values()))
    if not len(values):
        return math.nan, math.nan
    return math.sqrt((values**2).mean()), float((abs(values) > BEYOND).mean())


def largest(row, key):
    return max(row[key].values()) if row.get(key) else math.nan


def complaints(row):
    """Errors and warnings of the program, those of undetermined parameters apart."""
    texts = [text for severity, topic, text in row["verdict"] if severity != "ok" and topic != "undetermined"]
    return texts + [text for text in row["warnings"] if not any(text in other for other in texts)]


def is_good(row):
    rms, beyond = spread(row)
    return row["status"] == "converged" and largest(row, "ratio") <= RATIO and SPREAD[0] <= rms <= SPREAD[1] and beyond <= BEYOND_SHARE


def judgement(row):
    if is_good(row):
        return "good"
    return "told" if row["status"] != "converged" or complaints(row) else "silent"


def number(value, form):
    return "–" if math.isnan(value) else format(value, form)


def cells(row):
    """What the tables say about a case."""
    rms, beyond = spread(row)
    return [row["status"], str(row.get("iterations", "–")), f"{row['seconds'] / row['duration']:.2f}",
            number(largest(row, "ratio"), ".2f"), number(100 * largest(row, "error"), ".1f"), str(len(row.get("values", {}))),
            number(rms, ".2f"), number(100 * beyond, ".0f"), str(len(complaints(row))), judgement(row)]


# Tables --------------------------------------------------------------------------------------------------------------

COLUMNS = ["robot", "log", "status", "iterations", "time / log", "ratio", "error, %", "values", "error/std, rms", "beyond 4, %", "warnings", ""]


def head(columns):
    return ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]


def line(*words):
    return "| " + " | ".join(words) + " |"


def summary(rows):
    kinds = {kind: sum(judgement(row) == kind for row in rows) for kind in ("good", "told", "silent")}
    ratios, rms = [largest(row, "ratio") for row in rows], [spread(row)[0] for row in rows]
    keeps = sum(ratio <= RATIO for ratio in ratios)
    inside = sum(SPREAD[0] <= value <= SPREAD[1] for value in rms)
    return (f"Of {len(rows)} cases {sum(row['status'] == 'converged' for row in rows)} converged, {keeps} keep the ratio, {inside} the root mean "
            f"square of error/std; {kinds['good']} good, {kinds['told']} told, {kinds['silent']} silent.")


def missing(part, found):
    """A sentence about cases that were not run."""
    wanted = cases((part,), arms.ROBOTS, arms.CONDITIONS, 1)
    absent = [" ".join(key[1:]) for key in wanted if key not in found]
    return f" Not run: {', '.join(absent)}." if absent else ""


def condition_lines(rows):
    found = {key: row for key, row in rows.items() if key[0] == "conditions"}
    if not found:
        return ["(not measured)"]
    lines = [summary(found.values()) + missing("conditions", found), "", *head(COLUMNS)]
    return lines + [line(robot, condition, *cells(row)) for (_, robot, condition), row in found.items()]


def wrong_lines(rows):
    found = {key: row for key, row in rows.items() if key[0] == "wrong_noise"}
    if not found:
        return ["(not measured)"]
    lines = [summary(found.values()) + missing("wrong_noise", found), "", *head([*COLUMNS[:1], "std stated", *COLUMNS[2:]])]
    lines += [line(robot, case, *cells(row)) for (_, robot, case), row in found.items()]
    lines += ["", "What the program says:", ""]
    for (_, robot, case), row in found.items():
        lines.append(f"* {robot}, {case}: " + ("; ".join(text.strip() for text in complaints(row)) or "nothing"))
    return lines


def coverage(rows):
    values = np.array([value for row in rows for value in row.get("values", {}).values()])
    return float((abs(values) < 1.96).mean()) if len(values) else math.nan


def error_lines(rows):
    groups = {}
    for (part, robot, case), row in rows.items():
        if part == "model_errors":
            groups.setdefault((robot, case.rsplit("-", 1)[0]), []).append(row)
    if not groups:
        return ["(not measured)"]
    lines = head(["robot", "error", "logs", "converged", "values of a log", "error/std, rms", "covered, %", "told"])
    for (robot, case), group in groups.items():
        counts = [len(row["values"]) for row in group if "values" in row] or [0]
        rms = [spread(row)[0] for row in group if row.get("values")] or [math.nan]
        lines.append(line(robot, case, str(len(group)), str(sum(row["status"] == "converged" for row in group)),
                          f"{statistics.median(counts):g}", number(math.sqrt(statistics.fmean(x * x for x in rms)), ".2f"),
                          number(100 * coverage(group), ".1f"), str(sum(bool(complaints(row)) for row in group))))
    return lines


def page_lines(rows):
    """The template with its tables."""
    about = [part.strip() for part in (arms.ROOT / "studies" / "mujoco_matrix.md").read_text().split("<!-- table -->")]
    tables = [condition_lines(rows), wrong_lines(rows), error_lines(rows)]
    lines = [about[0]]
    for table, text in zip(tables, about[1:]):
        lines += ["", *table, "", text]
    return lines


# All cases -----------------------------------------------------------------------------------------------------------


def cases(parts, robots, conditions, logs):
    """(part, robot, name) → options of `measure`."""
    out = {}
    if "conditions" in parts:
        out |= {("conditions", robot, condition): {"seed": 1, "condition": condition} for robot in robots for condition in conditions}
    if "wrong_noise" in parts:
        out |= {("wrong_noise", robot, name): {"seed": 1, "condition": "noise_1", "wrong": wrong}
                for robot in robots if robot in WRONG_ROBOTS for name, wrong in WRONG.items()}
    if "model_errors" in parts:
        out |= {("model_errors", robot, f"{name}-{seed}"): {"seed": seed, "condition": "noise_1", "errors": errors, "unseen": False}
                for robot in robots if robot in ERROR_ROBOTS for name, errors in arms.ERRORS.items() for seed in range(1, logs + 1)}
    return out


def file_of(results, key):
    return results / ("-".join(key).replace("/", "over_") + ".json")


def make(program, results, key, options, keep, limit):
    """A row, from the disk or made and kept there."""
    file = file_of(results, key)
    if not file.exists():
        with tempfile.TemporaryDirectory() as folder:
            row = measure(program, key[1], folder=folder, limit=limit, **options)
            if keep:
                shutil.copytree(folder, file.with_suffix(""), dirs_exist_ok=True)
        file.write_text(json.dumps(row, indent=1))
    return json.loads(file.read_text())


def results_of(program):
    """Rows of one program do not meet those of another."""
    return arms.ROOT / "build" / "studies" / f"mujoco_matrix-{hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:8]}"


def run_all(program, results, wanted, jobs=1, keep=False, limit=TIME_LIMIT):
    results.mkdir(parents=True, exist_ok=True)
    rows = {}
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(make, program, results, key, options, keep, limit) for key, options in wanted.items()]
        for key, one in zip(wanted, waiting):
            rows[key] = one.result()
            print(line(*key[1:], *cells(rows[key])), flush=True)
    return rows


def rows_there(results, logs):
    """All rows of the folder, in the order of the tables."""
    wanted = cases(PARTS, arms.ROBOTS, arms.CONDITIONS, logs)
    return {key: json.loads(file_of(results, key).read_text()) for key in wanted if file_of(results, key).exists()}


PARTS = ("conditions", "wrong_noise", "model_errors")


def chosen(known):
    def read(text):
        names = text.split(",")
        unknown = [name for name in names if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"unknown {unknown[0]}, known are {', '.join(known)}")
        return names
    return read


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=lambda path: str(pathlib.Path(path).resolve()), default=str(arms.ROOT / "build" / "bin" / "bayesid"))
    parser.add_argument("--parts", type=chosen(PARTS), default=PARTS)
    parser.add_argument("--robots", type=chosen(arms.ROBOTS), default=list(arms.ROBOTS))
    parser.add_argument("--conditions", type=chosen(arms.CONDITIONS), default=list(arms.CONDITIONS))
    parser.add_argument("--logs", type=int, default=5, help="of each model error; the full table has 100")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--time-limit", type=float, default=TIME_LIMIT)
    parser.add_argument("--results", type=pathlib.Path, help="folder of the rows")
    parser.add_argument("--keep", action="store_true", help="keep the files of each case beside its row")
    parser.add_argument("--page", action="store_true", help="write the page from all rows of the folder")
    arguments = parser.parse_args()
    results = arguments.results or results_of(arguments.program)
    wanted = cases(arguments.parts, arguments.robots, arguments.conditions, arguments.logs)
    print("\n".join(head(COLUMNS)), flush=True)
    rows = run_all(arguments.program, results, wanted, arguments.jobs, arguments.keep, arguments.time_limit)
    print(summary(rows.values()))
    if arguments.page:
        import run
        run.write("mujoco_matrix", "A matrix of robots and logs from MuJoCo", page_lines(rows_there(results, arguments.logs)), source="py")


if __name__ == "__main__":
    main()
