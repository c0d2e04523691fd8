# SPDX-License-Identifier: BSD-3-Clause
"""The evidence finds the true model of friction: the short form of docs/studies/evidence.md."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "studies"))
import evidence  # noqa: E402

PROGRAM = os.environ.get("BAYESID_PROGRAM", str(evidence.gaits.ROOT / "build" / "bin" / "bayesid"))


class Evidence(unittest.TestCase):
    def test_stiction_is_found_where_it_is_and_not_where_it_is_not(self):
        for on in (True, False):
            for seed in (1, 2):
                with tempfile.TemporaryDirectory() as folder:
                    found = evidence.compare(PROGRAM, folder, evidence.config(on, False), seed, "stiction")
                self.assertEqual(found["difference"] > 0, on, found)
                self.assertEqual(found["verdict"].endswith("not supported"), not on, found)

    def test_settings_of_a_group_do_not_stop_the_model_without_it(self):
        config = evidence.config(True, False)
        config["simulation"]["duration"] = 2
        config["constraints"] = {"bounds": {"friction.joint1.stiction": [0, 5]}}
        config["parameters"]["frozen"] = ["friction.joint2.stribeck1"]
        with tempfile.TemporaryDirectory() as folder:
            found = evidence.compare(PROGRAM, folder, config, 1, "stiction")
        self.assertGreater(found["with"]["parameters"], found["without"]["parameters"])

    def test_an_unknown_group_lists_the_known_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.yaml"
            path.write_text("schema: 1\nmodel: {urdf: " + evidence.config(True, False)["model"]["urdf"] + "}\n")
            done = subprocess.run([PROGRAM, "compare", str(path), "--groups", "stictoin"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn('did you mean stiction?', done.stderr)


if __name__ == "__main__":
    unittest.main()
