# SPDX-License-Identifier: GPL-2.0-or-later
"""What every measurement in the test machine shares: the programs' reports, the
GPU model's occupancy log, and how the channels of the log are those of the
programs.

GPU shares come from the model's log: the part of a window in which the task's
channel occupied the GPU, with and without timegraph.ko measured by the same
means. The log tells neither names nor the guest's clock.
"""
import sys


def read_spec(text):
    """Policy and priority by program name, from the specification in force."""
    spec = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip().strip("<>")
        if line:
            name, sched, _, prio, _, _ = line.split(":")
            spec[name] = (sched, int(prio))
    return spec


def read_gpu_log(path):
    """Channels in the order of their activation, and the runs of each."""
    channels, runs = [], {}
    with path.open() as log:
        for line in log:
            word = line.split()
            if word[:1] == ["chan"]:
                channels.append((int(word[1]), int(word[4])))
            elif word[:1] == ["run"]:
                runs.setdefault(int(word[1]), []).append((int(word[3]), int(word[4])))
    return channels, runs


def match_channels(tasks, channels):
    """The channel of each task, and the GPU clock minus the guest's.

    Tasks open their channels one after the other, each only when the one before
    is ready; the driver's own came before all of them. A channel is activated
    before its task sees it open, so the largest difference is the closest to
    the clocks' true one; that every channel then falls between the task before
    and its own proves the match.
    """
    mine = channels[len(channels) - len(tasks):]
    shift = max(at - t["channel_open_ns"] for t, (_, at) in zip(tasks, mine))
    earliest = 0
    for task, (serial, at) in zip(tasks, mine):
        if not earliest <= at - shift <= task["channel_open_ns"]:
            sys.exit(f"channel {serial} of the GPU log is not that of {task['name']}")
        earliest = task["ready_ns"]
    return [serial for serial, _ in mine], shift


def busy_ns(runs, start, end):
    return sum(max(0, min(b, end) - max(a, start)) for a, b in runs)
