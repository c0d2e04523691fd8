# SPDX-License-Identifier: BSD-3-Clause
"""Rows of an experiment that are made once: an interrupted one goes on where it stopped."""
import json
import pathlib
import tempfile

from bayesid_reproduce.program import Program


class Rows:
    """In a file of the folder, one line of JSON for each; rows of another program are made again."""

    def __init__(self, folder, experiment, program, version, threads, say):
        self.file = pathlib.Path(folder) / f"{experiment}.jsonl"
        self.program, self.version, self.threads, self.say = program, version, threads, say
        self.done = {}
        if self.file.exists():
            # A line that an interrupt cut short is made again.
            for line in self.file.read_text().splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    continue
                if row["version"] == version:
                    self.done[row["key"]] = row["value"]

    def get(self, key, make):
        """make(program) gives the value of a row; the program runs in a folder of its own."""
        if key not in self.done:
            with tempfile.TemporaryDirectory(prefix="bayesid_") as folder:
                value = make(Program(self.program, folder, self.threads))
            self.done[key] = json.loads(json.dumps(value))
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a") as out:
                out.write(json.dumps({"version": self.version, "key": key, "value": value}) + "\n")
            self.say(key)
        return self.done[key]
