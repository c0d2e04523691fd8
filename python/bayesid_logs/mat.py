# SPDX-License-Identifier: BSD-3-Clause
"""MATLAB files: up to version 7 by SciPy, 7.3 (which is HDF5) by h5py. The fields of a struct are its group."""
import numpy as np

from .arrays import Array, log_of_arrays
from .columns import LogError

TEXT_OR_CELLS = {b"char", b"cell", b"function_handle", b"string"}


def read_log(file):
    with open(file, "rb") as stream:
        start = stream.read(128)
    return read_new(file) if start.startswith((b"MATLAB 7.3", b"\x89HDF")) else read_old(file)


def read_new(file):
    from . import hdf5

    def is_wanted(dataset):
        is_inner = dataset.name.startswith("/#")  # where MATLAB keeps what cells refer to
        return not is_inner and dataset.attrs.get("MATLAB_class") not in TEXT_OR_CELLS

    def turned(array):  # MATLAB counts along columns: its T × n matrix is n × T in the file
        return Array(array.shape[::-1], array.dtype, lambda: array.read().T)

    return log_of_arrays({name: turned(array) for name, array in hdf5.read_arrays(file, is_wanted).items()})


def read_old(file):
    import scipy.io
    try:
        content = scipy.io.loadmat(file, struct_as_record=True)
    except NotImplementedError:
        raise LogError("is a MATLAB 7.3 file without its first 128 bytes") from None
    except Exception as error:  # SciPy raises many kinds on a damaged file
        raise LogError(f"is no good MATLAB file: {error}") from None
    arrays = {}
    for name, value in content.items():
        if not name.startswith("__"):
            gather(name, value, arrays)
    return log_of_arrays(arrays)


def gather(name, value, arrays):
    if isinstance(value, np.ndarray) and value.dtype.names and value.size == 1:
        for field in value.dtype.names:
            gather(f"{name}/{field}", value[field].item(), arrays)
    elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
        arrays[name] = Array(value.shape, value.dtype, lambda: value)
