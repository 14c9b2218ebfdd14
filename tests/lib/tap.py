# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests that print TAP: one line each, below it what is known of it, and the plan.

    from tap import check, end
    check("answer_is_yes", answer == "yes", f"it is {answer}")
    end()
"""
import sys

_results = []


def check(name, good, *details):
    """One test; details that are empty are left out. Whether it passed."""
    _results.append(bool(good))
    print(f"{'ok' if good else 'not ok'} {len(_results)} - {name}")
    for line in "\n".join(map(str, filter(None, details))).splitlines():
        print(f"# {line}")
    sys.stdout.flush()
    return bool(good)


def skip(name, reason):
    """A test that cannot be run here."""
    _results.append(True)
    print(f"ok {len(_results)} - {name} # SKIP {reason}")


def all_good():
    return all(_results)


def run_cases(cases):
    """Functions by name, their plan first; one fails by raising."""
    print(f"1..{len(cases)}")
    for name, case in cases.items():
        try:
            case()
        except Exception as e:
            check(name, False, f"{type(e).__name__}: {e}"[:2000])
        else:
            check(name, True)


def bail_out(why):
    print(f"Bail out! {why}")
    sys.exit(1)


def end():
    """The plan, and the exit status."""
    print(f"1..{len(_results)}")
    sys.exit(not all_good())
