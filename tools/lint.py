#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that need no build: include order of the folders, one-line licence, the sample of the README, names that are defined twice, and clang-tidy on changed sources.

Changed means: since the commit named by LINT_BASE, else since the parent of the last commit; `--all` takes every source.
"""
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import odr

ROOT = pathlib.Path(__file__).resolve().parent.parent
# In the order of the data flow: a folder includes itself and earlier ones only.
FOLDERS = ["math", "config", "log", "robot", "state", "integrator", "blocks", "dynamics", "sensors", "stage", "problem",
           "simulation", "solver", "posterior", "excitation", "baseline", "noise", "report", "pipeline"]
# Public headers lie flat: the earliest folder that may include each.
TOP = {"error.hpp": "math", "stage.hpp": "math", "trajectory.hpp": "math", "config.hpp": "config", "run.hpp": "config",
       "log.hpp": "log", "robot.hpp": "robot", "integrator.hpp": "integrator", "block.hpp": "blocks",
       "parameters.hpp": "blocks", "constraint.hpp": "dynamics", "dynamics.hpp": "dynamics", "sensor.hpp": "sensors",
       "problem.hpp": "problem", "simulate.hpp": "simulation", "solve.hpp": "solver", "posterior.hpp": "posterior",
       "check.hpp": "posterior", "excite.hpp": "excitation", "compare.hpp": "baseline", "result.hpp": "report",
       "report.hpp": "report", **{f"{name}.hpp": "pipeline" for name in ("identify", "init", "validate", "demo", "bayesid")}}


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


def folder_of(include):
    include = include.removeprefix("bayesid/")
    first = include.split("/")[0]
    return TOP.get(first, first)


def check_includes(files):
    problems = []
    for file in files:
        parts = pathlib.Path(file).parts
        if parts[0] == "include":
            own = folder_of("/".join(parts[2:]))
        elif parts[0] == "src":
            own = parts[1]
        else:
            continue
        for number, line in enumerate((ROOT / file).read_text().splitlines(), 1):
            match = re.match(r'#include "([^"]+)"', line)
            if not match:
                continue
            other = folder_of(match.group(1))
            if other not in FOLDERS or FOLDERS.index(other) > FOLDERS.index(own):
                problems.append(f"{file}:{number}: {own}/ may not include {match.group(1)}")
    return problems


def check_licence(files):
    return [f"{file}:1: no SPDX line" for file in files
            if "SPDX-License-Identifier" not in (ROOT / file).read_text()[:200]]


def check_sample():
    """The C++ of the README is the first example, which the tests compile and run."""
    sample = (ROOT / "examples" / "01_pendulum.cpp").read_text().split("\n", 1)[1]
    if f"```cpp\n{sample}```" in (ROOT / "README.md").read_text():
        return []
    return ["README.md: its C++ is not examples/01_pendulum.cpp"]


def tidy(file):
    result = subprocess.run(["clang-tidy", "--quiet", "-p", "build/dev", file], cwd=ROOT, capture_output=True, text=True)
    return f"{file}\n{result.stdout}" if result.returncode else ""


def changed_sources():
    sources = git("ls-files", "src/*.cpp", "app/*.cpp")
    if "--all" in sys.argv:
        return sources
    base = os.environ.get("LINT_BASE", "HEAD~1")
    try:
        changed = set(git("diff", "--name-only", base))
    except subprocess.CalledProcessError:  # the first commit
        return sources
    return [file for file in sources if file in changed]


def main():
    os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    files = git("ls-files", "*.cpp", "*.hpp")
    problems = check_includes(files) + check_licence(files) + check_sample() + odr.problems(files)
    sources = changed_sources()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        problems += [text for text in pool.map(tidy, sources) if text]
    print("\n".join(problems) if problems else f"lint: {len(files)} files, {len(sources)} of them through clang-tidy")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
