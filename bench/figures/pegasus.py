# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures 4 to 9 of the Pegasus paper (section 6.3): four domains that share a CPU and a GPU,
by each of its policies.

A domain's benchmark is told by what it asks of CPU and GPU: a call is a command group that
the program waits for, after computing for it. Where the paper draws boxes of 50 runs, ours
are of the run's windows: the middle half (h-spread) and 85 % of them.
"""
import paper
from figure import NONE, Figure, gain, ranges, stated
from plot import Panel
from scenes import OFF, Domain, Scene
from sheet import Bad, Row

# None is no scheduling: plain nouveau, as in the paper the driver alone.
POLICIES = {"none": NONE, "fq": "FQ", "rr": "RR", "accc": "AccC", "xc": "XC", "slaf": "SLAF", "augc": "AugC",
            "cosched": "CoSched"}
# With credits equal RR and AccC are XC: the paper does not draw them.  It has no FQ, the module's own.
EQUAL = ("none", "fq", "xc", "slaf", "augc", "cosched")
SECONDS = 2.1
WINDOW_S = 0.1

# Many calls, each of which it waits for and computes before: tightly coupled (BlackScholes).
COUPLED = "tgload --cpu-us 500 --cost-us 1500 --wait"
# The same with few and long calls.
LOOSE = "tgload --cpu-us 2000 --cost-us 6000 --wait"
# Short calls, one after the other (fast Walsh transform).
LATENCY = "tgload --cpu-us 50 --cost-us 150 --wait"
# Images of all sizes (PicSer): a decoded image goes to the GPU while the next one is decoded.
IMAGES = "tgload --cpu-us 1000 --cost-us 4000 --vary 80 --frames-in-flight 2"
# Some long calls, of which no two are alike (CP).
LONG = "tgload --cpu-us 1000 --cost-us 12000 --vary 60 --wait"


def domains(*weights, cpu=None, targets=None):
    """cpu: the same unless given; SLAF's targets: as the weights are."""
    cpu = cpu or weights
    targets = targets or [100 * w / sum(weights) for w in weights]
    return tuple(Domain(w, c, round(t, 4)) for w, c, t in zip(weights, cpu, targets))


EQUALS = domains(256, 256, 256, 256)
CREDITS = domains(256, 512, 1024, 256)
FWT_CREDITS = domains(256, 1024, 2048, 256)
# The paper's Dom(AccC, XC, SLA): more may be asked for than there is, which SLAF divides.
MIXED = domains(1024, 1024, 256, 768, cpu=(256, 1024, 1024, 256), targets=(10, 40, 40, 10))
PICSER = domains(256, 1024, 256)


def named(programs):
    return [f"{program} --name dom{i + 1}" for i, program in enumerate(programs)]


def plan(name, programs, rules, policies=POLICIES):
    for policy in policies:
        yield Scene(f"{name}-{policy}", named(programs), module=OFF if policy == "none" else "",
                    seconds=SECONDS, watch=False, domains=rules,
                    policy="" if policy == "none" else policy).logged()


def quantile(values, q):
    """Of sorted values, the nearest."""
    return values[min(len(values) - 1, int(q * len(values)))]


def rates(result, name):
    """Frames a second in each window, sorted."""
    count = int(result.task(name)["wall_us"] / 1e6 / WINDOW_S + 1e-6)
    bins = [0] * count
    for t in result.frames_s(name):
        if t < count * WINDOW_S:
            bins[int(t / WINDOW_S)] += 1
    if not any(bins):
        raise Bad(f"{result.scene.name}: {name} had no call")
    return sorted(n / WINDOW_S for n in bins)


def names(result):
    return [task["name"] for task in result.tasks]


def throughput(found, figure, policies):
    for policy in policies:
        result = found[f"{figure}-{policy}"]
        for name in names(result):
            values = rates(result, name)
            yield Row("throughput", POLICIES[policy], name, quantile(values, 0.5))
            yield Row("hspread", POLICIES[policy], name,
                      quantile(values, 0.75) - quantile(values, 0.25), source="computed")
            yield Row("spread85", POLICIES[policy], name,
                      quantile(values, 0.925) - quantile(values, 0.075), source="computed")


def work(found, figure, policies):
    """Of all of the run, a second."""
    for policy in policies:
        result = found[f"{figure}-{policy}"]
        for task in result.tasks:
            yield Row("work", POLICIES[policy], task["name"], task["fps"])


def gpu_work(found, figure, policies):
    """Where calls differ in size their number is no work: GPU time is, as pixels are."""
    for policy in policies:
        result = found[f"{figure}-{policy}"]
        for task in result.tasks:
            yield Row("work", POLICIES[policy], task["name"], 100 * task["gpu_share"])


def latency(found, figure, policies):
    for policy in policies:
        result = found[f"{figure}-{policy}"]
        for task in result.tasks:
            yield Row("latency", POLICIES[policy], task["name"], task["group_lat_p50_ns"] / 1e6)
            yield Row("latency90", POLICIES[policy], task["name"], task["group_lat_p90_ns"] / 1e6)


def shares(found, figure, policies, credits, name="credits"):
    """Of what the domains got together, beside what the credits say."""
    for policy in policies:
        result = found[f"{figure}-{policy}"]
        total = sum(task["gpu_share"] for task in result.tasks)
        for task in result.tasks:
            yield Row("share", POLICIES[policy], task["name"], 100 * task["gpu_share"] / total)
    for i, part in enumerate(credits):
        yield Row("share", name, f"dom{i + 1}", 100 * part / sum(credits), source="computed")


def medians(found, figure, policy):
    """The median throughput of a domain, the mean of all."""
    result = found[f"{figure}-{policy}"]
    values = [quantile(rates(result, name), 0.5) for name in names(result)]
    return sum(values) / len(values)


# Figure 4: credits equal, tightly coupled.

def rows4(found):
    yield from throughput(found, "pegasus4", EQUAL)
    yield from work(found, "pegasus4", EQUAL)
    yield from latency(found, "pegasus4", EQUAL)
    yield from shares(found, "pegasus4", EQUAL, (1, 1, 1, 1))
    base = medians(found, "pegasus4", "none")
    best = max(medians(found, "pegasus4", policy) for policy in ("xc", "slaf"))
    ours = {(paper.OVER_NONE, POLICIES[p]): gain(medians(found, "pegasus4", p), base)
            for p in ("xc", "slaf")}
    ours |= {(paper.COORDINATED, POLICIES[p]): gain(medians(found, "pegasus4", p), best)
             for p in ("augc", "cosched")}
    ours |= {(paper.COUPLED_GAIN, POLICIES[p]): gain(medians(found, "pegasus4", p), base)
             for p in ("augc", "cosched")}
    yield from stated("pegasus4", ours)


# Figure 5: the same with credits.

def dom(found, figure, policy, i, key="fps"):
    return found[f"{figure}-{policy}"].tasks[i - 1][key]


def rows5(found):
    yield from throughput(found, "pegasus5", POLICIES)
    yield from work(found, "pegasus5", POLICIES)
    yield from latency(found, "pegasus5", POLICIES)
    yield from shares(found, "pegasus5", POLICIES, (256, 512, 1024, 256))
    base = dom(found, "pegasus5", "none", 3)
    if not base:
        raise Bad("pegasus5-none: dom3 had no call")
    yield from stated("pegasus5", {(paper.DOM3_TIMES, POLICIES[p]): dom(found, "pegasus5", p, 3) / base
                                   for p in POLICIES if p != "none"})


# Figure 6: accelerator and CPU credits that differ, and programs that do.

PROGRAMS6 = (LOOSE, COUPLED, COUPLED.replace("1500", "600"), LOOSE.replace("6000", "4800"))


def rows6(found):
    yield from work(found, "pegasus6", POLICIES)
    yield from shares(found, "pegasus6", ("none", "fq", "rr", "accc"), (1024, 1024, 256, 768), "AccC's credits")
    yield from shares(found, "pegasus6", ("xc", "augc", "cosched"), (256, 1024, 1024, 256), "XC's credits")
    yield from shares(found, "pegasus6", ("slaf",), (10, 40, 40, 10), "SLAF's targets")
    base = dom(found, "pegasus6", "none", 4)
    yield from stated("pegasus6", {(paper.DOM4_GAIN, POLICIES[p]): gain(dom(found, "pegasus6", p, 4), base)
                                   for p in POLICIES if p != "none"})


# Figure 7: images, three domains, of which the second has four times the credits.

SELECTED = ("none", "fq", "slaf", "augc", "cosched")


def rows7(found):
    yield from gpu_work(found, "pegasus7", SELECTED)
    yield from latency(found, "pegasus7", SELECTED)
    yield from shares(found, "pegasus7", SELECTED, (256, 1024, 256))
    for s in paper.STATEMENTS["pegasus7"]:
        yield Row(s.what, "paper", "dom2", source="paper", note=s.said)


# Figure 8: short calls: latencies, with credits equal and not.

def plan8():
    yield from plan("pegasus8-equal", [LATENCY] * 4, EQUALS, EQUAL)
    yield from plan("pegasus8-credits", [LATENCY] * 4, FWT_CREDITS)


def rows8(found):
    for panel, figure, policies in (("equal", "pegasus8-equal", EQUAL),
                                    ("credits", "pegasus8-credits", POLICIES)):
        for row in latency(found, figure, policies):
            row.panel += "_" + panel
            yield row
        for row in work(found, figure, policies):
            row.panel += "_" + panel
            yield row
    for s in paper.STATEMENTS["pegasus8"]:
        yield Row(s.what, "paper", "dom1", source="paper", note=s.said)


# Figure 9: calls that differ so much that no policy makes them even.

def rows9(found):
    yield from throughput(found, "pegasus9", EQUAL)
    yield from shares(found, "pegasus9", EQUAL, (1, 1, 1, 1))
    for s in paper.STATEMENTS["pegasus9"]:
        yield Row(s.what, "paper", "dom1", source="paper", note=s.said)


THROUGHPUT = {"throughput": Panel("Median of the windows of 100 ms", "bars", "", "calls a second"),
              "hspread": Panel("Their middle half lies within", "bars", "", "calls a second"),
              "spread85": Panel("85 % of them lie within", "bars", "", "calls a second")}
WORK = {"work": Panel("Work done in all", "bars", "", "calls a second")}
LATENCIES = {"latency": Panel("Latency of a call, median", "bars", "", "ms"),
             "latency90": Panel("Latency of a call, nine of ten", "bars", "", "ms")}
SHARES = {"share": Panel("Share of the GPU time that all had", "bars", "", "%")}

FIGURES = {
    "pegasus4": Figure("Four tightly coupled programs, credits equal.",
                       lambda: plan("pegasus4", [COUPLED] * 4, EQUALS, EQUAL),
                       {**THROUGHPUT, **WORK, **LATENCIES, **SHARES, "text": ranges()}, rows4),
    "pegasus5": Figure("The same, credits 256:512:1024:256.",
                       lambda: plan("pegasus5", [COUPLED] * 4, CREDITS),
                       {**THROUGHPUT, **WORK, **LATENCIES, **SHARES, "text": ranges()}, rows5),
    "pegasus6": Figure("Long and short calls; accelerator credits 1024:1024:256:768, "
                       "the CPU's 256:1024:1024:256.",
                       lambda: plan("pegasus6", PROGRAMS6, MIXED),
                       {**WORK, **SHARES, "text": ranges()}, rows6),
    "pegasus7": Figure("Three programs with images of all sizes, credits 256:1024:256.",
                       lambda: plan("pegasus7", [IMAGES] * 3, PICSER, SELECTED),
                       {"work": Panel("Work done, as GPU time", "bars", "", "% of the GPU"),
                        **LATENCIES, **SHARES}, rows7),
    "pegasus8": Figure("Four programs of short calls, credits equal and 256:1024:2048:256.", plan8, {
        f"{key}_{panel}": Panel(f"{p.title}, credits {panel if panel == 'equal' else 'not equal'}",
                                "bars", "", p.y)
        for panel in ("equal", "credits") for key, p in {**LATENCIES, **WORK}.items()}, rows8),
    "pegasus9": Figure("Four programs whose calls are long and of all lengths, credits equal.",
                       lambda: plan("pegasus9", [LONG] * 4, EQUALS, EQUAL),
                       {**THROUGHPUT, **SHARES}, rows9),
}
