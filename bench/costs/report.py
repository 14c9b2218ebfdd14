# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables of "make bench": rows for the JSON file, made of the scenes' results by name,
and the same as text.
"""
import plan


def times(task):
    """Submission to completion of what a task sent: a frame of a program, a group of tgload."""
    if "group_lat_p50_ns" in task:
        p50, p99, most = (task[f"group_lat_{k}_ns"] / 1e3 for k in ("p50", "p99", "max"))
    else:
        p50, p99, most = (task[f"lat_{k}_us"] for k in ("p50", "p99", "max"))
    return {"median_us": p50, "p99_us": p99, "max_us": most}


def times_text(row):
    return " ".join(f"{row[k] / 1000:9.3f}" for k in ("median_us", "p99_us", "max_us"))


TIMES_HEAD = "   median       p99       max"


def overhead(found):
    """Of the programs that were run."""
    for program in plan.PROGRAMS:
        without = None
        for mode in plan.MODES:
            name = plan.scene_name("overhead", mode, program)
            if name not in found:
                continue
            task = found[name].tasks[0]
            without = without or task["fps"]
            yield {"program": program, "mode": mode, "fps": task["fps"],
                   "loss_percent": round(100 * (1 - task["fps"] / without), 3) + 0.0, **times(task)}


def show_overhead(rows):
    yield "Overhead: a program alone, and what it loses against plain nouveau"
    yield " " * 62 + "submission to completion, ms"
    yield f"{'program':<16} {'mode':<15} {'frames a second':>15} {'loss, %':>9}   {TIMES_HEAD}"
    last = None
    for row in rows:
        head = "" if row["program"] == last else row["program"]
        last = row["program"]
        yield (f"{head:<16} {row['mode']:<15} {row['fps']:15.3f} {round(row['loss_percent'], 2) + 0.0:9.2f}   "
               f"{times_text(row)}")


def shared(result, about, wanted):
    """The rows of a pair; wanted: per cent of the GPU, None where nothing is promised."""
    total = 100 * sum(task["gpu_share"] for task in result.tasks)
    for task, part in zip(result.tasks, wanted):
        yield {**about, "task": task["name"], "wanted_percent": part,
               "share_percent": round(100 * task["gpu_share"], 3), "sum_percent": round(total, 3),
               "fps": task["fps"], **times(task)}


def sharing(found):
    groups = "2 and 20 ms"
    yield from shared(found["sharing-without"], {"groups": groups, "rule": "without"}, (None, None))
    for weights in plan.WEIGHTS:
        rule = "weights %d:%d" % weights if weights else "no entry"
        parts = weights or (1, 1)
        yield from shared(found[plan.weights_name(weights)], {"groups": groups, "rule": rule},
                          [100 * w / sum(parts) for w in parts])
    for us in plan.EQUAL_COSTS_US:
        for rule in plan.EQUALS:
            wanted = (None, None) if rule == "without" else (50, 50)
            yield from shared(found[plan.equals_name(rule, us)],
                              {"groups": f"{us / 1000:g} ms", "rule": rule}, wanted)
    for policy in plan.POLICIES:
        for us in plan.PAIR_COSTS_US:
            for pair in plan.PAIRS:
                yield from shared(found[plan.pair_name(policy, us, pair)],
                                  {"groups": f"{us / 1000:g} ms", "rule": f"{policy} {pair[0]}:{pair[1]}"},
                                  pair)


def percent_text(value):
    return f"{value:7.2f}" if value is not None else f"{'-':>7}"


def show_sharing(rows):
    yield "Sharing: two programs that always have work; of a pair the first one has the higher priority"
    yield " " * 35 + "% of the GPU                   submission to completion, ms"
    yield f"{'groups':<12} {'rule':<13} {'task':<6} wanted      got     sum   {TIMES_HEAD}"
    for first, second in zip(rows[::2], rows[1::2]):
        for i, row in enumerate((first, second)):
            head = f"{row['groups']:<12} {row['rule']:<13}" if not i else " " * 26
            total = f"{row['sum_percent']:7.2f}" if not i else " " * 7
            yield (f"{head} {row['task']:<5}{percent_text(row['wanted_percent'])}  "
                   f"{row['share_percent']:7.2f} {total}   {times_text(row)}")


def jain(shares):
    """Jain's index of fairness: 1 where all have the same, 1/n where one has all."""
    return sum(shares) ** 2 / (len(shares) * sum(s * s for s in shares))


def many(found):
    for rule in plan.MANY:
        tasks = found[plan.many_name(rule)].tasks
        shares = [task["gpu_share"] for task in tasks]
        for ms, task in zip(plan.MANY_MS, tasks):
            yield {"rule": rule, "longest_group_ms": ms, "share_percent": round(100 * task["gpu_share"], 3),
                   "sum_percent": round(100 * sum(shares), 3), "jain": round(jain(shares), 5)}


def show_many(rows):
    longest = [row["longest_group_ms"] for row in rows if row["rule"] == rows[0]["rule"]]
    yield (f"Many: {len(longest)} programs that always have work, % of the GPU in two seconds, by their longest "
           f"group in ms; groups are up to {plan.MANY_SHORTER} % shorter")
    yield f"{'rule':<10}" + "".join(f"{ms:7}" for ms in longest) + "      sum    Jain's index"
    for rule in plan.MANY:
        mine = [row for row in rows if row["rule"] == rule]
        yield (f"{rule:<10}" + "".join(f"{row['share_percent']:7.2f}" for row in mine) +
               f"   {mine[0]['sum_percent']:6.2f}          {mine[0]['jain']:.4f}")


def latency(found):
    for mode in plan.MODES:
        for place in ("alone", "bombs"):
            task = found[plan.scene_name("latency", mode, place)].task("front")
            yield {"mode": mode, "beside": "nobody" if place == "alone" else "5 bombs of 2 ms",
                   "groups": task["groups_done"], **times(task)}


def show_latency(rows):
    yield "Latency: a group of 1 ms every 7.3 ms, from its submission to its completion, ms"
    yield f"{'mode':<15} {'beside':<16} groups   {TIMES_HEAD}"
    last = None
    for row in rows:
        head = "" if row["mode"] == last else row["mode"]
        last = row["mode"]
        yield f"{head:<15} {row['beside']:<16} {row['groups']:6}   {times_text(row)}"


ROWS = {"overhead": overhead, "sharing": sharing, "many": many, "latency": latency}
SHOW = {"overhead": show_overhead, "sharing": show_sharing, "many": show_many, "latency": show_latency}
