# SPDX-License-Identifier: GPL-2.0-or-later
"""What the programs of a task set do in one run of tgsim.

A program whose response times are compared keeps to the assumptions of the
bound: at most the work that tgspec analyze reports in any T, in groups no longer
than declared. All others do what hurts, and the budgets alone hold them back.
"""
import dataclasses

from sets import GROUPS_MAX, MS, ROUNDS

KNOWN = 17          # groups after which a program's next one is predicted
IN_STEP, ANY, HOG = "in step", "any time", "hog"


@dataclasses.dataclass
class Release:
    at: int
    cost: int
    kind: int = 0


class Bound:
    """What tgspec analyze says of a reserve."""

    def __init__(self, row):
        self.work, self.level = row["work_ns"], row["level"]
        self.ns = {IN_STEP: row["in_step_ns"], ANY: row["any_time_ns"]}
        self.verdict, self.admitted = row["verdict"], row["admitted"]
        self.blocking = row["blocking_ns"]


class Plan:
    """Who does what in a run: behaviour, start of the period, and releases of each."""

    def __init__(self, rng, tset, bounds):
        self.rng, self.tset, self.bounds = rng, tset, bounds
        self.habit = {}
        self.phase = {}
        self.releases = {}
        self.loops = {}
        self.horizon = 0

    def cost(self, r):
        """GPU time of a group without context switch, and its kind."""
        rng = self.rng
        if r.vary:
            return rng.choice((r.shortest, r.longest, rng.randint(r.shortest, r.longest))), 0
        cost = rng.choice((r.longest, r.shortest, (r.shortest + r.longest) // 2))
        return cost, self.kind(r, cost)

    @staticmethod
    def kind(r, cost):
        """Groups of one kind cost the same, unless they cannot be predicted."""
        return 0 if r.vary else cost

    def job(self, r, work):
        """Groups that are charged no more than work, and nearly as much."""
        extra, groups = self.tset.extra, []
        if not r.declared:
            return [(work - extra, work - extra)] if work > extra else []
        while work >= r.shortest + extra:
            cost, kind = self.cost(r)
            if cost + extra > work:
                cost = work - extra
                kind = self.kind(r, cost)
            groups.append((cost, kind))
            work -= cost + extra
        return groups

    def release(self, r, at, groups):
        """The members of a Shared reserve take turns at random."""
        member = self.rng.choice(r.members)
        for cost, kind in groups:
            if self.rng.random() < 0.3:
                member = self.rng.choice(r.members)
            list_ = self.releases[member.name]
            if len(list_) < GROUPS_MAX:
                list_.append(Release(at, cost, kind))

    def obey(self, r, first, end):
        """Whole jobs, or group by group as the work in the last T allows."""
        rng, work = self.rng, self.bounds[r.label].work
        at = first
        if self.habit[r.label] == IN_STEP:
            while at < end:
                if rng.random() < 0.95:
                    self.release(r, at, self.job(r, work))
                at += r.period
            return
        style = rng.choice(("jobs", "jobs", "jobs", "groups"))
        if style == "jobs" or not r.declared:
            lazy = rng.choice((0, 0, 0.3))
            while at < end:
                self.release(r, at, self.job(r, work))
                at += r.period
                if rng.random() < lazy:
                    at += rng.randrange(r.period)
            return
        window = []
        while at < end:
            window = [(t, w) for t, w in window if t > at - r.period]
            left = work - sum(w for _, w in window)
            part = self.job(r, left if rng.random() < 0.5 else rng.randint(0, left))
            if part:
                self.release(r, at, part)
                window.append((at, sum(c + self.tset.extra for c, _ in part)))
            nearest = window[0][0] + r.period if window else at + r.period
            at = nearest if rng.random() < 0.6 else at + rng.randint(1, r.period)

    def deceive(self, r, at, times):
        """Short groups that make the predictor expect more of them, and when hardly
        more than that is left of the budget, a long one; in each period."""
        short = (r.capacity - r.shortest - 1 - self.tset.extra) // r.shortest
        for _ in range(times):
            self.release(r, at, [(r.shortest, 0)] * short + [(r.longest, 0)])

    def burst(self, r, at, times):
        """All of a budget and one group more than there is, again and again."""
        if r.vary and self.rng.random() < 0.8:
            self.deceive(r, at, times)
            return
        left, groups = r.capacity * times, []
        while left > 0 and len(groups) < GROUPS_MAX:
            if r.declared:
                cost = self.cost(r)[0] if self.rng.random() < 0.3 else r.longest
            else:
                cost = r.longest
            if not groups and r.kind == "PE" and r.declared:
                # Such that one nanosecond of the budget is left for the last.
                rest = (r.capacity - 1 - self.tset.extra) % r.longest
                cost = rest if rest >= r.shortest else r.longest
            groups.append((cost, self.kind(r, cost)))
            left -= cost + self.tset.extra
        self.release(r, at, groups)

    def victim_instants(self, victim, t0):
        """Instants at which everything comes together. For work at any time the
        second one follows a replenishment that finds the budget charged for the
        job before: the job comes lately before a replenishment, and the next a
        period later waits for the one after."""
        if self.habit[victim.label] == IN_STEP:
            self.phase[victim.label] = t0 % victim.period
            return [t0]
        bound = self.bounds[victim.label].ns[ANY]
        late = self.rng.randint(0, min(bound, victim.period - 1))
        if self.rng.random() < 0.5:
            late = self.rng.randint(0, bound // 2)
        self.phase[victim.label] = (t0 + late) % victim.period
        return [t0, t0 + late + victim.period]

    def align(self, r, victim, instants):
        """Its budget, all of it, is replenished just when it is used up, behind what
        goes first."""
        level = self.bounds[r.label].level
        first = sum(o.capacity + o.longest for o in self.tset.reserves
                    if o not in (r, victim) and self.bounds[o.label].level > level)
        ahead = self.rng.choice((0, 1, 1, 2))
        shift = r.capacity + self.tset.extra + (r.longest if r.vary else 0)
        shift += self.bounds[victim.label].blocking * (ahead > 0) + first * (ahead > 1)
        if self.rng.random() < 0.2:
            shift = self.rng.randrange(r.period)
        self.phase[r.label] = (self.rng.choice(instants) + shift) % r.period

    def free_releases(self, program, cost, instants):
        name = program.name if program else "unlisted"
        self.phase[name] = 0
        ht = program and program.sched == "HT"
        # Who leads is known by its groups, and has some ready.
        own = program.lead if program and program.lead is not None else self.tset.lead
        ready = self.tset.depth if ht else own // cost + 1
        out = self.releases[name] = [] if ht else [Release(0, cost)] * KNOWN
        for at in instants:
            for _ in range(ready + 1):
                out.append(Release(max(0, at - self.rng.choice((1, 1, 0))), cost))
        if self.rng.random() < 0.3:
            self.loops[name] = cost

    def lower(self, victim):
        """Reserves below: one of them has the GPU when the instant comes."""
        level = self.bounds[victim.label].level
        return [r for r in self.tset.reserves
                if r is not victim and self.bounds[r.label].level < level]


def start_plan(rng, tset, bounds):
    plan = Plan(rng, tset, bounds)
    for r in tset.reserves:
        for m in r.members:
            plan.releases[m.name] = []
    return plan


def critical(rng, tset, bounds, victim, habit):
    """The critical instant of one reserve, everybody else out of bounds."""
    plan = start_plan(rng, tset, bounds)
    longest_period = max(r.period for r in tset.reserves)
    t0 = longest_period + rng.randrange(MS)
    plan.habit = {r.label: HOG for r in tset.reserves}
    plan.habit[victim.label] = habit
    instants = plan.victim_instants(victim, t0)
    plan.horizon = instants[-1] + ROUNDS * max(longest_period, victim.period)
    end = plan.horizon - plan.bounds[victim.label].ns[habit] - victim.period
    plan.obey(victim, t0, max(end, instants[-1] + 1))
    lower = plan.lower(victim)
    blocker = max(lower, key=lambda r: r.longest, default=None)
    going_on = rng.random() < 0.5
    for r in tset.reserves:
        if r is victim:
            continue
        plan.align(r, victim, instants)
        for at in instants:
            if r in lower:
                # A full budget is as good as a little of one.
                plan.release(r, max(0, at - (1 if r is blocker else 0)), [(r.longest, plan.kind(r, r.longest))])
            else:
                plan.burst(r, at, 2)
        if going_on:
            plan.burst(r, instants[-1] + 1, ROUNDS)
    for program, cost in tset.free:
        plan.free_releases(program, cost, instants)
    return plan


def mixed(rng, tset, bounds):
    """Everybody at any phase: keeping to the bound's assumptions, or not."""
    plan = start_plan(rng, tset, bounds)
    longest_period = max(r.period for r in tset.reserves)
    plan.horizon = 3 * ROUNDS * longest_period
    for r in tset.reserves:
        bound = bounds[r.label]
        able = [h for h in (IN_STEP, ANY) if bound.ns[h]]
        plan.habit[r.label] = habit = rng.choice((able or [HOG]) * 2 + [HOG])
        plan.phase[r.label] = rng.randrange(r.period)
        if habit == HOG:
            at = plan.phase[r.label] + rng.randrange(r.period)
            while at < plan.horizon:
                plan.burst(r, at, rng.choice((1, 2, 5)))
                at += rng.randint(r.period, 6 * r.period)
        else:
            periods = rng.randint(0, longest_period // r.period)
            first = plan.phase[r.label] + periods * r.period
            if habit == ANY:
                first += rng.randrange(r.period)
            plan.obey(r, first, plan.horizon - bound.ns[habit] - r.period)
    for program, cost in tset.free:
        instants = sorted(rng.randrange(plan.horizon) for _ in range(20))
        plan.free_releases(program, cost, instants)
    return plan


def focus(plan):
    """The window that somebody works with, now and then another one."""
    rng = plan.rng
    managed = [m.name for r in plan.tset.reserves for m in r.members if m.prio is None]
    if not managed:
        return []
    times = sorted(rng.randrange(plan.horizon) for _ in range(rng.randint(0, 6)))
    return [f"focus {rng.choice(managed)}"] + [f"focus {rng.choice(managed)} at {at}ns"
                                               for at in times]


def write(plan, folder, name):
    """The scenario and its traces; returns the scenario's path."""
    tset = plan.tset
    delays = " ".join(f"{part}={ns}ns" for part, ns in tset.gpu.items())
    lines = [f"title {name}", f"horizon {plan.horizon}ns", "seed 1", f"gpu {delays}",
             f"clock {'cpu' if tset.cpu_clock else 'gpu'}", f"ht-depth {tset.depth}",
             f"predict {tset.predict}", f"lead {tset.lead}ns",
             f"floor {tset.floor} {tset.floor_period}ns", *focus(plan)]
    phase = {m.name: plan.phase[r.label] for r in tset.reserves for m in r.members}
    free = {p.name if p else "unlisted" for p, _ in tset.free}
    for program, releases in sorted(plan.releases.items()):
        first = phase.get(program, 0)
        threads = tset.depth + 1 if program in free else 1
        lines += ["", f"task {program}", f"\tfrom {first}ns", f"\tthreads {threads}"]
        if program in plan.loops:
            lines += ["\tarrive loop ahead=4", f"\tcost {plan.loops[program]}ns"]
            continue
        trace = f"{name}.{program}.trace"
        lines.append(f"\tarrive trace {trace}")
        rows = [f"{r.at - first}ns {r.cost}ns {r.kind}\n"
                for r in sorted(releases, key=lambda r: r.at)]
        (folder / trace).write_text("".join(rows))
    path = folder / f"{name}.tgsim"
    path.write_text("\n".join(lines) + "\n")
    return path
