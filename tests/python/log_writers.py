# SPDX-License-Identifier: BSD-3-Clause
"""Writes one log in every format that the program reads."""
import pathlib
import struct
from types import SimpleNamespace as Fields

import h5py
import numpy as np
import pyarrow
import pyarrow.parquet
import scipy.io
from mcap_ros2.writer import Writer as McapWriter
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as BagWriter
from rosbags.typesys import Stores, get_typestore

TYPES = get_typestore(Stores.ROS2_HUMBLE)
PARTS = {"position": "q", "velocity": "v", "effort": "tau"}


def write_csv(file, columns):
    """`columns`: name → texts or numbers; NaN is an empty cell."""
    def cell(value):
        return value if isinstance(value, str) else "" if np.isnan(value) else repr(float(value))
    rows = zip(*columns.values())
    file.write_text("\n".join([",".join(columns), *(",".join(map(cell, row)) for row in rows)]) + "\n")


def write_npz(file, columns):
    np.savez(file, **columns)


def write_hdf5(file, columns):
    with h5py.File(file, "w") as stream:
        for name, values in columns.items():
            stream[name] = values


def write_parquet(file, columns):
    lists = {name: list(values) if np.ndim(values) == 2 else values for name, values in columns.items()}
    pyarrow.parquet.write_table(pyarrow.table(lists), file)


def write_mat(file, columns):
    """As a struct: names of variables have no dots."""
    scipy.io.savemat(file, {"log": columns})


def write_mat73(file, columns):
    with h5py.File(file, "w", userblock_size=512) as stream:
        for name, values in columns.items():
            values = np.atleast_2d(values) if np.ndim(values) == 1 else np.asarray(values).T
            stream[f"log/{name}"] = values
            stream[f"log/{name}"].attrs["MATLAB_class"] = np.bytes_("double")
    with open(file, "r+b") as stream:
        stream.write(b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM")


def stamp(nanoseconds):
    return Fields(sec=int(nanoseconds) // 10**9, nanosec=int(nanoseconds) % 10**9)


def header(nanoseconds, frame=""):
    return Fields(stamp=stamp(nanoseconds), frame_id=frame)


def xyz(values, names="xyz"):
    return Fields(**dict(zip(names, map(float, values))))


def joint_state(nanoseconds, names, position=(), velocity=(), effort=()):
    return "sensor_msgs/msg/JointState", Fields(header=header(nanoseconds), name=list(names), position=list(position),
                                                velocity=list(velocity), effort=list(effort))


def pose(position, orientation):
    return Fields(position=xyz(position), orientation=xyz(orientation, "xyzw"))


def pose_stamped(nanoseconds, values):
    return "geometry_msgs/msg/PoseStamped", Fields(header=header(nanoseconds), pose=pose(values[:3], values[3:]))


def odometry(nanoseconds, child, values):
    zero = xyz([0, 0, 0])
    return "nav_msgs/msg/Odometry", Fields(
        header=header(nanoseconds, "odom"), child_frame_id=child,
        pose=Fields(pose=pose(values[:3], values[3:]), covariance=[0.0] * 36),
        twist=Fields(twist=Fields(linear=zero, angular=zero), covariance=[0.0] * 36))


def imu(nanoseconds, frame, acceleration, rate, orientation=None):
    none = [-1.0] + [0.0] * 8
    return "sensor_msgs/msg/Imu", Fields(
        header=header(nanoseconds, frame), orientation=xyz(orientation or [0, 0, 0, 1], "xyzw"),
        orientation_covariance=[0.0] * 9 if orientation else none, angular_velocity=xyz(rate),
        angular_velocity_covariance=[0.0] * 9, linear_acceleration=xyz(acceleration),
        linear_acceleration_covariance=[0.0] * 9)


def wrench(nanoseconds, frame, force, torque):
    return "geometry_msgs/msg/WrenchStamped", Fields(header=header(nanoseconds, frame),
                                                     wrench=Fields(force=xyz(force), torque=xyz(torque)))


def write_mcap(file, messages):
    """`messages`: (topic, log time, (type, fields)), in the order of time; encoded by mcap-ros2-support."""
    schemas = {}
    with open(file, "wb") as stream:
        writer = McapWriter(stream, chunk_size=4096)
        for topic, log_time, (kind, message) in messages:
            if kind not in schemas:
                text, _ = TYPES.generate_msgdef(kind, ros_version=2)
                schemas[kind] = writer.register_msgdef(kind, text)
            writer.write_message(topic, schemas[kind], message, log_time=int(log_time))
        writer.finish()


def typed(kind, fields):
    """The message of rosbags with these fields."""
    values = {}
    for name, (_, inner) in TYPES.get_msgdef(kind).fields:
        value = getattr(fields, name)
        if isinstance(value, Fields):
            values[name] = typed(inner, value)
        elif isinstance(value, list) and (not value or isinstance(value[0], float)):
            values[name] = np.array(value, dtype=np.float64)
        else:
            values[name] = value
    return TYPES.types[kind](**values)


def write_bag(folder, messages, storage="sqlite3"):
    plugin = StoragePlugin.MCAP if storage == "mcap" else StoragePlugin.SQLITE3
    with BagWriter(folder, version=9, storage_plugin=plugin) as writer:
        topics = {}
        for topic, log_time, (kind, message) in messages:
            if topic not in topics:
                topics[topic] = writer.add_connection(topic, kind, typestore=TYPES)
            writer.write(topics[topic], int(log_time), TYPES.serialize_cdr(typed(kind, message), kind))


def ulog_message(kind, data):
    return struct.pack("<HB", len(data), ord(kind)) + data


def write_ulog(file, topics):
    """`topics`: [(name, multi_id, stamps in µs, {field: doubles})]. A field may be an array, T × n."""
    out = b"ULog\x01\x12\x35\x01" + struct.pack("<Q", 0) + ulog_message("B", bytes(40))
    for name in dict.fromkeys(topic[0] for topic in topics):
        fields = next(topic[3] for topic in topics if topic[0] == name)
        types = [f"double{f'[{np.shape(v)[1]}]' if np.ndim(v) == 2 else ''} {field}" for field, v in fields.items()]
        out += ulog_message("F", f"{name}:uint64_t timestamp;{';'.join(types)};".encode())
    for number, (name, multi_id, _, _) in enumerate(topics):
        out += ulog_message("A", struct.pack("<BH", multi_id, number) + name.encode())
    for number, (_, _, stamps, fields) in enumerate(topics):
        for k, micros in enumerate(stamps):
            row = np.concatenate([np.ravel(values[k]) for values in fields.values()])
            out += ulog_message("D", struct.pack("<HQ", number, int(micros)) + row.astype("<f8").tobytes())
    pathlib.Path(file).write_bytes(out)
