# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots the test machine, has it run scenes, and reads what they left."""
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from measure import busy_ns, match_channels, read_gpu_log  # noqa: E402


class Group:
    """A completed command group, as the tracepoint tg_complete tells of it."""
    __slots__ = ("cost_ns", "cpu_ns", "predicted_ns", "by", "switched")

    def __init__(self, words):
        self.cost_ns, self.cpu_ns, self.predicted_ns = map(int, words[:3])
        self.by, self.switched = words[3], words[4] == "1"

    @property
    def error_ns(self):
        """Positive: pessimistic, as in the paper."""
        return self.predicted_ns - self.cost_ns


class Result:
    """What a scene left: the reports of its tasks, each with its GPU share."""

    def __init__(self, scene, folder):
        self.scene = scene
        self.path = folder / scene.name
        report = self.path.with_name(scene.name + ".json")
        if not report.is_file():
            sys.exit(f"{scene.name} was not measured: there is no {report}")
        self.tasks = json.loads(report.read_text())
        for task in self.tasks:
            if "error" in task:
                sys.exit(f"{scene.name}: {task['task']}: {task['error']}")

    def _text(self, what):
        return self.path.with_name(f"{self.scene.name}.{what}").read_text()

    def task(self, name):
        return next(t for t in self.tasks if t["name"] == name)

    def share(self, name):
        """Of all tasks of this name together."""
        return sum(t["gpu_share"] for t in self.tasks if t["name"] == name)

    def frames_s(self, name):
        """When each frame of a task was complete, in seconds after the window's start."""
        log = self.path.parent / f"{self.task(name)['pid']}.frames"
        if not log.is_file():
            sys.exit(f"{self.scene.name}: {name} left no log of its frames")
        return [int(line) / 1e9 for line in log.read_text().split()]

    def on_gpu(self):
        """When the GPU was at work for one of the tasks: (from, to), in ns after the window's start."""
        start = min(task["start_ns"] for task in self.tasks)
        return sorted((a - task["gpu_shift_ns"] - start, b - task["gpu_shift_ns"] - start)
                      for task in self.tasks for a, b in task["gpu_runs"])

    def groups(self, name):
        """The groups of a task in the order of completion, none lost."""
        self.check_lost()
        pid = str(self.task(name)["pid"])
        lines = (line.split() for line in self._text("groups").splitlines())
        return [Group(words[1:]) for words in lines if words[0] == pid]

    def calls_ns(self):
        """How long each call of the traced function took."""
        self.check_lost()
        return [float(line) for line in self._text("graph").splitlines()]

    def check_lost(self):
        if int(self._text("lost")):
            sys.exit(f"{self.scene.name}: the trace lost records")

    def statuses(self):
        """Each status that was taken: how many groups were scheduled, and how many went without
        asking; and of each task the groups and the GPU time, in us."""
        for text in self._text("status").split("\nattached: "):
            counts = [re.search(rf"\b{key}=(\d+)", text) for key in ("submitted", "freerun")]
            tasks = re.findall(r"^  (\S+) +\d+ \w+ +\d+\S? +\S+ +\d+ +\d+ +(\d+) +(\d+) ", text, re.M)
            # Without a GPU yet there are none.
            yield *(int(c[1]) if c else 0 for c in counts), {n: (int(g), int(us)) for n, g, us in tasks}

    def reserves(self):
        """The last of each reserve in the status, by name; of equal names the last."""
        keys = ("capacity_us", "period_us", "budget_us", "used_us", "periods", "refused",
                "debt_us")
        found = {}
        pattern = r"^  (\S+) +(PE|AE) +(own|shared) +(\S+)((?: +-?\d+){7})$"
        for m in re.finditer(pattern, self._text("status"), re.M):
            found[m[1]] = dict(zip(keys, map(int, m[5].split())), policy=m[2], state=m[4])
        return found


def measure(scenes, build, out=None):
    """Runs the scenes in one boot; their results by name. out: for what is said meanwhile."""
    shutil.rmtree(build, ignore_errors=True)
    plan = build / "overlay/etc/scenes"
    plan.parent.mkdir(parents=True)
    plan.write_text("".join(scene.plan() for scene in scenes))
    command = [HERE.parents[1] / "machine/run", "--no-timegraph", "--overlay", HERE / "root",
               "--overlay", build / "overlay", "--timeout", "3600", "--results",
               build / "results", "--gpu-log", build / "gpu.log", "--kernel-log",
               build / "kernel.log", "--", "tg-scenes", "/etc/scenes"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, check=False)
    if done.returncode:
        sys.exit(f"the test machine ended with status {done.returncode}")
    return read(scenes, build)


def read(scenes, build):
    """The results of scenes that were run in this order."""
    results = [Result(scene, build / "results") for scene in scenes]
    tasks = [(task, result.scene.settle_ms * 1000000) for result in results
             for task in result.tasks]
    channels, runs = read_gpu_log(build / "gpu.log")
    serials, shift = match_channels([task for task, _ in tasks], channels)
    for (task, settle_ns), serial in zip(tasks, serials):
        start, end = task["start_ns"] + settle_ns + shift, task["end_ns"] + shift
        task["gpu_runs"], task["gpu_shift_ns"] = runs.get(serial, []), shift
        task["gpu_share"] = busy_ns(task["gpu_runs"], start, end) / (end - start)
    return {result.scene.name: result for result in results}
