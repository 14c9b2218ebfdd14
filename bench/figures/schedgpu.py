# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures 11 to 15 of the schedGPU paper (section 7.3), with its tables I to III, by tgsim, which
runs the module's own code for reservations of memory.

The paper's three programs are told by what it says of one that is alone: how long it runs, how
much of that on the GPU, how many fit into the card's memory at once. A program reserves what it
needs for each phase on the GPU (ARA, MUMmerGPU), or for all of its life (GPU-BLAST).
"""
import dataclasses
import json
import os
import pathlib
import re
import subprocess

import paper
from figure import Figure, ranges, stated
from plot import Panel
from sheet import Bad, Row

TOP = pathlib.Path(__file__).resolve().parents[2]
CARD = 4800
INSTANCES = (1, 2, 4, 6, 8, 10, 12)
SEQUENCE, PACKED, OURS = "one after the other", "packed by hand", "schedGPU"
POLICIES = {"fifo": "FIFO", "mmu": "MMU", "prio-fifo": "priority FIFO", "prio-mmu": "priority MMU"}


@dataclasses.dataclass
class Program:
    """memory: MiB; fit: so many at once by hand; think_s, frames, groups, cost_ms: each frame
    computes for so long, and then has so many groups."""
    name: str
    memory: int
    fit: int
    think_s: float
    frames: int
    groups: int
    cost_ms: int
    phases: bool = True

    def task(self, n):
        return (f"task {self.name}\n\tmemory {self.memory}M{' each frame' if self.phases else ''}\n"
                f"\tarrive loop think={self.think_s * 1000:g}ms frames={self.frames} "
                f"groups={self.groups}\n\tcost {self.cost_ms}ms\n\tinstances {n}\n")


# 226.8 s, 0.51 % of them on the GPU, at the end; 322.8 s, 2.46 %, at intervals; 69.1 s, 69.5 %,
# and a third of the memory nearly all of the time (table I, section 7.3.1).
ARA = Program("ARA", 750, 6, 225.6, 1, 12, 96)
MUMMER = Program("MUMmerGPU", 750, 6, 31.5, 10, 8, 99)
BLAST = Program("GPU-BLAST", 1600, 2, 0.211, 100, 1, 480, phases=False)
PROGRAMS = (ARA, MUMMER, BLAST)
# Four of each; by priority MUMmerGPU, which takes longest, goes first.
MIX = [program.task(4) for program in PROGRAMS]
MUMMER_FIRST = f"spec <{MUMMER.name}:FQ:-:10::>\n"


def tgsim():
    build = pathlib.Path(os.environ.get("O") or TOP / "build") / "tools/tgsim"
    made = subprocess.run(["make", "-s", "-C", TOP / "tools/tgsim", f"O={build}"], check=False,
                          stdout=subprocess.DEVNULL)
    if made.returncode:
        raise Bad("tgsim cannot be built, see above")
    return build / "tgsim"


def simulate(sim, tasks, policy, extra, *options):
    text = (f"horizon 10000s\ngpu switch=15.5us dispatch=20us submit=10us irq=5us\n"
            f"memory {CARD}M policy {policy}\n{extra}" + "".join(tasks))
    done = subprocess.run([sim, *options, "-"], input=text, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise Bad(f"tgsim: {done.stderr.strip()}")
    return done.stdout


def run(sim, tasks, policy="mmu", extra=""):
    """What the report says of memory; every rule is watched over."""
    memory = json.loads(simulate(sim, tasks, policy, extra, "--monitor", "--json"))["memory"]
    if not memory["all_ended"] or memory["refused"]:
        raise Bad(f"tgsim: {memory['refused']} jobs were refused, or not all ended")
    return memory


def seconds(memory):
    return memory["makespan_ns"] / 1e9


EVENT = re.compile(r" *(\d+)\.(\d{6})  \S+ +(starts|completes|cancelled) ", re.M)


def on_gpu(sim, tasks):
    """When the GPU was at work: (from, to) in ns, one after the other."""
    since = None
    for ms, rest, what in EVENT.findall(simulate(sim, tasks, "mmu", "", "--events")):
        now = int(ms) * 1_000_000 + int(rest)
        if what == "starts":
            since = now
        elif since is not None:
            yield since, now
            since = None


def use_by_second(spans):
    """Part of each second for which the GPU was at work, until it had no more."""
    use = []
    for begin, end in spans:
        while begin < end:
            second = begin // 1_000_000_000
            use.extend([0] * (second + 1 - len(use)))
            part = min(end, (second + 1) * 1_000_000_000) - begin
            use[second] += part / 1e9
            begin += part
    return use


# As the paper's figure 13 has them: none, up to 10 %, up to 20 % ...
BINS = ["0"] + [f"{10 * i + 1}-{10 * i + 10}" for i in range(10)]


def frequencies(use):
    """Per cent of the seconds in each bin."""
    count = [0] * len(BINS)
    for part in use:
        count[0 if part < 0.0005 else min(10, 1 + int(part * 9.9999))] += 1
    return [100 * n / len(use) for n in count]


def packed(sim, program, n):
    """As many as fit, then as many again."""
    whole, rest = divmod(n, program.fit)
    return (whole * seconds(run(sim, [program.task(program.fit)])) if whole else 0) + \
        (seconds(run(sim, [program.task(rest)])) if rest else 0)


def rows11(_):
    sim, ours = tgsim(), {}
    for program in PROGRAMS:
        alone = seconds(run(sim, [program.task(1)]))
        for n in INSTANCES:
            shared = seconds(run(sim, [program.task(n)]))
            for series, took in ((PACKED, packed(sim, program, n)), (OURS, shared)):
                yield Row("speedup", f"{program.name}, {series}", n, n * alone / took, source="simulated")
            if n == 12:
                ours[paper.SPEEDUP, program.name] = n * alone / shared
                ours[paper.OVER_PACKED, program.name] = packed(sim, program, n) / shared
            yield Row("time", program.name, n, shared, source="simulated")
    yield from stated("schedgpu11", ours)


def rows12(_):
    sim = tgsim()
    for program in PROGRAMS:
        for what, n in (("one", 1), (f"as many as fit by hand", program.fit), ("12 with schedGPU", 12)):
            memory = run(sim, [program.task(n)])
            yield Row("gpu", what, program.name, memory["gpu_busy_ppm"] / 1e4, source="simulated")
            yield Row("memory", what, program.name, memory["taken_ppm"] / 1e4, source="simulated")
    for s in paper.STATEMENTS["schedgpu12"]:
        yield Row(s.what, "paper", "ARA", source="paper", note=s.said)


def rows13(_):
    """Of the seconds until the last group, and table II: how long one of them takes."""
    sim, ours = tgsim(), {}
    for program in PROGRAMS:
        for what, n in (("one", 1), ("12 with schedGPU", 12)):
            found = frequencies(use_by_second(on_gpu(sim, [program.task(n)])))
            for name, part in zip(BINS, found):
                yield Row(program.name, what, name, part, source="simulated")
            jobs = run(sim, [program.task(n)])["jobs"]
            took = sum(j["ended_ns"] - j["came_ns"] for j in jobs) / len(jobs) / 1e9
            yield Row("each", what, program.name, took, source="simulated")
            ours[paper.EACH[program.name], what] = took
    yield from stated("schedgpu13", ours)


def rows14(_):
    sim = tgsim()
    sequence = sum(4 * seconds(run(sim, [program.task(1)])) for program in PROGRAMS)
    yield Row("time", SEQUENCE, "all", sequence, source="simulated")
    took = {}
    for policy, name in POLICIES.items():
        memory = run(sim, MIX, policy, MUMMER_FIRST)
        took[policy] = seconds(memory)
        yield Row("time", name, "all", took[policy], source="simulated")
        yield Row("use", name, "GPU", memory["gpu_busy_ppm"] / 1e4, source="simulated")
        yield Row("use", name, "memory", memory["taken_ppm"] / 1e4, source="simulated")
    yield from stated("schedgpu14", {
        (paper.SPEEDUP_MIX, POLICIES[p]): sequence / took[p] for p in POLICIES} | {
        (paper.OVER_FIFO, "MMU"): 100 * (1 - took["mmu"] / took["fifo"])})


def rows15(_):
    """A core each: it is at work while its job computes, and has nothing to do while that
    waits for memory or for the GPU."""
    sim = tgsim()
    for policy, name in POLICIES.items():
        every = run(sim, MIX, policy, MUMMER_FIRST)["jobs"]
        for program in PROGRAMS:
            jobs = [j for j in every if j["job"].startswith(program.name + "#")]
            lived = sum(j["ended_ns"] - j["came_ns"] for j in jobs) / 1e9
            waited = sum(j["waited_ns"] for j in jobs) / 1e9
            computed = 4 * program.think_s * program.frames
            yield Row("cpu", name, program.name, 100 * computed / lived, source="simulated")
            yield Row("waited", name, program.name, 100 * waited / lived, source="simulated")
    for s in paper.STATEMENTS["schedgpu15"]:
        yield Row(s.what, "paper", MUMMER.name, source="paper", note=s.said)


FIGURES = {
    "schedgpu11": Figure("One to twelve instances of three programs (by tgsim).", lambda: [], {
        "speedup": Panel("Speed-up against one after the other", "lines", "instances", "times"),
        "time": Panel("All of them with schedGPU", "lines", "instances", "s"),
        "text": ranges()}, rows11),
    "schedgpu12": Figure("How much of the card they use, with table I (by tgsim).", lambda: [], {
        "gpu": Panel("GPU", "bars", "", "% of the time until all have ended"),
        "memory": Panel("Memory that is reserved", "bars", "", "% of it, in the mean")}, rows12),
    "schedgpu13": Figure("How often the card is used how much, with table II (by tgsim).", lambda: [], {
        program.name: Panel(program.name, "bars", "use of the GPU in a second, %", "% of all seconds")
        for program in PROGRAMS} | {
        "each": Panel("How long one of them takes", "bars", "", "s"),
        "text": ranges("what the paper's table II says, and ours")}, rows13),
    "schedgpu14": Figure("Twelve jobs, four of each program, with table III (by tgsim).", lambda: [], {
        "time": Panel("Until all have ended", "bars", "", "s"),
        "use": Panel("In use until then", "bars", "", "%"),
        "text": ranges()}, rows14),
    "schedgpu15": Figure("What the cores of twelve jobs do (by tgsim).", lambda: [], {
        "cpu": Panel("At work", "bars", "", "% of a job's life"),
        "waited": Panel("Waiting for memory", "bars", "", "% of a job's life")}, rows15),
}
