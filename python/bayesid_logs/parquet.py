# SPDX-License-Identifier: BSD-3-Clause
"""Parquet: columns as they are named; a list of numbers in each row is one column for each of them."""
import pyarrow
import pyarrow.compute
import pyarrow.parquet

from .columns import Column, LogError, LogFile


def is_list(kind):
    return pyarrow.types.is_list(kind) or pyarrow.types.is_large_list(kind) or pyarrow.types.is_fixed_size_list(kind)


def is_number(kind):
    types = pyarrow.types
    return (types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind)
            or types.is_timestamp(kind) or types.is_duration(kind))


def numbers(array):
    """A column without its nulls; they become NaN."""
    kind = array.type
    if pyarrow.types.is_boolean(kind) or pyarrow.types.is_decimal(kind):
        array = array.cast(pyarrow.float64())
    return array.to_numpy()


def list_width(file, name):
    """Numbers in the list of each row."""
    lists = read_column(file, name)
    widths = pyarrow.compute.unique(pyarrow.compute.list_value_length(lists).drop_null()).to_pylist()
    if len(widths) > 1:
        raise LogError(f"the lists of {name} have between {min(widths)} and {max(widths)} numbers, expected as many in "
                       "each row")
    return widths[0] if widths else 0


def read_column(file, name):
    try:
        return pyarrow.parquet.read_table(file, columns=[name]).column(name)
    except (pyarrow.ArrowException, OSError) as error:
        raise LogError(f"{name} cannot be read: {str(error).splitlines()[0]}") from None


def element(file, name, i):
    return numbers(pyarrow.compute.list_element(read_column(file, name), i))


def read_log(file):
    try:
        stream = pyarrow.parquet.ParquetFile(file)
        schema, rows = stream.schema_arrow, stream.metadata.num_rows
    except (pyarrow.ArrowException, OSError) as error:
        raise LogError(f"is no good Parquet file: {str(error).splitlines()[0]}") from None
    columns = []
    for name, kind in zip(schema.names, schema.types):
        if is_number(kind):
            columns.append(Column(name, rows, lambda name=name: numbers(read_column(file, name))))
        elif is_list(kind) and is_number(kind.value_type):
            columns += [Column(f"{name}[{i}]", rows, lambda name=name, i=i: element(file, name, i))
                        for i in range(list_width(file, name))]
    if not columns:
        raise LogError("holds no column of numbers")
    return LogFile(columns)
