# SPDX-License-Identifier: GPL-2.0-or-later
"""What is run for each figure of the TimeGraph paper, its panels, and what rows the
results make; with LoGA's, Pegasus's and schedGPU's.

Scenes are those of bench/reserves/scenes.py, under the paper's scheduler; where it is
cheap the module as it is inserted today is a second series ("today").
"""
import loga
import paper
import pegasus
import scenes
import schedgpu
from figure import NONE, Figure, gain, ranges, stated
from figures import groups_per_frame, prediction, program_rate, rate
from plot import Panel
from sheet import Bad, Row

CLOCKS = {"50 fps clock": scenes.GAME, "no clock": scenes.FREE_GAME}
MODES = {"alone": "alone", "without": NONE, "priority": "priority", "PE": "PE",
         "PE-shared": "PE shared", "AE": "AE"}
TODAY = " (today)"


def today(plan):
    """The same scenes by the module's defaults."""
    return [scene.changed(name=f"{scene.name}-today") for scene in plan if scene.module != scenes.OFF]


# Figures 7, 8 and 9: a game beside others.

def clocked(figure, clock):
    return figure if clock == "50 fps clock" else f"{figure}-free"


def plan_beside(plan, figure):
    for clock, game in CLOCKS.items():
        todo = [s.changed(seconds=1.1) for s in plan(clocked(figure, clock), game)
                if not s.name.endswith("-PRT-game")]
        yield from (scene.as_paper() for scene in todo)
        yield from today(s for s in todo if s.name.endswith("-priority"))


def game_fps(found, figure):
    """The game's frame rate by clock and mode; modes that were not run are left out."""
    rates = {}
    for clock in CLOCKS:
        prefix = clocked(figure, clock)
        for mode in [*MODES, "priority-today"]:
            if f"{prefix}-{mode}" in found:
                rates[clock, mode] = rate(found[f"{prefix}-{mode}"].task("game"))
    return rates


def rows_beside(found, figure, other):
    for clock in CLOCKS:
        prefix = clocked(figure, clock)
        for mode, name in {**MODES, "priority-today": "priority" + TODAY}.items():
            result = found.get(f"{prefix}-{mode}")
            if not result:
                continue
            yield Row("game", name, clock, rate(result.task("game")))
            if len(result.tasks) > 1:
                yield Row("share", name, clock, 100 * result.share(other))


def panels_beside(title, other):
    return {"game": Panel(title, "bars", "", "game, frames a second"),
            "share": Panel(f"GPU share of {other}", "bars", "", "% of the GPU"),
            "text": ranges()}


def rows7(found):
    yield from rows_beside(found, "fig7", "engine")
    fps, ours = game_fps(found, "fig7"), {}
    for clock in CLOCKS:
        priority = fps[clock, "priority"]
        ours[paper.GAIN_PRIORITY, clock] = gain(priority, fps[clock, "without"])
        ours[paper.GAIN_PE, clock] = gain(fps[clock, "PE"], priority)
        ours[paper.GAIN_AE, clock] = gain(fps[clock, "AE"], priority)
    yield from stated("fig7", ours)


def plan8():
    """With the priorities of figure 7, which the text compares it with."""
    yield from plan_beside(scenes.figure8, "fig8")
    yield from (s for s in plan_beside(scenes.figure7, "fig7")
                if s.name.endswith(("-priority", "-PE")))


def rows8(found):
    yield from rows_beside(found, "fig8", "clearspd")
    fps, before, ours = game_fps(found, "fig8"), game_fps(found, "fig7"), {}
    for clock in CLOCKS:
        ours[paper.TIMES, clock] = fps[clock, "priority"] / fps[clock, "without"]
        ours[paper.LOSS_ENGINE, clock] = -gain(fps[clock, "priority"], before[clock, "priority"])
        ours[paper.LOSS_RESERVE, clock] = -gain(fps[clock, "PE"], before[clock, "PE"])
        ours[paper.AE_OVER_PE, clock] = gain(fps[clock, "AE"], fps[clock, "PE"])
    yield from stated("fig8", ours)


def rows9(found):
    yield from rows_beside(found, "fig9", "clearspd")
    fps, ours = game_fps(found, "fig9"), {}
    for clock in CLOCKS:
        for what, mode in ((paper.LOSS_ALONE, "priority"), (paper.LOSS_PE, "PE")):
            ours[what, clock] = -gain(fps[clock, mode], fps[clock, "alone"])
    yield from stated("fig9", ours)


# Figure 10: the grid of reserves.

def plan10():
    return [s.as_paper() for s in scenes.figure10(seconds=2.2) if not s.name.endswith("-alone")]


def rows10(found):
    for policy in ("PE", "AE"):
        for game, engine in scenes.grid_points():
            result = found[f"fig10-{policy}-{game}-{engine}"]
            for name, part in (("game", game), ("engine", engine)):
                series = f"{name}, engine {policy}"
                yield Row("share", series, game, 100 * result.share(name))
                yield Row(name, series, game, rate(result.task(name)))
            if policy == "PE":
                yield Row("text", f"game {game} %", paper.CAP,
                          100 * (result.share("game") + result.share("engine")), source="computed")
    for name, ends in (("game", (10, 80)), ("engine", (80, 10))):
        for at, y in zip((10, 80), ends):
            yield Row("share", f"C/T of the {name}", at, y, source="computed")
    yield from stated("fig10", {})


# Figures 11, 12 and 13: frame rates as time goes by.

def over_time(panel, series, result, name, window_s):
    """Frames that were complete in the window before each point, per second."""
    times = result.frames_s(name)
    count = int(result.task(name)["wall_us"] / 1e6 / window_s + 1e-6)
    bins = [0] * count
    for t in times:
        if t < count * window_s:
            bins[int(t / window_s)] += 1
    return [Row(panel, series, (i + 1) * window_s, n / window_s) for i, n in enumerate(bins)]


def spread(values):
    """Deviation from the mean, in per cent of it."""
    mean = sum(values) / len(values)
    return 100 * (sum((v - mean) ** 2 for v in values) / len(values)) ** 0.5 / mean if mean else 0.0


MODES11 = {"fig11-without": NONE, "fig11-priority": "PRT", "fig11-PE": "PE", "fig11-AE": "AE",
           "fig11-priority-today": "PRT" + TODAY}


def plan_logged(plan):
    return [scene.as_paper().logged() for scene in plan]


def plan11():
    plan = list(scenes.figure11())
    return plan_logged(plan) + [s.logged() for s in today(plan) if "priority" in s.name]


def rows11(found):
    for scene, series in MODES11.items():
        rows = over_time("fps", series, found[scene], "engine", 0.05)
        yield from rows
        for x, value in (("mean", sum(r.y for r in rows) / len(rows)),
                         ("least", min(r.y for r in rows)), ("most", max(r.y for r in rows))):
            yield Row("rate", series, x, value, source="computed")
        yield Row("spread", series, "deviation", spread([r.y for r in rows]), source="computed")
    for s in paper.STATEMENTS["fig11"]:
        yield Row("fps", "paper", 0, source="paper", note=s.said)


PANELS12 = {"none": "(a) no TimeGraph", "PRT": "(b) PRT 60, 50, 40",
            "PE": "(c) PE 15/25, 5/50, 5/100 ms"}


def rows12(found):
    for panel, scene in zip(PANELS12, ("fig12a", "fig12b", "fig12c")):
        for i in (1, 2, 3):
            rows = over_time(panel, f"engine #{i}", found[scene], f"engine{i}", 0.1)
            yield from rows
            yield Row("share", f"engine #{i}", panel, 100 * found[scene].share(f"engine{i}"))
    for s in paper.STATEMENTS["fig12"]:
        yield Row(s.what, "paper", 0, source="paper", note=s.said)


MODES13 = {"fig13-alone": "alone", "fig13-without": NONE, "fig13-priority": "PRT", "fig13-PE": "PE"}


def rows13(found):
    for scene, series in MODES13.items():
        yield from over_time("fps", series, found[scene], "player", 0.25)
        yield Row("late", series, "late pictures", found[scene].task("player")["late"])
    end = found["fig13-PE"].task("player")["wall_us"] / 1e6
    for x in (0, end):
        yield Row("fps", "24 fps (paper: ideal)", x, 24, source="paper")
    yield from stated("fig13", {(paper.FPS_24, series): found[scene].task("player")["fps"]
                                for scene, series in MODES13.items()})


# Figure 14: predictions.

WITHIN = {"engine": paper.WITHIN_ENGINE, "clearspd": paper.WITHIN_BOMB, "game": paper.WITHIN_GAME}
EVERY = 5  # a point of so many is drawn


def plan14():
    return [s.as_paper() for s in scenes.figure14() if not s.name.endswith("-together")]


def rows14(found):
    ours = {}
    for name, what in WITHIN.items():
        result = found[f"fig14-{name}"]
        groups = result.groups(name)[5000:10000]
        if len(groups) < 5000:
            raise Bad(f"fig14: {name} sent fewer than 10,000 groups")
        for i, g in list(enumerate(groups, 5000))[::EVERY]:
            yield Row(name, "cost", i, g.cost_ns / 1e3)
            yield Row(name, "error", i, g.error_ns / 1e3)
        found_row = prediction(result, name, 5000, 10000)
        ours[what, "groups"] = 100 * found_row["within"]
        ours[what, "GPU time"] = 100 * found_row["time_within"]
    yield from stated("fig14", ours)


# Figure 15: overhead.

def plan15():
    plan = list(scenes.figure15())
    return [s.as_paper() for s in plan] + today(s for s in plan if s.name.endswith(("-HT", "-PRT"))
                                                and "server" not in s.name)


def rows15(found):
    ours = {}
    for program in scenes.FIG15_PROGRAMS:
        modes = {"without": NONE, **{mode: mode for mode in scenes.FIG15_MODES},
                 "HT-today": "HT" + TODAY, "PRT-today": "PRT" + TODAY}
        fps = {mode: program_rate(found[scenes.fig15_name(program, mode)]) for mode in modes}
        for mode, series in modes.items():
            yield Row("fps", series, program, fps[mode])
            yield Row("loss", series, program, -gain(fps[mode], fps["without"]), source="computed")
        for what, mode in ((paper.COST_HT, "HT"), (paper.COST_SERVER, "HT, server PRT"),
                           (paper.COST_PRT, "PRT")):
            ours[what, program] = -gain(fps[mode], fps["without"])
    yield from stated("fig15", ours)


# Figure 16: events and ticks.

SERIES16 = {NONE: "without", "events": "PRT", "events" + TODAY: "PRT-today",
            "ticks of 1 ms": "ticks"}


def plan16():
    plan = list(scenes.figure16())
    return [s.as_paper() for s in plan] + today(s for s in plan if s.name.endswith("-PRT"))


def rows16(found):
    ours = {}
    for i, program in enumerate(scenes.FIG16_PROGRAMS):
        fps = {series: rate(found[f"fig16-{i}-{mode}"].tasks[0])
               for series, mode in SERIES16.items()}
        groups = groups_per_frame(found[f"fig16-{i}-groups"])
        yield Row("groups", "groups a frame", program, groups)
        for series, value in fps.items():
            yield Row("fps", series, program, value)
        ours[paper.TICKS, program] = fps["events"] / fps["ticks of 1 ms"]
    yield from stated("fig16", ours)


FIGURES = {
    "fig7": Figure("A game beside an engine, which is capped at 2.5 ms every 25 ms.",
                   lambda: plan_beside(scenes.figure7, "fig7"),
                   panels_beside("A game beside an engine", "the engine"), rows7),
    "fig8": Figure("A game beside one bomb, which is capped at 2.5 ms every 25 ms.",
                   plan8, panels_beside("A game beside a bomb", "the bomb"), rows8),
    "fig9": Figure("A game beside five bombs, capped at 2.5 ms every 25 ms together.",
                   lambda: plan_beside(scenes.figure9, "fig9"),
                   panels_beside("A game beside five bombs", "the bombs"), rows9),
    "fig10": Figure("A game and an engine share 90 % of the GPU by their reserves.", plan10, {
        "share": Panel("GPU share", "lines", "C/T of the game, %", "% of the GPU"),
        "game": Panel("game", "lines", "C/T of the game, %", "frames a second"),
        "engine": Panel("engine", "lines", "C/T of the game, % (the engine: 90 less it)",
                        "frames a second"),
        "text": ranges()}, rows10),
    "fig11": Figure("An engine beside five bombs, capped at 2.5 ms every 25 ms together.", plan11, {
        "fps": Panel("Engine, over 50 ms", "lines", "s", "frames a second"),
        "rate": Panel("Its frame rate over 50 ms", "bars", "", "frames a second"),
        "spread": Panel("Its standard deviation", "bars", "", "% of the mean")}, rows11),
    "fig12": Figure("Three engines.", lambda: plan_logged(scenes.figure12()), {
        **{name: Panel(title, "lines", "s", "frames a second, over 100 ms")
           for name, title in PANELS12.items()},
        "share": Panel("GPU share", "bars", "", "% of the GPU")}, rows12),
    "fig13": Figure("A player of 24 pictures a second beside five bombs.",
                    lambda: plan_logged(s.changed(seconds=3.1) for s in scenes.figure13()), {
        "fps": Panel("Player, over 250 ms", "lines", "s", "pictures a second"),
        "late": Panel("Pictures that came late", "bars", "", "pictures"),
        "text": ranges()}, rows13),
    "fig14": Figure("Predicted costs, groups 5,000 to 10,000 of each program.", plan14, {
        **{name: Panel(name, "points", "group", "us, error positive: pessimistic")
           for name in WITHIN},
        "text": ranges("within the paper's margin: groups, GPU time")}, rows14),
    "fig15": Figure("What TimeGraph costs programs that nobody disturbs but a display server.",
                    plan15, {
        "fps": Panel("Frame rate (two engines: their sum)", "bars", "", "frames a second", log=True),
        "loss": Panel("Loss", "bars", "", "% of no TimeGraph"),
        "text": ranges()}, rows15),
    "fig16": Figure("Throughput of programs alone, scheduled at events or by ticks.", plan16, {
        "fps": Panel("Frame rate", "bars", "", "frames a second", log=True),
        "groups": Panel("Command groups of a frame", "bars", "", "groups", log=True),
        "text": ranges()}, rows16),
    **loga.FIGURES,
    **pegasus.FIGURES,
    **schedgpu.FIGURES,
}
