# SPDX-License-Identifier: GPL-2.0-or-later
"""The scenes of the paper's experiments: which programs run together, under
which specification, for how long.

Periods are long compared with the programs' groups: a group is never
interrupted, so a share is exact only to about a group per window (PE), or a
group per period (AE, which loses what is left of a budget and is not enough for
another group).
"""
import dataclasses
import shlex

OFF = "off"
# The module as the paper describes it: an interrupt for each group, nobody ungated, no lead, no floor.
PAPER = "completion=notify lead_us=0 floor=0 freerun=0"


@dataclasses.dataclass(frozen=True)
class Domain:
    """A cgroup. weight: on the GPU; cpu: on the CPU, cpu.weight; target: for SLAF, % of the GPU;
    0: none."""
    weight: int = 100
    cpu: int = 100
    target: float = 0


@dataclasses.dataclass
class Scene:
    """One window of all tasks together.

    tasks: command lines; spec: entries of the specification, one a line;
    module: timegraph.ko's parameters, or OFF; trace: "groups", a function of the
    module, or nothing; watch: whether the status is taken all along, which costs CPU.

    domains: one for each task, which runs in it as dom1, dom2, ...; policy: of the GPU
    then, for tgctl policy. Without the module they have their CPU weights alone.

    Shares are taken after settle_ms: what came before belongs to a period that
    the window's start cut in two. The rest is a multiple of all periods.
    """
    name: str
    tasks: list
    spec: str = ""
    seconds: float = 2.1
    module: str = ""
    trace: str = ""
    settle_ms: int = 100
    watch: bool = True
    domains: tuple = ()
    policy: str = ""

    def plan(self):
        words = ["scene", self.name, f"{self.seconds:g}", self.module, self.trace,
                 self.spec.replace("\n", "\\n")]
        for i, task in enumerate(self.tasks):
            inside = [f"cgroup:/sys/fs/cgroup/dom{i + 1}"] if self.domains else []
            words += ["--"] * (i > 0) + inside + task.split()
        before = "watch=0 " * (not self.watch)
        if self.domains:
            rules = " ".join(f"{d.weight}/{d.cpu}/{d.target:g}" for d in self.domains)
            before += f"domains={shlex.quote(rules)} policy={self.policy} "
        return before + " ".join(map(shlex.quote, words)) + "\n"

    def changed(self, **what):
        return dataclasses.replace(self, **what)

    def as_paper(self):
        """The same scene under the paper's scheduler."""
        if self.module == OFF:
            return self
        return self.changed(module=f"{PAPER} {self.module}".strip())

    def logged(self):
        """The same scene, with the time of each frame."""
        return self.changed(tasks=[f"{task} --frame-log /results" for task in self.tasks])


def entries(*lines):
    return "".join(f"<{line}>\n" for line in lines)


# A game with a frame clock. One that always has work would leave nothing to lower
# priorities: a reserve is a cap and not a guarantee, priorities are strict. With
# 40 layers its heaviest frames, too, leave the bombs their tenth.
GAME = "game --fps 50 --layers 40"
# One that draws all it can, a frame at a time and in short groups: others come in between,
# where the paper's games, too, leave the GPU idle.
FREE_GAME = "game --size 640x512 --group 2 --frames-in-flight 1"
HT_GAME = "game:HT:-:60::"
BOMB = "clearspd"
FIVE_BOMBS = [BOMB] * 5


def beside(figure, game, others, caps):
    """A game beside others: alone, without TimeGraph, by priority, and capped in each way."""
    tasks = [game] + others
    yield Scene(f"{figure}-alone", [game], module=OFF)
    yield Scene(f"{figure}-without", tasks, module=OFF)
    for name, other in caps.items():
        yield Scene(f"{figure}-{name}", tasks, entries(HT_GAME, other))


def figure7(figure="fig7", game=GAME):
    return beside(figure, game, ["engine"], {
        "priority": "engine:PRT:-:40::",
        "PE": "engine:PRT:PE:40:2500us:25ms",
        "AE": "engine:PRT:AE:40:2500us:25ms",
    })


def figure8(figure="fig8", game=GAME):
    return beside(figure, game, [BOMB], {
        "priority": "clearspd:PRT:-:10::",
        "PE": "clearspd:PRT:PE:10:2500us:25ms",
        "AE": "clearspd:PRT:AE:10:2500us:25ms",
    })


def figure9(figure="fig9", game=GAME):
    yield from beside(figure, game, FIVE_BOMBS, {
        "priority": "clearspd:PRT:-:10::",
        "PE": "clearspd:PRT:PE:10:500us:25ms",
        "PE-shared": "clearspd:PRT:PE@bombs:10:2500us:25ms",
        "AE": "clearspd:PRT:AE:10:500us:25ms",
    })
    yield Scene(f"{figure}-PRT-game", [game] + FIVE_BOMBS,
                entries("game:PRT:PE:60:90ms:100ms", "clearspd:PRT:PE@bombs:10:2500us:25ms"))


def figure11():
    """An engine beside five bombs: its frame rate as time goes by."""
    tasks = ["engine"] + FIVE_BOMBS
    engine = "engine:PRT:-:40::"
    yield Scene("fig11-without", tasks, module=OFF)
    yield Scene("fig11-priority", tasks, entries(engine, "clearspd:PRT:-:10::"))
    yield Scene("fig11-PE", tasks, entries(engine, "clearspd:PRT:PE@bombs:10:2500us:25ms"))
    yield Scene("fig11-AE", tasks, entries(engine, "clearspd:PRT:AE@bombs:10:2500us:25ms"))


# Groups of about 2 ms against a period of 200 ms. Shorter ones would cost more GPU
# time than the 10 % that are left over: under PRT the GPU idles after each group
# for an interrupt, a wake-up and an ioctl.
GRID_MS = 200
GRID_GAME = "game --batch 2 --group 4"
GRID_ENGINE = "engine --parts 72"


def grid_points():
    """Per cent of the game and of the engine: 90 together, as in the paper."""
    return [(g, 90 - g) for g in range(10, 90, 10)]


def figure10(points=None, policies=("PE", "AE"), seconds=4.2):
    yield Scene("fig10-game-alone", [GRID_GAME], entries("game:PRT:-:60::"))
    yield Scene("fig10-engine-alone", [GRID_ENGINE], entries("engine:PRT:-:40::"))
    for policy in policies:
        for game, engine in points or grid_points():
            yield Scene(f"fig10-{policy}-{game}-{engine}", [GRID_GAME, GRID_ENGINE],
                        entries(f"game:PRT:PE:60:{game * GRID_MS // 100}ms:{GRID_MS}ms",
                                f"engine:PRT:{policy}:40:{engine * GRID_MS // 100}ms:{GRID_MS}ms"),
                        seconds=seconds, trace="groups" if policy == "AE" else "",
                        settle_ms=GRID_MS)


# A player that filters its pictures, and so needs about a fifth of the GPU: more than
# its turn among six. (Without filters it needs 2 %, and any scheduler will do.)
PLAYER = "player --passes 36"


def figure13():
    tasks = [PLAYER] + FIVE_BOMBS
    yield Scene("fig13-alone", [PLAYER], module=OFF)
    yield Scene("fig13-without", tasks, module=OFF)
    yield Scene("fig13-priority", tasks, entries("player:PRT:-:50::", "clearspd:PRT:-:10::"))
    yield Scene("fig13-PE", tasks, entries("player:PRT:PE:50:10ms:40ms",
                                           "clearspd:PRT:PE@bombs:10:5ms:40ms"), trace="groups")


def figure12():
    tasks = [f"engine --name engine{i}" for i in (1, 2, 3)]
    yield Scene("fig12a", tasks, module=OFF)
    yield Scene("fig12b", tasks, entries("engine1:PRT:-:60::", "engine2:PRT:-:50::",
                                         "engine3:PRT:-:40::"))
    yield Scene("fig12c", tasks, entries("engine1:PRT:PE:60:15ms:25ms",
                                         "engine2:PRT:PE:50:5ms:50ms",
                                         "engine3:PRT:PE:40:5ms:100ms"))


# Profiled and never throttled: a budget of the whole time.
WHOLE = "25ms:25ms"
# Groups per frame: engine 1, clearspd 16, game about 25.
FIG14_TASKS = {
    "engine": "engine --frames 10050",
    "clearspd": "clearspd --frames 640",
    "game": "game --frames 500",
}


def figure14(tasks=tuple(FIG14_TASKS)):
    for name in tasks:
        yield Scene(f"fig14-{name}", [FIG14_TASKS[name]], entries(f"{name}:PRT:AE:40:{WHOLE}"),
                    seconds=120, trace="groups")
    # Each group follows one of another channel: with a context switch.
    yield Scene("fig14-together", list(tasks),
                entries(*(f"{name}:PRT:AE@all:40:{WHOLE}" for name in tasks)), trace="groups")


# The machine has no X server. What it does to the GPU is a picture drawn 60 times a second.
SERVER = "player --name Xorg --fps 60"
# Alone but for the server; the last is two clients that take turns.
FIG15_PROGRAMS = {
    "game": ["game"],
    "small groups": ["game --group 2"],
    "engine": ["engine"],
    "two engines": ["engine", "engine"],
}
# The entries of the server and of the program; whole reserves never throttle.
FIG15_MODES = {
    "HT": ("HT:-:99::", "HT:-:60::"),
    "HT, server PRT": ("PRT:-:99::", "HT:-:60::"),
    "PRT": ("PRT:-:99::", "PRT:-:60::"),
    "PRT, PE": ("PRT:-:99::", "PRT:PE@all:60:25ms:25ms"),
    "PRT, AE": ("PRT:-:99::", "PRT:AE@all:60:25ms:25ms"),
}


def even(task):
    """Twice through all shots of the game: some are heavier, and a window cuts them anywhere."""
    return f"{task} --frames 48" if task.startswith("game") and "--size" not in task else task


def fig15_name(program, mode):
    return f"fig15-{program}-{mode}".replace(", ", "-").replace(" ", "-")


def figure15():
    """What TimeGraph costs programs that nobody disturbs."""
    for program, tasks in FIG15_PROGRAMS.items():
        all_tasks = [SERVER] + [even(task) for task in tasks]
        seconds = 1.6 if even(tasks[0]) != tasks[0] else 0.6
        yield Scene(fig15_name(program, "without"), all_tasks, module=OFF, seconds=seconds)
        for mode, (server, entry) in FIG15_MODES.items():
            yield Scene(fig15_name(program, mode), all_tasks,
                        entries(f"Xorg:{server}", f"{tasks[0].split()[0]}:{entry}"),
                        seconds=seconds)


# From few long groups a frame to many short ones.
FIG16_PROGRAMS = {
    "game": "game",
    "game, 2 draws a group": "game --group 2 --frames-in-flight 3",
    "game, 1 draw a group": "game --group 1 --frames-in-flight 3",
    "engine": "engine",
    "clearspd": "clearspd",
    "64x48 engine": "engine --size 64x48",
    "64x48 game": "game --size 64x48 --group 1",
    "64x48 clearspd": "clearspd --size 64x48",
}


FIG16_TICK_US = 1000
FIG16_COUNTED = 60  # frames of the scene that counts groups


def figure16():
    """Throughput of programs alone, under PRT: the scheduler runs for each group."""
    for i, task in enumerate(FIG16_PROGRAMS.values()):
        spec = entries(f"{task.split()[0]}:PRT:-:40::")
        seconds = 1.6 if even(task) != task else 0.6
        yield Scene(f"fig16-{i}-without", [even(task)], module=OFF, seconds=seconds)
        yield Scene(f"fig16-{i}-PRT", [even(task)], spec, seconds=seconds)
        yield Scene(f"fig16-{i}-ticks", [even(task)], spec, seconds=seconds,
                    module=f"lead_us=0 tick_us={FIG16_TICK_US}")
        yield Scene(f"fig16-{i}-groups", [f"{task} --warmup 0 --frames {FIG16_COUNTED}"], spec,
                    seconds=20, trace="groups", settle_ms=0)


# The same commands with other data, so that nobody can predict the cost.
UNEVEN = "tgload --cost-us 1500 --vary 80"


def overrun():
    """AE under a reserve that throttles: how far a budget is overdrawn."""
    tasks = ["engine", UNEVEN, "game"]
    yield Scene("overrun", tasks, entries(*(f"{name}:PRT:AE:40:5ms:25ms"
                                            for name in ("engine", "tgload", "game"))),
                trace="groups")


def accounting():
    """A capped task beside the game, by the GPU's clock and by the CPU's."""
    for task in ("clearspd", "engine"):
        for clock, parameter in (("gpu", ""), ("cpu", "cpu_clock=1")):
            yield Scene(f"clock-{clock}-{task}", [GAME, task],
                        entries(HT_GAME, f"{task}:PRT:PE:40:2500us:25ms"),
                        module=parameter, trace="groups")


# 2 headers a fill, 2 of the target, 2 for each of the two stamps: 4,096.
ORDINARY = "tgload --fills 2045 --bytes 4096"
# NOTIFY and NOP, which a program of the kind that Mesa is never sends.
UNUSUAL = "tgload --fills 0 --bytes 4096 --notify-flood 2045"
MEASURED = {
    "tg_cmdstream_scan": "parse",
    "tg_gate_check": "predict, check",
    "tg_nouveau_read": "find, map and parse",
    "tg_complete_notify": "completion",
}


def overhead():
    spec = entries(f"tgload:PRT:AE:40:{WHOLE}", f"game:PRT:AE:40:{WHOLE}",
                   f"engine:PRT:AE:40:{WHOLE}")
    for name, task in (("ordinary", ORDINARY), ("unusual", UNUSUAL), ("engine", "engine"),
                       ("game", "game")):
        for function in MEASURED:
            yield Scene(f"overhead-{name}-{function}", [task], spec, seconds=0.5, trace=function)


FIGURES = {
    "fig7": figure7,
    "fig8": figure8,
    "fig9": figure9,
    "fig10": figure10,
    "fig11": figure11,
    "fig12": figure12,
    "fig13": figure13,
    "fig14": figure14,
    "fig15": figure15,
    "fig16": figure16,
    "overrun": overrun,
    "accounting": accounting,
    "overhead": overhead,
}
