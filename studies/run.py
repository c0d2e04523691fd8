#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the studies, all or those named, row by row, so that an interrupted one goes on where it stopped; writes tables to docs/studies."""
import csv
import datetime
import functools
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import clocks
import energy
import evidence
import excitation
import gaits
import mujoco_matrix
import quadrotor
import real_robots

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = ROOT / "build" / "studies"


def find_commit():
    """What is checked out, with a mark when more than the pages of studies is changed."""
    def ask(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    changed = ask("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/studies")
    return ask("rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")


COMMIT = find_commit()


def rows_of(study, count, *options):
    """Rows of seeds 1 … count; those that are on disk for this commit are not made again."""
    ROWS.mkdir(parents=True, exist_ok=True)
    file = ROWS / f"{'-'.join([study, *options, COMMIT])}.csv"
    done = {row[0]: row for row in csv.reader(file.open())} if file.exists() else {}
    with file.open("a") as out:
        for seed in range(1, count + 1):
            if str(seed) in done:
                continue
            program = ROOT / "build" / "bin" / f"study_{study}"
            line = subprocess.run([program, str(seed), str(seed), *options], capture_output=True, text=True, check=True).stdout
            out.write(line)
            out.flush()
            done[str(seed)] = line.strip().split(",")
            print(f"{study} {seed}/{count}: {line.strip()}", flush=True)
    return [done[str(seed)] for seed in range(1, count + 1)]


def write(study, title, lines, source="cpp"):
    head = [f"# {title}", "", f"Commit {COMMIT}, {datetime.date.today()}, `make studies` (`studies/{study}.{source}`).", ""]
    target = ROOT / "docs" / "studies" / f"{study}.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text("\n".join(head + lines) + "\n")
    print("\n".join(lines))


CHARTS = ["ee", "log_cholesky"]  # parametrisations of inertia, side by side


def side_by_side(lines, columns):
    """A table whose columns are lists of cells in the order of the lines."""
    return [" | ".join(["", line, *cells, ""]).strip() for line, *cells in zip(lines, *columns, strict=True)]


def convergence_column(rows):
    iterations = [int(row[2]) for row in rows]
    excess = [float(row[3]) - float(row[4]) for row in rows]
    seconds = [float(row[5]) for row in rows]
    return [str(len(rows)), str(sum(row[1] == "converged" for row in rows)),
            f"{min(iterations)}, {statistics.median(iterations):g}, {max(iterations)}",
            f"{statistics.median(seconds):.2f}, {max(seconds):.2f}",
            f"{statistics.median(excess):.2g}, {max(excess):.2g}"]


def convergence(count=100):
    columns = [convergence_column(rows_of("convergence", count, chart)) for chart in CHARTS]
    write("convergence", "Convergence of a 7-joint arm from priors that are 70 % wrong", [
        "Panda, 112 parameters, 1,000 stages, encoders and noisy efforts; every prior 70 % wrong with a random sign. "
        "Both parametrisations of inertia (parameters.md) start from the same wrong bodies.", "",
        f"| | {' | '.join(f'`{chart}`' for chart in CHARTS)} |", "|---|---|---|",
        *side_by_side(["starts", "ended `converged`", "iterations: least, median, most", "seconds: median, most",
                       "cost beyond that reached from the truth: median, most"], columns), "",
        "The last line compares optima: rotations that the data do not determine have side optima of the prior."])


def calibration_column(rows):
    error = statistics.mean(float(row[3]) for row in rows)
    intervals = sum(int(row[4]) for row in rows)
    covered = sum(int(row[5]) for row in rows)
    return [f"{len(rows)}, {sum(int(row[1]) for row in rows)}", f"{error:.2f}",
            f"{100 * covered / intervals:.1f} % of {intervals}"]


def calibration(count=200):
    rows = [rows_of("calibration", count, chart) for chart in CHARTS]
    target = ["200", f"{rows[0][0][2]} ± 10 %", "93–97 %"]
    write("calibration", "Calibration of error bars", [
        "Two-joint arm, noisy efforts declared as such, prior mean drawn around the truth with the prior of each "
        "parametrisation of inertia (parameters.md).", "",
        f"| | target | {' | '.join(f'`{chart}`' for chart in CHARTS)} |", "|---|---|---|---|",
        *side_by_side(["logs, converged", "mean normalised squared error of the identifiable combinations",
                       "95 % intervals of physical values that the data determine cover the truth"],
                      [target, *map(calibration_column, rows)])])


def gait_row(robot, unit, duration):
    file = ROWS / f"gaits-{robot}-{COMMIT}.json"
    if not file.exists():
        config = getattr(gaits, robot)(duration, 1000)
        with tempfile.TemporaryDirectory() as folder:
            found = gaits.measure(ROOT / "build" / "bin" / "bayesid", folder, config,
                                  getattr(gaits, f"{robot}_held_out")(config))
        file.write_text(json.dumps(found))
    row = json.loads(file.read_text())
    violation = row["violation"]
    share = [f"{100 * row[key]:.1f} %" for key in ("prior_share", "training_share", "held_out_share", "truth_share")]
    line = [unit, row["status"], str(row["iterations"]), *share, f"{violation['constraint']:.1e}", f"{violation['position']:.1e}"]
    print(f"gaits {robot}: {line}", flush=True)
    return "| " + " | ".join(line) + " |"


def gait(duration=10):
    ROWS.mkdir(parents=True, exist_ok=True)
    columns = ["robot", "status", "iterations", "prior", "training", "held out", "truth", "m/s²", "m"]
    write("gaits", "Prediction of held-out motions", [
        f"Simulated at 1 kHz, {duration} s a log, every prior {100 * gaits.PRIOR_ERROR:.0f} % wrong with a random sign.", "",
        "* quadruped: ANYmal, encoders, efforts (0.1 N·m) and the pose of its base (1 mm, 1 mrad), two logs of a trot;",
        "  held out: a trot with longer, higher and faster steps.",
        "* three loops: data/models/three_loop_leg, encoders and efforts (0.01 N·m), one log; held out: a faster motion.", "",
        "Largest root mean square error of a motor's effort, as a share of its range: with the prior on the training log, with the estimate on the same,",
        "with the estimate on the held-out log, and there with the true parameters: the part of noise and smoothing (target, held out: 2 %).",
        "Then the largest violation of the constraints in the estimated trajectory, in acceleration (target: 1e-8) and position (target: 1e-5).", "",
        "| " + " | ".join(columns) + " |", "|" + "---|" * len(columns),
        gait_row("quadruped", "quadruped", duration), gait_row("three_loops", "three loops", duration)], source="py")


def clock(duration=10):
    ROWS.mkdir(parents=True, exist_ok=True)
    table = []
    for name, make in clocks.ROBOTS.items():
        file = ROWS / f"clocks-{name.split(',')[0]}-{COMMIT}.json"
        if not file.exists():
            with tempfile.TemporaryDirectory() as folder:
                found = clocks.compare(str(ROOT / "build" / "bin" / "bayesid"), folder, make(duration, 1000), 1)
            file.write_text(json.dumps(found))
        table += clocks.lines(name, *json.loads(file.read_text()))
    write("clocks", "Sensors with rates and delays of their own", [
        f"Simulated for {duration} s from priors {100 * gaits.PRIOR_ERROR:.0f} % wrong: encoders and efforts at 1 kHz, an inertial sensor with unknown biases at",
        "400 Hz, a camera that measures the pose of the base at 30 Hz. Its stamps are right, or delayed by an unknown 20 ms",
        "(prior 70 % wrong, std 20 ms). Target: the delay to 1 ms, and parameters no worse than without the delay.", "",
        "Values determined: those with a posterior std below a third of the prior's; the root mean square of their errors in posterior std,",
        "and the geometric mean of their std relative to the camera in time.", "",
        "| " + " | ".join(clocks.COLUMNS) + " |", "|" + "---|" * len(clocks.COLUMNS), *table], source="py")


def cube_tosses():
    data = ROOT.parent / "shared" / "data" / "cube_tosses"
    if not data.exists():
        print("cube_tosses: skipped, no recordings beside the project")
        return
    program = ROOT / "build" / "bin" / "study_cube_tosses"
    tables = subprocess.run([program, data], capture_output=True, text=True, check=True).stdout
    about = (ROOT / "studies" / "cube_tosses.md").read_text()
    write("cube_tosses", "Tosses of a cube", [about, tables.strip()])


def remembered(name, make):
    """What make() gives, as JSON; made once for each commit."""
    ROWS.mkdir(parents=True, exist_ok=True)
    file = ROWS / f"{name}-{COMMIT}.json"
    if not file.exists():
        with tempfile.TemporaryDirectory() as folder:
            file.write_text(json.dumps(make(ROOT / "build" / "bin" / "bayesid", folder)))
        print(f"{name}: made", flush=True)
    return json.loads(file.read_text())


def experiment(name, **options):
    """A table of the paper, by `bayesid reproduce`; its plots stand beside the page."""
    program, out = ROOT / "build" / "bin" / "bayesid", ROWS / name
    words = [word for key, value in options.items() for word in (f"--{key}", str(value))]
    subprocess.run([program, "reproduce", name, "--out", out, "--quiet", *words], check=True)
    title, text = (out / f"{name}.md").read_text().split("\n", 1)
    plots = sorted(out.glob("*.svg"))
    target = ROOT / "docs" / "studies" / "figures"
    target.mkdir(parents=True, exist_ok=True)
    for plot in plots:
        shutil.copy(plot, target / plot.name)
    head = [title, "", f"Commit {COMMIT}, {datetime.date.today()}, `bayesid reproduce {name}`; also a part of `make studies`.", ""]
    page = ROOT / "docs" / "studies" / f"{name.replace('-', '_')}{'_table' if name == 'energy' else ''}.md"
    page.write_text("\n".join(head) + text.lstrip() + "".join(f"\n![{plot.stem}](figures/{plot.name})\n" for plot in plots))
    print(text)


def evidence_study(count=50):
    rows = []
    for group, make in evidence.GROUPS.items():
        for on in (True, False):
            comparisons = [remembered(f"evidence-{group}-{on}-{seed}",
                                  lambda program, folder, make=make, on=on, seed=seed, group=group: evidence.compare(str(program), folder, make(on), seed, group))
                       for seed in range(1, count + 1)]
            rows.append(evidence.line(group, on, comparisons))
    write("evidence", "Evidence and the true model", [
        f"A two-joint arm, 6 s at 200 Hz, {count} logs with a group of parameters in the truth and {count} without, priors 30 % wrong; `bayesid compare`",
        "reports whether the log supports the group. Target: the right model in at least 95 of 100.", "",
        *evidence.HEAD, *rows], source="py")


def excitation_study():
    found = {name: remembered(f"excitation-{make.__name__}",
                              lambda program, folder, make=make: excitation.measure(str(program), folder, make(), num_random=100))
             for name, make in excitation.ROBOTS.items()}
    about = []
    for name, one in found.items():
        about += ["", *excitation.sentences(name, one)]
    write("excitation", "Optimal exciting motions", [
        "`bayesid excite`, 10 s, five harmonics, seed 1, Panda at 250 Hz, ANYmal at 1 kHz (with more samples the prior matters less: at 250 Hz it is 8.8 times",
        "as good as random motions, at 500 Hz 10.1 times, of 40 random ones); then `simulate` and `identify` of the motion, and MuJoCo with a PD controller at 1 kHz around",
        "the efforts of `trajectory.csv`. Targets: all limits kept on a grid ten times finer, ten times the information of random motions, std within 20 %.",
        "The quadruped uses a fifth of its joints' range of ±9.42 rad, a coefficient of friction of 0.5 where the floor has 0.7, and at least 15 N on each foot;",
        "random motions keep the same limits.", "",
        *excitation.table(found), *about], source="py")


def pendulum_lines():
    cases = real_robots.PENDULUM_CASES
    found = {name: remembered(f"pendulum-{name}", lambda program, folder, case=case: real_robots.measure_pendulum(program, folder, **case))
             for name, case in cases.items()}
    columns = ["case", "configured noise: position, velocity, effort", "status, iterations", "normalised residuals", "m1·r1 + m2·l1, kg·m",
               "m2·r2, kg·m"]
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for name, row in found.items():
        noise, g, std, residuals = cases[name]["noise"], row["gravity"], row["gravity_std"], row["residuals"]
        stated = f"{noise['position_std']:g} rad, {noise.get('velocity_std', 'none')}, {noise['effort_std']:g} N·m"
        lines.append(f"| {name} | {stated} | {row['status']}, {row['iterations']} | {residuals[0]:.2f}, {residuals[1]:.2f} | "
                     f"{g[0]:.4f} ± {std[0]:.4f} | {g[1]:.4f} ± {std[1]:.4f} |")
    for cutoff in (5, 20):
        g = real_robots.pendulum_least_squares(cutoff)
        lines.append(f"| least squares, {cutoff} Hz, all ten runs | | | | {g[0]:.3f} | {g[1]:.3f} |")
    lines.append("| published model | | | | 0.230 | 0.160 |")
    for window in ("0.5", "1"):
        cells = {"published": found["position"]["simulation"][window]["published"]}
        cells |= {name: found[name]["simulation"][window]["identified"] for name in found if name != "effort"}
        lines += ["", f"| rad, {window} s | " + " | ".join(cells) + " |", "|" + "---|" * (len(cells) + 1)]
        for number in map(str, real_robots.ONE_DRIVEN + real_robots.SWING_UP):
            kind = "one motor driven" if int(number) in real_robots.ONE_DRIVEN else "swing-up"
            values = [f"{cell[number]:.3f}" if number in cell else "trained" for cell in cells.values()]
            lines.append(f"| {number}, {kind} | " + " | ".join(values) + " |")
        for what, numbers in (("mean of 3 to 9", "3456789"), ("mean of 4, 6 to 9", "46789")):
            means = [f"{statistics.mean(cell[n] for n in numbers):.3f}" if all(n in cell for n in numbers) else ""
                     for cell in cells.values()]
            lines.append(f"| {what} | " + " | ".join(means) + " |")
    return lines


def tx40_lines():
    noise = real_robots.TX40_NOISE
    distances = {"none": None, "2e-5 rad": 2e-5, "5e-5 rad": 5e-5, "1e-4 rad": 1e-4, "2e-4 rad": 2e-4}
    parts = {name: remembered(f"tx40-part {name}", lambda program, folder, value=value: real_robots.measure_tx40(
        program, folder, **noise, distance=value)) for name, value in distances.items()}
    part = parts["5e-5 rad"]
    whole = remembered("tx40-presliding-whole",
                       lambda program, folder: real_robots.measure_tx40(program, folder, **noise, whole=True))
    reference = real_robots.tx40_least_squares(round(real_robots.TRAINING_SHARE * 45000))
    found, prior, fitted = part["identified"], part["nominal"], whole["identified"]

    def percent(value):
        return f"{100 * value:.1f} %"

    def newton_metres(values):
        return ", ".join(f"{value:.2g}" for value in values)

    lines = ["| relative error of the effort, last 40 % | prior | least squares | identified | target | for comparison: identified from the whole log |",
             "|" + "---|" * 6,
             f"| all samples | {percent(prior['all'])} | {percent(reference['all'])} | {percent(found['all'])} | < 10 % | {percent(fitted['all'])} |",
             f"| in motion | {percent(prior['moving'])} | {percent(reference['moving'])} | {percent(found['moving'])} | | {percent(fitted['moving'])} |",
             f"| standing | {percent(prior['standing'])} | | {percent(found['standing'])} | | {percent(fitted['standing'])} |",
             f"| what standing alone adds to all samples | | | {percent(found['standing_alone'])} | | {percent(fitted['standing_alone'])} |",
             f"| raw, nothing smoothed | {percent(prior['raw'])} | | {percent(found['raw'])} | | {percent(fitted['raw'])} |",
             f"| of it, noise of the effort above {real_robots.SCORE_CUTOFF} Hz | | | {percent(found['noise'])} | | |", "",
             f"RMSE of the joints, all samples: identified {newton_metres(found['rmse'])} N·m, least squares "
             f"{newton_metres(reference['rmse'])} N·m (theirs: 2.2, 3.9, 1.2, 0.59, 1.0, 1.1). Mean error while standing: "
             f"{newton_metres(found['mean_standing'])} N·m, {percent(found['share_standing'])} of the samples.", "",
             "| presliding, distance | cost of the first 60 % | iterations | last 40 %: all samples | in motion | standing alone adds |",
             "|" + "---|" * 6]
    for name, row in parts.items():
        scores = row["identified"]
        lines.append(f"| {name} | {row['cost']['total']:.1f} | {row['iterations']}, {row['status']} | {percent(scores['all'])} | "
                     f"{percent(scores['moving'])} | {percent(scores['standing_alone'])} |")
    lines.append("")
    for name, row in (("first 60 %", part), ("whole log", whole)):
        lines.append(f"* {name}: {row['samples']} samples, {row['status']} after {row['iterations']} iterations, {row['seconds']:.0f} s on one "
                     f"thread, {row['memory_mb']:.0f} MB; cost {row['cost']['total']:.0f}.")
    inside = [sum(entry["distance"] < 3 for entry in row["base"]) for row in (part, whole)]
    both = [sum(entry["distance_both"] < 3 for entry in row["base"]) for row in (part, whole)]
    lines += ["", f"Within 3 of our standard deviations of the published value: {inside[0]} of {len(part['base'])} from the first 60 %, "
              f"{inside[1]} from the whole log; within 3 of theirs and ours together: {both[0]} and {both[1]}.", "",
              "| base parameter | published | first 60 % | distance | whole log | distance | with theirs |", "|" + "---|" * 7]
    for one, other in zip(part["base"], whole["base"]):
        lines.append(f"| {one['name'].replace('1.0*', '')} | {one['published']:.4f} ± {one['published_std']:.4f} | {one['ours']:.4f} ± {one['std']:.4f} | "
                     f"{one['distance']:.1f} | {other['ours']:.4f} ± {other['std']:.4f} | {other['distance']:.1f} | {other['distance_both']:.1f} |")
    return lines


def real_robots_study():
    if not real_robots.DATA.exists():
        print("real_robots: skipped, no recordings beside the project")
        return
    about = (ROOT / "studies" / "real_robots.md").read_text().split("<!-- table -->")
    write("real_robots", "Two real robots", [about[0].strip(), "", *pendulum_lines(), "", about[1].strip(), "", *tx40_lines(), "",
                                             about[2].strip()], source="py")


def quadrotor_study(logs=50):
    about = (ROOT / "studies" / "quadrotor.md").read_text().strip()
    tables = quadrotor.tables(str(ROOT / "build" / "bin" / "bayesid"), logs, ROWS / f"quadrotor-{COMMIT}")
    write("quadrotor", "A quadrotor and its error bars", [about, "", *tables], source="py")


def energy_study(starts_of_causes=30):
    experiment("energy")  # goes on from its rows
    honest = json.loads((ROWS / "energy" / "energy.json").read_text())
    about = [part.strip() for part in (ROOT / "studies" / "energy.md").read_text().split("<!-- table -->")]
    program, folder = str(ROOT / "build" / "bin" / "bayesid"), ROWS / f"energy-{COMMIT}"
    tables = [energy.robot_table(honest), energy.row_table(program),
              energy.cause_table(program, starts_of_causes, folder / "causes"),
              energy.loose_table(program, folder / "loose"), energy.excited_table(program, folder / "excited"),
              energy.continuous_table(program, folder / "continuous")]
    lines = [about[0]]
    for table, text in zip(tables, about[1:]):
        lines += ["", *table, "", text]
    write("energy", "What the balance of energy adds", lines, source="py")


def mujoco_matrix_study(logs=100):
    program, results = str(ROOT / "build" / "bin" / "bayesid"), ROWS / f"mujoco_matrix-{COMMIT}"
    wanted = mujoco_matrix.cases(mujoco_matrix.PARTS, mujoco_matrix.arms.ROBOTS, mujoco_matrix.arms.CONDITIONS, logs)
    write("mujoco_matrix", "A matrix of robots and logs from MuJoCo", mujoco_matrix.page_lines(mujoco_matrix.run_all(program, results, wanted)),
          source="py")


STUDIES = {"convergence": convergence, "calibration": calibration, "gaits": gait, "clocks": clock, "evidence": evidence_study,
           "excitation": excitation_study, "quadrotor": quadrotor_study, "energy": energy_study, "cube_tosses": cube_tosses,
           "real_robots": real_robots_study, "mujoco_matrix": mujoco_matrix_study}
EXPERIMENTS = ("inverse-vs-forward", "parameter-constraints", "energy", "noise", "four-bar", "three-loops", "standing-arm")
STUDIES |= {f"reproduce-{name}": functools.partial(experiment, name) for name in EXPERIMENTS}


def main(chosen):
    unknown = [name for name in chosen if name not in STUDIES]
    if unknown:
        sys.exit(f"unknown study {unknown[0]}, known are {', '.join(STUDIES)}")
    for name in chosen or STUDIES:
        STUDIES[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
