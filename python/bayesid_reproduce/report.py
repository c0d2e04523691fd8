# SPDX-License-Identifier: BSD-3-Clause
"""What an experiment gives: tables, plots and words, as text, Markdown, CSV, SVG and JSON."""
import csv
import io
import json

from bayesid_reproduce import svg


class Table:
    def __init__(self, title, columns, rows):
        self.title, self.columns, self.rows = title, columns, [[str(cell) for cell in row] for row in rows]

    def markdown(self):
        lines = [f"**{self.title}**", "", "| " + " | ".join(self.columns) + " |", "|" + "---|" * len(self.columns)]
        return lines + ["| " + " | ".join(row) + " |" for row in self.rows]

    def text(self):
        widths = [max(len(row[i]) for row in [self.columns, *self.rows]) for i in range(len(self.columns))]
        lines = [" ".join([row[0].ljust(widths[0]), *(cell.rjust(wide) for cell, wide in zip(row[1:], widths[1:]))])
                 for row in [self.columns, *self.rows]]
        return [self.title, *("  " + line for line in lines)]

    def csv(self):
        out = io.StringIO()
        csv.writer(out).writerows([self.columns, *self.rows])
        return out.getvalue()


class Report:
    """`notes`: what is compared, and where the result differs from the paper; `data`: numbers for programs."""

    def __init__(self, title, about, tables, figures=None, notes=(), data=None):
        self.title, self.about, self.tables, self.notes = title, list(about), tables, list(notes)
        self.figures = figures or {}  # name: (panels, columns)
        self.data = data or {}

    def markdown(self):
        parts = [self.about, *(table.markdown() for table in self.tables), self.notes]
        return "\n".join("\n".join(part) + "\n" for part in parts if part)

    def text(self):
        return "\n".join("\n".join(part) + "\n" for part in [[self.title], *(table.text() for table in self.tables), self.notes] if part)

    def files(self, name):
        """Of the output folder."""
        out = {f"{name}.md": f"# {self.title}\n\n{self.markdown()}", f"{name}.json": json.dumps(self.data, indent=1) + "\n"}
        for i, table in enumerate(self.tables):
            out[f"{name}{'' if i == 0 else '-' + str(i + 1)}.csv"] = table.csv()
        for figure, (panels, columns) in self.figures.items():
            out[f"{figure}.svg"] = svg.draw(panels, columns)
        return out
