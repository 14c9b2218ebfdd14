# SPDX-License-Identifier: GPL-2.0-or-later
"""The data of a figure: a CSV file, which is all that the drawing reads.

    panel,series,x,y,y_high,source,note

source: "measured" (in the test machine), "simulated" (by tgsim), "paper" (its text says so: y to y_high, and the
words in note), "computed" (from what was measured). A statement of the paper without a
number has neither y nor y_high: it is listed and not drawn.
"""
import csv
import dataclasses

COLUMNS = ["panel", "series", "x", "y", "y_high", "source", "note"]
SOURCES = ("measured", "simulated", "paper", "computed")


class Bad(Exception):
    """A measurement that cannot be drawn, and why."""


@dataclasses.dataclass
class Row:
    panel: str
    series: str
    x: object
    y: float = None
    y_high: float = None
    source: str = "measured"
    note: str = ""


def text_of(value):
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as out:
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(COLUMNS)
        lines.writerows([text_of(getattr(row, name)) for name in COLUMNS] for row in rows)


def number(where, name, text):
    if text == "":
        return None
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if value - value != 0:
        raise Bad(f"{where}: {name} is '{text}', which is no number")
    return value


def parse(where, words, panels):
    if len(words) != len(COLUMNS):
        raise Bad(f"{where}: {len(words)} fields, not {len(COLUMNS)}")
    row = Row(*words)
    if row.panel not in panels:
        raise Bad(f"{where}: the figure has no panel '{row.panel}'")
    if row.source not in SOURCES:
        raise Bad(f"{where}: source is '{row.source}', not one of {', '.join(SOURCES)}")
    row.y, row.y_high = number(where, "y", row.y), number(where, "y_high", row.y_high)
    if panels[row.panel].numeric:
        row.x = number(where, "x", row.x)
    if row.x in (None, ""):
        raise Bad(f"{where}: no x")
    if row.y is None and row.source != "paper":
        raise Bad(f"{where}: no y, and only the paper may say something without a number")
    if row.y_high is not None and (row.y is None or row.y_high < row.y):
        raise Bad(f"{where}: y_high is below y")
    return row


def read(path, panels):
    """The rows of a figure with these panels, each of which has a measured one."""
    try:
        lines = list(csv.reader(path.read_text().splitlines()))
    except OSError as e:
        raise Bad(f"{path}: {e.strerror}: this figure was not measured yet") from e
    if not lines or lines[0] != COLUMNS:
        raise Bad(f"{path}:1: the columns are not {','.join(COLUMNS)}")
    rows = [parse(f"{path}:{i}", words, panels) for i, words in enumerate(lines[1:], 2)]
    for name in panels:
        if not any(row.panel == name and row.source != "paper" for row in rows):
            raise Bad(f"{path}: nothing was measured for the panel '{name}'")
    return rows
