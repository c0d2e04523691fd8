# SPDX-License-Identifier: BSD-3-Clause
"""python -m bayesid_reproduce EXPERIMENT: what `bayesid reproduce` runs.

Rows that are made are kept in a folder, so that an interrupted experiment goes on where it stopped.
"""
import argparse
import hashlib
import importlib
import json
import os
import pathlib
import shutil
import sys
import tempfile

from bayesid_reproduce.rows import Rows

BAD_INPUT, INTERRUPTED = 2, 130
PROGRAM, FILE_LIST = "bayesid", "files.json"


class FolderTaken(Exception):
    """The folder of the result holds something else."""


def words_of(arguments):
    parser = argparse.ArgumentParser(prog="bayesid reproduce")
    parser.add_argument("experiment")
    parser.add_argument("--program", required=True)
    parser.add_argument("--out")
    parser.add_argument("--rows", help="folder of the rows; default: <out>.rows")
    parser.add_argument("--starts", type=int)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def version_of(program):
    """Of the program and of the experiments: rows of others are not trusted."""
    digest = hashlib.sha256(pathlib.Path(program).read_bytes())
    for file in sorted(pathlib.Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def write_whole(folder, files):
    """Written beside, then renamed."""
    folder = pathlib.Path(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = pathlib.Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        for name, text in files.items():
            (beside / name).write_text(text)
        (beside / FILE_LIST).write_text(json.dumps({"schema": 1, "program": PROGRAM, "files": sorted(files)}, indent=1) + "\n")
        beside.chmod(0o755)
        problem = check_folder(folder)  # what stands there may have changed since the run began
        if problem:
            raise FolderTaken(problem)
        if folder.exists():
            shutil.rmtree(folder)
        beside.rename(folder)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def listed(out):
    """The files that an earlier run wrote, by its list; None without one."""
    try:
        document = json.loads((pathlib.Path(out) / FILE_LIST).read_text())
        return set(document["files"]) if document["program"] == PROGRAM else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def check_folder(out):
    """A folder is replaced when its list names everything that it holds; anything else is left alone."""
    if not os.path.lexists(out) or os.path.isdir(out) and not os.listdir(out):
        return None
    if not os.path.isdir(out):
        return f"{out} exists and is no folder; choose another --out"
    names = listed(out)
    if names is None:
        return (f"{out} exists and is not an earlier result: it has no {FILE_LIST}, the list of what a run wrote; move it away or "
                "choose another --out")
    for entry in sorted(os.scandir(out), key=lambda one: one.name):
        if not entry.is_file(follow_symlinks=False) or entry.name not in names | {FILE_LIST}:
            return f"{out} holds {entry.name}, which no run of bayesid wrote there; move it away or choose another --out"
    return None


def main(arguments):
    words = words_of(arguments)
    name = words.experiment
    out = words.out or f"reproduce_{name}{'_quick' if words.quick else ''}"
    problem = check_folder(out)
    if problem:
        print("bayesid: " + problem, file=sys.stderr)
        return BAD_INPUT

    def say(text):
        if not words.quiet:
            print(text, file=sys.stderr, flush=True)

    rows = Rows(words.rows or f"{out}.rows", name, os.path.abspath(words.program), version_of(words.program), words.threads, say)
    module = importlib.import_module("bayesid_reproduce." + name.replace("-", "_"))
    try:
        report = module.reproduce(rows, quick=words.quick, starts=words.starts, seed=words.seed)
    except KeyboardInterrupt:
        print(f"interrupted; the rows in {rows.file} are kept, the same command goes on from them", file=sys.stderr)
        return INTERRUPTED
    try:
        write_whole(out, report.files(name))
    except FolderTaken as problem:
        print(f"bayesid: {problem}", file=sys.stderr)
        return BAD_INPUT
    if words.json:
        print(json.dumps({"schema": 1, "experiment": name, **report.data}, indent=1))
    elif not words.quiet:
        print(report.text() + f"\nwritten to {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
