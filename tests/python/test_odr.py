# SPDX-License-Identifier: BSD-3-Clause
"""tools/odr.py finds names that a program defines twice, and no others."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import odr  # noqa: E402


def clashes(one, other):
    files = {"src/a/one.hpp": one, "src/b/other.cpp": other}
    found = [definition for file, text in files.items() for definition in odr.definitions(file, f"namespace bayesid {{\n{text}\n}}\n")]
    return sorted(odr.clashes(found))


class OneDefinition(unittest.TestCase):
    def test_two_definitions_of_one_name_are_found(self):
        for one, other, name in (
                ("inline std::string number_text(double value) { return {}; }", "std::string number_text(double v) { return \"}\"; }",
                 "bayesid::number_text(double)"),
                ("enum class Projection { dynamic, none };", "struct Projection {\n  bool solved = false;\n};", "bayesid::Projection"),
                ("struct A { int a; };", "class A final : public B { double a; };", "bayesid::A"),
                ("template <typename T = std::vector<int>>\nT f(const T& a, int b = g(1)) { return a; }", "template <class T>\nT f(const T& x, int) { return x; }",
                 "bayesid::f(constT&, int)"),
                ("int count = 1;", "int count{2};", "bayesid::count"),
                ("bool operator==(const A& a, const A& b) { return true; }", "bool operator==(const A& x, const A& y) { return false; }",
                 "bayesid::operator==(constA&, constA&)"),
                ("int A::size() const { return 1; }", "int A::size() const { return 2; }", "bayesid::A::size() const"),
                ("namespace app {\nvoid run() {}\n}", "void unused();\nnamespace app {\nvoid run() {}\n}", "bayesid::app::run()")):
            self.assertEqual(clashes(one, other), [name])

    def test_definitions_that_do_not_meet_are_none(self):
        for one, other in (
                ("namespace {\nvoid f() {}\nstruct A {};\n}", "namespace {\nvoid f() {}\nstruct A {};\n}"),
                ("static void f() {}", "static void f() {}"),
                ("void f(int a) {}", "void f(double a) {}"),
                ("void A::f() const {}", "void A::f() {}"),
                ("struct A;\nvoid f();", "struct A {};\nvoid f() {}"),
                ("constexpr int size = 1;", "const int size = 2;"),
                ("namespace fs = std::filesystem;\nusing T = int;", "namespace fs = std::filesystem;\nusing T = int;"),
                ("// void f() {}\nconst char* text() { return \"void f() {}\"; }", "void f() {}"),
                ("namespace a {\nvoid f() {}\n}", "namespace b {\nvoid f() {}\n}"),
                ("struct A {\n  void f() {}\n};", "struct B {\n  void f() {}\n};")):
            self.assertEqual(clashes(one, other), [])

    def test_this_project_defines_each_name_once(self):
        self.assertEqual(odr.main(), 0)


if __name__ == "__main__":
    unittest.main()
