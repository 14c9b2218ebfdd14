# SPDX-License-Identifier: GPL-2.0-or-later
"""
Drawings of who has the GPU and who waits, made from a run of the simulator:

	.. timeline:: figures/prt.tgsim
	   :to: 40
	   :budget: video

	   The caption.

The scheduler that decides in these drawings is the module's own code, compiled into
tgsim, so they show what it does and not what somebody thought it did. A scenario
that tgsim refuses is an error of the build.
"""
import os
import re
import subprocess
from html import escape

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

WIDTH, LEFT, RIGHT = 860, 96, 12
ROW, BAR, AXIS = 44, 22, 26
COLOURS = ("#2f6db5", "#d9822b", "#3f9a55", "#a4508b", "#7a6a53", "#4a9fa5")
INK, FAINT = "#333", "#ccc"

EVENT = re.compile(r"\s*([\d.]+)\s+(\S+)\s+(\w+)(?:\s+group (\d+)(.*))?")


class Group:
    def __init__(self, task, number, at):
        self.task, self.number, self.released = task, number, at
        self.start = self.begin = self.end = None
        self.held = []                  # [from, to] while its budget is awaited


class Run:
    """A simulated run: the groups of each task, when they wait and when they run."""

    def __init__(self, tgsim, scenario):
        self.tgsim, self.scenario = tgsim, scenario
        self.tasks, self.groups = [], {}
        free = 0.0
        for line in self.call("--events").splitlines():
            m = EVENT.match(line)
            if not m:
                continue
            at, task, what, number = float(m[1]), m[2], m[3], m[4]
            if what == "begins":
                self.tasks.append(task)
            if not number:
                continue
            g = self.groups.setdefault(number, Group(task, number, at))
            if what == "throttled":
                g.held.append([at, None])
            elif what == "granted" and g.held and g.held[-1][1] is None:
                g.held[-1][1] = at
            elif what == "starts":
                g.start = at
            elif what == "completes":
                took = re.search(r"response ([\d.]+)", m[5])
                g.released, g.end = at - float(took[1]), at
                g.begin = max(g.start, free)
                free = at

    def call(self, *args):
        try:
            done = subprocess.run([self.tgsim, "--quiet", *args, self.scenario],
                                  capture_output=True, encoding="utf-8", check=False)
        except FileNotFoundError:
            raise ExtensionError("timeline: no tgsim to draw with: \"make docs\" "
                                 "builds it, or set TGSIM") from None
        if done.returncode:
            raise ExtensionError("timeline: " + done.stderr.strip())
        return done.stdout

    def budgets(self, name):
        """Steps (time in ms, budget in ms) of a reserve."""
        rows = [s.split(",") for s in self.call("--csv", "--budget", "-").splitlines()[1:]]
        return [(int(t) / 1e6, int(e) / 1e6) for t, who, e, _ in rows if who == name]


class Drawing:
    def __init__(self, run, start, end, uid, order=None):
        self.run, self.start, self.end, self.uid = run, start, end, uid
        self.order = order or run.tasks
        self.colour = {t: COLOURS[i % len(COLOURS)] for i, t in enumerate(self.order)}
        self.out, self.y = [], 8

    def x(self, ms):
        ms = min(max(ms, self.start), self.end)
        return LEFT + (ms - self.start) * (WIDTH - LEFT - RIGHT) / (self.end - self.start)

    def text(self, x, y, s, size=13, anchor="start", fill=INK, weight="normal"):
        self.out.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}" '
                        f'text-anchor="{anchor}" font-weight="{weight}">{escape(s)}</text>')

    def bar(self, a, b, y, height, fill, stroke="none", tip=""):
        if b <= self.start or a >= self.end:
            return
        xa, xb = self.x(a), self.x(b)
        self.out.append(f'<rect x="{xa:.1f}" y="{y}" width="{max(xb - xa, 1):.1f}" '
                        f'height="{height}" fill="{fill}" stroke="{stroke}">'
                        f'<title>{escape(tip)}</title></rect>')

    def line(self, xa, ya, xb, yb, stroke=FAINT, width=1.0, dash=""):
        dash = f' stroke-dasharray="{dash}"' if dash else ""
        self.out.append(f'<line x1="{xa:.1f}" y1="{ya:.1f}" x2="{xb:.1f}" y2="{yb:.1f}" '
                        f'stroke="{stroke}" stroke-width="{width}"{dash}/>')

    def group(self, g, y):
        """Waiting is a thin bar below the middle, the GPU a thick one with a number."""
        thin, mid = 8, y + BAR - 8
        colour = self.colour[g.task]
        end = g.end if g.end is not None else self.end
        # nobody's fault: it waits for its turn
        parts, at = [], g.released
        for a, b in g.held:
            b = self.end if b is None else b
            parts += [(at, a, "wait"), (a, b, "held")]
            at = b
        started = g.begin if g.begin is not None else end
        queued = g.start if g.start is not None else end
        parts += [(at, queued, "wait"), (queued, started, "online")]
        for a, b, kind in parts:
            if b - a > 1e-6:
                fill = {"wait": f"url(#w{self.uid})", "held": f"url(#h{self.uid})",
                        "online": colour}[kind]
                what = {"wait": "waits for its turn", "held": "waits for the budget",
                        "online": "on the GPU-online list"}[kind]
                if kind == "online":
                    self.out.append('<g opacity="0.35">')
                self.bar(a, b, mid, thin, fill, tip=f"{g.task} {g.number}: {what}, {b - a:.3g} ms")
                if kind == "online":
                    self.out.append("</g>")
        if g.begin is not None:
            self.bar(g.begin, end, y, BAR, colour, "white",
                     f"{g.task} {g.number}: on the GPU {end - g.begin:.3g} ms")
        if self.start <= g.released <= self.end:
            x = self.x(g.released)
            self.out.append(f'<path d="M{x:.1f} {y - 9} v7 m-3 -3 l3 4 l3 -4" fill="none" '
                            f'stroke="{INK}" stroke-width="1.2"/>')

    def rows(self):
        y = self.y + 6
        self.text(LEFT - 10, y + 16, "GPU", anchor="end", weight="bold")
        self.bar(self.start, self.end, y, BAR, "#f3f3f3")
        for g in self.run.groups.values():
            if g.begin is not None:
                self.bar(g.begin, g.end, y, BAR, self.colour[g.task], "white", g.task)
        y += ROW
        for t in self.order:
            self.text(LEFT - 10, y + 16, t, anchor="end", fill=self.colour[t], weight="bold")
            self.line(LEFT, y + BAR + .5, WIDTH - RIGHT, y + BAR + .5)
            for g in self.run.groups.values():
                if g.task == t:
                    self.group(g, y)
            y += ROW
        self.y = y - 12

    def budget(self, name):
        steps = self.run.budgets(name)
        if not steps:
            raise ExtensionError(f"timeline: {self.run.scenario} has no reserve {name}")
        shown = [e for t, e in steps if t <= self.end] + [0]
        high, low, height = max(shown), min(shown), 74
        scale = height / (high - low)
        top = self.y + 16

        def level(e):
            return top + (high - e) * scale
        self.text(LEFT - 10, top + 10, "budget e", anchor="end", weight="bold")
        self.text(LEFT - 10, level(0) + 4, "0", 11, "end")
        self.line(LEFT, level(0), WIDTH - RIGHT, level(0), INK)
        self.line(LEFT, level(high), WIDTH - RIGHT, level(high), dash="3 3")
        path, last = "", high
        for t, e in steps:
            if t > self.end:
                break
            if path:
                path += f" H{self.x(t):.1f} V{level(e):.1f}"
                if abs(e - last) > 1e-6:
                    self.text(self.x(t) + 4, level(e) + (-4 if e > 0 else 12), f"{e:g} ms", 11)
            else:
                path = f"M{self.x(t):.1f} {level(e):.1f}"
                self.text(self.x(t) + 4, level(e) - 4, f"C = {e:g} ms", 11)
            last = e
        path += f" H{self.x(self.end):.1f}"
        self.out.append(f'<path d="{path}" fill="none" stroke="#b22" stroke-width="2"/>')
        self.y = top + height + 12

    def axis(self):
        step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
                    if (self.end - self.start) / s <= 14)
        grid, at = [], -(-self.start // step) * step
        while at <= self.end:
            x = self.x(at)
            grid.append(f'<line x1="{x:.1f}" y1="8" x2="{x:.1f}" y2="{self.y:.1f}" '
                        'stroke="#e6e6e6"/>')
            self.text(x, self.y + 14, f"{at:g}", 11, "middle")
            at += step
        self.text(LEFT - 10, self.y + 14, "ms", 11, "end")
        self.y += AXIS
        return "".join(grid)

    def legend(self, budget):
        y, x = self.y + 2, LEFT
        entries = [("on the GPU", "#777", 1), ("waits for its turn", f"url(#w{self.uid})", 1)]
        if any(g.held for g in self.run.groups.values()):
            entries.append(("waits for the budget", f"url(#h{self.uid})", 1))
        if any(g.begin and g.begin - g.start > 1e-6 for g in self.run.groups.values()):
            entries.append(("queued on the GPU behind its own", "#777", .35))
        for text, fill, opacity in entries:
            self.out.append(f'<rect x="{x}" y="{y}" width="22" height="10" fill="{fill}" '
                            f'opacity="{opacity}"/>')
            self.text(x + 28, y + 9.5, text, 11.5)
            x += 46 + 6.2 * len(text)
        self.out.append(f'<path d="M{x + 6} {y} v8 m-3 -3 l3 4 l3 -4" fill="none" '
                        f'stroke="{INK}" stroke-width="1.2"/>')
        self.text(x + 16, y + 9.5, "a group comes", 11.5)
        self.y = y + 22

    def svg(self, title, budget=None):
        self.rows()
        if budget:
            self.budget(budget)
        grid = self.axis()
        self.legend(budget)
        patterns = (
            f'<pattern id="w{self.uid}" width="5" height="5" patternUnits="userSpaceOnUse" '
            'patternTransform="rotate(45)"><rect width="5" height="5" fill="#f4f4f4"/>'
            '<rect width="2" height="5" fill="#999"/></pattern>'
            f'<pattern id="h{self.uid}" width="5" height="5" patternUnits="userSpaceOnUse">'
            '<rect width="5" height="5" fill="#fdeaea"/>'
            '<circle cx="2.5" cy="2.5" r="1.3" fill="#b22"/></pattern>')
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y:.0f}" '
                f'role="img" font-family="sans-serif"><title>{escape(title)}</title>'
                f'<defs>{patterns}</defs>{grid}{"".join(self.out)}</svg>')


class Timeline(SphinxDirective):
    required_arguments = 1
    has_content = True
    option_spec = {"from": float, "to": float, "budget": directives.unchanged,
                   "order": directives.unchanged}

    def run(self):
        rel, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(rel)
        run = Run(self.config.timeline_tgsim, path)
        end = self.options.get("to")
        if end is None:
            end = max(g.end or 0 for g in run.groups.values())
        order = self.options.get("order", "").split()
        if order and set(order) != set(run.tasks):
            raise self.error(f"the tasks are {' '.join(run.tasks)}")
        uid = self.env.new_serialno("timeline")
        drawing = Drawing(run, self.options.get("from", 0.0), end, uid, order)
        svg = drawing.svg(os.path.basename(path), self.options.get("budget"))
        figure = nodes.container(classes=["timeline"])
        figure += nodes.raw("", svg, format="html")
        self.state.nested_parse(self.content, self.content_offset, figure)
        return [figure]


def setup(app):
    app.add_directive("timeline", Timeline)
    app.add_config_value("timeline_tgsim", "tgsim", "env")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
