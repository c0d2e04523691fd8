# SPDX-License-Identifier: BSD-3-Clause
"""One log in every format gives the same result, bit for bit; bad files get their sentence.

    BAYESID_PROGRAM=build/bin/bayesid .venv/bin/python -m unittest tests/python/test_formats.py
"""
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent))
from test_four_bar import HAS_YAML, NO_PROGRAM, PROGRAM, write_yaml  # noqa: E402

HAS_WRITERS = all(importlib.util.find_spec(name) for name in
                  ["h5py", "pyarrow", "scipy", "mcap_ros2", "rosbags", "pyulog"])
if HAS_WRITERS:
    import log_writers as w

URDF = """<robot name="arm"><link name="base"/>
{links}
<joint name="j1" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
  <limit lower="-3" upper="3" effort="100" velocity="10"/></joint>
<joint name="j2" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 -0.5"/><axis xyz="1 0 0"/>
  <limit lower="-3" upper="3" effort="100" velocity="10"/></joint>
</robot>""".format(links="\n".join(
    f"""<link name="{name}"><inertial><origin xyz="0.02 0.01 -0.2"/><mass value="{mass}"/>
    <inertia ixx="0.03" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.01"/></inertial></link>"""
    for name, mass in [("upper", 2), ("lower", 1)]))
JOINTS = ["j1", "j2"]
ROWS, STEP = 150, 4_000_000  # ns
START = 1_700_000_000_123_000_000


def motion():
    """Stamps in ns, and q, v, tau, T × 2 each."""
    stamps = START + STEP * np.arange(ROWS)
    t = (stamps - START) / 1e9
    rate, phase = np.array([5.0, 7.0]), np.array([0.3, 1.1])
    q = 0.6 * np.sin(rate * t[:, None] + phase)
    v = 0.6 * rate * np.cos(rate * t[:, None] + phase)
    tau = np.array([9.0, 3.0]) * np.sin(q) - 0.3 * rate**2 * q
    return stamps, q, v, tau


def decimal(stamps):
    """Seconds with all nanoseconds, as text."""
    return [f"{n // 10**9}.{n % 10**9:09d}" for n in map(int, stamps)]


def named(q, v, tau):
    return {f"{letter}.{joint}": np.ascontiguousarray(values[:, i])
            for letter, values in [("q", q), ("v", v), ("tau", tau)] for i, joint in enumerate(JOINTS)}


def joint_messages(stamps, q, v, tau):
    return [("/joint_states", n + 777, w.joint_state(n, JOINTS, q[k], v[k], tau[k])) for k, n in enumerate(stamps)]


@unittest.skipUnless(HAS_YAML and HAS_WRITERS, "requirements-dev.txt is not installed")
@unittest.skipUnless(PROGRAM, NO_PROGRAM)
class FormatCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "arm.urdf").write_text(URDF)
        self.stamps, self.q, self.v, self.tau = motion()
        self.seconds = np.array(decimal(self.stamps), dtype=float)

    def path(self, name):
        return self.folder / name

    def run_program(self, verb, log, *words, environment=None, **more):
        config = {"schema": 1, "model": {"urdf": "arm.urdf"}, "logs": [{"file": log, **more.pop("keys", {})}],
                  "measurements": {"position": 1e-4, "velocity": 1e-2, "effort": 0.1, **more}}
        write_yaml(self.path("arm.yaml"), config)
        return subprocess.run([PROGRAM, verb, "arm.yaml", *words], cwd=self.folder, capture_output=True, text=True,
                              env=environment)

    def result(self, log, **more):
        """result.json without times and names of files."""
        done = self.run_program("identify", log, "--out", f"{log}.out", "--threads", "1", **more)
        self.assertIn(done.returncode, (0, 1), f"{log}: {done.stderr}")
        found = json.loads((self.path(f"{log}.out") / "result.json").read_text().replace(log, "LOG"))
        found.pop("timing")
        found.pop("provenance")
        for iteration in found["history"]:
            iteration.pop("seconds", None)
        return found

    def error(self, log, verb="check", **more):
        done = self.run_program(verb, log, **more)
        self.assertEqual(done.returncode, 2, f"{log}: {done.stdout} {done.stderr}")
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr.strip()

    def warnings(self, log, **more):
        done = self.run_program("check", log, **more)
        self.assertIn(done.returncode, (0, 1), f"{log}: {done.stderr}")
        return done.stdout + done.stderr

    def table(self, time=None):
        return {"time": time if time is not None else self.seconds, **named(self.q, self.v, self.tau)}

    def arrays(self):
        return {"time": self.seconds, "q": self.q, "v": self.v, "tau": self.tau}


class SameResult(FormatCase):
    def test_every_format_gives_the_same_bits(self):
        messages = joint_messages(self.stamps, self.q, self.v, self.tau)
        order = {"keys": {"joint_order": JOINTS}}
        nanoseconds = {"keys": {"columns": {"time": {"source": "time", "scale": 1e-9}}}}
        ulog = {f"{letter}.{joint}": f"arm/{field}[{i}]" for field, letter in w.PARTS.items()
                for i, joint in enumerate(JOINTS)}
        w.write_csv(self.path("run.csv"), self.table(decimal(self.stamps)))
        w.write_csv(self.path("ns.csv"), self.table([str(n) for n in self.stamps]))
        w.write_npz(self.path("run.npz"), self.table())
        w.write_npz(self.path("ns.npz"), self.table(self.stamps))
        w.write_npz(self.path("date.npz"), self.table(self.stamps.view("M8[ns]")))
        digits = [str(n) for n in self.stamps]
        for unit, point in [("ms", -6), ("us", -3)]:
            table = self.table([f"{d[:point]}.{d[point:]}" for d in digits])
            w.write_csv(self.path(f"time_{unit}.csv"), {f"time_{unit}": table.pop("time"), **table})
        for name, write, stamps in [("time_ns.csv", w.write_csv, digits), ("time_ns.npz", w.write_npz, self.stamps),
                                    ("dates_ns.npz", w.write_npz, self.stamps.view("M8[ns]"))]:
            table = self.table(stamps)
            write(self.path(name), {"time_ns": table.pop("time"), **table})
        for name, write in [("a.npz", w.write_npz), ("a.h5", w.write_hdf5), ("a.parquet", w.write_parquet),
                            ("a.mat", w.write_mat), ("a73.mat", w.write_mat73)]:
            write(self.path(name), self.arrays())
        w.write_hdf5(self.path("run.hdf5"), {f"robot/{name}": values for name, values in self.table().items()})
        w.write_parquet(self.path("run.parquet"), self.table(self.stamps.view("M8[ns]")))
        w.write_mcap(self.path("run.mcap"), messages)
        w.write_bag(self.path("bag_db3"), messages)
        w.write_bag(self.path("bag_mcap"), messages, "mcap")
        w.write_ulog(self.path("run.ulg"), [("arm", 0, self.stamps // 1000, {
            "position": self.q, "velocity": self.v, "effort": self.tau})])

        expected = self.result("run.csv")
        self.assertEqual(expected["status"], "converged")
        mapped = {"keys": {"columns": {"time_ns": "time"}}}
        shutil.copy(self.path("ns.csv"), self.path("mapped.csv"))
        for log, more in {"ns.csv": nanoseconds, "mapped.csv": mapped, "time_ms.csv": {}, "time_us.csv": {},
                          "time_ns.csv": {}, "time_ns.npz": {}, "dates_ns.npz": {}, "run.npz": {}, "ns.npz": nanoseconds, "date.npz": {}, "a.npz": order,
                          "a.h5": order, "run.hdf5": {}, "run.parquet": {}, "a.parquet": order, "a.mat": order,
                          "a73.mat": order, "run.mcap": {}, "bag_db3": {}, "bag_mcap": {},
                          "run.ulg": {"keys": {"columns": ulog}}}.items():
            with self.subTest(log):
                self.assertEqual(self.result(log, **more), expected)

    def test_topics_with_their_own_rates_share_one_clock(self):
        """Joints at 250 Hz, a camera at 50 Hz between them; the twin has empty cells."""
        late = self.stamps[2::5] + 1_000_123
        poses = np.array([[0.1, 0.2, 0.3 + 0.001 * k, 0, 0, 0, 1] for k in range(len(late))])
        messages = joint_messages(self.stamps, self.q, self.v, self.tau)
        messages += [("/camera/upper", n, w.pose_stamped(n, poses[k])) for k, n in enumerate(late)]
        messages.sort(key=lambda message: message[1])
        w.write_mcap(self.path("run.mcap"), messages)

        union = np.union1d(self.stamps, late)
        def spread(stamps, values):
            out = np.full(len(union), np.nan)
            out[np.searchsorted(union, stamps)] = values
            return out
        twin = {"time": decimal(union)}
        twin |= {name: spread(self.stamps, values) for name, values in named(self.q, self.v, self.tau).items()}
        twin |= {f"pose.upper.{axis}": spread(late, poses[:, i])
                 for i, axis in enumerate(["px", "py", "pz", "qx", "qy", "qz", "qw"])}
        w.write_csv(self.path("run.csv"), twin)
        groups = {"arm/time": self.stamps, **{f"arm/{n}": a for n, a in named(self.q, self.v, self.tau).items()},
                  "camera/time": late}
        groups |= {f"camera/{name}": values[~np.isnan(values)] for name, values in twin.items() if "pose" in name}
        w.write_hdf5(self.path("groups.h5"), groups)
        pose = {"pose.upper": {"position": 1.0, "orientation": 1.0}}
        expected = self.result("run.csv", **pose)
        self.assertEqual(self.result("run.mcap", **pose), expected)
        nanoseconds = {"columns": {"time": {"source": "time", "scale": 1e-9}}}
        self.assertEqual(self.result("groups.h5", keys=nanoseconds, **pose), expected)
        groups = {name.replace("/time", "/time_ns"): values for name, values in groups.items()}
        w.write_hdf5(self.path("units.h5"), groups)
        self.assertEqual(self.result("units.h5", **pose), expected)
        w.write_hdf5(self.path("two.h5"), groups | {"arm/time": self.stamps})
        self.assertRegex(self.error("two.h5", **pose), "arm/time(_ns)? and arm/time(_ns)? are both the time of one group")

    def test_other_messages_become_channels(self):
        messages = []
        for k, n in enumerate(self.stamps):
            messages += [("/imu/data", n, w.imu(n, "wrist", [0, 0, 9.8], [0.1, 0, 0])),
                         ("/ft", n, w.wrench(n, "tool", [1, 2, 3], [4, 5, 6])),
                         ("/odom", n, w.odometry(n, "base", [0, 0, k, 0, 0, 0, 1])),
                         ("/joint_states", n, w.joint_state(n, JOINTS, self.q[k], self.v[k], self.tau[k]))]
        w.write_mcap(self.path("run.mcap"), messages)
        found = self.warnings("run.mcap", keys={"columns": {"q.j1": "/joint_states/position[0]"}})
        self.assertIn("pose.base is not fitted", found)
        self.assertNotIn("not a channel", found)

    def test_joints_of_two_publishers_share_a_topic(self):
        messages = []
        for k, n in enumerate(self.stamps):
            for i, joint in enumerate(JOINTS):
                messages.append(("/joint_states", n, w.joint_state(n, [joint], [self.q[k, i]], [self.v[k, i]],
                                                                   [self.tau[k, i]])))
        w.write_mcap(self.path("run.mcap"), messages)
        self.assertIn("150 samples", self.warnings("run.mcap"))


class BadFiles(FormatCase):
    """The numbers are those of the list of bad inputs."""

    def messages(self):
        return joint_messages(self.stamps, self.q, self.v, self.tau)

    def test_24_a_cut_mcap_is_used_as_far_as_it_goes(self):
        w.write_mcap(self.path("run.mcap"), self.messages())
        whole = self.path("run.mcap").read_bytes()
        self.path("run.mcap").write_bytes(whole[:len(whole) // 2])
        self.assertRegex(self.warnings("run.mcap"), r"is cut off or damaged; the \d\d messages before that are used")
        self.path("run.mcap").write_bytes(whole[:100])
        self.assertIn("no message could be recovered", self.error("run.mcap"))
        self.path("run.mcap").write_bytes(b"time,q.j1\n0,1\n")
        self.assertIn("run.mcap: is no MCAP file", self.error("run.mcap"))
        self.path("run.mcap").write_bytes(b"")
        self.assertIn("run.mcap: is empty", self.error("run.mcap"))

    def test_25_bags_without_metadata_or_with_a_damaged_data_base(self):
        w.write_bag(self.path("bag"), self.messages())
        base = next(self.path("bag").glob("*.db3"))
        metadata = self.path("bag/metadata.yaml").read_text()
        self.assertIn("samples", self.warnings(f"bag/{base.name}"))
        whole = base.read_bytes()
        base.write_bytes(whole[:4096] + bytes(len(whole) - 4096))
        self.assertRegex(self.error("bag"), "bag: is no good ROS 2 bag: .* malformed")
        base.write_bytes(whole)
        self.path("bag/metadata.yaml").write_text("a: [")
        self.assertIn("metadata.yaml is damaged", self.error("bag"))
        self.path("bag/metadata.yaml").unlink()
        self.assertIn("bag: has no metadata.yaml: make it with `ros2 bag reindex`", self.error("bag"))
        self.assertIn("has no metadata.yaml beside it", self.error(f"bag/{base.name}"))
        base.unlink()
        self.path("bag/metadata.yaml").write_text(metadata)
        self.assertIn(f"lists {base.name}, which is not there", self.error("bag"))
        self.path("bag/metadata.yaml").unlink()
        self.assertIn("is a folder, expected a log file or a ROS 2 bag", self.error("bag"))

    def test_26_types_that_are_not_read_are_named(self):
        fields = w.Fields(data=1.5)
        extra = [("/battery", n, ("std_msgs/msg/Float64", fields)) for n in self.stamps]
        w.write_bag(self.path("bag"), self.messages() + extra)
        self.assertIn("1 topic is of a type that is not read: /battery (std_msgs/msg/Float64)", self.warnings("bag"))
        w.write_bag(self.path("other"), extra)
        self.assertIn("no message of a type that is read", self.error("other"))

    def ulog(self, micros=None):
        fields = {"position": self.q, "velocity": self.v, "effort": self.tau}
        second = self.stamps // 1000 if micros is None else micros
        w.write_ulog(self.path("run.ulg"), [("arm", 0, self.stamps // 1000, fields), ("other", 1, second, fields)])

    def ulog_columns(self, topic="other_1"):
        columns = {f"{letter}.j1": f"arm/{field}[0]" for field, letter in w.PARTS.items()}
        return {"keys": {"columns": columns | {f"{letter}.j2": f"{topic}/{field}[1]"
                                               for field, letter in w.PARTS.items()}}}

    def test_27_ulog_files_that_are_damaged_or_use_two_clocks(self):
        self.ulog()
        self.assertIn("150 samples", self.warnings("run.ulg", **self.ulog_columns()))
        self.assertIn("did you mean other_1/", self.error("run.ulg", **self.ulog_columns("other_2")))
        self.assertIn("no column is a channel (time, arm/position[0]", self.error("run.ulg"))
        whole = self.path("run.ulg").read_bytes()
        self.path("run.ulg").write_bytes(whole[:15000] + bytes(500) + whole[15500:])
        self.assertIn("is damaged; the", self.warnings("run.ulg", **self.ulog_columns()))
        self.path("run.ulg").write_bytes(bytes(5000))
        self.assertIn("is no good ULog file", self.error("run.ulg"))
        self.path("run.ulg").write_bytes(whole[:300])
        self.assertIn("run.ulg: has no messages", self.error("run.ulg"))
        self.ulog(self.stamps // 1000 - 10**12)
        self.assertIn("do they use the same clock?", self.error("run.ulg", **self.ulog_columns()))
        self.ulog(np.r_[self.stamps[:50], self.stamps[:100]] // 1000)
        self.assertIn("time of other_1 goes back by 0.196 s at its row 51", self.error("run.ulg", **self.ulog_columns()))

    def test_28_topics_without_messages_and_efforts_that_are_all_zero(self):
        self.tau[:] = 0
        w.write_mcap(self.path("run.mcap"), self.messages())
        w.write_csv(self.path("run.csv"), self.table(decimal(self.stamps)))
        for log in ["run.mcap", "run.csv"]:
            self.assertIn(f"{log}: every effort (tau.*) is zero in every sample", self.error(log))
        columns = {"q.j1": "/states/position[0]"}
        self.assertIn("no column is named /states/position[0], which logs[].columns.q.j1 asks for, did you mean "
                      "/joint_states/position[0]?", self.error("run.mcap", keys={"columns": columns}))

    def test_29_arrays_that_are_empty_or_short(self):
        short = [("/joint_states", n, w.joint_state(n, JOINTS, self.q[k], self.v[k], self.tau[k][:1]))
                 for k, n in enumerate(self.stamps)]
        w.write_mcap(self.path("run.mcap"), short)
        self.assertIn("run.mcap: /joint_states: message 1 has 2 names but 1 in effort", self.error("run.mcap"))
        empty = [("/joint_states", n, w.joint_state(n, JOINTS, self.q[k])) for k, n in enumerate(self.stamps)]
        w.write_mcap(self.path("run.mcap"), empty)
        self.assertIn("tau.j1", self.error("run.mcap"))

    def test_30_a_column_of_nan_is_a_sensor_that_is_not_there(self):
        self.v[:, 1] = np.nan
        w.write_npz(self.path("run.npz"), self.table())
        w.write_mcap(self.path("run.mcap"), self.messages())
        self.assertIn("v.j2 has no value in any sample, taken as not measured", self.warnings("run.npz"))
        self.warnings("run.mcap")

    def test_31_single_bad_values_are_left_out_and_counted(self):
        self.v[7, 0], self.v[9, 0], self.v[20, 1] = np.inf, -np.inf, np.nan
        table = self.table(decimal(self.stamps)) | {"v.j2": [repr(float(x)) for x in self.v[:, 1]],
                                                    "v.j1": [repr(float(x)) for x in self.v[:, 0]]}
        w.write_csv(self.path("run.csv"), table)
        w.write_npz(self.path("run.npz"), self.table())
        w.write_mcap(self.path("run.mcap"), self.messages())
        for log, row in {"run.csv": 9, "run.npz": 8, "run.mcap": 8}.items():
            found = self.warnings(log)
            self.assertIn(f"{log}:{row}: 2 of 150 values of v.j1 are infinite", found)
            self.assertIn(f"{log}: 1 of 150 values of v.j2 are nan", found)
        self.v[30:60, 0] = np.inf
        w.write_npz(self.path("run.npz"), self.table())
        self.assertIn("run.npz:8: column v.j1 is infinite", self.error("run.npz"))

    def test_48_messages_without_stamps_use_the_time_of_recording(self):
        messages = [("/joint_states", n, w.joint_state(0, JOINTS, self.q[k], self.v[k], self.tau[k]))
                    for k, n in enumerate(self.stamps)]
        w.write_mcap(self.path("run.mcap"), messages)
        self.assertIn("150 of 150 messages of /joint_states have no stamp; the time of recording", self.warnings("run.mcap"))

    def test_59_logs_that_cannot_fit_are_refused_before_they_are_read(self):
        with open(self.path("run.csv"), "w") as stream:
            stream.write("time,q.j1,q.j2\n0,1,2\n")
            stream.truncate(10**13)  # no block of the disk is used
        self.assertRegex(self.error("run.csv"), r"about .* rows of 3 columns need 1e\+04 GB of memory, .* GB are free")
        import h5py
        with h5py.File(self.path("run.h5"), "w") as stream:
            for name in self.table():
                stream.create_dataset(name, (10**12,), "f8", chunks=(10**6,))
        self.assertRegex(self.error("run.h5"), r"about 1e\+12 rows of 7 columns need 1.68e\+05 GB of memory")

    def test_61_objects_are_not_unpickled_and_turned_arrays_are_turned_back(self):
        marker = self.path("unpickled")
        class Bomb:
            def __reduce__(self):
                return pathlib.Path.touch, (marker,)
        w.write_npz(self.path("run.npz"), self.table() | {"about": np.array([Bomb()], dtype=object)})
        self.assertIn("run.npz: about is an array of Python objects, which is not unpickled", self.error("run.npz"))
        self.assertFalse(marker.exists())
        order = {"keys": {"joint_order": JOINTS}}
        w.write_npz(self.path("run.npz"), self.arrays())
        straight = self.result("run.npz", **order)
        w.write_npz(self.path("run.npz"), self.arrays() | {"q": self.q.T})
        turned = self.run_program("identify", "run.npz", "--out", "turned", "--threads", "1", **order)
        self.assertIn("q is 2 × 150, one row for each joint; it was turned", turned.stdout + turned.stderr)
        found = json.loads(self.path("turned/result.json").read_text())
        self.assertEqual(found["parameters"], straight["parameters"])
        square = {name: values[:2] for name, values in self.arrays().items()}
        w.write_npz(self.path("run.npz"), square)
        self.assertIn("q is 2 × 2: which axis is time?", self.error("run.npz", **order))
        w.write_npz(self.path("run.npz"), self.arrays() | {"q": self.q[:90]})
        self.assertIn("q[0] has 90 rows but time has 150", self.error("run.npz", **order))
        self.path("run.npz").write_bytes(self.path("run.npz").read_bytes()[:500])
        self.assertIn("is no good NumPy archive", self.error("run.npz"))

    def test_62_matlab_files_of_both_kinds(self):
        for write in [w.write_mat, w.write_mat73]:
            write(self.path("run.mat"), self.arrays())
            self.assertIn("150 samples", self.warnings("run.mat", keys={"joint_order": JOINTS}))
            self.path("run.mat").write_bytes(self.path("run.mat").read_bytes()[:700])
            self.assertRegex(self.error("run.mat"), "is no good (MATLAB|HDF5) file")

    def test_damaged_tables_and_missing_readers(self):
        for name in ["run.h5", "run.parquet"]:
            self.path(name).write_bytes(b"no such thing")
            self.assertIn(f"{name}: is no good", self.error(name))
        w.write_npz(self.path("run.npz"), self.table())
        self.assertIn("cannot start /none to read it", self.error("run.npz", environment={"BAYESID_PYTHON": "/none"}))
        self.assertIn("No module named", self.error("run.npz", environment={"BAYESID_PYTHONPATH": str(self.folder)}))


if __name__ == "__main__":
    unittest.main()
