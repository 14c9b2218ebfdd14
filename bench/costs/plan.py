# SPDX-License-Identifier: GPL-2.0-or-later
"""What "make bench" runs in the test machine: the scenes of the three tables, in the words
of bench/reserves/scenes.py.
"""
from scenes import OFF, Scene, entries

# The paper's PRT: an interrupt for each group, and the GPU idle until it was served.
PAPER_PRT = "lead_us=0 completion=notify"

# Each with a number of frames that takes a second or two; the game's are two rounds of its shots.
PROGRAMS = {
    "game": ("game --frames 48", "game"),
    "engine": ("engine --frames 1400", "engine"),
    **{f"{us / 1000:g} ms groups" if us >= 1000 else f"{us} us groups":
       (f"tgload --cost-us {us} --frames {frames}", "tgload")
       for us, frames in ((5000, 200), (2000, 500), (500, 2000), (50, 20000))},
}

# Module parameters, and the rule of the program that is looked at.
MODES = {
    "without": (OFF, ""),
    "no entry": ("", ""),
    "HT": ("", "HT:-:60::"),
    "PRT": ("", "PRT:-:60::"),
    "PRT as in paper": (PAPER_PRT, "PRT:-:60::"),
}


def scene_name(*words):
    return "-".join(words).replace(" ", "-")


def overhead(programs=tuple(PROGRAMS)):
    """Each program alone; all of a mode in turn, as the module is then inserted once."""
    for mode, (module, rule) in MODES.items():
        for program in programs:
            task, name = PROGRAMS[program]
            yield Scene(scene_name("overhead", mode, program), [task],
                        entries(f"{name}:{rule}") if rule else "", seconds=20, module=module,
                        settle_ms=0)


SHORT, LONG = "tgload --name short --cost-us 2000", "tgload --name long --cost-us 20000"
# Weights of the short and of the long groups; None: without a specification.
WEIGHTS = [None, (1, 4), (4, 1), (1, 9), (9, 1)]


def weights_name(weights):
    return "sharing-" + ("no-entry" if weights is None else "%d-%d" % weights)


# Per cent of the more important one and of the other.
PAIRS = [(50, 50), (75, 25), (25, 75), (90, 10), (10, 90), (95, 5), (5, 95), (99, 1), (1, 99)]
PAIR_MS = 200
PAIR_COSTS_US = [2000, 500]
POLICIES = ["PE", "AE"]


def pair_name(policy, us, pair):
    return f"sharing-{policy}-{us}-{pair[0]}-{pair[1]}"


def pair_scene(policy, us, pair):
    names = ("high", "low")
    return Scene(pair_name(policy, us, pair), [f"tgload --name {n} --cost-us {us}" for n in names],
                 entries(*(f"{n}:PRT:{policy}:{prio}:{part * PAIR_MS // 100}ms:{PAIR_MS}ms"
                           for n, prio, part in zip(names, (60, 40), pair))),
                 seconds=2.2, settle_ms=PAIR_MS)


# Equals under PRT: module parameters by the name of the row.
EQUALS = {"without": OFF, "PRT": "", "PRT stage=Y": "stage=Y"}
EQUAL_COSTS_US = [2000, 500, 50]


def equals_name(rule, us):
    return scene_name("sharing", "equals", rule, str(us))


def equals_scene(rule, us):
    names = ("one", "two")
    module = EQUALS[rule]
    return Scene(equals_name(rule, us), [f"tgload --name {n} --cost-us {us}" for n in names],
                 "" if module == OFF else entries(*(f"{n}:PRT:-:50::" for n in names)),
                 module=module, seconds=1.1)


def sharing():
    yield Scene("sharing-without", [SHORT, LONG], module=OFF, seconds=4.1)
    for weights in WEIGHTS:
        spec = entries(*(f"{name}:FQ={100 * w}:-:0::" for name, w in
                         zip(("short", "long"), weights))) if weights else ""
        yield Scene(weights_name(weights), [SHORT, LONG], spec, seconds=4.1)
    for us in EQUAL_COSTS_US:
        for rule in EQUALS:
            yield equals_scene(rule, us)
    for policy in POLICIES:
        for us in PAIR_COSTS_US:
            for pair in PAIRS:
                yield pair_scene(policy, us, pair)


# Eight programs that always have work, without a specification: the longest group of each, ms,
# and how much shorter they are at random, per cent: groups of 0.2 to 40 ms.  After two seconds: to
# measure itself a program sends some of its longest groups first, and who has them pays for that.
MANY_MS = (1, 2, 4, 8, 16, 24, 32, 40)
MANY_SHORTER = 80
MANY = {"without": OFF, "no entry": ""}


def many_name(rule):
    return scene_name("many", rule)


def many():
    tasks = [f"tgload --name t{ms} --cost-us {1000 * ms} --vary {MANY_SHORTER} --seed {ms}"
             for ms in MANY_MS]
    for rule, module in MANY.items():
        yield Scene(many_name(rule), tasks, module=module, seconds=4, settle_ms=2000)


# A period that the bombs' groups do not divide.
FRONT = "tgload --name front --cost-us 1000 --period-us 7300"
BOMBS = ["tgload --name bomb --cost-us 2000"] * 5


def latency():
    """A client that sends a group now and then, alone and beside five that always have some."""
    for mode, (module, rule) in MODES.items():
        spec = entries(f"front:{rule}", "bomb:PRT:-:10::") if rule else ""
        for place, others in (("alone", []), ("bombs", BOMBS)):
            yield Scene(scene_name("latency", mode, place), [FRONT] + others, spec,
                        seconds=3.1, module=module)


TABLES = {"overhead": overhead, "sharing": sharing, "many": many, "latency": latency}
