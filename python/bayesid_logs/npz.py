# SPDX-License-Identifier: BSD-3-Clause
"""NumPy archives. Nothing is ever unpickled."""
import zipfile

import numpy as np
from numpy.lib import format as npy

from .arrays import Array, log_of_arrays
from .columns import LogError


def read_header(stream):
    version = npy.read_magic(stream)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, dtype = read(stream)
    return shape, dtype


def read_log(file):
    try:
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            headers = {}
            for name in names:
                with archive.open(name) as stream:
                    headers[name.removesuffix(".npy")] = read_header(stream)
    except (zipfile.BadZipFile, ValueError, EOFError) as error:
        raise LogError(f"is no good NumPy archive: {error}") from None

    for name, (shape, dtype) in headers.items():
        if dtype.hasobject:
            raise LogError(f"{name} is an array of Python objects, which is not unpickled: save numbers, "
                           "np.asarray(…, dtype=float)")
    return log_of_arrays({name: Array(shape, dtype, lambda name=name: read_array(file, name))
                          for name, (shape, dtype) in headers.items()})


def read_array(file, name):
    try:
        with np.load(file, allow_pickle=False) as archive:
            return archive[name]
    except (zipfile.BadZipFile, ValueError, EOFError, OSError) as error:
        raise LogError(f"{name} cannot be read: {error}") from None
