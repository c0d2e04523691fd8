# SPDX-License-Identifier: BSD-3-Clause
"""Files that hold arrays (NumPy, HDF5, MATLAB): which arrays are columns, which axis is time."""
import collections
import dataclasses
from collections.abc import Callable

import numpy as np

from .columns import Column, LogError, LogFile, with_clocks


@dataclasses.dataclass
class Array:
    shape: tuple
    dtype: np.dtype
    read: Callable


def is_number(dtype):
    return dtype.kind in "biufmM"


def length_of_time(arrays):
    """Length of the array that is named time; without one, the most frequent length of what may be a column."""
    for name, array in arrays.items():
        if name.split("/")[-1] == "time":
            return max(array.shape, default=1)
    lengths = collections.Counter(max(array.shape) for array in arrays.values() if array.shape)
    return max(lengths, key=lambda length: (lengths[length], length), default=0)


def time_of(name, times):
    """The `<group>/time` of the nearest group around, or None."""
    group = name
    while group:
        group = group.rpartition("/")[0]
        if (candidate := f"{group}/time".lstrip("/")) in times:
            return candidate
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
    times = [name for name in arrays if name.split("/")[-1] == "time"]
    if len(times) > 1:
        clocks = {name: np.ravel(np.asarray(arrays[name].read())) for name in times}
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
