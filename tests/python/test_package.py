# SPDX-License-Identifier: BSD-3-Clause
"""The installed package: a project outside of the tree finds it, compiles against it alone, and runs."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(os.environ.get("BAYESID_PROGRAM", ROOT / "build" / "bin" / "bayesid"))
BUILD = PROGRAM.parent.parent
CMAKE = str(pathlib.Path(sys.executable).parent / "cmake")
ARM = """schema: 1
model: {{urdf: {urdf}}}
logs: [{{file: log.npz}}]
"""


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.prefix = cls.folder / "prefix"
        cls.run_command(CMAKE, "--install", BUILD, "--prefix", cls.prefix)

    @classmethod
    def run_command(cls, *words, code=0):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("BAYESID_")}
        done = subprocess.run([str(word) for word in words], cwd=cls.folder, env=kept, capture_output=True, text=True)
        if done.returncode != code:
            raise AssertionError(f"{words} ended with {done.returncode}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        return done.stdout + done.stderr

    def test_a_project_outside_of_the_tree_compiles_against_it_and_runs(self):
        project = self.folder / "project"
        shutil.copytree(ROOT / "tests" / "package", project)
        shutil.copy(ROOT / "examples" / "01_pendulum.cpp", project)
        include = self.prefix / "include"
        headers = sorted(file.relative_to(include) for file in include.rglob("*.hpp"))
        self.assertGreater(len(headers), 20)
        # Whatever is installed finds all that it includes among what is installed.
        (project / "all_headers.cpp").write_text("".join(f"#include <{header}>\n" for header in headers))
        build = project / "build"
        self.run_command(CMAKE, "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                         "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_MAKE_PROGRAM={pathlib.Path(CMAKE).parent / 'ninja'}")
        self.run_command(CMAKE, "--build", build)
        self.assertIn("mass.rod", self.run_command(build / "pendulum"))

    def test_the_installed_program_runs_and_finds_its_own_log_readers(self):
        program = self.prefix / "bin" / "bayesid"
        self.assertIn("bayesid ", self.run_command(program, "--version"))
        arm = self.folder / "arm.yaml"
        arm.write_text(ARM.format(urdf=ROOT / "data" / "models" / "two_joint_arm.urdf"))
        time = numpy.arange(0, 2, 0.01)
        channels = {f"{kind}.{joint}": numpy.sin(3 * time) for kind in ("q", "tau") for joint in ("shoulder", "elbow")}
        numpy.savez(self.folder / "log.npz", time=time, **channels)
        self.assertIn("log.npz", self.run_command(program, "check", arm))
        readers = self.prefix / "share" / "bayesid" / "python" / "bayesid_logs"
        (readers / "__main__.py").write_text("raise SystemExit('these are the installed readers')\n")
        self.assertIn("these are the installed readers", self.run_command(program, "check", arm, code=2))


if __name__ == "__main__":
    unittest.main()
