# SPDX-License-Identifier: BSD-3-Clause
"""Measured and predicted efforts over time."""
from bayesid_reproduce.program import read_columns
from bayesid_reproduce.svg import Panel

MOST_POINTS = 400


def effort_series(file, joints, models=("nominal", "identified")):
    """Of prediction.csv, thinned: time, and for each joint measurement and prediction of each model."""
    columns = read_columns(file)
    step = max(1, len(columns["time"]) // MOST_POINTS)
    out = {"time": columns["time"][::step]}
    for joint in joints:
        out[joint] = {"measured": columns[f"tau.{joint}"][::step]} | {
            model: columns[f"tau.{joint}.{model}"][::step] for model in models}
    return out


def effort_panels(series):
    """One panel for each joint."""
    out = []
    for joint, lines in series.items():
        if joint == "time":
            continue
        panel = Panel(joint, x="time, s", y="effort, N·m")
        for name, values in lines.items():
            panel.line(name, series["time"], values)
        out.append(panel)
    return out
