# SPDX-License-Identifier: BSD-3-Clause
"""Names of the columns out, numbers of the wanted ones in, their values out.

All integers are little-endian. A text is its length (u32) and its bytes.

    out:  "BAYESIDL" u32 version, then 'H' texts(warnings) u32 columns × (text name, u8 on_request, u64 rows)
    in:   u32 count, count × u32 (the first is the time)
    out:  'D' texts(warnings) u64 dropped u64 rows count × (u8 kind, u64 num_nan, rows × 8 bytes)
    or, instead of 'H' or 'D':  'E' text

Kinds: 0 doubles, 1 int64, 2 int64 nanoseconds.
"""
import importlib
import os
import pathlib
import struct
import sys

READERS = {".npz": "npz", ".h5": "hdf5", ".hdf5": "hdf5", ".parquet": "parquet", ".pq": "parquet", ".mat": "mat",
           ".mcap": "mcap_file", ".db3": "ros2_bag", ".ulg": "ulog"}
VERSION = 1
DOUBLES, INTEGERS, NANOSECONDS = range(3)


def text(words):
    data = words.encode()
    return struct.pack("<I", len(data)) + data


def texts(all_words):
    return struct.pack("<I", len(all_words)) + b"".join(map(text, all_words))


def encode(array):
    """Kind and bytes of a column."""
    import numpy as np
    if array.dtype.kind in "mM":
        name = "M8[ns]" if array.dtype.kind == "M" else "m8[ns]"
        return NANOSECONDS, array.astype(name).view(np.int64)
    is_integer = array.dtype.kind == "i" or (array.dtype.kind == "u" and array.dtype.itemsize < 8)
    if array.dtype.kind == "u" and array.dtype.itemsize == 8:
        is_integer = array.max(initial=0) < 2**63
    return (INTEGERS, array.astype("<i8")) if is_integer else (DOUBLES, array.astype("<f8"))


def header_bytes(log):
    columns = [text(c.name) + struct.pack("<BQ", c.on_request, c.rows) for c in log.columns]
    return b"H" + texts(log.warnings) + struct.pack("<I", len(columns)) + b"".join(columns)


def write_values(values, out):
    out.write(b"D" + texts(values.warnings) + struct.pack("<QQ", values.dropped, len(values.arrays[0])))
    for array, num_nan in zip(values.arrays, values.num_nan):
        kind, numbers = encode(array)
        out.write(struct.pack("<BQ", kind, num_nan))
        out.write(numbers.tobytes())


def read_exactly(stream, size):
    data = stream.read(size)
    if len(data) < size:
        raise BrokenPipeError
    return data


def serve(file, stream, out):
    path = pathlib.Path(file)
    reader = "ros2_bag" if path.is_dir() else READERS[path.suffix.lower()]
    log = importlib.import_module(f".{reader}", __package__).read_log(file)
    out.write(header_bytes(log))
    out.flush()
    (count,) = struct.unpack("<I", read_exactly(stream, 4))
    wanted = struct.unpack(f"<{count}I", read_exactly(stream, 4 * count))
    from .columns import read_values
    write_values(read_values(log, wanted), out)


def sentence(error):
    if isinstance(error, ModuleNotFoundError):
        return (f"reading it needs the Python package {error.name}, which {sys.executable} lacks: install "
                "requirements.txt")
    if isinstance(error, MemoryError):
        return "does not fit into memory"
    if type(error).__name__ == "LogError":
        return str(error)
    return f"cannot be read: {type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def main():
    # What libraries print must not get between the bytes.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        out.write(b"BAYESIDL" + struct.pack("<I", VERSION))
        serve(sys.argv[1], sys.stdin.buffer, out)
        out.flush()
    except BrokenPipeError:  # the program has gone on without
        os._exit(1)
    except Exception as error:
        out.write(b"E" + text(sentence(error)))
        out.flush()


main()
