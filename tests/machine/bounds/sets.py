# SPDX-License-Identifier: GPL-2.0-or-later
"""Random task sets, and what their programs do in a run of tgsim.

A set is written down twice: as a specification with the lengths that tgspec
analyze is told, and as scenarios in which every group keeps to those lengths.
Times are integers in nanoseconds.
"""
import dataclasses
import math
from fractions import Fraction

US = 1000
MS = 1000 * US
ROUNDS = 4          # of the longest period that a run goes on after its instants
GROUPS_MAX = 2500   # of one program in a run


@dataclasses.dataclass
class Program:
    """One line of the specification; prio None: managed by focus."""
    name: str
    sched: str
    resv: str
    prio: object
    capacity: int = 0
    period: int = 0
    lead: object = None     # None: the module's

    def entry(self):
        times = f"{self.capacity // US}us:{self.period // US}us" if self.capacity else ":"
        prio = "*" if self.prio is None else self.prio
        lead = "" if self.lead is None else f" lead={self.lead // US}us"
        return f"<{self.name}:{self.sched}{lead}:{self.resv}:{prio}:{times}>\n"


@dataclasses.dataclass
class Reserve:
    """shortest, longest: GPU time of its groups without context switch; declared:
    what tgspec is told of the longest group, None for nothing; vary: groups of one
    kind differ, so that they cannot be predicted."""
    label: str
    kind: str
    capacity: int
    period: int
    members: list
    shortest: int
    longest: int
    declared: object
    vary: bool = False


@dataclasses.dataclass
class TaskSet:
    reserves: list
    free: list          # (Program, GPU time of its groups)
    gpu: dict           # switch, submit, dispatch, irq
    limit: int
    depth: int
    predict: str
    cpu_clock: bool
    lead: int = 0
    floor: int = 0      # percent
    floor_period: int = 100 * MS

    @property
    def idle(self):
        """GPU time around a group that nobody is charged for."""
        g = self.gpu
        return max(g["submit"], g["dispatch"]) + (0 if self.cpu_clock else g["irq"])

    @property
    def extra(self):
        """What a group may be charged beyond its own GPU time."""
        return self.gpu["switch"] + (self.gpu["irq"] if self.cpu_clock else 0)

    def programs(self):
        lines = [m for r in self.reserves for m in r.members] + [p for p, _ in self.free if p]
        return sorted(lines, key=lambda p: p.name)

    def spec(self):
        return "".join(p.entry() for p in self.programs())

    def options(self):
        """What tgspec analyze and assign are told."""
        words = ["--ac", "ac", "--ht-depth", str(self.depth), "--lead", f"{self.lead // US}us" if
                 self.lead else "0", "--floor", str(self.floor), "--floor-period",
                 f"{self.floor_period // US}us"]
        idle = -(-self.idle // US)
        if idle:
            words += ["--idle", f"{idle}us"]
        for r in self.reserves:
            if r.declared:
                words += ["--group", f"{r.label}={-(-r.declared // US)}us"]
            if idle:
                words += ["--shortest", f"{r.label}={r.shortest // US}us"]
        if idle and self.free:
            words += ["--shortest", f"{min(cost for _, cost in self.free) // US}us"]
        for program, cost in self.free:
            name = f"{program.name}=" if program else ""
            words += ["--blocking", f"{name}{-(-(cost + self.extra) // US)}us"]
        return words

    def admitted(self):
        """Labels in the order of the file, as exact sums decide."""
        left, labels = Fraction(self.limit, 100), set()
        order = {m.name: i for i, m in enumerate(self.programs())}
        for r in sorted(self.reserves, key=lambda r: min(order[m.name] for m in r.members)):
            share = Fraction(r.capacity, r.period)
            if share <= left:
                left -= share
                labels.add(r.label)
        return labels


def uunifast(rng, n, total):
    """Bini, Buttazzo 2005: shares that add up to total, evenly distributed."""
    shares = []
    for i in range(n - 1, 0, -1):
        rest = total * rng.random() ** (1 / i)
        shares.append(total - rest)
        total = rest
    return shares + [total]


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def micro(ns, least=1):
    return max(least, int(ns) // US) * US


def random_gpu(rng):
    gpu = {"switch": 0, "submit": 0, "dispatch": 0, "irq": 0}
    if rng.random() < 0.5:
        gpu["switch"] = micro(rng.uniform(1, 20) * US)
    if rng.random() < 0.4:
        for part in ("submit", "dispatch", "irq"):
            gpu[part] = micro(rng.uniform(1, 15) * US)
    return gpu


def random_members(rng, index, kind, shared, capacity, period):
    label = f"s{index}" if shared else f"t{index}"
    prio = None if rng.random() < 0.08 else rng.randint(3, 97)
    members = []
    for i in range(rng.randint(2, 3) if shared else 1):
        name = f"t{index}" + ("abc"[i] if shared else "")
        own = rng.randint(3, 97) if shared and prio is not None and rng.random() < 0.3 else prio
        resv = f"{kind}@{label}" if shared else kind
        members.append(Program(name, "PRT", resv, own, *((0, 0) if i else (capacity, period))))
    return label, members


def random_reserve(rng, index, share, period, tset, longest_ns):
    """One reserve; its groups are no longer than longest_ns if that is possible."""
    kind = "AE" if rng.random() < 0.3 else "PE"
    capacity = micro(share * period, 30)
    extra = tset.extra
    whole = kind == "PE" and capacity <= 2 * longest_ns and rng.random() < 0.5
    vary = kind == "AE" and rng.random() < 0.4
    most = min(longest_ns, capacity // (6 if vary else 3 if kind == "AE" else 1))
    if kind == "PE" and rng.random() < 0.1:
        most = min(longest_ns, 2 * capacity)
    longest = max(4 * US, micro(rng.uniform(0.2, 1) * most) - extra)
    if whole:
        longest = max(4 * US, capacity - extra)
    shortest = longest if rng.random() < 0.2 else max(2 * US, micro(rng.uniform(0.1, 1) * longest))
    declared = None if whole else longest + extra
    if vary:
        # A prediction is the average of a record plus the average cost of a switch,
        # and what groups differ by may be taken for the latter.
        declared += longest
    label, members = random_members(rng, index, kind, rng.random() < 0.2, capacity, period)
    return Reserve(label, kind, capacity, period, members, shortest, longest, declared, vary)


def random_free(rng, index, longest_ns, tset, above):
    """A program without a reserve, below all others unless above."""
    sched = rng.choice(("HT", "PRT"))
    resv = rng.choice(("-", "-", "BG") if sched == "PRT" else ("-", "PE"))
    prio = rng.randint(40, 99) if above else rng.randint(0, 2)
    program = Program(f"u{index}", sched, resv, prio)
    if resv == "PE":
        program.capacity, program.period = 100 * US, 10 * MS
    cost = longest_ns // (tset.depth if sched == "HT" else 1)
    return program, max(3 * US, micro(rng.uniform(0.3, 1) * cost) - tset.extra)


def add_lead(rng, tset):
    """The lead and the floor; and some have leads of their own."""
    longest = max([cost for _, cost in tset.free] + [100 * US])
    if rng.random() < 0.7:
        tset.lead = min(100 * MS, micro(rng.uniform(0.2, 5) * longest))
        if not any(p and p.sched == "HT" for p, _ in tset.free):
            tset.depth = rng.choice((tset.depth, 16))
    for program in tset.programs():
        if rng.random() < 0.4:
            program.lead = micro(rng.choice((0, rng.uniform(0.2, 3))) * longest, 0)
    if rng.random() < 0.4:
        tset.floor = rng.choice((1, 3, 10, 30))
        tset.floor_period = micro(log_uniform(rng, 2 * MS, 100 * MS))


def random_set(rng):
    """2 to 8 reserves, and up to two programs without."""
    n = rng.choice((2, 2, 3, 4, 5, 6, 7, 8))
    total = rng.uniform(0.1, 0.95) if rng.random() < 0.93 else rng.uniform(1.0, 1.3)
    shares = uunifast(rng, n, total)
    spread = rng.choice((4, 10, 50))
    shortest = log_uniform(rng, 1 * MS, 10 * MS)
    periods = [micro(log_uniform(rng, shortest, spread * shortest)) for _ in range(n)]
    tset = TaskSet([], [], random_gpu(rng), rng.choice((100, 100, 100, 90)),
                   rng.choice((1, 2, 4)), "history", rng.random() < 0.2)
    if rng.random() < 0.3:
        tset.predict = "perfect"
    longest_ns = min(periods) * rng.uniform(0.02, 0.25)
    for i, (share, period) in enumerate(zip(shares, periods)):
        tset.reserves.append(random_reserve(rng, i, min(share, 0.99), period, tset, longest_ns))
    for i in range(rng.choice((0, 1, 1, 2))):
        tset.free.append(random_free(rng, i, longest_ns, tset, rng.random() < 0.05))
    # One that is not listed: Background.
    if rng.random() < 0.3:
        tset.free.append((None, max(3 * US, micro(longest_ns / 2))))
    add_lead(rng, tset)
    return tset
