# SPDX-License-Identifier: BSD-3-Clause
"""ROS 2 bags: a folder with metadata.yaml and files in MCAP or SQLite."""
import pathlib

from rosbags.rosbag2 import Reader, ReaderError
from ruamel.yaml import YAML, YAMLError

from .columns import LogError
from .messages import Recording, reads


def read_log(path):
    path = pathlib.Path(path)
    folder = path if path.is_dir() else path.parent
    metadata = folder / "metadata.yaml"
    if not metadata.is_file():
        raise LogError(f"has no metadata.yaml{'' if path.is_dir() else ' beside it'}: make it with `ros2 bag reindex`")
    files, storage = listed_files(folder, metadata)
    if path != folder and path.name not in [file.name for file in files]:
        raise LogError("is not in the list of the metadata.yaml beside it")
    if storage == "mcap":
        from .mcap_file import read_files
        return read_files(files, [f"{file.name} " for file in files])
    return read_database(folder, files)


def listed_files(folder, metadata):
    try:
        about = YAML(typ="safe").load(metadata.read_text())["rosbag2_bagfile_information"]
        files = [folder / pathlib.PurePath(name).name for name in about["relative_file_paths"]]
        storage, mode = about["storage_identifier"], about.get("compression_mode") or "none"
    except (YAMLError, KeyError, TypeError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise LogError(f"its metadata.yaml is damaged ({reason}): make it with `ros2 bag reindex`") from None
    for file in files:
        if not file.is_file():
            raise LogError(f"its metadata.yaml lists {file.name}, which is not there")
    # rosbags unpacks compressed files; of MCAP only those that are packed as a whole.
    return files, "sqlite3" if mode.lower() != "none" else storage


def read_database(folder, files):
    warnings = [f"{file.name} has a journal ({file.name}-wal): was the recorder stopped? What it holds is used"
                for file in files if file.with_name(f"{file.name}-wal").exists()]
    recording = Recording()
    try:
        with Reader(folder) as bag:
            for connection in bag.connections:
                recording.add_topic(connection.topic, connection.msgtype)
            wanted = [connection for connection in bag.connections if reads(connection.msgtype)]
            for connection, log_time, data in bag.messages(wanted) if wanted else ():
                recording.add(connection.topic, connection.msgtype, log_time, data)
    except LogError:
        raise
    except (ReaderError, FileNotFoundError) as error:
        raise LogError(f"is no good ROS 2 bag: {error}") from None
    except Exception as error:  # of the data base
        raise LogError(f"its data base is damaged: {error}") from None
    return recording.log(warnings)
