# SPDX-License-Identifier: BSD-3-Clause
"""Files that hold arrays (NumPy, HDF5, MATLAB): which arrays are columns, which axis is time."""
import collections
import dataclasses
from collections.abc import Callable

import numpy as np

from .columns import Column, LogError, LogFile, seconds, with_clocks


NANOSECONDS = {"time": 10**9, "time_ms": 10**6, "time_us": 1000, "time_ns": 1}  # of the unit of a time channel


@dataclasses.dataclass
class Array:
    shape: tuple
    dtype: np.dtype
    read: Callable


def is_number(dtype):
    return dtype.kind in "biufmM"


def is_time(name):
    return name.split("/")[-1] in NANOSECONDS


def stamps_of(name, array):
    """In seconds, or dates in nanoseconds; whole numbers keep their digits."""
    stamps = np.ravel(np.asarray(array.read()))
    unit = NANOSECONDS[name.split("/")[-1]]
    if unit == 10**9 or stamps.dtype.kind in "mM":
        return stamps
    return (stamps.astype(np.int64) * unit).view("M8[ns]") if stamps.dtype.kind in "iu" else stamps / (10**9 / unit)


def check_one_time(times):
    """In each group."""
    for i, name in enumerate(times):
        if other := next((t for t in times[:i] if t.rpartition("/")[0] == name.rpartition("/")[0]), None):
            raise LogError(f"{other} and {name} are both the time of one group: keep one of them")


def length_of_time(arrays):
    """Length of the array that is the time; without one, the most frequent length of what may be a column."""
    for name, array in arrays.items():
        if is_time(name):
            return max(array.shape, default=1)
    lengths = collections.Counter(max(array.shape) for array in arrays.values() if array.shape)
    return max(lengths, key=lambda length: (lengths[length], length), default=0)


def time_of(name, times):
    """The `<group>/time` (or time_ns …) of the nearest group around, or None."""
    clocks = {clock.rpartition("/")[0]: clock for clock in times}
    group = name
    while group:
        group = group.rpartition("/")[0]
        if group in clocks:
            return clocks[group]
    return None


def reader(array, take):
    return lambda: np.ascontiguousarray(take(np.asarray(array.read())))


def columns_of(name, array, length, clock, warnings):
    """One column, or one for each joint."""
    shape = tuple(array.shape)
    if len(shape) == 1 or sum(size != 1 for size in shape) <= 1:  # also 1 × T and T × 1
        return [Column(name, int(np.prod(shape)), reader(array, np.ravel), clock)]
    if len(shape) > 2:
        return []
    if shape[0] == shape[1]:
        def refuse():
            raise LogError(f"{name} is {shape[0]} × {shape[1]}: which axis is time?")
        return [Column(f"{name}[{i}]", shape[0], refuse, clock) for i in range(shape[0])]
    is_turned = shape[1] == length if length in shape else shape[1] > shape[0]
    if is_turned:
        warnings.append(f"{name} is {shape[0]} × {shape[1]}, one row for each joint; it was turned")
    rows, width = shape[::-1] if is_turned else shape
    return [Column(f"{name}[{i}]", rows, reader(array, lambda a, i=i: a[i] if is_turned else a[:, i]), clock)
            for i in range(width)]


def log_of_arrays(arrays):
    """`arrays`: name → Array. Groups with a time of their own have a clock of their own."""
    arrays = {name: array for name, array in arrays.items() if is_number(array.dtype) and np.prod(array.shape) > 0}
    if not arrays:
        raise LogError("holds no array of numbers")
    warnings, columns, clocks = [], [], {}
    times = [name for name in arrays if is_time(name)]
    if len({name.rpartition("/")[0] for name in times}) > 1:
        check_one_time(times)
        clocks = {name: stamps_of(name, arrays[name]) for name in times}
        if len({stamps.dtype.kind == "M" for stamps in clocks.values()}) > 1:
            clocks = {name: seconds(stamps) for name, stamps in clocks.items()}
    for name, array in arrays.items():
        clock = time_of(name, times) if clocks else ""
        length = len(clocks[clock]) if clock else length_of_time(arrays)
        columns += columns_of(name, array, length, clock or "", warnings)
    if not clocks:
        return LogFile(columns, {}, warnings)
    for column in columns:
        column.on_request = column.name in times or not column.clock
        if column.clock and column.rows != len(clocks[column.clock]):
            column.read = wrong_length(column, len(clocks[column.clock]))
        column.clock = column.clock or times[0]
    return with_clocks(columns, clocks, warnings)


def wrong_length(column, length):
    def refuse():
        raise LogError(f"{column.name} has {column.rows} rows but {column.clock} has {length}")
    return refuse
