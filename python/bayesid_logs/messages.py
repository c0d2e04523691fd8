# SPDX-License-Identifier: BSD-3-Clause
"""ROS 2 messages → channels. One clock for each topic, and for each set of joints that a topic speaks of."""
import array
import dataclasses
import math

import numpy as np
from rosbags.typesys import Stores, get_typestore

from .columns import Column, LogError, check_memory, with_clocks

XYZ, XYZW = "xyz", "xyzw"
NAN = math.nan
CHECK_EVERY = 100_000  # messages


class Decoder:
    """With the definitions of the standard types, which some bags do not hold."""

    def __init__(self):
        self.types = get_typestore(Stores.ROS2_HUMBLE)

    def __call__(self, data, kind):
        return self.types.deserialize_cdr(data, kind)


def topic_name(topic):
    return topic.rstrip("/").rpartition("/")[2]


def numbers(vector, axes=XYZ):
    return [getattr(vector, axis) for axis in axes]


def quaternion(q):
    """NaN when all four are zero, which some drivers write when they have none."""
    found = numbers(q, XYZW)
    return found if any(found) else [NAN] * 4


def pose_names(frame, path, topic):
    names = [(f"pose.{frame}.p{axis}", f"{topic}/{path}position/{axis}") for axis in XYZ]
    return names + [(f"pose.{frame}.q{axis}", f"{topic}/{path}orientation/{axis}") for axis in XYZW]


def pose_values(pose):
    return numbers(pose.position) + quaternion(pose.orientation)


def read_pose(topic, message):
    return pose_names(topic_name(topic), "pose/", topic), pose_values(message.pose)


def read_odometry(topic, message):
    frame = message.child_frame_id.strip("/") or topic_name(topic)
    return pose_names(frame, "pose/pose/", topic), pose_values(message.pose.pose)


def read_imu(topic, message):
    """A first covariance of -1 says that the sensor does not measure it."""
    name = message.header.frame_id.strip("/") or topic_name(topic)
    names = [(f"imu.{name}.a{axis}", f"{topic}/linear_acceleration/{axis}") for axis in XYZ]
    names += [(f"imu.{name}.w{axis}", f"{topic}/angular_velocity/{axis}") for axis in XYZ]
    names += [(f"imu.{name}.q{axis}", f"{topic}/orientation/{axis}") for axis in XYZW]
    acceleration, rate = numbers(message.linear_acceleration), numbers(message.angular_velocity)
    orientation = quaternion(message.orientation)
    if message.linear_acceleration_covariance[0] == -1:
        acceleration = [NAN] * 3
    if message.angular_velocity_covariance[0] == -1:
        rate = [NAN] * 3
    if message.orientation_covariance[0] == -1:
        orientation = [NAN] * 4
    return names, acceleration + rate + orientation


def read_wrench(topic, message):
    name = message.header.frame_id.strip("/") or topic_name(topic)
    names = [(f"wrench.{name}.f{axis}", f"{topic}/wrench/force/{axis}") for axis in XYZ]
    names += [(f"wrench.{name}.t{axis}", f"{topic}/wrench/torque/{axis}") for axis in XYZ]
    return names, numbers(message.wrench.force) + numbers(message.wrench.torque)


def read_joints(topic, message):
    parts = {"q": ("position", message.position), "v": ("velocity", message.velocity), "tau": ("effort", message.effort)}
    size = len(message.name) or max(len(values) for _, values in parts.values())
    names, found = [], []
    for letter, (field, values) in parts.items():
        if len(values) not in (0, size):
            given = f"{size} names" if message.name else f"arrays of {size}"
            raise LogError(f"{given} but {len(values)} in {field}")
        for i in range(size):
            names.append((f"{letter}.{message.name[i]}" if message.name else None, f"{topic}/{field}[{i}]"))
        found += list(values) if len(values) else [NAN] * size
    return names, found


READERS = {"sensor_msgs/msg/JointState": read_joints, "sensor_msgs/msg/Imu": read_imu,
           "geometry_msgs/msg/PoseStamped": read_pose, "nav_msgs/msg/Odometry": read_odometry,
           "geometry_msgs/msg/WrenchStamped": read_wrench}


def reads(kind):
    return kind in READERS


@dataclasses.dataclass
class Stream:
    """Messages with the same columns."""
    topic: str
    names: list
    stamps: array.array = dataclasses.field(default_factory=lambda: array.array("q"))
    log_times: array.array = dataclasses.field(default_factory=lambda: array.array("q"))
    values: array.array = dataclasses.field(default_factory=lambda: array.array("d"))

    def table(self):
        return np.frombuffer(self.values).reshape(len(self.stamps), len(self.names))


class Recording:
    """Collects messages, then gives their columns."""

    def __init__(self):
        self.decode = Decoder()
        self.streams = {}  # topic and names → Stream
        self.counts = {}  # topic → messages
        self.other = {}  # topic → type that is not read
        self.num_values = 0

    def add_topic(self, topic, kind):
        if reads(kind):
            self.counts.setdefault(topic, 0)
        else:
            self.other[topic] = kind

    def add(self, topic, kind, log_time, data):
        self.counts[topic] += 1
        try:
            message = self.decode(data, kind)
            names, values = READERS[kind](topic, message)
        except LogError as error:
            raise LogError(f"{topic}: message {self.counts[topic]} has {error}") from None
        except Exception as error:  # rosbags raises many kinds on damaged bytes
            raise LogError(f"{topic}: message {self.counts[topic]} is no good {kind}: {error}") from None
        stream = self.streams.setdefault((topic, tuple(names)), Stream(topic, names))
        stamp = message.header.stamp
        stream.stamps.append(stamp.sec * 1_000_000_000 + stamp.nanosec)
        stream.log_times.append(log_time)
        stream.values.extend(values)
        self.num_values += len(values)
        if self.counts[topic] % CHECK_EVERY == 0:
            check_memory(self.num_values)

    def total(self):
        return sum(self.counts.values())

    def log(self, warnings):
        warnings = warnings + [f"{topic} has no messages" for topic, count in self.counts.items() if count == 0]
        if self.other:
            listed = ", ".join(f"{topic} ({kind})" for topic, kind in list(self.other.items())[:5])
            warnings.append(f"{len(self.other)} {'topic is' if len(self.other) == 1 else 'topics are'} of a type that is "
                            f"not read: {listed}{', …' if len(self.other) > 5 else ''}")
        if self.total() == 0:
            raise LogError("no message of a type that is read (JointState, Imu, PoseStamped, Odometry, WrenchStamped)"
                           + "".join(f"; {warning}" for warning in warnings))
        columns, clocks = [], {}
        for number, stream in enumerate(self.streams.values()):
            clock = stream.topic if stream.topic not in clocks else f"{stream.topic} ({number + 1})"
            clocks[clock] = clock_of(stream, warnings)
            columns += columns_of(stream, clock)
        return with_clocks(without_doubles(columns, warnings), clocks, warnings)


def clock_of(stream, warnings):
    stamps = np.frombuffer(stream.stamps, dtype=np.int64)
    zeros = int((stamps == 0).sum())
    # A simulation may start at 0.
    if zeros > 1 or (zeros == 1 and stamps[0] != 0):
        warnings.append(f"{zeros} of {len(stamps)} messages of {stream.topic} have no stamp; the time of recording is "
                        "used for this topic")
        stamps = np.frombuffer(stream.log_times, dtype=np.int64)
    return stamps.view("M8[ns]")


def columns_of(stream, clock):
    """Each under its channel and, when asked for, under the path of its field."""
    table, rows, channels, paths = stream.table(), len(stream.stamps), [], []
    for i, (channel, path) in enumerate(stream.names):
        def read(i=i):
            return np.ascontiguousarray(table[:, i])
        if np.isnan(table[:, i]).all():
            continue  # a field that the driver leaves empty
        if channel:
            channels.append(Column(channel, rows, read, clock))
        paths.append(Column(path, rows, read, clock, on_request=channel is not None))
    return channels + paths


def without_doubles(columns, warnings):
    """A channel of two topics is not guessed; each is still there under its path."""
    clocks = {}
    for column in columns:
        clocks.setdefault(column.name, []).append(column.clock)
    for name, topics in clocks.items():
        if len(topics) > 1:
            warnings.append(f"{name} is in {' and in '.join(topics)}: choose one with logs[].columns")
    return [column for column in columns if len(clocks[column.name]) == 1]
