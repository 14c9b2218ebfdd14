# SPDX-License-Identifier: GPL-2.0-or-later
"""The bounds against the real module and real clients, in the test machine.

A few task sets run in one boot. Each group's times come from the module's
tracepoints, and so do the lengths that tgspec analyze is told: the longest and
the shortest group of each program, and how long the GPU idled around one.
"""
import dataclasses
import json
import shlex
import shutil
import subprocess

LEAVE_NS = 20_000_000       # programs that end take the CPU from the others
LEAST_FRAMES = 6            # of each program, or too little was seen


@dataclasses.dataclass
class Periodic:
    """A program that keeps to its reserve: so many groups, once every period."""
    name: str
    cost_us: int
    period_us: int
    groups: int = 1

    def command(self):
        return (f"tgload --name {self.name} --cost-us {self.cost_us} --period-us {self.period_us} "
                f"--groups-per-frame {self.groups}")


@dataclasses.dataclass
class Hog:
    """A program that always has work, in groups of this cost."""
    name: str
    cost_us: int
    vary: int = 0

    def command(self):
        return (f"tgload --name {self.name} --cost-us {self.cost_us} --vary {self.vary} "
                "--frames-in-flight 24")


@dataclasses.dataclass
class Sample:
    name: str
    spec: str
    programs: list
    seconds: float = 1.0

    def plan(self):
        # What calibration used up is paid back in a period without work, and the
        # budget is full after another one.
        settle_ms = 3 * max(p.period_us for p in self.programs if isinstance(p, Periodic)) // 1000
        words = ["set_of_tasks", self.name, f"{self.seconds:g}", str(settle_ms),
                 self.spec.replace("\n", "\\n")]
        for i, program in enumerate(self.programs):
            words += ["--"] * (i > 0) + program.command().split()
        return " ".join(map(shlex.quote, words)) + "\n"


def entries(*lines):
    return "".join(f"<{line}>\n" for line in lines)


# The periods of those that keep to their reserves are six milliseconds longer than T: a
# program that gets the CPU late (4.4 ms were seen) begins its next frame after less than a
# period.
# There are bounds also with the GPU idle for more than 0.6 ms around a group: it is
# 0.05 ms, but the kernel takes the CPU away for longer now and then.
SAMPLES = [
    # Below them somebody without a reserve, who always has work.
    Sample("two", entries("a:PRT:PE:60:4ms:40ms", "b:PRT:PE:50:8ms:80ms"),
           [Periodic("a", 3000, 46000), Periodic("b", 2500, 86000, 3), Hog("h", 1500)]),
    # Above it two that want more than their reserves.
    Sample("below", entries("h1:PRT:PE:80:2ms:40ms", "h2:PRT:PE:70:3ms:50ms",
                            "a:PRT:PE:50:8ms:80ms"),
           [Periodic("a", 2500, 86000, 3), Hog("h1", 1500), Hog("h2", 2000)]),
    # An HT program has up to 16 groups on the GPU.
    Sample("ht", entries("a:PRT:PE:60:6ms:80ms", "h:HT:-:5::"),
           [Periodic("a", 2500, 86000, 2), Hog("h", 500)]),
    # AE, and above it AE that cannot predict.
    Sample("ae", entries("a:PRT:AE:60:10ms:80ms", "h:PRT:AE:70:4ms:80ms"),
           [Periodic("a", 2000, 86000, 3), Hog("h", 2000, vary=60)]),
    # Three of one Shared reserve above and below, and Background.
    Sample("shared", entries("h1:PRT:PE@h:70:4ms:80ms", "h2:PRT:PE@h:70::", "h3:PRT:PE@h:20::",
                             "a:PRT:PE:50:8ms:80ms"),
           [Periodic("a", 2500, 86000, 3), Hog("h1", 1500), Hog("h2", 1500), Hog("h3", 1500),
            Hog("bg", 800)]),
    # Five that keep to their reserves and begin at the same time.
    Sample("five", entries("a:PRT:PE:70:4ms:40ms", "b:PRT:PE:60:5ms:80ms",
                           "c:PRT:AE:50:9ms:100ms", "d:PRT:PE:40:7ms:200ms",
                           "e:PRT:PE:30:8ms:260ms"),
           [Periodic("a", 3000, 46000), Periodic("b", 2200, 86000, 2),
            Periodic("c", 2200, 106000, 2), Periodic("d", 3000, 206000, 2),
            Periodic("e", 3500, 266000, 2)], 2.0),
]


class Group:
    """What the tracepoints tell of a command group; times in ns."""

    def __init__(self, number, pid, now):
        self.id, self.pid, self.arrive_ns = number, pid, now
        self.turn_ns = self.complete_ns = None
        self.idle_ns = 0
        self.cost_ns = self.predicted_ns = 0


def nanoseconds(text):
    seconds, micro = text.split(".")
    return int(seconds) * 10**9 + int(micro.ljust(9, "0"))


def read_trace(path):
    """The groups that were completed, in the order of their arrival."""
    groups, before_ns = {}, 0
    for line in path.read_text().splitlines():
        stamp, event, *words = line.split()
        now, f = nanoseconds(stamp), dict(w.split("=", 1) for w in words if "=" in w)
        g = groups.get(int(f["id"]))
        if event == "tg_arrive":
            g = groups[int(f["id"])] = Group(int(f["id"]), int(f["pid"]), now)
            if "starts" in words:
                g.turn_ns = now
        elif not g:
            continue
        elif event == "tg_dispatch":
            g.turn_ns = now
        elif event == "tg_throttle":
            if g.turn_ns:
                g.idle_ns = max(g.idle_ns, now - g.turn_ns)
                g.turn_ns = None
        elif event == "tg_complete":
            g.complete_ns, g.cost_ns = now, int(f["cost_ns"])
            g.predicted_ns = int(f["predicted_ns"])
            # One that started ahead of the end of another was behind that.
            g.idle_ns = max(g.idle_ns, now - max(g.turn_ns, before_ns) - g.cost_ns)
            before_ns = now
    return [g for _, g in sorted(groups.items()) if g.complete_ns]


def boot(here, folder):
    shutil.rmtree(folder, ignore_errors=True)
    plan = folder / "overlay/etc/bounds"
    plan.parent.mkdir(parents=True)
    plan.write_text("".join(s.plan() for s in SAMPLES))
    command = [here.parents[2] / "machine/run", "--no-timegraph", "--overlay", here / "root",
               "--overlay", folder / "overlay", "--timeout", "1200", "--results",
               folder / "results", "--kernel-log", folder / "kernel.log", "--",
               "tg-bounds", "/etc/bounds"]
    with open(folder / "machine.log", "w", encoding="utf-8") as log:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                              check=False)
    return done.returncode


class Outcome:
    """One set: its groups, what was measured of them, and the bounds that follow."""

    def __init__(self, sample, folder, tgspec):
        self.sample = sample
        path = folder / "results" / sample.name
        reports = json.loads(path.with_suffix(".json").read_text())
        self.pids = {r["name"]: r["pid"] for r in reports}
        self.start_ns = max(r["start_ns"] for r in reports)
        self.end_ns = min(r["end_ns"] for r in reports) - LEAVE_NS
        self.lost = int(path.with_suffix(".lost").read_text())
        self.all = read_trace(path.with_suffix(".trace"))
        self.groups = [g for g in self.all
                       if self.start_ns <= g.arrive_ns and g.complete_ns <= self.end_ns]
        self.spec = folder / f"{sample.name}.spec"
        self.spec.write_text(sample.spec)
        self.analyze(tgspec)

    def of(self, name):
        return [g for g in self.groups if g.pid == self.pids[name]]

    def entry(self, program):
        """The fields of its line, or None."""
        lines = (line.strip("<>").split(":") for line in self.sample.spec.split())
        return next((f for f in lines if f[0] == program.name), None)

    def options(self):
        """The lengths, as measured; those of a Shared reserve are its programs'."""
        words, lengths, self.idle_ns = [], {}, 0
        for program in self.sample.programs:
            f, groups = self.entry(program), self.of(program.name)
            if f and f[2] != "-":
                ae = f[2].startswith("AE")
                lengths.setdefault(f[2].partition("@")[2] or f[0], []).extend(
                    (g.cost_ns, max(g.cost_ns, g.predicted_ns if ae else 0)) for g in groups)
            elif groups:
                longest = -(-max(g.cost_ns for g in groups) // 1000)
                words += ["--blocking", f"{f[0]}={longest}us" if f else f"{longest}us"]
            if not f or f[1] == "PRT":
                self.idle_ns = max([self.idle_ns] + [g.idle_ns for g in groups])
        for label, costs in lengths.items():
            words += ["--group", f"{label}={-(-max(x for _, x in costs) // 1000)}us",
                      "--shortest", f"{label}={min(x for x, _ in costs) // 1000}us"]
        return words + ["--idle", f"{-(-self.idle_ns // 1000)}us"]

    def analyze(self, tgspec):
        ac = self.spec.with_suffix(".ac")
        ac.write_text("100\n")
        self.words = ["analyze", "--json", "--ac", str(ac), *self.options(), str(self.spec)]
        done = subprocess.run([tgspec, *self.words], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stderr)
        self.rows = {r["name"]: r for r in json.loads(done.stdout)["reserves"]}

    def jobs(self, program):
        """The frames of a program that the window holds whole."""
        groups = [g for g in self.all if g.pid == self.pids[program.name]]
        # Counted from the end: programs end with a whole frame, after a calibration.
        groups = groups[len(groups) % program.groups:]
        frames = [groups[i:i + program.groups] for i in range(0, len(groups), program.groups)]
        return [f for f in frames
                if f[0].arrive_ns >= self.start_ns and f[-1].complete_ns <= self.end_ns]

    def assumed(self, program):
        """What the bound assumes of the program itself; "" or what is not so."""
        row, frames = self.rows[program.name], self.jobs(program)
        for last in frames:
            begin = last[0].arrive_ns - row["period_ns"]
            work = sum(g.cost_ns for f in frames for g in f
                       if begin < f[0].arrive_ns <= last[0].arrive_ns)
            if work > row["work_ns"]:
                return f"asks for {work} ns within T, not {row['work_ns']}"
        for frame in frames:
            for before, g in zip(frame, frame[1:]):
                if g.arrive_ns > before.complete_ns:
                    return f"sent group {g.id} {g.arrive_ns - before.complete_ns} ns late"
        return ""

    def compare(self):
        """Whether all bounds hold, and what was measured."""
        details = [f"{self.lost} trace records lost"] if self.lost else []
        good = not self.lost
        for program in self.sample.programs:
            if not isinstance(program, Periodic):
                continue
            row, frames = self.rows[program.name], self.jobs(program)
            bound, broken = row["any_time_ns"], self.assumed(program)
            worst = max((f[-1].complete_ns - f[0].arrive_ns for f in frames), default=0)
            good &= bool(bound and not broken and len(frames) >= LEAST_FRAMES and worst <= bound)
            text = (f"{program.name}: {len(frames)} frames, {worst / 1e6:.3f} ms at most, bound "
                    f"{bound / 1e6:.3f} ms, {100 * worst / bound:.0f} %" if bound else
                    f"{program.name}: no bound, {row['verdict']}")
            details.append(text + (f"; but it {broken}" if broken else ""))
        details.append(f"idle {self.idle_ns / 1000:.0f} us around a group")
        if not good:
            details.append(f"tgspec {' '.join(self.words)}")
        return good, details
