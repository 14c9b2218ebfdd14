# SPDX-License-Identifier: GPL-2.0-or-later
"""The numbers of a figure as text: its bars, and the paper's statements beside ours."""


def value(y):
    return f"{round(y, 1) + 0.0:.1f}"  # no minus before a zero


def said(row):
    """A statement's number or range."""
    if row.y is None:
        return "in words only"
    if row.y_high is None or row.y_high == row.y:
        return f"{row.y:g}"
    return f"{row.y:g} to {row.y_high:g}"


def ours(rows, statement):
    """What we have to say of a statement, by series."""
    return [f"{row.series} {value(row.y)}" for row in rows if row.panel == statement.panel
            and row.x == statement.x and row.source != "paper"]


def bars(panel, rows):
    names = list(dict.fromkeys(row.series for row in rows))
    at = {(row.series, row.x): value(row.y) for row in rows}
    yield f"  {panel.title}; {panel.y}"
    for x in dict.fromkeys(row.x for row in rows):
        yield f"    {x}: " + "; ".join(f"{name} {at[name, x]}" for name in names if (name, x) in at)


def ranges(rows):
    for row in rows:
        if row.source == "paper":
            yield f"  {row.x}: paper {said(row)}"
            values = ours(rows, row)
            if values:
                yield "    ours: " + "; ".join(values)


def lines(name, figure, rows):
    yield f"{name}: {figure.about}"
    for key, panel in figure.panels.items():
        mine = [row for row in rows if row.panel == key]
        if panel.kind == "bars":
            yield from bars(panel, [row for row in mine if row.y is not None])
        elif panel.kind == "ranges":
            yield from ranges(mine)
