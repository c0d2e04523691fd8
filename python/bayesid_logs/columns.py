# SPDX-License-Identifier: BSD-3-Clause
"""What every reader returns: named columns, some of which share a clock, and the values that were asked for."""
import dataclasses
from collections.abc import Callable

import numpy as np


class LogError(Exception):
    """The log is wrong: one sentence without the name of the file."""


@dataclasses.dataclass
class Column:
    name: str
    rows: int
    read: Callable  # gives an array of `rows` numbers
    clock: str = ""
    on_request: bool = False  # taken only when the configuration names it


@dataclasses.dataclass
class LogFile:
    """With `clocks`, the first column is their union, `time`; without, time is a column like the others."""
    columns: list
    clocks: dict = dataclasses.field(default_factory=dict)  # name → stamps
    warnings: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Values:
    arrays: list
    num_nan: list  # values that the file itself says are no number
    dropped: int = 0
    warnings: list = dataclasses.field(default_factory=list)


def check_memory(num_values):
    """Before the numbers read so far, and two copies of them, fill the memory."""
    with open("/proc/meminfo") as stream:
        sizes = dict(line.split(":") for line in stream)
    free = 1024 * int(sizes["MemAvailable"].split()[0])
    if 2 * 8 * num_values > free:
        raise LogError(f"its first {num_values} numbers need {24e-9 * num_values:.3g} GB of memory, {1e-9 * free:.3g} GB "
                       "are free; split the log")


def with_clocks(columns, clocks, warnings):
    rows = sum(len(stamps) for stamps in clocks.values())
    return LogFile([Column("time", rows, None), *columns], clocks, warnings)


def count_nan(array):
    return int(np.isnan(array).sum()) if array.dtype.kind == "f" else 0


def read_values(log, wanted):
    """The columns of these numbers; the first one is the time."""
    columns = [log.columns[i] for i in wanted]
    if log.clocks and columns[0].read is None:
        return merged(log, columns[1:])
    time = columns[0]
    for column in columns[1:]:
        if column.rows != time.rows:
            raise LogError(f"{column.name} has {column.rows} rows but {time.name} has {time.rows}; a group with its own "
                           f"rate needs its own time, {group_of(column.name)}time")
    arrays = [column.read() for column in columns]
    return Values(arrays, [count_nan(array) for array in arrays])


def group_of(name):
    return name[:name.rfind("/") + 1] or "<group>/"


def merged(log, columns):
    """All columns on the union of their clocks; NaN where one was not measured."""
    names = list(dict.fromkeys(column.clock for column in columns))
    if len(names) == 1:
        arrays = [log.clocks[names[0]], *(column.read() for column in columns)]
        return Values(arrays, [count_nan(array) for array in arrays])

    values = Values([], [0])
    stamps, kept = {}, {}
    for name in names:
        stamps[name], kept[name] = without_repeats(name, log.clocks[name], values)
    check_overlap(stamps)
    union = np.unique(np.concatenate(list(stamps.values())))
    rows = {name: np.searchsorted(union, stamps[name]) for name in names}
    values.arrays.append(union)
    for column in columns:
        array = column.read()
        values.num_nan.append(count_nan(array))
        spread = np.full(len(union), np.nan)
        spread[rows[column.clock]] = array[kept[column.clock]]
        values.arrays.append(spread)
    return values


def seconds(stamps):
    """For messages, and to compare clocks."""
    return stamps.astype("M8[ns]").astype(np.int64) / 1e9 if stamps.dtype.kind in "mM" else stamps


def without_repeats(name, stamps, values):
    """Strictly increasing stamps of one clock, and which rows they are."""
    steps = np.diff(seconds(stamps))
    if len(back := np.flatnonzero(steps < 0)):
        raise LogError(f"time of {name} goes back by {-steps[back[0]]:.6g} s at its row {back[0] + 2}; split the log "
                       f"there, or sort it")
    kept = np.flatnonzero(np.concatenate([[True], stamps[1:] != stamps[:-1]]))
    if repeated := len(stamps) - len(kept):
        values.dropped += repeated
        values.warnings.append(f"{repeated} {'sample' if repeated == 1 else 'samples'} of {name} repeat the time of the "
                               "one before; the first was kept")
    return stamps[kept], kept


def check_overlap(stamps):
    ends = {name: (seconds(s)[0], seconds(s)[-1]) for name, s in stamps.items() if len(s)}
    latest = max(ends, key=lambda name: ends[name][0])
    earliest = min(ends, key=lambda name: ends[name][1])
    if ends[latest][0] > ends[earliest][1]:
        raise LogError(f"{earliest} ends at {ends[earliest][1]:.6f} s, before {latest} begins at "
                       f"{ends[latest][0]:.6f} s: do they use the same clock?")
