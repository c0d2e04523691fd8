# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of tests/golden of problems that stand beside the project; skipped where they are absent."""
import unittest

from test_golden import GOLDEN, compared, golden


class GoldenShared(unittest.TestCase):
    def test_numbers_are_those_that_were_kept(self):
        names = {name: case["shared"] for name, case in golden.cases(GOLDEN).items() if "shared" in case}
        self.assertGreater(len(names), 0)
        for name, file in names.items():
            if not (golden.SHARED / file).exists():
                self.skipTest(f"{file} is absent")
            code, table = compared(GOLDEN, "--only", name)
            print(table, flush=True)
            self.assertEqual(code, 0, table)


if __name__ == "__main__":
    unittest.main()
