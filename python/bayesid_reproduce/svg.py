# SPDX-License-Identifier: BSD-3-Clause
"""Line plots in one self-contained SVG."""
import html
import math

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")  # distinguishable without colour vision
DASHES = ("", "6 3", "2 2", "8 3 2 3")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 300, 210, 58, 10, 26, 36


class Panel:
    """Lines over one pair of axes."""

    def __init__(self, title, x="", y="", logarithmic=False):
        self.title, self.x, self.y, self.logarithmic, self.lines = title, x, y, logarithmic, []

    def line(self, name, xs, ys):
        points = [(x, y) for x, y in zip(xs, ys) if math.isfinite(x) and math.isfinite(y) and (y > 0 or not self.logarithmic)]
        self.lines.append((name, points))
        return self

    def place(self, y):
        return math.log10(y) if self.logarithmic else y

    def ranges(self):
        xs = [x for _, points in self.lines for x, _ in points] or [0, 1]
        ys = [self.place(y) for _, points in self.lines for _, y in points] or [0, 1]

        def wide(low, high, part):
            margin = part * (high - low) or 0.5
            return low - margin, high + margin

        return wide(min(xs), max(xs), 0), wide(min(ys), max(ys), 0.05)


def ticks(low, high, count=4):
    step = 10 ** math.floor(math.log10((high - low) / count))
    step = next(step * factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= count)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def text(x, y, words, anchor="middle", size=11, turned=False):
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{turn}>{html.escape(str(words))}</text>'


def draw_panel(panel, left, top, colour_of):
    (x_low, x_high), (y_low, y_high) = panel.ranges()
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(x, y):
        return left + LEFT + (x - x_low) / (x_high - x_low) * wide, top + TOP + (y_high - y) / (y_high - y_low) * high

    out = [f'<rect x="{left + LEFT}" y="{top + TOP}" width="{wide}" height="{high}" fill="none" stroke="#888"/>',
           text(left + LEFT + wide / 2, top + 16, panel.title, size=12), text(left + LEFT + wide / 2, top + HEIGHT - 4, panel.x),
           text(left + 12, top + TOP + high / 2, panel.y, turned=True)]
    for value in ticks(x_low, x_high):
        x, y = at(value, y_low)
        out += [f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{y + 4:.1f}" stroke="#888"/>', text(x, y + 15, f"{value:g}", size=10)]
    marks = [t for t in ticks(y_low, y_high) if not panel.logarithmic or abs(t - round(t)) < 1e-9]
    for value in marks or ticks(y_low, y_high):
        x, y = at(x_low, value)
        label = f"{10 ** value:.3g}" if panel.logarithmic else f"{value:.4g}"
        out += [f'<line x1="{x - 4:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{y:.1f}" stroke="#888"/>', text(x - 6, y + 4, label, "end", 10)]
    for name, points in panel.lines:
        colour, dash = colour_of[name]
        places = " ".join("{:.1f},{:.1f}".format(*at(x, panel.place(y))) for x, y in points)
        out.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.6" stroke-dasharray="{dash}"/>')
    return out


def draw(panels, columns):
    """Panels row by row, one legend for all: the text of an SVG file."""
    names = list(dict.fromkeys(name for panel in panels for name, _ in panel.lines))
    colour_of = {name: (COLOURS[i % len(COLOURS)], DASHES[i % len(DASHES)]) for i, name in enumerate(names)}
    rows = -(-len(panels) // columns)
    width, height = columns * WIDTH, rows * HEIGHT + 26
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           'font-family="sans-serif">', '<rect width="100%" height="100%" fill="white"/>']
    for i, panel in enumerate(panels):
        out += draw_panel(panel, i % columns * WIDTH, i // columns * HEIGHT, colour_of)
    x = 10
    for name in names:
        colour, dash = colour_of[name]
        out += [f'<line x1="{x}" y1="{height - 12}" x2="{x + 24}" y2="{height - 12}" stroke="{colour}" stroke-width="2" '
                f'stroke-dasharray="{dash}"/>', text(x + 29, height - 8, name, "start")]
        x += 45 + 7 * len(name)
    return "\n".join([*out, "</svg>", ""])
