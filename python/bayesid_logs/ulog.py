# SPDX-License-Identifier: BSD-3-Clause
"""PX4 ULog: columns `<topic>/<field>`, which the configuration maps; each topic has its own clock."""
import numpy as np
import pyulog

from .columns import Column, LogError, with_clocks


def name_of(data):
    return f"{data.name}_{data.multi_id}" if data.multi_id else data.name


def clock_of(data):
    micros = np.asarray(data.data["timestamp"]).astype(np.int64)
    return (micros * 1000).view("M8[ns]")


def read_log(file):
    try:
        log = pyulog.ULog(file)
    except Exception as error:  # pyulog raises many kinds on a damaged file
        raise LogError(f"is no good ULog file: {error}") from None
    topics = [data for data in log.data_list if len(data.data.get("timestamp", ()))]
    if not topics:
        damaged = " and is damaged" if log.file_corruption else ""
        raise LogError(f"has no messages{damaged}")
    warnings = []
    if log.file_corruption:
        count = sum(len(data.data["timestamp"]) for data in topics)
        warnings.append(f"is damaged; the {count} messages that could be read are used")
    if log.dropouts:
        lost = sum(dropout.duration for dropout in log.dropouts)
        warnings.append(f"the logger dropped out {len(log.dropouts)} times, {lost / 1000:.6g} s in all")
    columns, clocks = [], {}
    for data in topics:
        topic = name_of(data)
        clocks[topic] = clock_of(data)
        columns += [Column(f"{topic}/{field}", len(values), lambda values=values: np.ascontiguousarray(values), topic, True)
                    for field, values in data.data.items() if field != "timestamp"]
    return with_clocks(columns, clocks, warnings)
