#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Names of a program that are defined twice: the linker keeps one of two inline functions, or one of two layouts of a type, and says nothing.

    python tools/odr.py

A definition in an anonymous namespace, or of a static function, belongs to its file. Every other type, function and variable at the level of a
namespace is defined in one file of the library with its program, or of the library with one folder of tests, benchmarks or studies.
Works on the text: code of conditional compilation and what macros make is taken as it stands.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARY = ("include/", "src/")
NOISE = re.compile(r'R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
DIGIT_SEPARATOR = re.compile(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])")
ATTRIBUTE = re.compile(r"\[\[.*?\]\]", re.S)
TYPE = re.compile(r"^(?:template\s*<\s*>\s*)?(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?P<name>[\w:]+(?:\s*<[^;{]*>)?)", re.S)
NAMESPACE = re.compile(r"^(?:inline\s+)?namespace\b\s*(?P<name>[\w:]*)")
FUNCTION = re.compile(r"(?P<name>(?:[\w~]+(?:<[^()]*>)?::)*(?:operator\s*(?:\(\)|\[\]|[^\s\w(]+|\w+)|~?\w+))\s*\((?P<parameters>.*)\)", re.S)
VARIABLE = re.compile(r"(?P<name>\w+)\s*(?:\[[^\]]*\]\s*)*(?:=|\{)")
Definition = collections.namedtuple("Definition", "kind name file line")


def blank(match):
    """As many lines, no text; literals stay literals."""
    text = match.group(0)
    return ('""' if text[0] in "\"'R" else " ") + "\n" * text.count("\n")


def split(parameters):
    """At the commas between parameters."""
    out, depth, one = [], 0, ""
    for character in parameters:
        depth += character in "<([{"
        depth -= character in ">)]}"
        if character == "," and depth == 0:
            out.append(one)
            one = ""
        else:
            one += character
    return [*out, one] if one.strip() else out


def types_of(parameters):
    """Types of parameters, as they are spelt, without names and defaults."""
    out = []
    for one in split(parameters):
        one = " ".join(one.split("=")[0].split())
        named = re.match(r"(.*[\w>&*\])] ?[&* ]+)(\w+)$", one)
        has_name = named and named.group(2) not in ("int", "double", "float", "char", "bool", "long", "unsigned", "const", "short")
        out.append((named.group(1) if has_name else one).replace(" ", ""))
    return ", ".join(out)


def closing(text, start):
    """Behind the brace that closes the one at `start`."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match.group(0) == "{" else -1
        if depth == 0:
            return match.end()
    return len(text)


def without_template(statement):
    """Behind `template <…>`."""
    if not re.match(r"template\s*<(?!\s*>)", statement):
        return statement
    depth = 0
    for i, character in enumerate(statement):
        depth += (character == "<") - (character == ">" and statement[i - 1] != "-")
        if character == ">" and depth == 0:
            return statement[i + 1:].strip()
    return statement


def declarator(statement):
    """Name and parameters of a function: its first brackets, not those of initialisers."""
    opened = re.search(r"(?:operator\s*\(\s*\)|operator\s*\[\]|[\w>=*/+\-!<&|^~])\s*\(", statement)
    if not opened:
        return None
    start, depth = opened.end() - 1, 0
    for i in range(start, len(statement)):
        depth += (statement[i] == "(") - (statement[i] == ")")
        if depth == 0:
            return FUNCTION.search(statement[:i + 1])
    return None


def definition_of(statement, has_body):
    """Kind and name of what a statement at the level of a namespace defines; None when it has no definition that others can see."""
    statement = without_template(ATTRIBUTE.sub(" ", statement).strip())
    if not statement or re.match(r"(using|typedef|extern|friend|static_assert|static|namespace)\b", statement):
        return None
    found = TYPE.match(statement)
    if found and "(" not in statement.split("{")[0]:
        return ("type", re.sub(r"\s+", "", found.group("name"))) if has_body else None
    assigned = re.search(r"(?<![=!<>+\-*/&|^])=(?!=)", statement)
    bracket = statement.find("(")
    is_variable = assigned and (bracket < 0 or assigned.start() < bracket) and "operator" not in statement
    if is_variable or bracket < 0:
        name = VARIABLE.search(statement + ("{" if has_body else ""))
        is_internal = re.search(r"\b(const|constexpr)\b", statement[:name.start()]) and not re.search(r"\binline\b", statement) if name else True
        return None if is_internal else ("variable", name.group("name"))
    if not has_body:
        return None
    call = declarator(statement)
    if not call:
        return None
    const = " const" if re.match(r"\s*const\b", statement[call.end():]) else ""
    return "function", f"{call.group('name')}({types_of(call.group('parameters'))}){const}"


def definitions(file, text):
    """What a file defines for others."""
    text = DIGIT_SEPARATOR.sub("", text)
    text = NOISE.sub(blank, text)
    out, scopes, position, start = [], [], 0, 0
    mark = re.compile(r"[;{}]")
    while match := mark.search(text, position):
        statement, symbol = text[start:match.start()], match.group(0)
        first = start + len(statement) - len(statement.lstrip())
        position = match.end()
        if symbol == "}":
            if scopes:
                scopes.pop()
        elif symbol == "{" and (found := NAMESPACE.match(statement.strip())):
            scopes.append(found.group("name"))
            start = position
            continue
        else:
            has_body = symbol == "{"
            defined = definition_of(statement, has_body)
            if has_body:
                position = closing(text, match.start())
            if defined and "" not in scopes:
                kind, name = defined
                out.append(Definition(kind, "::".join([*scopes, name]), file, text.count("\n", 0, first) + 1))
        start = position
    return out


def clashes(files):
    """Names that several files of one program define."""
    where = collections.defaultdict(list)
    for one in files:
        where[one.name].append(one)
    return {name: found for name, found in where.items() if len({one.file for one in found}) > 1}


def programs(by_file):
    """Sets of definitions that are linked together, by a name for each."""
    def below(*folders):
        return [one for file, found in by_file.items() if file.startswith(folders) for one in found]

    folders = sorted({"/".join(file.split("/")[:2]) + "/" for file in by_file if file.startswith("tests/") and file.count("/") > 1})
    out = {"bayesid": below(*LIBRARY, "app/")}
    for folder in folders:
        if folder != "tests/support/":
            out[folder] = below(*LIBRARY, "tests/support/", folder)
    for folder in ("bench/", "studies/", "examples/"):
        for file in by_file:
            if file.startswith(folder) and file.endswith(".cpp"):
                out[file] = below(*LIBRARY, "tests/support/", file)
    return out


def problems(files):
    """A sentence for each name that is defined twice."""
    by_file = {file: definitions(file, (ROOT / file).read_text()) for file in files}
    out = {}
    for found in programs(by_file).values():
        for name, places in clashes(found).items():
            where = ", ".join(sorted({f"{one.file}:{one.line}" for one in places}))
            out[where] = f"{where}: {places[0].kind} {name} is defined in several files"
    return sorted(out.values())


def main():
    files = subprocess.run(["git", "ls-files", "*.cpp", "*.hpp"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    found = problems([file for file in files if (ROOT / file).exists()])
    print("\n".join(found) if found else f"odr: {len(files)} files define each name once")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
