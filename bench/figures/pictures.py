# SPDX-License-Identifier: GPL-2.0-or-later
"""The pictures of README.md. They and their data are tracked, in Documentation/figures: who
reads it on a web page has nothing to draw them with.
"""
import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "costs"))
import plan  # noqa: E402
import plot  # noqa: E402
import scenes  # noqa: E402
import sheet  # noqa: E402
from figure import Figure  # noqa: E402
from figures import rate  # noqa: E402
from plot import Panel  # noqa: E402
from sheet import Row  # noqa: E402

HOME = HERE.parents[1] / "Documentation/figures"
WITHOUT, WITH = "without TimeGraph", "with TimeGraph"
BESIDE = {"alone": [], "beside an engine": ["engine"], "beside a bomb": ["clearspd"],
          "beside five bombs": scenes.FIVE_BOMBS}


def plan_game():
    spec = scenes.entries(scenes.HT_GAME, "engine:PRT:-:40::", "clearspd:PRT:-:10::")
    for module in (scenes.OFF, ""):
        for place, others in BESIDE.items():
            yield scenes.Scene(plan.scene_name("picture", module or "on", place), ["game"] + others, spec,
                               seconds=2.1, module=module, watch=False)


def rows_game(found):
    for series, module in ((WITHOUT, scenes.OFF), (WITH, "")):
        for place in BESIDE:
            result = found[plan.scene_name("picture", module or "on", place)]
            yield Row("fps", series, place, rate(result.task("game")))


def plan_shares():
    return [s.changed(watch=False) for s in plan.sharing() if s.tasks == [plan.SHORT, plan.LONG]]


def rows_shares(found):
    names = {"plain nouveau": "sharing-without", "no entry": plan.weights_name(None)}
    names.update(("weights %d:%d" % w, plan.weights_name(w)) for w in plan.WEIGHTS if w)
    for i, series in enumerate(("groups of 2 ms", "groups of 20 ms")):
        for x, name in names.items():
            yield Row("share", series, x, 100 * found[name].tasks[i]["gpu_share"])


PICTURES = {
    "game-beside-others": Figure("A game with the highest priority beside others.", plan_game, {
        "fps": Panel("A game beside others", "bars", "", "frames a second")}, rows_game),
    "shares-by-weight": Figure("Two programs that always have work.", plan_shares, {
        "share": Panel("Two programs that always have work", "bars", "", "% of the GPU")}, rows_shares),
}


# What ran before in a boot shifts a number a little, and a frame more or less is half a frame a second.
TOLERANCE = 0.02
TOLERANCE_LEAST = 0.5


def differences(name, where):
    """What WHERE/name.csv has otherwise than the tracked data, a line each."""
    panels = PICTURES[name].panels
    tracked, now = ({(r.panel, r.series, r.x): r.y for r in sheet.read(folder / f"{name}.csv", panels)}
                    for folder in (HOME, where))
    for key in sorted(tracked | now):
        old, new = tracked.get(key), now.get(key)
        if None in (old, new) or abs(new - old) > max(TOLERANCE_LEAST, TOLERANCE * old):
            yield f"{name}: {', '.join(key)}: {old} there, {new} now"


def data_hash(name):
    return hashlib.sha256((HOME / f"{name}.csv").read_bytes()).hexdigest()


def draw(name, stem):
    """Draws the tracked data as STEM.svg, as the tree has it: without blanks at the ends of lines."""
    figure = PICTURES[name]
    rows = sheet.read(HOME / f"{name}.csv", figure.panels)
    plot.draw(figure.panels, rows, stem, kinds=("svg",))
    path = stem.with_suffix(".svg")
    path.write_text("".join(line.rstrip() + "\n" for line in path.read_text().splitlines() if line.strip()))
