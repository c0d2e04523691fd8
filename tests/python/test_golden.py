# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of tests/golden, which a change that is not meant to change them leaves as they are."""
import contextlib
import io
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests" / "golden"
sys.path.insert(0, str(ROOT / "tools"))
import golden  # noqa: E402

PROGRAM = os.environ.get("BAYESID_PROGRAM", str(ROOT / "build" / "bin" / "bayesid"))


def compared(folder, *words):
    """Exit code and the table."""
    table = io.StringIO()
    with contextlib.redirect_stdout(table):
        code = golden.main(["compare", PROGRAM, str(folder), *words])
    return code, table.getvalue()


class Golden(unittest.TestCase):
    def test_numbers_are_those_that_were_kept(self):
        code, table = compared(GOLDEN)
        print(table, flush=True)
        self.assertEqual(code, 0, table)

    def test_every_case_has_its_numbers(self):
        cases, numbers = ({file.stem for file in GOLDEN.glob(f"*.{kind}")} for kind in ("yaml", "json"))
        self.assertEqual(cases, numbers)

    def test_a_changed_number_is_found(self):
        """One number each, off by twice what is allowed."""
        kept = json.loads((GOLDEN / "forward.json").read_text())
        name, (value, std) = next(iter(kept["parameters"].items()))

        def with_value(new):
            return kept | {"parameters": kept["parameters"] | {name: new}}

        changes = {
            "cost.total differs": kept | {"cost": kept["cost"] | {"total": kept["cost"]["total"] * (1 + 2e-10)}},
            f"parameters.{name} differs": with_value([value + 2e-7 * std, std]),
            f"parameters.{name}.std differs": with_value([value, std * (1 + 2e-7)]),
            "iterations is": kept | {"iterations": kept["iterations"] + 1},
            "status is": kept | {"status": "stalled"},
            "parameters.other is missing": kept | {"parameters": kept["parameters"] | {"other": [1.0, 1.0]}}}
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            shutil.copy(GOLDEN / "forward.yaml", folder)
            for sentence, numbers in changes.items():
                (folder / "forward.json").write_text(golden.text_of(numbers))
                code, table = compared(folder, "--only", "forward")
                self.assertEqual(code, 1, sentence)
                self.assertIn(sentence, table)


if __name__ == "__main__":
    unittest.main()
