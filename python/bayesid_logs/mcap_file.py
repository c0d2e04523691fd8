# SPDX-License-Identifier: BSD-3-Clause
"""MCAP files with ROS 2 messages, read from front to back, so that one without its end is of use."""
import struct

import mcap.exceptions
import mcap.records
import mcap.stream_reader
import zstandard

from .columns import LogError
from .messages import Recording, reads

DAMAGE = (mcap.exceptions.McapError, struct.error, ValueError, EOFError, RuntimeError, zstandard.ZstdError)


class McapReader:
    """Puts the messages of one file into a recording."""

    def __init__(self, recording):
        self.recording = recording
        self.schemas, self.topics = {}, {}

    def read(self, file):
        """Gives how the file is damaged; "" when it is whole."""
        with open(file, "rb") as stream:
            records = iter(mcap.stream_reader.StreamReader(stream, validate_crcs=True).records)
            while True:
                try:
                    record = next(records, None)
                except DAMAGE as error:
                    return str(error) or type(error).__name__
                if record is None:
                    return ""
                self.take(record)

    def take(self, record):
        if isinstance(record, mcap.records.Schema):
            self.schemas[record.id] = record.name
        elif isinstance(record, mcap.records.Channel):
            self.add_topic(record)
        elif isinstance(record, mcap.records.Message) and record.channel_id in self.topics:
            topic, kind = self.topics[record.channel_id]
            self.recording.add(topic, kind, record.log_time, record.data)

    def add_topic(self, channel):
        kind = self.schemas.get(channel.schema_id, "no type")
        if channel.message_encoding != "cdr":
            kind = f"{kind}, {channel.message_encoding or 'not'} encoded"
        self.recording.add_topic(channel.topic, kind)
        if reads(kind):
            self.topics[channel.id] = (channel.topic, kind)


def read_files(files, names):
    recording, warnings = Recording(), []
    for file, name in zip(files, names):
        before = recording.total()
        damage = McapReader(recording).read(file)
        if damage:
            warnings.append(f"{name}is cut off or damaged; the {recording.total() - before} messages before that are used")
    if warnings and recording.total() == 0:
        raise LogError(f"is cut off or damaged, and no message could be recovered: {damage or 'end of file'}")
    return recording.log(warnings)


def read_log(file):
    with open(file, "rb") as stream:
        if stream.read(8) != b"\x89MCAP0\r\n":
            raise LogError("is no MCAP file")
    return read_files([file], [""])
