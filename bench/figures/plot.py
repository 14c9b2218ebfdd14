# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws a figure's rows with gnuplot, as SVG and PNG."""
import dataclasses
import shutil
import subprocess

from sheet import Bad

WIDTH, HEIGHT, COLUMNS = 620, 380, 2
LABELS = 70  # letters that fit below a panel
FONT = "DejaVu Sans,10"
COLOURS = ["#888888", "#1b6ca8", "#e08214", "#2d8a4e", "#b2182b", "#7b5ea7", "#17a2a2", "#5d4037"]
TERMINALS = {"svg": f'svg noenhanced background "white" font "{FONT}"',
             "png": f'pngcairo noenhanced background "white" font "{FONT}"'}


@dataclasses.dataclass
class Panel:
    """kind: "bars" over names; "lines" or "points" over numbers; "ranges", in which a line
    is a statement of the paper, as a range, with our points on it."""
    title: str
    kind: str
    x: str = ""
    y: str = ""
    log: bool = False

    @property
    def numeric(self):
        return self.kind in ("lines", "points")


def quote(text):
    """For gnuplot: in single quotes nothing but they themselves is special."""
    return "'" + str(text).replace("'", "''").replace("\n", " ") + "'"


def ticks(at):
    """Labels at numbers; each is a format, too."""
    return ", ".join(f"{quote(str(label).replace('%', '%%'))} {i}" for label, i in at.items())


def series_of(rows):
    """The rows of each series, in the order in which they come."""
    found = {}
    for row in rows:
        found.setdefault(row.series, []).append(row)
    return found


def block(name, lines):
    return [f"${name} << EOD", *lines, "EOD"]


def colours_of(rows):
    """Of each series, the same in all panels; the paper has its own."""
    names = dict.fromkeys(row.series for row in rows if row.series != "paper")
    return {name: f"linecolor rgb '{COLOURS[i % len(COLOURS)]}'" for i, name in enumerate(names)}


def bars(panel, rows, colours):
    series, xs = series_of(rows), list(dict.fromkeys(row.x for row in rows))
    at = {(row.series, row.x): row.y for row in rows}
    # Nothing measured is a gap, which gnuplot reads as NaN.
    table = [" ".join([str(i)] + [f"{at.get((name, x), float('nan')):.6g}" for name in series])
             for i, x in enumerate(xs)]
    width = 0.8 / len(series)
    slant = " rotate by 20 right" if sum(map(len, map(str, xs))) > LABELS else ""
    draw = [f"$data using ($1 + {(i - (len(series) - 1) / 2) * width:.4f}):{i + 2} with boxes "
            f"fill solid 0.85 noborder {colours[name]} title {quote(name)}"
            for i, name in enumerate(series)]
    return block("data", table) + [
        f"set boxwidth {0.9 * width:.4f} absolute",
        f"set xtics{slant} ({ticks({x: i for i, x in enumerate(xs)})})",
        f"set xrange [-0.6:{len(xs) - 0.4:.1f}]",
        "set yrange [*:*]" if panel.log else "set yrange [*<0:*]",
        "plot " + ", ".join(draw)]


def curves(panel, rows, colours):
    lines, draw = [], []
    for i, (name, mine) in enumerate(series_of(rows).items()):
        lines += block(f"data{i}", [f"{row.x:.6g} {row.y:.6g}" for row in mine])
        style = "lines linewidth 1.6" if panel.kind == "lines" else "points pointtype 7 pointsize 0.25"
        dash = " dashtype 2" if panel.kind == "lines" and mine[0].source != "measured" else ""
        draw.append(f"$data{i} using 1:2 with {style}{dash} {colours[name]} title {quote(name)}")
    return lines + ["set xtics auto", "set xrange [*:*]", "set yrange [*<0:*]",
                    "set offsets 0, 0, graph 0.05, 0", "plot " + ", ".join(draw)]


def ranges(_panel, rows, colours):
    whats = list(dict.fromkeys(row.x for row in rows))
    at = {what: len(whats) - i for i, what in enumerate(whats)}
    paper = [row for row in rows if row.source == "paper"]
    lines = block("paper", [f"{row.y:.6g} {at[row.x]} "
                            f"{(row.y if row.y_high is None else row.y_high) - row.y:.6g} 0"
                            for row in paper])
    draw = ["$paper using 1:2:3:4 with vectors nohead linewidth 9 linecolor rgb '#f2b8b5' "
            "title 'the paper''s text'",
            "$paper using 1:2 with points pointtype 2 linecolor rgb '#b2182b' notitle",
            "$paper using ($1 + $3):2 with points pointtype 2 linecolor rgb '#b2182b' notitle"]
    ours = series_of(row for row in rows if row.source != "paper")
    step = min(0.12, 0.7 / max(len(ours), 1))  # all are above the next statement
    for i, (name, mine) in enumerate(ours.items()):
        lines += block(f"ours{i}", [f"{row.y:.6g} {at[row.x] - step * (i + 1):.3f}" for row in mine])
        draw.append(f"$ours{i} using 1:2 with points pointtype 7 pointsize 0.8 {colours[name]} "
                    f"title {quote(name)}")
    return lines + [f"set ytics ({ticks(at)})", f"set yrange [0.2:{len(whats) + 0.6}]",
                    "set xtics auto", "set xrange [*:*]", "set offsets 1, 1, 0, 0",
                    "plot " + ", ".join(draw)]


DRAW = {"bars": bars, "lines": curves, "points": curves, "ranges": ranges}


def panel_script(panel, rows, colours):
    rows = [row for row in rows if row.y is not None]
    setup = ["reset", "set grid ytics xtics linecolor rgb '#dddddd'", "set border 3",
             "set tics nomirror", "set key below font ',9'",
             f"set title {quote(panel.title)}", f"set xlabel {quote(panel.x)} offset 0,0.7",
             f"set ylabel {quote(panel.y)}"]
    return setup + ["set logscale y"] * panel.log + DRAW[panel.kind](panel, rows, colours)


def script(panels, rows, out, kind):
    lines = -(-len(panels) // COLUMNS)
    columns = min(len(panels), COLUMNS)
    text = [f"set terminal {TERMINALS[kind]} size {columns * WIDTH},{lines * HEIGHT}",
            f"set output {quote(out)}", f"set multiplot layout {lines},{columns}"]
    colours = colours_of(rows)
    for name, panel in panels.items():
        text += panel_script(panel, [row for row in rows if row.panel == name], colours)
    return "\n".join(text + ["unset multiplot", "unset output", ""])


def need():
    if not shutil.which("gnuplot"):
        raise Bad("the figures need gnuplot: apt install gnuplot-nox")


def draw(panels, rows, stem, kinds=tuple(TERMINALS)):
    """Writes STEM.svg and STEM.png."""
    for kind in kinds:
        out = stem.with_suffix(f".{kind}")
        done = subprocess.run(["gnuplot", "-"], input=script(panels, rows, out, kind), text=True,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode or not out.is_file() or not out.stat().st_size:
            raise Bad(f"{out}: gnuplot could not draw it:\n{done.stderr.strip()}")
