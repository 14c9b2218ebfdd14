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
ROW, BAR, STRIP, AXIS = 42, 17, 7, 26
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
        stroke = stroke if xb - xa > 4 else "none"
        self.out.append(f'<rect x="{xa:.1f}" y="{y}" width="{max(xb - xa, 1):.1f}" '
                        f'height="{height}" fill="{fill}" stroke="{stroke}">'
                        f'<title>{escape(tip)}</title></rect>')

    def line(self, xa, ya, xb, yb, stroke=FAINT, width=1.0, dash=""):
        dash = f' stroke-dasharray="{dash}"' if dash else ""
        self.out.append(f'<line x1="{xa:.1f}" y1="{ya:.1f}" x2="{xb:.1f}" y2="{yb:.1f}" '
                        f'stroke="{stroke}" stroke-width="{width}"{dash}/>')

    def waits(self, g):
        """When it waits, and for what: its turn, its budget, its own groups before it."""
        end = g.end if g.end is not None else self.end
        at = g.released
        for a, b in g.held:
            b = self.end if b is None else b
            yield from ((at, a, "turn"), (a, b, "budget"))
            at = b
        queued = g.start if g.start is not None else end
        yield at, queued, "turn"
        yield queued, g.begin if g.begin is not None else end, "own"

    def strip(self, groups, y):
        """Below the bar. A budget that is awaited hides that others wait behind it."""
        looks = {"own": (self.colour[groups[0].task], "queued on the GPU", .35),
                 "turn": (f"url(#w{self.uid})", "waits for its turn", 1),
                 "budget": (f"url(#h{self.uid})", "waits for the budget", 1)}
        for kind, (fill, what, opacity) in looks.items():
            self.out.append(f'<g opacity="{opacity}">')
            for g in groups:
                for a, b, k in self.waits(g):
                    if k == kind and b - a > 1e-6:
                        self.bar(a, b, y, STRIP, fill,
                                 tip=f"{g.task} {g.number}: {what}, {b - a:.3g} ms")
            self.out.append("</g>")

    def group(self, g, y):
        if g.begin is not None:
            self.bar(g.begin, g.end, y, BAR, self.colour[g.task], "white",
                     f"{g.task} {g.number}: on the GPU {g.end - g.begin:.3g} ms")
        if self.start <= g.released <= self.end:
            x = self.x(g.released)
            self.out.append(f'<path d="M{x:.1f} {y - 10} v7 m-3 -3 l3 4 l3 -4" fill="none" '
                            f'stroke="{INK}" stroke-width="1.2"/>')

    def rows(self):
        y = self.y + 6
        self.text(LEFT - 12, y + 13, "GPU", anchor="end", weight="bold")
        self.bar(self.start, self.end, y, BAR, "#f3f3f3")
        for g in self.run.groups.values():
            if g.begin is not None:
                self.bar(g.begin, g.end, y, BAR, self.colour[g.task], "white", g.task)
        y += ROW - 4
        for t in self.order:
            groups = [g for g in self.run.groups.values() if g.task == t]
            self.text(LEFT - 12, y + 15, t, anchor="end", fill=self.colour[t], weight="bold")
            self.line(LEFT, y + BAR + STRIP + .5, WIDTH - RIGHT, y + BAR + STRIP + .5)
            if groups:
                self.strip(groups, y + BAR)
            for g in groups:
                self.group(g, y)
            y += ROW
        self.y = y - 14

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
        self.text(LEFT - 12, top + 10, "budget e", anchor="end", weight="bold")
        self.text(LEFT - 10, level(0) + 4, "0", 11, "end")
        self.line(LEFT, level(0), WIDTH - RIGHT, level(0), INK)
        self.line(LEFT, level(high), WIDTH - RIGHT, level(high), dash="3 3")
        path, last, label = "", None, (-99, 0)
        for t, e in steps:
            if t > self.end:
                break
            x, y = self.x(t), level(e)
            path += f" H{x:.1f} V{y:.1f}" if path else f"M{x:.1f} {y:.1f}"
            if last is None or abs(e - last) > 1e-6:
                above = y - 4 if e >= 0 else y + 12
                # Not onto the label before it.
                if x - label[0] < 40 and abs(above - label[1]) < 12:
                    above = y + 12
                self.text(x + 4, above, f"{'' if path[1:].count('H') else 'C = '}{e:g} ms", 11)
                label = x, above
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
        self.text(LEFT - 24, self.y + 14, "ms", 11, "end")
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
