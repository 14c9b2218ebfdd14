# SPDX-License-Identifier: GPL-2.0-or-later
"""Many random task sets, analyzed by tgspec, run by tgsim, and compared."""
import json
import random
import shutil
import statistics
import subprocess

import runs
import sets

METHODS = ("rm", "dm", "opa")


class Failure(Exception):
    """A bound does not hold, or a tool does not do what it says."""


class Count:
    """What was seen."""

    def __init__(self):
        self.sets = self.refused = self.runs = self.responses = 0
        self.reasons = {}
        self.assigned = {}
        self.tight = {runs.IN_STEP: [], runs.ANY: []}

    def reason(self, name):
        self.reasons[name] = self.reasons.get(name, 0) + 1


def call(tool, args, folder, allowed):
    done = subprocess.run([tool, *map(str, args)], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode not in allowed:
        raise Failure(f"{' '.join(map(str, [tool.name, *args]))}: status {done.returncode}: "
                      f"{done.stderr.strip()}")
    return done


class Trial:
    """One random set in a folder of its own."""

    def __init__(self, tools, folder, seed, count):
        self.tgspec, self.tgsim = tools
        self.folder, self.count = folder, count
        self.rng = random.Random(seed)
        self.tset = sets.random_set(self.rng)
        self.spec = folder / "timegraph.spec"
        self.labels = {r.label: r for r in self.tset.reserves}

    def write(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.spec.write_text(self.tset.spec())
        (self.folder / "ac").write_text(f"{self.tset.limit}\n")

    def assign(self):
        """Priorities at random, or as tgspec assigns them."""
        method = self.rng.choice((None,) + METHODS)
        if not method:
            return
        words = ["assign", "-w"] + (["--in-step"] if self.rng.random() < 0.5 else [])
        done = call(self.tgspec, words + self.tset.options() + [method, self.spec.name],
                    self.folder, (0, 1))
        key = method if not done.returncode else f"{method}: none"
        self.count.assigned[key] = self.count.assigned.get(key, 0) + 1

    def analyze(self):
        words = ["analyze", "--json", *self.tset.options(), self.spec.name]
        done = call(self.tgspec, words, self.folder, (0, 1))
        (self.folder / "analysis.json").write_text(done.stdout)
        (self.folder / "analyze").write_text(f"tgspec {' '.join(map(str, words))}\n")
        self.bounds = {row["name"]: runs.Bound(row) for row in json.loads(done.stdout)["reserves"]}
        if (done.returncode == 0) != all(b.verdict == "met" and b.admitted
                                         for b in self.bounds.values()):
            raise Failure("the exit status is not that of the verdicts")

    def check_reasons(self):
        """A verdict without a bound must have the reason that it names."""
        fits = self.tset.admitted()
        priority = {p.name: p.prio for p, _ in self.tset.free if p}
        top = max([0] + [2 * p for p in priority.values()])
        for label, bound in self.bounds.items():
            reserve = self.labels[label]
            if bound.admitted != (label in fits):
                raise Failure(f"{label}: admitted: {bound.admitted}")
            if (bound.verdict == "unbounded") != (top >= bound.level):
                raise Failure(f"{label}: {bound.verdict}, but the highest program without a "
                              f"reserve has level {top}, and it {bound.level}")
            if not bound.work and not (reserve.kind == "AE" and
                                       reserve.declared >= reserve.capacity):
                raise Failure(f"{label}: no work is allowed")
            for habit in (runs.IN_STEP, runs.ANY):
                has = bound.ns[habit] is not None
                may = bound.verdict == "met" or (habit == runs.IN_STEP and
                                                 bound.verdict == "in step only")
                if has != may or (has and bound.ns[habit] >= reserve.period):
                    raise Failure(f"{label}: {bound.verdict}, bound {bound.ns[habit]}")

    def check_admission(self):
        """tgsim demotes the same reserves if all start in the order of the file."""
        order = [p.name for p in self.tset.programs()]
        lines = ["horizon 1ms"] + [f"task {name}\narrive at 0\ncost 1us" for name in order]
        (self.folder / "admission.tgsim").write_text("\n".join(lines) + "\n")
        words = ["--json", "--spec", self.spec.name, "--ac", "ac", "admission.tgsim"]
        report = json.loads(call(self.tgsim, words, self.folder, (0,)).stdout)
        demoted = {row["reserve"] for row in report["reserves"] if row["demoted"]}
        if demoted != {label for label, bound in self.bounds.items() if not bound.admitted}:
            raise Failure(f"tgsim demotes {sorted(demoted)}, and tgspec others")

    def simulate(self, plan, name):
        path = runs.write(plan, self.folder, name)
        words = ["--json", "--spec", self.spec.name, "--ac", "ac", path.name]
        report = json.loads(call(self.tgsim, words, self.folder, (0,)).stdout)
        self.count.runs += 1
        for row in report["reserves"]:
            if row["demoted"]:
                raise Failure(f"{name}: tgsim demoted {row['reserve']}, and all are admitted")
        tasks = {row["task"]: row for row in report["tasks"]}
        for label, habit in plan.habit.items():
            if habit != runs.HOG:
                for member in self.labels[label].members:
                    self.compare(name, label, habit, tasks[member.name])

    def compare(self, name, label, habit, task):
        bound = self.bounds[label].ns[habit]
        if not task["groups"] and not task["unfinished"]:
            return
        worst = task["response_max_ns"]
        if task["unfinished"]:
            raise Failure(f"{name}: {task['unfinished']} groups of {task['task']} never end")
        if worst > bound:
            raise Failure(f"{name}: {task['task']} ({label}, {habit}) took {worst} ns, its bound "
                          f"is {bound} ns")
        self.count.responses += task["groups"]
        self.count.tight[habit].append(worst / bound)

    def plans(self, per_set):
        able = [(r, habit) for r in self.tset.reserves for habit in (runs.IN_STEP, runs.ANY)
                if self.bounds[r.label].ns[habit]]
        for i in range(per_set):
            if i % 3 == 2:
                yield runs.mixed(self.rng, self.tset, self.bounds)
            else:
                yield runs.critical(self.rng, self.tset, self.bounds, *self.rng.choice(able))

    def run(self, per_set):
        """Whether the set was one that has bounds."""
        self.write()
        self.assign()
        self.analyze()
        self.check_reasons()
        for bound in self.bounds.values():
            self.count.reason(bound.verdict if bound.admitted else "not admitted")
        if not all(b.admitted for b in self.bounds.values()) or \
                not any(b.ns[runs.IN_STEP] for b in self.bounds.values()):
            self.count.refused += 1
            self.check_admission()
            return False
        for i, plan in enumerate(self.plans(per_set)):
            self.simulate(plan, f"run{i}")
        self.count.sets += 1
        return True


def compare(tools, folder, count, seed, wanted, per_set, first=0, only=False):
    """Compares so many sets; None, or what failed, with the number of the set."""
    n = first
    while count.sets < wanted:
        try:
            Trial(tools, folder / "set", f"{seed}-{n}", count).run(per_set)
        except Failure as failure:
            kept = folder / f"failed-{seed}-{n}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder / "set", kept)
            return (f"set {n} of seed {seed}: {failure}; its files are in {kept}; "
                    f"again: check --host --seed {seed} --only {n}")
        if only:
            break
        n += 1
    return None


def say(count):
    print(f"# {count.sets} sets, {count.runs} runs, {count.responses} groups compared; "
          f"{count.refused} sets refused or without any bound")
    print("# verdicts: " + ", ".join(f"{n} {r}" for r, n in sorted(count.reasons.items())))
    print("# priorities by " + ", ".join(f"{r} {n}" for r, n in sorted(count.assigned.items())))
    for habit, tight in count.tight.items():
        if tight:
            print(f"# {habit}: {len(tight)} response times, of the bound: max "
                  f"{100 * max(tight):.1f} %, median {100 * statistics.median(tight):.1f} %")
