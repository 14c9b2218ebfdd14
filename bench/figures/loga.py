# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures 7 to 11 of the LoGA paper: accounting by polling, which costs those who are
accounted nothing, and fairness by it. Ours is freerun: tg_runner.c, core/tg_polled.c.

Nobody has an entry, and the module is as it is inserted. There is no switch for "accounting
alone": who is ahead is held, which the paper's figures 7 to 10 leave out.
"""
import paper
from figure import NONE, Figure, ranges, stated
from plot import Panel
from scenes import OFF, Scene
from sheet import Bad, Row

OURS = "TimeGraph, no entry"
# The game's frames differ too much from each other.
PROGRAMS = {
    "engine": "engine",
    "clearspd": "clearspd",
    "500 us groups": "tgload --cost-us 500",
    "50 us groups": "tgload --cost-us 50",
}
MODES = {"off": OFF, "on": ""}


def throttle(us, cycle_us):
    """A group at a time, the next one a cycle after the last began."""
    return f"tgload --name throttle --cost-us {us} --period-us {cycle_us} --wait"


def pair(name, program, others):
    """The same without and with the module."""
    return [Scene(f"{name}-{mode}".replace(" ", "-"), [PROGRAMS[program]] + others, module=module,
                  seconds=0.5, watch=False) for mode, module in MODES.items()]


def ran(found, name):
    return [found[f"{name}-{mode}".replace(" ", "-")] for mode in MODES]


def turnaround(result):
    """Of a frame of the program, the first task, in us."""
    task = result.tasks[0]
    if not task["frames"]:
        raise Bad(f"{result.scene.name}: {task['name']} drew no frame")
    return task["mean_us"]


def longer(off, on):
    """How much longer a frame takes with the module, in per cent."""
    return 100 * (turnaround(on) / turnaround(off) - 1)


def free_percent(result):
    """Of all groups of a scene, those that did not ask."""
    before, after = list(result.statuses())[:1], list(result.statuses())[-1:]
    if not before:
        return 0.0
    asked, free = (after[0][i] - before[0][i] for i in (0, 1))
    return 100 * free / (asked + free) if asked + free else 0.0


# Figure 7: what accounting costs beside ten that use the GPU now and then.

THROTTLES7 = {10: 1010, 100: 1100}


def name7(us, program):
    return f"loga7-{us}-{program}"


def plan7():
    for us, cycle_us in THROTTLES7.items():
        for program in PROGRAMS:
            yield from pair(name7(us, program), program, 10 * [throttle(us, cycle_us)])


def rows7(found):
    ours = {}
    for us, what in zip(THROTTLES7, (paper.LOGA_SHORT, paper.LOGA_LONG)):
        product = 1.0
        for program in PROGRAMS:
            off, on = ran(found, name7(us, program))
            more = longer(off, on)
            product *= 1 + more / 100
            yield Row(f"{us}us", OURS, program, more, source="computed")
            yield Row("free", f"throttle {us} us", program, free_percent(on))
        ours[what, OURS] = 100 * (product ** (1 / len(PROGRAMS)) - 1)
    yield from stated("loga7", ours)


# Figure 8: the same by the number of those beside.

PROGRAMS8 = ("engine", "50 us groups")
NUMBERS8 = (1, 5, 10, 20)


def name8(program, number):
    return f"loga8-{number}-{program}" if number != 10 else name7(10, program)


def plan8():
    for program in PROGRAMS8:
        for n in NUMBERS8:
            yield from pair(name8(program, n), program, n * [throttle(10, 1010)])


def rows8(found):
    for program in PROGRAMS8:
        for n in NUMBERS8:
            off, on = ran(found, name8(program, n))
            yield Row("time", program, n, 1 + longer(off, on) / 100, source="computed")
            yield Row("free", program, n, free_percent(on))
    for s in paper.STATEMENTS["loga8"]:
        yield Row(s.what, "paper", NUMBERS8[0], source="paper", note=s.said)


# Figures 9 and 10: what is accounted for a program's groups, against what is true. The shorter
# ones run free and are polled; the others ask, and are accounted by the GPU's time stamps.

LENGTHS_US = range(200, 1001, 200)
# Polls must tell the throttle from somebody.
OTHER = "tgload --name starter --cost-us 10 --period-us 5000"
POLLS, STAMPS = "by polls", "by stamps"


def plan_accounted(figure, task):
    for us in LENGTHS_US:
        yield Scene(f"{figure}-{us}", [OTHER, task(us)], seconds=2.1)


def accounted(result):
    """The mean length of a throttle's group, in us, how that is known, and the same by the
    model's log."""
    seen = [(free, *tasks["throttle"]) for _, free, tasks in result.statuses() if "throttle" in tasks]
    by = POLLS if len(seen) > 1 and seen[-1][0] > seen[0][0] else STAMPS
    while by == POLLS and len(seen) > 1 and seen[1][0] - seen[0][0] < seen[1][1] - seen[0][1]:
        seen.pop(0)  # while its groups still asked
    task = result.task("throttle")
    groups = seen[-1][1] - seen[0][1] if seen else 0
    if not groups or not task["frames"]:
        raise Bad(f"{result.scene.name}: the throttle had no groups")
    return (seen[-1][2] - seen[0][2]) / groups, by, task["gpu_share"] * task["wall_us"] / task["frames"]


def errors(figure, what, found):
    """The largest error either way, by how it came about; found: (by, error)."""
    yield from stated(figure, {(what, f"most, {by}"): max((e for b, e in found if b == by), key=abs)
                               for by in dict.fromkeys(b for b, _ in found)})


def rows9(found):
    worst = []
    for us in LENGTHS_US:
        length, by, by_log = accounted(found[f"loga9-{us}"])
        yield Row("length", by, us, length)
        yield Row("length", "by the model's log", us, by_log)
        yield Row("length", "intended", us, us, source="computed")
        yield Row("error", by, us, 100 * (length / by_log - 1), source="computed")
        worst.append((by, 100 * (1 - length / by_log)))
    yield from errors("loga9", paper.LENGTH, worst)


def rows10(found):
    worst = []
    for us in LENGTHS_US:
        result = found[f"loga10-{us}"]
        task = result.task("throttle")
        cycle_us = task["wall_us"] / task["frames"]
        length, by, by_log = accounted(result)
        load, true = 100 * length / cycle_us, 100 * by_log / cycle_us
        yield Row("load", by, us / 10, load)
        yield Row("load", "by the model's log", us / 10, true)
        yield Row("load", "intended", us / 10, us / 10, source="computed")
        yield Row("error", by, us / 10, load - true, source="computed")
        worst.append((by, load - true))
    yield from errors("loga10", paper.LOAD, worst)


# Figure 11: who is slowed down, beside four that want a fifth of the GPU each.

THROTTLES11 = 4 * [throttle(200, 1000)]


def plan11():
    for program in PROGRAMS:
        yield from pair(f"loga11-alone-{program}", program, [])
        yield from pair(f"loga11-beside-{program}", program, THROTTLES11)


def fair(alone, beside):
    """As the paper has it: each of the five gets as much GPU time as the program needs."""
    task = beside.tasks[0]
    needs_us = task["gpu_share"] * task["wall_us"] / task["frames"]
    return max(1.0, (len(THROTTLES11) + 1) * needs_us / turnaround(alone))


def rows11(found):
    for program in PROGRAMS:
        alone, beside = ran(found, f"loga11-alone-{program}"), ran(found, f"loga11-beside-{program}")
        for series, a, b in zip((NONE, OURS), alone, beside):
            yield Row("time", series, program, turnaround(b) / turnaround(a), source="computed")
            yield Row("share", series, program, 100 * b.tasks[0]["gpu_share"])
        yield Row("time", "fair", program, fair(alone[0], beside[0]), source="computed")
        yield Row("share", "fair", program, 20, source="computed")
    for s in paper.STATEMENTS["loga11"]:
        yield Row(s.what, "paper", "engine", source="paper", note=s.said)


FIGURES = {
    "loga7": Figure("A program beside ten that send a short group each millisecond.", plan7, {
        **{f"{us}us": Panel(f"A frame takes longer beside groups of {us} us", "bars", "", "% of plain nouveau")
           for us in THROTTLES7},
        "free": Panel("Groups that did not ask", "bars", "", "% of all groups"),
        "text": ranges()}, rows7),
    "loga8": Figure("The same by the number of those beside it.", plan8, {
        "time": Panel("Time of a frame", "bars", "throttles", "times plain nouveau", log=True),
        "free": Panel("Groups that did not ask", "bars", "throttles", "% of all groups")}, rows8),
    "loga9": Figure("What is accounted for groups that follow each other.",
                    lambda: plan_accounted("loga9", lambda us: f"tgload --name throttle --cost-us {us} --wait"), {
        "length": Panel("Length of a group", "bars", "us, intended", "us"),
        "error": Panel("Error against the model's log", "bars", "us, intended", "%"),
        "text": ranges()}, rows9),
    "loga10": Figure("What is accounted for one group in each millisecond.",
                     lambda: plan_accounted("loga10", lambda us: throttle(us, 1000)), {
        "load": Panel("GPU load", "bars", "%, intended", "%"),
        "error": Panel("Error against the model's log", "bars", "%, intended", "points"),
        "text": ranges()}, rows10),
    "loga11": Figure("A program beside four that use a fifth of the GPU each.", plan11, {
        "time": Panel("Time of a frame", "bars", "", "times alone"),
        "share": Panel("GPU share of the program", "bars", "", "% of the GPU")}, rows11),
}
