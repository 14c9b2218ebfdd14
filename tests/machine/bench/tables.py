#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables of make bench, made of results that are made up here. Ends with 1 if one is
not what they say.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE.parents[2] / "bench" / d) for d in ("costs", "reserves")]
import plan  # noqa: E402
import report  # noqa: E402
import scenes  # noqa: E402


class Ran:
    """A scene whose tasks have these rates and shares, and a group of 1, 2 and 3 ms."""

    def __init__(self, names, fps, shares):
        times = {"group_lat_p50_ns": 1e6, "group_lat_p99_ns": 2e6, "group_lat_max_ns": 3e6}
        self.tasks = [{"name": n, "fps": fps, "gpu_share": s, "groups_done": 425, **times}
                      for n, s in zip(names, shares)]

    def task(self, name):
        return next(t for t in self.tasks if t["name"] == name)


def want(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got!r}, not {wanted!r}")


def overhead():
    rates = dict(zip(plan.MODES, (200.0, 199.0, 198.0, 190.0, 100.0)))
    found = {plan.scene_name("overhead", mode, "engine"): Ran(["engine"], fps, [1])
             for mode, fps in rates.items()}
    rows = list(report.overhead(found))
    want("losses", [r["loss_percent"] for r in rows], [0.0, 0.5, 1.0, 5.0, 50.0])
    want("programs that were run", {r["program"] for r in rows}, {"engine"})
    text = list(report.show_overhead(rows))
    want("the program is named once", sum("engine" in line for line in text), 1)
    want("a row", text[4].split(), "no entry 199.000 0.50 1.000 2.000 3.000".split())


def sharing():
    found = {s.name: Ran([t.split()[2] for t in s.tasks], 10.0, (0.25, 0.74)) for s in plan.sharing()}
    rows = list(report.sharing(found))
    want("two rows a scene", len(rows), 2 * len(found))
    by = {(r["groups"], r["rule"], r["task"]): r for r in rows}
    want("a weight's share", by["2 and 20 ms", "weights 1:4", "long"]["wanted_percent"], 80.0)
    want("a reserve's share", by["0.5 ms", "AE 5:95", "high"]["wanted_percent"], 5)
    want("the sum", {r["sum_percent"] for r in rows}, {99.0})
    text = list(report.show_sharing(rows))
    want("a row", text[3].split(), "2 and 20 ms without short - 25.00 99.00 1.000 2.000 3.000".split())


def many():
    shares = {"without": [0.125] * 8, "no entry": [0.25] * 4 + [0] * 4}
    found = {plan.many_name(rule): Ran(plan.MANY_MS, 10.0, s) for rule, s in shares.items()}
    rows = list(report.many(found))
    want("Jain's index of equals, and of half that have all", [r["jain"] for r in rows[::8]], [1.0, 0.5])
    text = list(report.show_many(rows))
    want("a row", text[3].split(), "no entry 25.00 25.00 25.00 25.00 0.00 0.00 0.00 0.00 100.00 0.5000".split())


def latency():
    found = {s.name: Ran(["front", "bomb"], 10.0, (0.1, 0.9)) for s in plan.latency()}
    rows = list(report.latency(found))
    want("median, p99, maximum", {(r["median_us"], r["p99_us"], r["max_us"]) for r in rows},
         {(1000.0, 2000.0, 3000.0)})
    want("alone and beside for each mode", len(rows), 2 * len(plan.MODES))


def names():
    plans = [s for table in plan.TABLES.values() for s in table()]
    want("a scene's name means one scene", len({s.name for s in plans}), len(plans))
    want("plain nouveau in each table",
         sum(s.module == scenes.OFF for s in plans),
         len(plan.PROGRAMS) + 1 + len(plan.EQUAL_COSTS_US) + 1 + 2)


for part in (overhead, sharing, many, latency, names):
    part()
