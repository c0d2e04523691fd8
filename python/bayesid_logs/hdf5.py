# SPDX-License-Identifier: BSD-3-Clause
"""HDF5: a data set is named by its path."""
import h5py

from .arrays import Array, log_of_arrays
from .columns import LogError


def read_data(file, path):
    try:
        with h5py.File(file, "r") as stream:
            return stream[path][()]
    except OSError as error:
        raise LogError(f"{path} cannot be read: {error}") from None


def read_arrays(file, is_wanted=lambda dataset: True):
    arrays = {}

    def visit(path, node):
        if isinstance(node, h5py.Dataset) and node.shape is not None and is_wanted(node):
            arrays[path] = Array(node.shape, node.dtype, lambda: read_data(file, path))

    try:
        with h5py.File(file, "r") as stream:
            stream.visititems(visit)
    except (OSError, RuntimeError) as error:
        raise LogError(f"is no good HDF5 file: {error}") from None
    return arrays


def read_log(file):
    return log_of_arrays(read_arrays(file))
