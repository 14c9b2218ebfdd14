# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures 11 to 15 of the schedGPU paper (section 7.3), with its tables I to III: in the test machine,
a hundred times as fast, and by tgsim, which runs the module's own code for reservations of memory.

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
from scenes import OFF, Scene
from sheet import Bad, Row

TOP = pathlib.Path(__file__).resolve().parents[2]
INSTANCES = (1, 2, 4, 6, 8, 10, 12)
SEQUENCE, PACKED, OURS = "one after the other", "packed by hand", "schedGPU"
POLICIES = {"fifo": "FIFO", "mmu": "MMU", "prio-fifo": "priority FIFO", "prio-mmu": "priority MMU"}


@dataclasses.dataclass
class Program:
    """memory: MiB of the paper's card; fit: so many at once by hand; think_s, frames, groups, cost_ms:
    each frame computes for so long, and then has so many groups. In the machine: memory_mib,
    and fills, which take as long as a group does, a hundred times as fast."""
    name: str
    memory: int
    fit: int
    think_s: float
    frames: int
    groups: int
    cost_ms: int
    memory_mib: int
    fills: int
    phases: bool = True

    def task(self, n):
        return (f"task {self.name}\n\tmemory {self.memory}M{' each frame' if self.phases else ''}\n"
                f"\tarrive loop think={self.think_s * 1000:g}ms frames={self.frames} "
                f"groups={self.groups}\n\tcost {self.cost_ms}ms\n\tinstances {n}\n")

    def command(self, reserve):
        return (f"tgjob --name {self.name} --memory-mib {self.memory_mib} --frames {self.frames} "
                f"--think-us {self.think_s * 1e6 / FASTER:.0f} --groups {self.groups} --fills {self.fills}"
                + " --each-frame" * self.phases + " --reserve" * reserve)


# 226.8 s, 0.51 % of them on the GPU, at the end; 322.8 s, 2.46 %, at intervals; 69.1 s, 69.5 %,
# and a third of the memory nearly all of the time (table I, section 7.3.1).
ARA = Program("ARA", 750, 6, 225.6, 1, 12, 96, 76, 9)
MUMMER = Program("MUMmerGPU", 750, 6, 31.5, 10, 8, 99, 76, 9)
BLAST = Program("GPU-BLAST", 1600, 2, 0.211, 100, 1, 480, 168, 44, phases=False)
PROGRAMS = (ARA, MUMMER, BLAST)
# Four of each; by priority MUMmerGPU, which takes longest, goes first.
MUMMER_FIRST = f"<{MUMMER.name}:FQ:-:10::>\n"


@dataclasses.dataclass
class Job:
    """s: of the paper's time."""
    name: str
    lived: float
    waited: float


@dataclasses.dataclass
class Outcome:
    """What came of jobs that ran together: the paper's seconds until all had ended, the use of GPU and
    memory until then in per cent, and when the GPU was at work, (from, to) in the paper's ns."""
    seconds: float
    gpu: float
    memory: float
    jobs: list
    spans: object


class Simulated:
    """By tgsim. Every rule is watched over."""
    source = "simulated"
    card = 4799

    def __init__(self):
        build = pathlib.Path(os.environ.get("O") or TOP / "build") / "tools/tgsim"
        made = subprocess.run(["make", "-s", "-C", TOP / "tools/tgsim", f"O={build}"], check=False,
                              stdout=subprocess.DEVNULL)
        if made.returncode:
            raise Bad("tgsim cannot be built, see above")
        self.sim = build / "tgsim"
        self.done = {}

    def _say(self, text, *options):
        done = subprocess.run([self.sim, *options, "-"], input=text, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            raise Bad(f"tgsim: {done.stderr.strip()}")
        return done.stdout

    def _on_gpu(self, text):
        since = None
        for ms, rest, what in EVENT.findall(self._say(text, "--events")):
            now = int(ms) * 1_000_000 + int(rest)
            if what == "starts":
                since = now
            elif since is not None:
                yield since, now
                since = None

    def outcome(self, tasks, policy="mmu", spec=""):
        text = (f"horizon 10000s\ngpu switch=15.5us dispatch=20us submit=10us irq=5us\n"
                f"memory {self.card}M policy {policy}\n" + f"spec {spec}" * bool(spec) + "".join(tasks))
        if text in self.done:
            return self.done[text]
        memory = json.loads(self._say(text, "--monitor", "--json"))["memory"]
        if not memory["all_ended"] or memory["refused"]:
            raise Bad(f"tgsim: {memory['refused']} jobs were refused, or not all ended")
        jobs = [Job(j["job"].split("#")[0], (j["ended_ns"] - j["came_ns"]) / 1e9, j["waited_ns"] / 1e9)
                for j in memory["jobs"]]
        self.done[text] = Outcome(memory["makespan_ns"] / 1e9, memory["gpu_busy_ppm"] / 1e4,
                                  memory["taken_ppm"] / 1e4, jobs, list(self._on_gpu(text)))
        return self.done[text]

    def reserved(self, program, n):
        return self.outcome([program.task(n)])

    # Whom it has room for never waits.
    at_once = reserved

    def mix(self, policy):
        return self.outcome([program.task(4) for program in PROGRAMS], policy, MUMMER_FIRST)


EVENT = re.compile(r" *(\d+)\.(\d{6})  \S+ +(starts|completes|cancelled) ", re.M)

# The machine's programs run a hundredth of the paper's times, on a card with a ninth of the memory.
FASTER = 100
CARD_MIB = 512


def reserved_scene(program, n):
    return Scene(f"schedgpu-{program.name}-{n}", [program.command(True)] * n, module="vram=1", seconds=60,
                 watch=False, settle_ms=0)


def at_once_scene(program, n):
    return Scene(f"schedgpu-{program.name}-{n}-at-once", [program.command(False)] * n, module=OFF,
                 seconds=60, watch=False, settle_ms=0)


def mix_scene(policy):
    return Scene(f"schedgpu-mix-{policy}", [program.command(True) for program in PROGRAMS for _ in range(4)],
                 MUMMER_FIRST, module=f"vram=1 vram_policy={policy}", seconds=60, watch=False, settle_ms=0)


class Measured:
    """In the machine, of the results of scenes, by name."""
    source = "measured"

    def __init__(self, found):
        self.found = found

    def outcome(self, scene):
        result = self.found[scene.name]
        start = min(t["start_ns"] for t in result.tasks)
        took = max(t["end_ns"] for t in result.tasks) - start
        for t in result.tasks:
            asked = next(p.frames for p in PROGRAMS if p.name == t["name"])
            if t["frames"] != asked:
                raise Bad(f"{scene.name}: {t['name']} had {t['frames']} frames of {asked}")
        spans = [(max(a, 0) * FASTER, min(b, took) * FASTER) for a, b in result.on_gpu() if b > 0 and a < took]
        jobs = [Job(t["name"], (t["end_ns"] - t["start_ns"]) * FASTER / 1e9,
                    t["memory_waited_ns"] * FASTER / 1e9) for t in result.tasks]
        held = sum(t["memory_mib"] * t["memory_held_ns"] for t in result.tasks)
        return Outcome(took * FASTER / 1e9, 100 * sum(b - a for a, b in spans) / (took * FASTER),
                       100 * held / (CARD_MIB * took), jobs, spans)

    def reserved(self, program, n):
        return self.outcome(reserved_scene(program, n))

    def at_once(self, program, n):
        return self.outcome(at_once_scene(program, n))

    def mix(self, policy):
        return self.outcome(mix_scene(policy))


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


def portions(program, n):
    """As many as fit, then as many again."""
    whole, rest = divmod(n, program.fit)
    return [program.fit] * whole + [rest] * bool(rest)


def packed(by, program, n):
    return sum(by.at_once(program, part).seconds for part in portions(program, n))


def rows11(by):
    ours = {}
    for program in PROGRAMS:
        alone = by.at_once(program, 1).seconds
        for n in INSTANCES:
            shared, hand = by.reserved(program, n).seconds, packed(by, program, n)
            for series, took in ((PACKED, hand), (OURS, shared)):
                yield Row("speedup", f"{program.name}, {series}", n, n * alone / took, source=by.source)
            yield Row("time", program.name, n, shared, source=by.source)
        ours[paper.SPEEDUP, program.name] = n * alone / shared
        ours[paper.OVER_PACKED, program.name] = hand / shared
    yield from stated("schedgpu11", ours)


def rows12(by):
    for program in PROGRAMS:
        for what, o in (("one", by.at_once(program, 1)),
                        ("as many as fit by hand", by.at_once(program, program.fit)),
                        ("12 with schedGPU", by.reserved(program, 12))):
            yield Row("gpu", what, program.name, o.gpu, source=by.source)
            yield Row("memory", what, program.name, o.memory, source=by.source)
    for s in paper.STATEMENTS["schedgpu12"]:
        yield Row(s.what, "paper", "ARA", source="paper", note=s.said)


def rows13(by):
    """Of the seconds until the last group, and table II: how long one of them takes."""
    ours = {}
    for program in PROGRAMS:
        for what, o in (("one", by.at_once(program, 1)), ("12 with schedGPU", by.reserved(program, 12))):
            for name, part in zip(BINS, frequencies(use_by_second(o.spans))):
                yield Row(program.name, what, name, part, source=by.source)
            took = sum(j.lived for j in o.jobs) / len(o.jobs)
            yield Row("each", what, program.name, took, source=by.source)
            ours[paper.EACH[program.name], what] = took
    yield from stated("schedgpu13", ours)


def rows14(by):
    sequence = sum(4 * by.at_once(program, 1).seconds for program in PROGRAMS)
    yield Row("time", SEQUENCE, "all", sequence, source=by.source)
    took = {}
    for policy, name in POLICIES.items():
        o = by.mix(policy)
        took[policy] = o.seconds
        yield Row("time", name, "all", o.seconds, source=by.source)
        yield Row("use", name, "GPU", o.gpu, source=by.source)
        yield Row("use", name, "memory", o.memory, source=by.source)
    yield from stated("schedgpu14", {
        (paper.SPEEDUP_MIX, POLICIES[p]): sequence / took[p] for p in POLICIES} | {
        (paper.OVER_FIFO, "MMU"): 100 * (1 - took["mmu"] / took["fifo"])})


def rows15(by):
    """A core each: it is at work while its job computes, and has nothing to do while that
    waits for memory or for the GPU."""
    for policy, name in POLICIES.items():
        every = by.mix(policy).jobs
        for program in PROGRAMS:
            jobs = [j for j in every if j.name == program.name]
            lived = sum(j.lived for j in jobs)
            computed = len(jobs) * program.think_s * program.frames
            yield Row("cpu", name, program.name, 100 * computed / lived, source="computed")
            yield Row("waited", name, program.name, 100 * sum(j.waited for j in jobs) / lived,
                      source=by.source)
    for s in paper.STATEMENTS["schedgpu15"]:
        yield Row(s.what, "paper", MUMMER.name, source="paper", note=s.said)


def alone_and_twelve():
    for program in PROGRAMS:
        yield at_once_scene(program, 1)
        yield reserved_scene(program, 12)


def scenes11():
    for program in PROGRAMS:
        for n in INSTANCES:
            yield reserved_scene(program, n)
        for n in sorted({part for n in INSTANCES for part in portions(program, n)}):
            yield at_once_scene(program, n)


def scenes12():
    yield from alone_and_twelve()
    for program in PROGRAMS:
        yield at_once_scene(program, program.fit)


def mixes():
    for policy in POLICIES:
        yield mix_scene(policy)


def scenes14():
    for program in PROGRAMS:
        yield at_once_scene(program, 1)
    yield from mixes()


PLANS = {
    "schedgpu11": (scenes11, rows11, "One to twelve instances of three programs", {
        "speedup": Panel("Speed-up against one after the other", "lines", "instances", "times"),
        "time": Panel("All of them with schedGPU", "lines", "instances", "s"),
        "text": ranges()}),
    "schedgpu12": (scenes12, rows12, "How much of the card they use, with table I", {
        "gpu": Panel("GPU", "bars", "", "% of the time until all have ended"),
        "memory": Panel("Memory that is reserved", "bars", "", "% of it, in the mean")}),
    "schedgpu13": (alone_and_twelve, rows13, "How often the card is used how much, with table II", {
        program.name: Panel(program.name, "bars", "use of the GPU in a second, %", "% of all seconds")
        for program in PROGRAMS} | {
        "each": Panel("How long one of them takes", "bars", "", "s"),
        "text": ranges("what the paper's table II says, and ours")}),
    "schedgpu14": (scenes14, rows14, "Twelve jobs, four of each program, with table III", {
        "time": Panel("Until all have ended", "bars", "", "s"),
        "use": Panel("In use until then", "bars", "", "%"),
        "text": ranges()}),
    "schedgpu15": (mixes, rows15, "What the cores of twelve jobs do", {
        "cpu": Panel("At work", "bars", "", "% of a job's life"),
        "waited": Panel("Waiting for memory", "bars", "", "% of a job's life")}),
}


def measured(name):
    plan, rows, about, panels = PLANS[name]
    return Figure(f"{about}.", plan, panels, lambda found: rows(Measured(found)))


def simulated(name):
    _, rows, about, panels = PLANS[name]
    return Figure(f"{about} (by tgsim).", lambda: [], panels, lambda _: rows(Simulated()))


FIGURES = {name: measured(name) for name in PLANS} | {f"{name}-tgsim": simulated(name) for name in PLANS}
