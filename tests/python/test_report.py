# SPDX-License-Identifier: BSD-3-Clause
"""The files behind report.html, read by nothing but their description in docs/guide/results.md."""
import base64
import csv
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import zlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("BAYESID_PROGRAM", str(ROOT / "build" / "bin" / "bayesid"))


def run(*words, code=0):
    """Standard output, or standard error when the command is meant to fail."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr if code else done.stdout


def decoded(channel, samples, data):
    raw = zlib.decompress(data[channel["offset"]:channel["offset"] + channel["bytes"]])
    if channel.get("coding") == "float64":
        return np.frombuffer(raw, "<f8")
    both = np.frombuffer(raw, np.uint8).astype(np.int64)
    code = np.cumsum(both[:samples] + 256 * both[samples:]) % 65536
    value = channel["minimum"] + code / 65534 * (channel["maximum"] - channel["minimum"])
    return np.where(code == 65535, np.nan, value)


def channels_of(folder, document):
    """Of the first trajectory: values and half a step of each channel."""
    index = document["series"]
    data = (folder / "series.bin").read_bytes()
    assert hashlib.sha256(data).hexdigest() == index["sha256"] and len(data) == index["bytes"]
    one = index["trajectories"][0]
    out = {}
    for channel in one["channels"]:
        step = (channel.get("maximum", 0) - channel.get("minimum", 0)) / 65534 * channel.get("quantum", 1)
        out[channel["name"]] = decoded(channel, one["samples"], data), step / 2
    return out


def data_of(page):
    text = page.read_text()
    return json.loads(re.search(r'id="bayesid-data">(.*?)</script>', text, re.S)[1]), text


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.demo = cls.folder / "demo"
        run("demo", "--out", cls.demo, "--quiet")
        cls.document = json.loads((cls.demo / "result.json").read_text())

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_series_are_those_of_trajectory_csv(self):
        channels = channels_of(self.demo, self.document)
        with open(self.demo / "trajectory.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        compared = 0
        for name in rows[0]:
            if name == "time" or name.startswith("tau."):
                continue
            expected = np.array([float(row[name]) if row[name] else np.nan for row in rows])
            values, half = channels[name]
            self.assertTrue(np.array_equal(np.isnan(values), np.isnan(expected)), name)
            # Ten digits of the file beside half a step of the code.
            tolerance = half * 1.001 + 1e-9 * np.nanmax(np.abs(expected))
            self.assertLess(np.nanmax(np.abs(values - expected)), tolerance, name)
            compared += 1
        self.assertEqual(compared, 7 * 7)

    def test_efforts_are_those_of_the_log_and_of_the_prediction(self):
        channels = channels_of(self.demo, self.document)
        with open(self.demo / "log1.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        for joint, prediction in self.document["prediction"].items():
            measured, half = channels[f"tau.{joint}.measured"]
            logged = np.array([float(row[f"tau.{joint}"]) for row in rows])
            self.assertLess(np.nanmax(np.abs(measured - logged)), half * 1.001 + 1e-6)
            for which in ("nominal", "identified"):
                error = channels[f"tau.{joint}.{which}"][0] - measured
                self.assertAlmostEqual(np.sqrt(np.nanmean(error**2)), prediction[which], delta=1e-3)
            self.assertGreater(np.nanmin(channels[f"tau.{joint}.std"][0]), 0.0999)  # the sensor's alone

    def test_residuals_are_one_and_energy_closes(self):
        for one in self.document["residuals"]:
            # 2500 samples: 1.4 % by chance; four times that.
            self.assertAlmostEqual(one["rms"], 1, delta=0.06, msg=f"{one['sensor']} {one['channel']}")
            self.assertNotEqual(one["white"], False)
        for one in self.document["innovations"]:
            self.assertIn(one["sensor"], ("position", "velocity"))
            self.assertAlmostEqual(one["mean_square"], 1, delta=4 * (2 / one["samples"]) ** 0.5)
            self.assertEqual(one["white"], True)
        channels = channels_of(self.demo, self.document)
        balance = np.abs(channels["energy.balance"][0]).max()
        self.assertLess(balance, 0.02 * np.abs(channels["energy.supplied"][0]).max())

    def test_what_is_left_of_efforts_lies_within_its_band(self):
        channels = channels_of(self.demo, self.document)
        shares = []
        for joint in self.document["prediction"]:
            left = channels[f"tau.{joint}.measured"][0] - channels[f"tau.{joint}.identified"][0]
            shares.append(np.nanmean(np.abs(left) < 2 * channels[f"tau.{joint}.std"][0]))
            self.assertGreater(shares[-1], 0.87, joint)
        # Without errors of the smoothed motion 58 % of one joint.
        self.assertGreater(np.mean(shares), 0.93)
        self.assertLess(np.mean(shares), 0.98)

    def test_a_copied_robot_keeps_its_meshes(self):
        text = (self.demo / "robot.urdf").read_text()
        self.assertIn("package://", text)
        far = self.folder / "far"
        far.mkdir()
        for name in ("robot.urdf", "config.yaml", "log1.csv", "scene.json"):
            shutil.copy(self.demo / name, far)
        run("identify", far / "config.yaml", "--out", self.folder / "again", "--quiet")
        scene, first = (json.loads((at / "scene.json").read_text()) for at in (self.folder / "again", self.demo))
        self.assertEqual((scene["missing"], scene["meshes"]), ([], first["meshes"]))
        (far / "scene.json").unlink()
        run("identify", far / "config.yaml", "--out", self.folder / "without", "--quiet")
        self.assertNotEqual(json.loads((self.folder / "without" / "scene.json").read_text())["missing"], [])

    def test_scene_holds_the_robot(self):
        scene = json.loads((self.demo / "scene.json").read_text())
        self.assertEqual((scene["root"], scene["missing"]), ("panda_link0", []))
        self.assertLess((self.demo / "scene.json").stat().st_size, 3e6)
        for mesh in scene["meshes"]:
            vertices = np.frombuffer(base64.b64decode(mesh["vertices"]), "<f4").reshape(-1, 3)
            triangles = np.frombuffer(base64.b64decode(mesh["triangles"]), "<u4")
            self.assertLess(triangles.max(), len(vertices))
            self.assertLess(np.abs(vertices).max(), 1)  # metres: no link of the arm is longer

    def test_page_can_be_drawn_again(self):
        first, text = data_of(self.demo / "report.html")
        self.assertLess(len(text), 15e6)
        self.assertEqual(first["results"][0]["document"], self.document)
        run("report", self.demo, "--out", self.folder / "again.html")
        self.assertEqual((self.folder / "again.html").read_text(), text)
        run("report", self.demo, "--with", self.demo, "--out", self.folder / "both.html")
        both, _ = data_of(self.folder / "both.html")
        self.assertEqual((both["kind"], len(both["results"])), ("compare", 2))

    def test_terminal_shows_the_verdict(self):
        shown = run("report", self.demo, "--out", self.folder / "shown.html")
        for one in self.document["verdict"]:
            self.assertIn(one["text"], shown)

    def test_damaged_old_and_new_folders(self):
        damaged = self.folder / "damaged"
        shutil.copytree(self.demo, damaged)
        data = bytearray((damaged / "series.bin").read_bytes())
        data[1000] ^= 1
        (damaged / "series.bin").write_bytes(data)
        self.assertIn("series.bin: is damaged", run("report", damaged, code=2))
        old = {key: value for key, value in self.document.items()
               if key not in ("series", "model", "verdict", "residuals", "friction_curves", "provenance")}
        (damaged / "result.json").write_text(json.dumps(old))
        (damaged / "scene.json").unlink()
        run("report", damaged)
        self.assertIsNone(data_of(damaged / "report.html")[0]["results"][0]["series"])
        (damaged / "result.json").write_text(json.dumps(dict(old, schema=7)))
        self.assertIn("schema 7", run("report", damaged, code=2))
        self.assertIn("no such folder", run("report", self.folder / "nowhere", code=2))

    def test_hostile_names_stay_names(self):
        hostile = "</script><script>alert(1)</script>"
        folder = self.folder / "hostile"
        shutil.copytree(self.demo, folder)
        text = json.dumps(self.document).replace("panda_joint1", hostile)
        (folder / "result.json").write_text(text)
        run("report", folder)
        document, page = data_of(folder / "report.html")
        self.assertIn(hostile, document["results"][0]["document"]["prediction"])
        self.assertNotIn("alert(1)</script>", page)

    def test_validation_has_a_page(self):
        out = self.folder / "validation"
        shown = run("validate", self.demo / "config.yaml", "--model", self.demo, "--out", out)
        document = json.loads((out / "validation.json").read_text())
        self.assertIn("held-out", document["verdict"][-1]["text"] + shown)
        channels = channels_of(out, document)
        for j, joint in enumerate(document["joints"]):
            error = channels[f"tau.{joint}.identified"][0] - channels[f"tau.{joint}.measured"][0]
            self.assertAlmostEqual(np.sqrt(np.mean(error**2)), document["identified"]["rmse"][j], delta=1e-3)
        self.assertEqual(data_of(out / "report.html")[0]["kind"], "validate")


if __name__ == "__main__":
    unittest.main()
