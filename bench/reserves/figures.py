# SPDX-License-Identifier: GPL-2.0-or-later
"""One table per figure. Each function takes the results of its scenes by name,
prints its table and returns rows for the JSON file: objects of five kinds
("task", "prediction", "overrun", "clock", "overhead"), each kind with the same
keys always.
"""
from scenes import (FIG14_TASKS, FIG15_MODES, FIG15_PROGRAMS, FIG16_COUNTED, FIG16_PROGRAMS,
                    FIVE_BOMBS, GRID_MS, MEASURED, fig15_name, grid_points)

MS = 1000.0  # reports are in microseconds


def entry_of(scene, name):
    """The specification's entry for a task of this name, without the name."""
    for line in scene.spec.splitlines():
        line = line.strip("<>")
        if line.split(":")[0] == name:
            return line.split(":", 1)[1]
    return None


def task_rows(figure, results):
    for result in results:
        for task in result.tasks:
            yield {
                "kind": "task",
                "figure": figure,
                "scene": result.scene.name,
                "timegraph": result.scene.module != "off",
                "task": task["name"],
                "entry": entry_of(result.scene, task["name"]),
                "frames": task["frames"],
                "fps": round(task["fps"], 2),
                "gpu_share": round(task["gpu_share"], 4),
                "cpu_percent": task["cpu_percent"],
                "frame_p50_us": task["p50_us"],
                "frame_p99_us": task["p99_us"],
                "frame_max_us": task["max_us"],
                "latency_p50_us": task["lat_p50_us"],
                "latency_p99_us": task["lat_p99_us"],
                "latency_max_us": task["lat_max_us"],
                "late": task.get("late"),
                "skipped": task.get("skipped"),
            }


def title(text):
    print(f"\n{text}")


def percent(x):
    return f"{100 * x:6.2f} %"


def rate(task):
    """Frames a second up to the last one: a window need not end with a frame."""
    return 1e6 / task["mean_us"] if task["frames"] else 0.0


def figures_7_to_9(figure, what, other, results):
    """The game's frame rate, and what the others got."""
    prefix = f"{figure}-"
    mine = {n[len(prefix):]: r for n, r in results.items() if n.startswith(prefix)}
    alone = mine["alone"].task("game")["fps"]
    title(what)
    print("                   game          of alone  GPU share  longest frame   "
          f"{other}: GPU share")
    for name, result in mine.items():
        game = result.task("game")
        share = percent(result.share(other)) if len(result.tasks) > 1 else "-"
        print(f"  {name:<14} {game['fps']:6.2f} fps  {100 * game['fps'] / alone:8.1f} % "
              f"{percent(game['gpu_share']):>10}  {game['max_us'] / MS:10.2f} ms   {share:>20}")
    return list(task_rows(figure, mine.values()))


def figure7(results):
    return figures_7_to_9("fig7", "Figure 7: a game (50 fps) beside an engine, capped at 2.5 ms "
                          "every 25 ms", "engine", results)


def figure8(results):
    return figures_7_to_9("fig8", "Figure 8: a game (50 fps) beside a bomb, capped at 2.5 ms "
                          "every 25 ms", "clearspd", results)


def figure9(results):
    return figures_7_to_9("fig9", f"Figure 9: a game (50 fps) beside {len(FIVE_BOMBS)} bombs, "
                          "capped at 2.5 ms every 25 ms together", "clearspd", results)


def bar(share, width=40):
    return ("#" * round(share * width)).ljust(width)


def ae_loss(result, name):
    """What AE may leave of the budget: less than a group per period, in points.

    A group starts only if the budget exceeds its predicted cost, and a new period
    begins with the capacity, whatever was left.
    """
    if ":AE" not in entry_of(result.scene, name):
        return 0
    return 100 * max(g.predicted_ns for g in result.groups(name)) / (GRID_MS * 1e6)


def figure10(results):
    alone = {name: results[f"fig10-{name}-alone"].share(name) for name in ("game", "engine")}
    title(f"Figure 10: GPU share by reserve, T = {GRID_MS} ms "
          f"(without reserve: game {percent(alone['game'])}, engine {percent(alone['engine'])})")
    for policy in ("PE", "AE"):
        print(f"  game PE, engine {policy}:  C/T         share       error   "
              "|0 %" + " " * 32 + "100 %|")
        for game, engine in grid_points():
            result = results.get(f"fig10-{policy}-{game}-{engine}")
            if not result:
                continue
            for name, want in (("game", game / 100), ("engine", engine / 100)):
                share = result.share(name)
                loss = ae_loss(result, name)
                print(f"    {name:<8}            {percent(want)}  {percent(share)}  "
                      f"{100 * (share - want):+6.2f}   |{bar(share)}|" +
                      (f" AE may lose {loss:.2f}" if loss else ""))
    return list(task_rows("fig10", results.values()))


def frame_times(task):
    """Median, 99th percentile and longest time of a frame, in ms."""
    times = " ".join(f"{task[k] / MS:8.2f}" for k in ("p50_us", "p99_us", "max_us"))
    return times if task["frames"] else "-"


def figure11(results):
    title("Figure 11: an engine beside five bombs, capped at 2.5 ms every 25 ms together")
    print("                engine      fps   frame p50      p99      max  ms   bombs: GPU share")
    for name, result in results.items():
        engine = result.task("engine")
        print(f"  {name[6:]:<10} {percent(engine['gpu_share']):>11} {rate(engine):8.1f}    "
              f"{frame_times(engine)}   {percent(result.share('clearspd')):>20}")
    return list(task_rows("fig11", results.values()))


def figure12(results):
    for name, what in (("fig12a", "without TimeGraph"), ("fig12b", "PRT 60, 50, 40"),
                       ("fig12c", "PE 15/25, 5/50, 5/100 ms")):
        title(f"Figure 12 ({name[-1]}): three engines, {what}")
        print("            GPU share      fps   frame p50      p99      max  ms")
        for task in results[name].tasks:
            print(f"  {task['name']} {percent(task['gpu_share']):>11} {task['fps']:8.1f}    "
                  f"{frame_times(task)}")
    return list(task_rows("fig12", results.values()))


def longest_group_ns(result, name):
    return max(g.cost_ns for g in result.groups(name))


def figure13(results):
    group_ns = longest_group_ns(results["fig13-PE"], "clearspd")
    title("Figure 13: a player (24 fps) beside five bombs, "
          f"whose groups take up to {group_ns / 1e6:.2f} ms")
    print("                  player  pictures  late  GPU share  to completion p50      max  ms"
          "   bombs: GPU share")
    for name, result in results.items():
        player = result.task("player")
        share = percent(result.share("clearspd")) if len(result.tasks) > 1 else "-"
        print(f"  {name[6:]:<10} {player['fps']:8.2f} fps {player['frames']:8} {player['late']:5} "
              f"{percent(player['gpu_share']):>10} {player['lat_p50_us'] / MS:18.2f} "
              f"{player['lat_max_us'] / MS:8.2f}      {share:>16}")
    return list(task_rows("fig13", results.values()))


def at(values, part):
    """The value that `part` of all do not exceed."""
    values = sorted(values)
    return values[min(len(values) - 1, int(part * len(values)))]


# The paper's.
MARGINS = {"engine": 0.15, "clearspd": 0.07, "game": 0.20}
# A cost contains what the CPU needs from reading the GPU's clock to handing the group
# over, some microseconds. Of a group as short as that it is most of the cost.
SHORT_NS = 50000


def outliers(groups, margin):
    """Groups whose prediction is off by more than the margin, by reason."""
    found = {"miss": 0, "short": 0, "other": 0}
    for g in groups:
        if abs(g.error_ns) > margin * g.cost_ns:
            found["miss" if g.by == "miss" else
                  "short" if g.cost_ns < SHORT_NS else "other"] += 1
    return found


def prediction(result, name, first, last):
    groups = result.groups(name)[first:last]
    errors = [abs(g.error_ns) / g.cost_ns for g in groups]
    return {
        "kind": "prediction",
        "scene": result.scene.name,
        "task": name,
        "first": first,
        "groups": len(groups),
        "cost_mean_ns": round(sum(g.cost_ns for g in groups) / len(groups)),
        "cost_min_ns": min(g.cost_ns for g in groups),
        "cost_max_ns": max(g.cost_ns for g in groups),
        "hits": sum(g.by == "hit" for g in groups) / len(groups),
        "switched": sum(g.switched for g in groups) / len(groups),
        "error_p50": at(errors, 0.50),
        "error_p95": at(errors, 0.95),
        "error_p99": at(errors, 0.99),
        "error_max": max(errors),
        "margin": MARGINS[name],
        "within": sum(e <= MARGINS[name] for e in errors) / len(errors),
        "time_within": sum(g.cost_ns for g, e in zip(groups, errors) if e <= MARGINS[name]) /
                       sum(g.cost_ns for g in groups),
        "outliers": outliers(groups, MARGINS[name]),
    }


def figure14(results):
    rows = [prediction(results[f"fig14-{name}"], name, 5000, 10000)
            for name in FIG14_TASKS if f"fig14-{name}" in results]
    together = results["fig14-together"]
    rows += [prediction(together, task["name"], 100, None) for task in together.tasks]
    title("Figure 14: error of the predicted cost of a group, in per cent of its cost")
    print("                                        cost, us           hits  switched  error"
          "                         within margin of  outside, by reason")
    print("  task      groups              least    mean    most   %      %       p50     p95"
          "     p99      max     groups    time   miss  short  other")
    for r in rows:
        where = f"{r['first']}-{r['first'] + r['groups']}"
        where += " mixed" if r["scene"].endswith("together") else ""
        cost = " ".join(f"{r[f'cost_{k}_ns'] / 1e3:7.1f}" for k in ("min", "mean", "max"))
        errors = " ".join(f"{100 * r[f'error_{k}']:7.2f}" for k in ("p50", "p95", "p99"))
        why = " ".join(f"{r['outliers'][k]:6}" for k in ("miss", "short", "other"))
        print(f"  {r['task']:<9} {where:<17} {cost} {100 * r['hits']:6.1f} "
              f"{100 * r['switched']:6.1f}  {errors} {100 * r['error_max']:8.2f}  "
              f"{100 * r['margin']:3.0f} %: {100 * r['within']:6.2f}  {100 * r['time_within']:6.2f} {why}")
    return rows


def program_rate(result):
    """Of all programs but the display server."""
    return sum(rate(t) for t in result.tasks if t["name"] != "Xorg")


def figure15(results):
    modes = ["without", *FIG15_MODES]
    title("Figure 15: frame rate beside a display server alone, and what of it is lost")
    print(f"  {'':<14}" + "".join(f"{mode:>20}" for mode in modes))
    for program in FIG15_PROGRAMS:
        fps = [program_rate(results[fig15_name(program, mode)]) for mode in modes]
        print(f"  {program:<14}" + "".join(f"{f:9.1f} {100 * (1 - f / fps[0]):8.1f} %"
                                           for f in fps))
    return list(task_rows("fig15", results.values()))


def groups_per_frame(result):
    """Of a scene that counts groups."""
    return len(result.groups(result.tasks[0]["name"])) / FIG16_COUNTED


def figure16(results):
    title("Figure 16: frame rate of programs alone, by events and by ticks of 1 ms")
    print("                           groups    without        PRT   by ticks")
    for i, program in enumerate(FIG16_PROGRAMS):
        groups = groups_per_frame(results[f"fig16-{i}-groups"])
        without, prt, ticks = (rate(results[f"fig16-{i}-{mode}"].tasks[0])
                               for mode in ("without", "PRT", "ticks"))
        print(f"  {program:<22} {groups:8.1f} {without:10.1f} {prt:10.1f} {ticks:10.1f}")
    return list(task_rows("fig16", (r for n, r in results.items() if not n.endswith("-groups"))))


def underestimate_us(groups):
    """By how much the cost of one of these groups exceeded its prediction at most."""
    return max((-g.error_ns for g in groups), default=0) / 1000


def overrun(results):
    """A budget is overdrawn by what the prediction of one group fell short, at most."""
    result = results["overrun"]
    reserves = result.reserves()
    title("Overrun of AE reserves (5 ms / 25 ms)")
    print("  task       GPU share    worst debt   worst underestimate of a group: hits     misses")
    rows = []
    for task in result.tasks:
        name = task["name"]
        groups = result.groups(name)
        row = {
            "kind": "overrun",
            "scene": "overrun",
            "task": name,
            "gpu_share": round(task["gpu_share"], 4),
            "debt_us": reserves[name]["debt_us"],
            "underestimate_hit_us": underestimate_us(g for g in groups if g.by == "hit"),
            "underestimate_miss_us": underestimate_us(g for g in groups if g.by == "miss"),
            "refused": reserves[name]["refused"],
        }
        rows.append(row)
        print(f"  {name:<10} {percent(row['gpu_share'])}  {row['debt_us']:9} us  "
              f"{row['underestimate_hit_us']:32.1f} us  {row['underestimate_miss_us']:7.1f} us")
    return rows


def accounting(results):
    title("Accounting: a reserve of 2.5 ms / 25 ms (PE) beside the game, by either clock")
    print("  clock  task      GPU share   CPU clock's cost - GPU clock's, us: p50    p99     max"
          "   of a group's cost")
    rows = []
    for name, result in results.items():
        _, clock, task = name.split("-")
        groups = result.groups(task)
        extra = [g.cpu_ns - g.cost_ns for g in groups]
        row = {
            "kind": "clock",
            "scene": name,
            "clock": clock,
            "task": task,
            "gpu_share": round(result.share(task), 4),
            "groups": len(groups),
            "cost_mean_ns": round(sum(g.cost_ns for g in groups) / len(groups)),
            "extra_p50_ns": at(extra, 0.5),
            "extra_p99_ns": at(extra, 0.99),
            "extra_max_ns": max(extra),
        }
        rows.append(row)
        text = "the same clock"
        if clock == "gpu":
            text = (" ".join(f"{row[f'extra_{k}_ns'] / 1e3:7.1f}" for k in ("p50", "p99", "max")) +
                    f"   {100 * row['extra_p50_ns'] / row['cost_mean_ns']:.2f} %")
        print(f"  {clock:<6} {task:<9} {percent(row['gpu_share'])}   {text:>60}")
    return rows


def overhead(results):
    title("Overhead per call, virtual time (one instruction is one nanosecond)")
    print("  groups of    function              what                      calls   "
          "p50      max  us")
    rows = []
    for name, result in results.items():
        _, task, function = name.split("-")
        calls = result.calls_ns()
        row = {
            "kind": "overhead",
            "scene": name,
            "groups_of": task,
            "function": function,
            "calls": len(calls),
            "p50_ns": round(at(calls, 0.5)),
            "max_ns": round(max(calls)),
        }
        rows.append(row)
        print(f"  {task:<12} {function:<21} {MEASURED[function]:<23} {row['calls']:7} "
              f"{row['p50_ns'] / 1e3:7.2f} {row['max_ns'] / 1e3:8.2f}")
    return rows
