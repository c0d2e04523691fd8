# SPDX-License-Identifier: BSD-3-Clause
"""Folders of results: each lists its files, and nothing else is ever replaced."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("BAYESID_PROGRAM", str(ROOT / "build" / "bin" / "bayesid"))
LOG = "my_only_log.csv"
ARM = {"schema": 1, "model": {"urdf": str(ROOT / "bench" / "double_pendulum.urdf")},
       "measurements": {"position": 1e-4, "velocity": 1e-2, "effort": 0.02},
       "parameters": {"inertia": {"links": "all"}},
       "simulation": {"duration": 1, "rate": 200, "base_frequency": 0.5, "prior_error": 0.3},
       "excitation": {"duration": 4, "harmonics": 2, "rate": 50, "starts": 1}}
# Each command that writes a folder: what runs into it.
COMMANDS = {
    "simulate": ["simulate", "arm.yaml"],
    "identify": ["identify", "log/config.yaml"],
    "validate": ["validate", "log/config.yaml", "--model", "result"],
    "compare": ["compare", "log/config.yaml", "--methods", "id,wls"],
    "excite": ["excite", "arm.yaml", "--random", "0"],
    "demo": ["demo"],
    "reproduce": ["reproduce", "three-loops", "--quick"]}


def contents(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


class OutputFolder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "arm.yaml").write_text(yaml.safe_dump(ARM, sort_keys=False))
        self.run_program(0, "simulate", "arm.yaml", "--out", "log")
        self.run_program(0, "identify", "log/config.yaml", "--out", "result")

    def run_program(self, code, *words):
        done = subprocess.run([PROGRAM, *words, "--quiet"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, f"{words}: {done.stderr}")
        return done.stderr

    def test_every_command_lists_its_files_and_replaces_no_other(self):
        for name, words in COMMANDS.items():
            with self.subTest(name):
                out = self.folder / f"{name}_out"
                run = [*words, "--out", out.name]
                self.run_program(0, *run)
                files = set(contents(out)) - {"files.json"}
                self.assertEqual(set(json.loads((out / "files.json").read_text())["files"]), files)
                (out / LOG).write_text("years of work")
                before = contents(out)
                said = self.run_program(2, *run)
                self.assertIn(f"holds {LOG}, which no run of bayesid wrote there; move it away or choose another --out", said)
                self.assertEqual(contents(out), before)
                (out / LOG).unlink()
                self.run_program(0, *run)
                self.assertEqual(set(contents(out)) - {"files.json"}, files)

    def test_figures_are_replaced_with_the_result_they_are_drawn_from(self):
        run = ["identify", "log/config.yaml", "--out", "result"]
        self.run_program(0, "report", "result", "--figures")
        figures = {name for name in contents(self.folder / "result") if name.startswith("figure_")}
        self.assertGreater(len(figures), 2)
        self.assertLessEqual(figures, set(json.loads((self.folder / "result" / "files.json").read_text())["files"]))
        self.run_program(0, "report", "result", "--figures")  # drawn again
        self.run_program(0, *run)
        self.assertFalse(figures & set(contents(self.folder / "result")))

    def test_a_figure_of_somebody_else_is_not_drawn_over(self):
        mine = self.folder / "result" / "figure_effort.svg"
        mine.write_text("mine")
        self.assertIn("holds figure_effort.svg, which no run", self.run_program(2, "report", "result", "--figures"))
        self.assertEqual(mine.read_text(), "mine")

    def test_a_page_under_a_name_of_ones_own_is_kept(self):
        self.run_program(0, "report", "result", "--out", "result/for_my_boss.html")
        self.assertIn("holds for_my_boss.html", self.run_program(2, "identify", "log/config.yaml", "--out", "result"))

    def test_a_folder_without_the_list_is_left_alone(self):
        (self.folder / "result" / "files.json").unlink()
        before = contents(self.folder / "result")
        said = self.run_program(2, "identify", "log/config.yaml", "--out", "result")
        self.assertIn("has no files.json, the list of what a run wrote; move it away or choose another --out", said)
        self.assertEqual(contents(self.folder / "result"), before)


if __name__ == "__main__":
    unittest.main()
