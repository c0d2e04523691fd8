# SPDX-License-Identifier: BSD-3-Clause
"""A quadrotor from inertial sensor, pose and rotor commands: mass, inertia, thrust and moment coefficients, and their error bars.

Numbers for docs/studies/quadrotor.md, and in short for tests/python/test_quadrotor.py.

    python studies/quadrotor.py [--program build/bin/bayesid] [--logs 50] [--rows build/studies]
"""
import argparse
import json
import math
import pathlib
import random
import statistics
import subprocess
import tempfile
import xml.etree.ElementTree as tree

import numpy
import pinocchio
import yaml

import gaits

from bayesid_reproduce.robots import quadrotor

URDF = gaits.ROBOTS / "iris_description" / "robots" / "iris_simple.urdf"
BODY = "iris__base_link"
ROTORS = ["r0", "r1", "r2", "r3"]
NOT_CONVERGED = 1  # exit code
WRONG = 0.7  # relative, of every parameter: std of the prior, and how wrong it is


def with_drawn_prior(config, truth, known, seed):
    """Every prior mean drawn from the normal distribution of its std; what is known keeps its true value."""
    draw = random.Random(seed)
    drawn = {}
    for name, one in sorted(config["parameters"]["set"].items()):
        error = one["std"] * draw.gauss(0, 1)
        drawn[name] = {"prior": truth[name], "fixed": True} if name in known else {"prior": truth[name] + error, "std": one["std"]}
    return config | {"parameters": config["parameters"] | {"set": drawn}}


CASES = {  # how the prior is wrong, what is known
    "two points": ("two points", []),
    "drawn": ("drawn", []),
    "drawn, thrust known": ("drawn", [f"rotor.{r}.thrust" for r in ROTORS]),
    "drawn, mass known": ("drawn", [f"inertia.{BODY}.log_mass"])}


def link(theta):
    """Mass, first moment, inertia about the origin of the body's own link: docs/math/parameters.md (1)–(3)."""
    m, h = math.exp(theta["log_mass"]), numpy.array([theta[f"h{a}"] for a in "xyz"])
    second = numpy.exp([theta[f"log_l{a}"] for a in "xyz"])
    turn = pinocchio.exp3(numpy.array([theta[f"w{a}"] for a in "xyz"]))
    about_centre = turn @ numpy.diag(second.sum() - second) @ turn.T
    return m, h, about_centre + (h @ h * numpy.eye(3) - numpy.outer(h, h)) / m


def rest():
    """The same of all that is fixed to the body: rotors and sensor."""
    model = pinocchio.buildModelFromUrdf(str(URDF), pinocchio.JointModelFreeFlyer())
    values = model.inertias[1].toDynamicParameters()  # m, h, xx xy yy xz yz zz about the origin
    xx, xy, yy, xz, yz, zz = values[4:]
    whole = values[0], values[1:4], numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return [a - b for a, b in zip(whole, nominal_link())]


def nominal_link():
    """As the file has it; its centre is the origin."""
    one = next(x for x in tree.parse(URDF).getroot().iter("link") if x.get("name") == BODY).find("inertial")
    i = {k: float(v) for k, v in one.find("inertia").attrib.items()}
    return (float(one.find("mass").get("value")), numpy.zeros(3),
            numpy.array([[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]]))


REST = rest()
PAIRS = [("xx", 0, 0), ("yy", 1, 1), ("zz", 2, 2), ("xy", 0, 1), ("xz", 0, 2), ("yz", 1, 2)]


def values(theta):
    """Absolute values, and their identifiable ratios, in which one common factor of mass, inertia, thrust and moment cancels.

    The last ones are those in which the balance of forces is linear: moments known to 3 % each contain
    combinations known to 0.1 %, and logarithms are nonlinear by more than that.
    """
    own = {name.split(".")[-1]: value for name, value in theta.items() if name.startswith("inertia.")}
    m, h, inertia = (a + b for a, b in zip(link(own), REST))
    thrust = {r: math.exp(theta[f"rotor.{r}.thrust"]) for r in ROTORS}
    moment = {r: abs(theta[f"rotor.{r}.moment"]) for r in ROTORS}
    absolute = {"mass": math.log(m)} | {f"inertia {n}": math.log(inertia[i, j]) for n, i, j in PAIRS[:3]}
    absolute |= {f"thrust {r}": math.log(thrust[r]) for r in ROTORS} | {f"moment {r}": math.log(moment[r]) for r in ROTORS}
    ratios = {f"thrust {r} / mass": math.log(thrust[r] / m) for r in ROTORS}
    ratios |= {f"moment {r} / thrust": math.log(moment[r] / thrust[r]) for r in ROTORS}
    ratios |= {f"inertia {n} / mass": inertia[i, j] / m if i != j else math.log(inertia[i, j] / m) for n, i, j in PAIRS}
    ratios |= {f"centre {a}": h[k] / m for k, a in enumerate("xyz")}
    linear = [thrust[r] / m for r in ROTORS] + [theta[f"rotor.{r}.moment"] / m for r in ROTORS]
    linear += [inertia[i, j] / m for _, i, j in PAIRS] + list(h / m)
    return {"absolute": absolute, "ratios": ratios, "linear": dict(enumerate(linear))}


def propagate(theta, names, covariance, which):
    """Covariance of the chosen values, to first order."""
    columns = []
    for name in names:
        step = 1e-6
        ends = [list(values(theta | {name: theta[name] + s * step})[which].values()) for s in (1, -1)]
        columns.append((numpy.array(ends[0]) - numpy.array(ends[1])) / (2 * step))
    jacobian = numpy.array(columns).T
    return jacobian @ covariance @ jacobian.T


def normalised(error, covariance):
    """Squared error in standard deviations, and of how many directions: what is known has none."""
    std = numpy.sqrt(numpy.maximum(numpy.diag(covariance), 1e-30))
    size, axes = numpy.linalg.eigh(covariance / numpy.outer(std, std))
    free = size > 1e-9 * size[-1]
    return float(numpy.sum((axes.T @ (error / std))[free] ** 2 / size[free])), int(free.sum())


def measure(program, folder, config, seed, case):
    """One flight, identified from its own wrong prior: errors and standard deviations of the values."""
    how, known = CASES[case]
    folder = pathlib.Path(folder)

    def run(*words):
        done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
        if done.returncode not in (0, NOT_CONVERGED):
            raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr[-1000:]}")

    error = WRONG if how == "two points" else 1e-9  # not 0: every parameter and its std are then in the configuration
    config = config | {"simulation": config["simulation"] | {"prior_error": error}}
    (folder / "truth.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    run("simulate", "truth.yaml", "--out", "log", "--seed", seed, "--quiet")
    truth = json.loads((folder / "log" / "truth.json").read_text())["parameters"]
    given = yaml.safe_load((folder / "log" / "config.yaml").read_text())
    if how == "drawn":
        given = with_drawn_prior(given, truth, known, seed)
    (folder / "log" / "given.yaml").write_text(yaml.safe_dump(given, sort_keys=False))
    run("identify", "log/given.yaml", "--out", "result", "--threads", 1, "--quiet")
    result = json.loads((folder / "result" / "result.json").read_text())
    theta = {name: one["value"] for name, one in result["parameters"].items()}
    names, covariance = result["covariance"]["names"], numpy.array(result["covariance"]["matrix"])
    out = {"seed": seed, "case": case, "status": result["status"], "iterations": result["iterations"], "cost": result["cost"]["total"]}
    for which in ("absolute", "ratios", "linear"):
        found, true = values(theta)[which], values(truth)[which]
        error = numpy.array([found[key] - true[key] for key in true])
        of_all = propagate(theta, names, covariance, which)
        if which == "linear":
            out["squared"], out["rank"] = normalised(error, of_all)
        else:
            out[which] = {key: [error[i], math.sqrt(of_all[i, i])] for i, key in enumerate(true)}
    return out


def rows_of(program, case, logs, file, duration=10, rate=100):
    """One row for each seed; those in the file are not made again."""
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file and file.exists() else []
    done = {row["seed"] for row in rows}
    for seed in range(1, logs + 1):
        if seed in done:
            continue
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measure(program, folder, quadrotor(duration, rate), seed, case))
        if file:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a") as out:
                out.write(json.dumps(rows[-1]) + "\n")
    return sorted((row for row in rows if row["seed"] <= logs), key=lambda row: row["seed"])


def summary(rows, kind, name):
    """Share within 3 std, root mean square of the std, scatter of the errors, and of the errors in std."""
    pairs = [row[kind][name] for row in rows if row[kind][name][1] > 1e-12]
    if not pairs:
        return None
    within = sum(abs(e) < 3 * s for e, s in pairs) / len(pairs)
    std = math.sqrt(statistics.fmean(s * s for _, s in pairs))
    return {"within": within, "std": std, "mean": statistics.fmean(e for e, _ in pairs),
            "scatter": statistics.stdev(e for e, _ in pairs), "scaled": math.sqrt(statistics.fmean((e / s) ** 2 for e, s in pairs))}


def groups(rows, kind):
    """Names without the number of a rotor or the letter of an axis, each with its members."""
    out = {}
    for name in rows[0][kind]:
        head = name.split(" ")[0]
        tail = name.split(" / ")[1:] if " / " in name else []
        letter = name.split(" ")[1] if head == "inertia" else ""
        group = head + (" products" if letter in ("xy", "xz", "yz") else "") + ("".join(f" / {t}" for t in tail))
        out.setdefault(group, []).append(name)
    return out


def lines(rows):
    """A sentence and a table of one case, of the logs that converged."""
    tried, rows = len(rows), [row for row in rows if row["status"] == "converged"]
    squared = [row["squared"] for row in rows]
    out = [f"{tried} logs, {len(rows)} converged, {min(r['iterations'] for r in rows)} to {max(r['iterations'] for r in rows)} iterations; "
           f"normalised squared error of the ratios: {statistics.fmean(squared):.1f} ({rows[0]['rank']} expected), largest {max(squared):.1f}.", "",
           "| | within 3 std | posterior std | scatter | scatter / std | errors in std, rms |", "|" + "---|" * 6]
    for kind in ("absolute", "ratios"):
        for group, names in groups(rows, kind).items():
            all_of = [one for one in (summary(rows, kind, name) for name in names) if one]
            if not all_of:
                out.append(f"| {group} | known | | | | |")
                continue
            mean = {key: statistics.fmean(one[key] for one in all_of) for key in all_of[0]}
            rms = {key: math.sqrt(statistics.fmean(one[key] ** 2 for one in all_of)) for key in ("std", "scatter", "scaled")}
            unit = " m" if group.startswith("centre") else " m²" if "products" in group else ""
            out.append(f"| {group}{' (' + str(len(all_of)) + ')' if len(all_of) > 1 else ''} | {mean['within']:.1%} | {rms['std']:.2g}{unit} | "
                       f"{rms['scatter']:.2g}{unit} | {rms['scatter'] / rms['std']:.2f} | {rms['scaled']:.2f} |")
    return out


TITLES = {
    "two points": "Everything unknown, every prior 70 % wrong with a random sign",
    "drawn": "Everything unknown, priors drawn from their own distribution",
    "drawn, thrust known": "Thrust coefficients known",
    "drawn, mass known": "Mass of the body known"}


def tables(program, logs, folder, cases=tuple(CASES)):
    """A section for each case."""
    out = []
    for case in cases:
        rows = rows_of(program, case, logs, folder / f"quadrotor-{case.replace(', ', '-').replace(' ', '_')}.jsonl")
        out += [f"## {TITLES[case]}", "", *lines(rows), ""]
        print("\n".join(out[-len(lines(rows)) - 3:]), flush=True)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=lambda path: str(pathlib.Path(path).resolve()),
                        default=str(gaits.ROOT / "build" / "bin" / "bayesid"))
    parser.add_argument("--logs", type=int, default=50)
    parser.add_argument("--rows", type=pathlib.Path, default=gaits.ROOT / "build" / "studies", help="folder of the rows that are done")
    parser.add_argument("--cases", nargs="+", default=list(CASES))
    arguments = parser.parse_args()
    tables(arguments.program, arguments.logs, arguments.rows, arguments.cases)


if __name__ == "__main__":
    main()
